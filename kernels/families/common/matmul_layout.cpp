// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/matmul_layout.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "kernels/families/common/family_base.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/families/gemv/gemv_family.h"
#include "kernels/families/mma/mma_schedule.h"
#include "proto/base/whole_numbers.h"

namespace mmtune {
namespace {

constexpr int64_t kRepresentativeRows = 512, kRepresentativeBatch = 16;

int64_t Representative(int64_t least, int64_t factor) {
  return factor > 0 && factor < least ? RoundUp(least, factor) : factor;
}

OperandLayout DenseOperand(int64_t rows, int64_t columns, const std::vector<int64_t>& matrices) {
  OperandLayout layout;
  layout.rowStride = columns;
  layout.matrixStrides.resize(matrices.size());
  int64_t stride = rows * columns;
  for (size_t i = matrices.size(); i-- > 0; stride *= matrices[i]) layout.matrixStrides[i] = stride;
  return layout;
}

/// Returns the dense layout of a batch with these extents, without alignments.
MatmulLayout DenseIn(const MatmulProblem& problem, const std::vector<int64_t>& matrices) {
  auto operand = [&](int64_t rows, int64_t columns, bool transposed) {
    return DenseOperand(transposed ? columns : rows, transposed ? rows : columns, matrices);
  };
  MatmulLayout layout;
  layout.matrices = matrices;
  layout.a = operand(problem.m, problem.k, problem.transpose_a);
  layout.b = operand(problem.k, problem.n, problem.transpose_b);
  layout.c = operand(problem.m, problem.n, false);
  return layout;
}

bool LiesAlike(const OperandLayout& x, const OperandLayout& y) {
  return x.rowStride == y.rowStride && x.matrixStrides == y.matrixStrides;
}

/// True if an operand is aligned as kernels expect of dense operands.
bool IsAligned(const OperandLayout& layout, int64_t elementBytes) {
  return layout.alignment * elementBytes % kWidestAccess == 0;
}

template <typename S>
std::string WhyNotSummed(const MatmulProblem& problem, const Schedule& schedule, const MatmulLayout& layout) {
  const int64_t reduction = S::FromSchedule(schedule).reduction;
  if (reduction == kNoReduction || reduction == kOrderedReduction) return "";
  const bool dense = LiesAlike(layout.c, DenseIn(problem, layout.matrices).c) && IsAligned(layout.c, 1);
  return dense ? "" : "sums of splits are added to a dense C";
}

template <typename S>
std::string BrokenRule(const std::vector<ScheduleConstraint>& rules, const Schedule& schedule) {
  std::vector<int64_t> values;
  for (const ScheduleField<S>& field : S::fields()) values.push_back(schedule.Get(field.name));
  for (const ScheduleConstraint& rule : rules)
    if (!rule.holds(values.data())) return rule.name;
  return "";
}

}  // namespace

int64_t RepresentativeRows(int64_t factor) { return Representative(kRepresentativeRows, factor); }

int64_t RepresentativeBatch(int64_t factor) { return Representative(kRepresentativeBatch, factor); }

std::string WhyRunTimeSizesUnsupported(const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes) {
  if (!sizes.any()) return "";
  const absl::StatusOr<const FamilyBase*> family = FindKernelFamily(schedule.family);
  if (!family.ok()) return std::string(family.status().message());
  return (*family)->WhyRunTimeSizesUnsupported(problem, schedule, sizes);
}

Schedule WithWholeTiles(const Schedule& schedule) {
  const absl::StatusOr<const FamilyBase*> family = FindKernelFamily(schedule.family);
  return family.ok() ? (*family)->WithWholeTiles(schedule) : schedule;
}

std::string TextWithSizes(const MatmulProblem& problem, RunTimeSizes sizes) {
  std::string text = problem.Text();
  if (sizes.rows) text.replace(0, text.find('x'), "?");
  if (sizes.batch) text = absl::StrReplaceAll(text, {{absl::StrCat("batch=", problem.batch), "batch=?"}});
  return text;
}

std::string MatmulLayout::Text() const {
  if (!any()) return "";
  std::string text = absl::StrCat("lda=", a.rowStride, " ldb=", b.rowStride, " ldc=", c.rowStride);
  if (!matrices.empty()) {
    absl::StrAppend(&text, " matrices=", absl::StrJoin(matrices, "x"));
    for (const auto& [name, operand] : {std::pair{"a", &a}, {"b", &b}, {"c", &c}})
      absl::StrAppend(&text, " stride_", name, "=", absl::StrJoin(operand->matrixStrides, ","));
  }
  if (a.alignment != 0 || b.alignment != 0 || c.alignment != 0)
    absl::StrAppend(&text, " align=", a.alignment, ",", b.alignment, ",", c.alignment);
  return text;
}

MatmulLayout DenseLayout(const MatmulProblem& problem) {
  return DenseIn(problem, problem.batch == 1 ? std::vector<int64_t>() : std::vector<int64_t>{problem.batch});
}

MatmulLayout NormalizedLayout(const MatmulProblem& problem, MatmulLayout layout) {
  const MatmulLayout dense = DenseIn(problem, layout.matrices);
  const bool alike = LiesAlike(layout.a, dense.a) && LiesAlike(layout.b, dense.b) && LiesAlike(layout.c, dense.c);
  // The epilogue decides the type of C: ask for the alignment of the narrowest.
  const int64_t bytes = DataTypeBytes(problem.dtype);
  const bool aligned = IsAligned(layout.a, bytes) && IsAligned(layout.b, bytes) && IsAligned(layout.c, 1);
  return alike && aligned ? MatmulLayout() : layout;
}

int64_t RowAlignment(const OperandLayout& layout, int64_t rowElements) {
  int64_t alignment = std::gcd(std::gcd(rowElements, layout.rowStride), layout.alignment);
  for (int64_t stride : layout.matrixStrides) alignment = std::gcd(alignment, stride);
  return alignment;
}

std::string WhyLayoutUnsupported(const MatmulProblem& problem, const Schedule& schedule, const DeviceInfo& device,
                                 const MatmulLayout& layout) {
  if (!layout.any()) return "";
  if (schedule.family == FmaSchedule::kFamily) {
    std::string why = WhyNotSummed<FmaSchedule>(problem, schedule, layout);
    return why.empty() ? BrokenRule<FmaSchedule>(FmaConstraints(problem, device, layout), schedule) : why;
  }
  if (schedule.family == MmaSchedule::kFamily) {
    std::string why = WhyNotSummed<MmaSchedule>(problem, schedule, layout);
    return why.empty() ? BrokenRule<MmaSchedule>(MmaConstraints(problem, device, layout), schedule) : why;
  }
  if (schedule.family == GemvSchedule::kFamily) {
    // For a C of one element, the matrix is B, whose only row runs along k.
    const bool isRow = problem.m != 1 || problem.n != 1 || problem.transpose_b || layout.b.rowStride == 1;
    return isRow ? WhyNotSummed<GemvSchedule>(problem, schedule, layout) : "the elements of B are not contiguous";
  }
  return absl::StrCat("kernels of ", schedule.family, " support dense matrices only");
}

}  // namespace mmtune
