// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/kernel_verify/gemm_binding.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Converts elements to fp8.
std::string Narrow(const ElementType& type, DataType from, const std::string& elements) {
  std::vector<double> numbers(elements.size() / static_cast<size_t>(DataTypeBytes(from)));
  TraitsOf(from).decode_double(elements.data(), static_cast<int64_t>(numbers.size()), numbers.data());
  std::string narrow(numbers.size(), '\0');
  for (size_t i = 0; i < numbers.size(); ++i) WriteNumber(type, numbers[i], &narrow[i]);
  return narrow;
}

}  // namespace

absl::StatusOr<GemmBinding> GemmBinding::Create(const std::string& text, const KernelLaunchPlan& plan,
                                                const std::optional<ShapeSizes>& shape) {
  const std::vector<std::string> words = absl::StrSplit(text, ',');
  if (words.size() != 3) {
    return InvalidArgument(absl::StrCat("--gemm ", text, " is not A,B,C: three names or positions of buffers, each ",
                                        "with :t if it is column-major"));
  }
  GemmBinding gemm;
  Matrix* const matrices[] = {&gemm.a_, &gemm.b_, &gemm.c_};
  for (size_t i = 0; i < words.size(); ++i) {
    Matrix& matrix = *matrices[i];
    absl::string_view name = words[i];
    matrix.transposed = absl::ConsumeSuffix(&name, ":t");
    matrix.name = std::string(name);
    matrix.buffer = plan.buffers.size();
    for (size_t j = 0; j < plan.buffers.size(); ++j) {
      if (plan.buffers[j].name == matrix.name) matrix.buffer = j;
    }
    if (matrix.buffer == plan.buffers.size())
      return InvalidArgument(absl::StrCat("--gemm ", text, ": no argument is a buffer named '", matrix.name, "'"));
    const KernelBuffer& buffer = plan.buffers[matrix.buffer];
    if (buffer.extents.size() != 2) {
      return InvalidArgument(absl::StrCat("--gemm ", text, ": the buffer ", matrix.name, " has ", buffer.extents.size(),
                                          " extents; a matrix has two, the last one its leading dimension"));
    }
    matrix.rows = buffer.extents[0];
    matrix.columns = buffer.extents[1];
    matrix.type = buffer.type;
    matrix.element_bytes = buffer.type->bytes;
  }
  if (gemm.a_.buffer == gemm.b_.buffer || gemm.a_.buffer == gemm.c_.buffer || gemm.b_.buffer == gemm.c_.buffer)
    return InvalidArgument(absl::StrCat("--gemm ", text, ": A, B and C must be different buffers"));
  const auto extent = [](const Matrix& matrix, bool row) {
    return row != matrix.transposed ? matrix.rows : matrix.columns;
  };
  gemm.c_is_filled_ = !plan.buffers[gemm.c_.buffer].fill.empty();
  MatmulProblem& problem = gemm.problem_;
  problem.m = shape ? shape->m : extent(gemm.c_, true);
  problem.n = shape ? shape->n : extent(gemm.c_, false);
  problem.k = shape ? shape->k : extent(gemm.a_, false);
  RETURN_IF_ERROR(gemm.ChooseTypes(plan));
  RETURN_IF_ERROR(problem.Validate());
  RETURN_IF_ERROR(gemm.CheckExtents(gemm.a_, problem.m, problem.k));
  RETURN_IF_ERROR(gemm.CheckExtents(gemm.b_, problem.k, problem.n));
  RETURN_IF_ERROR(gemm.CheckExtents(gemm.c_, problem.m, problem.n));
  return gemm;
}

absl::Status GemmBinding::ChooseTypes(const KernelLaunchPlan& plan) {
  const ElementType& a = *plan.buffers[a_.buffer].type;
  const ElementType& b = *plan.buffers[b_.buffer].type;
  const ElementType& c = *plan.buffers[c_.buffer].type;
  const absl::Status refused =
      InvalidArgument(absl::StrCat("--gemm: A of ", ToAbsl(a.name), ", B of ", ToAbsl(b.name), " and C of ",
                                   ToAbsl(c.name), " is not a matmul that can be checked: A and B are f16, bf16, f32, ",
                                   "tf32, f64 or i8, C is of that type, f32 (of f16, bf16) or i32 (of i8); or A and B ",
                                   "are fp8 (e4m3, e5m2), and C is f32, f16 or bf16"));
  if (!c.data_type) return refused;
  if (a.kind == ElementType::Kind::kFp8 && b.kind == ElementType::Kind::kFp8) {
    operand_bits_ = std::min(a.narrow_bits, b.narrow_bits);
    problem_.dtype = *c.data_type == DataType::kBf16 ? DataType::kBf16 : DataType::kF16;
  } else {
    if (a.name != b.name || !a.data_type || *a.data_type == DataType::kS32) return refused;
    problem_.dtype = *a.data_type;
    if (a.name == "tf32") problem_.math = MathMode::kTf32;
  }
  if (*c.data_type == DataType::kF32 && DataTypeBytes(problem_.dtype) == 2) problem_.out = OutputType::kF32;
  return *c.data_type == problem_.TypeOfC() ? absl::OkStatus() : refused;
}

absl::Status GemmBinding::CheckExtents(const Matrix& matrix, int64_t rows, int64_t columns) const {
  const int64_t stored_rows = matrix.transposed ? columns : rows, stored_columns = matrix.transposed ? rows : columns;
  if (stored_rows <= matrix.rows && stored_columns <= matrix.columns) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("--gemm: the buffer ", matrix.name, " of ", matrix.rows, " x ", matrix.columns,
                                      " is too small for a matrix of ", stored_rows, " x ", stored_columns, " (",
                                      problem_.ShapeText(), ")"));
}

void GemmBinding::WriteOperands(const OperandSource& source, std::vector<std::string>* contents) const {
  const auto write = [&](const Matrix& matrix, PlanBuffer input, int64_t rows, int64_t columns) {
    std::string& bytes = (*contents)[matrix.buffer];
    std::memset(bytes.data(), 0xff, bytes.size());
    std::string elements(static_cast<size_t>(rows * columns * DataTypeBytes(problem_.dtype)), '\0');
    source(input, 0, rows * columns, elements.data());
    if (matrix.type->kind == ElementType::Kind::kFp8) elements = Narrow(*matrix.type, problem_.dtype, elements);
    const char* element = elements.data();
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column, element += matrix.element_bytes) {
        std::memcpy(bytes.data() + matrix.Offset(row, column), element, static_cast<size_t>(matrix.element_bytes));
      }
    }
  };
  // Neither what lies beside A and B nor what kernels make of it, so that every write is seen.
  if (!c_is_filled_) std::memset((*contents)[c_.buffer].data(), 0xfe, (*contents)[c_.buffer].size());
  write(a_, PlanBuffer::kA, problem_.m, problem_.k);
  write(b_, PlanBuffer::kB, problem_.k, problem_.n);
}

std::string GemmBinding::ReadResult(const std::vector<std::string>& contents) const {
  const std::string& bytes = contents[c_.buffer];
  std::string elements;
  elements.reserve(static_cast<size_t>(problem_.ElementsC() * c_.element_bytes));
  for (int64_t row = 0; row < problem_.m; ++row) {
    for (int64_t column = 0; column < problem_.n; ++column)
      elements.append(bytes, c_.Offset(row, column), static_cast<size_t>(c_.element_bytes));
  }
  return elements;
}

std::string GemmBinding::Writable(size_t buffer, size_t bytes) const {
  std::string writable(bytes, '\0');
  if (buffer != c_.buffer) return writable;
  for (int64_t row = 0; row < problem_.m; ++row) {
    for (int64_t column = 0; column < problem_.n; ++column)
      std::memset(writable.data() + c_.Offset(row, column), 1, static_cast<size_t>(c_.element_bytes));
  }
  return writable;
}

std::string GemmBinding::Damage(const std::vector<std::string>& before, const std::vector<std::string>& after) const {
  for (const Matrix* matrix : {&a_, &b_, &c_}) {
    const std::string& was = before[matrix->buffer];
    const std::string& is = after[matrix->buffer];
    const std::string writable = Writable(matrix->buffer, was.size());
    for (size_t i = 0; i < was.size(); ++i) {
      if (was[i] == is[i] || writable[i] != 0) continue;
      const auto element = static_cast<int64_t>(i) / matrix->element_bytes;
      return absl::StrCat("the kernel wrote to the buffer ", matrix->name, " at [", element / matrix->columns, "][",
                          element % matrix->columns, "]",
                          matrix == &c_ ? ", which is not an element of C" : ", which is an input");
    }
  }
  return "";
}

}  // namespace mmtune
