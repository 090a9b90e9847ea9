// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/host_function.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/memref.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxRank = 3;

/// A memref as MLIR passes it through a C interface: `extents` are its sizes, then its strides, in elements.
struct Descriptor {
  void* allocated = nullptr;
  void* aligned = nullptr;
  int64_t offset = 0;
  int64_t extents[2 * kMaxRank] = {};
};

/// Makes the descriptor of dense, row-major data.
Descriptor Describe(const void* data, const std::vector<int64_t>& sizes) {
  auto* writable = const_cast<void*>(data);
  Descriptor memref{writable, writable};
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    memref.extents[i] = sizes[i];
    memref.extents[sizes.size() + i] = stride;
    stride *= sizes[i];
  }
  return memref;
}

/// Returns the sizes of an operand with one matrix for each of the batch.
std::vector<int64_t> MatrixSizes(const MatmulProblem& problem, int64_t rows, int64_t columns) {
  return problem.batch == 1 ? std::vector<int64_t>{rows, columns} : std::vector<int64_t>{problem.batch, rows, columns};
}

/// Describes the operands that the problem has, in the order of the host function's parameters.
std::vector<Descriptor> DescribeAll(const MatmulProblem& problem, const HostOperands& operands) {
  auto stored = [&problem](bool transposed, int64_t rows, int64_t columns) {
    return transposed ? MatrixSizes(problem, columns, rows) : MatrixSizes(problem, rows, columns);
  };
  std::vector<Descriptor> memrefs = {Describe(operands.a, stored(problem.transpose_a, problem.m, problem.k)),
                                     Describe(operands.b, stored(problem.transpose_b, problem.k, problem.n))};
  if (problem.HasBias()) memrefs.push_back(Describe(operands.bias, {problem.n}));
  if (problem.HasAddend()) memrefs.push_back(Describe(operands.addend, MatrixSizes(problem, problem.m, problem.n)));
  return memrefs;
}

std::string SizesText(const int64_t* sizes, size_t rank) { return absl::StrJoin(sizes, sizes + rank, "x"); }

/// Passes the elements to `show`, row-major and dense.
void Show(Descriptor& memref, const std::vector<int64_t>& sizes, int64_t element_bytes,
          absl::FunctionRef<void(const void* c)> show) {
  Descriptor dense = Describe(nullptr, sizes);
  if (std::equal(dense.extents, std::end(dense.extents), memref.extents)) {
    return show(static_cast<const char*>(memref.aligned) + memref.offset * element_bytes);
  }
  const int64_t count = absl::c_accumulate(sizes, int64_t{1}, std::multiplies<>());
  std::vector<char> elements(static_cast<size_t>(count * element_bytes));
  dense.aligned = elements.data();
  const auto rank = static_cast<int64_t>(sizes.size());
  const MmtuneUnrankedMemref source = {rank, &memref}, target = {rank, &dense};
  memrefCopy(element_bytes, &source, &target);
  show(elements.data());
}

/// Calls the host function; `memrefs` are A, B and at most two operands of the epilogue.
void Call(void* entry, Descriptor* result, std::vector<Descriptor>& memrefs) {
  using D = Descriptor*;
  D d = memrefs.data();
  if (memrefs.size() == 2) return reinterpret_cast<void (*)(D, D, D)>(entry)(result, d, d + 1);
  if (memrefs.size() == 3) return reinterpret_cast<void (*)(D, D, D, D)>(entry)(result, d, d + 1, d + 2);
  reinterpret_cast<void (*)(D, D, D, D, D)>(entry)(result, d, d + 1, d + 2, d + 3);
}

}  // namespace

absl::Status HostFunction::Run(const MatmulProblem& problem, const HostOperands& operands,
                               absl::FunctionRef<void(const void* c)> show) {
  std::vector<Descriptor> memrefs = DescribeAll(problem, operands);
  Descriptor result;
  Call(entry_, &result, memrefs);
  absl::Status status = TakeMgpuError();
  const std::vector<int64_t> sizes = MatrixSizes(problem, problem.m, problem.n);
  if (status.ok() && !std::equal(sizes.begin(), sizes.end(), result.extents)) {
    status = InvalidArgument(absl::StrCat("the host function was compiled for another problem: it returned ",
                                          SizesText(result.extents, sizes.size()), ", not ",
                                          SizesText(sizes.data(), sizes.size())));
  }
  if (status.ok()) Show(result, sizes, DataTypeBytes(problem.TypeOfC()), show);
  const bool own = std::none_of(memrefs.begin(), memrefs.end(),
                                [&](const Descriptor& memref) { return memref.allocated == result.allocated; });
  if (own) std::free(result.allocated);
  return status;
}

absl::Status HostFunction::Run(const MatmulProblem& problem, const HostOperands& operands, void* c) {
  const auto bytes = static_cast<size_t>(problem.ElementsC() * DataTypeBytes(problem.TypeOfC()));
  return Run(problem, operands, [bytes, c](const void* result) { std::memcpy(c, result, bytes); });
}

absl::StatusOr<std::unique_ptr<LoadedObject>> LoadHostObject(std::string_view image) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> object, LoadedObject::Load(image, MgpuSymbols()));
  object->RunConstructors();
  absl::Status status = TakeMgpuError();
  if (status.ok()) return object;
  object->RunDestructors();
  TakeMgpuError().IgnoreError();  // Errors of unloading are not the cause.
  return WithContext(status, "loading the device images");
}

absl::StatusOr<std::unique_ptr<HostFunction>> HostFunction::Load(const CompiledKernel& kernel) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> object, LoadHostObject(kernel.host_object));
  absl::StatusOr<void*> entry = object->Lookup(absl::StrCat("_mlir_ciface_", kernel.host_symbol));
  if (!entry.ok()) {
    object->RunDestructors();
    return entry.status();
  }
  return std::unique_ptr<HostFunction>(new HostFunction(std::move(object), *entry));
}

}  // namespace mmtune
