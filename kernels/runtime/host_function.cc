// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/host_function.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/memref_copy.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxRank = 3;

/// A memref of f32 as MLIR passes it through a C interface: after the offset come its sizes, then its strides, as many
/// as its rank says.
struct Descriptor {
  float* allocated = nullptr;
  float* aligned = nullptr;
  int64_t offset = 0;
  int64_t extents[2 * kMaxRank] = {};
};

/// Dense, row-major.
Descriptor Describe(const float* data, const std::vector<int64_t>& sizes) {
  auto* writable = const_cast<float*>(data);
  Descriptor memref{writable, writable};
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    memref.extents[i] = sizes[i];
    memref.extents[sizes.size() + i] = stride;
    stride *= sizes[i];
  }
  return memref;
}

/// The sizes of one matrix for each of the batch, as the host function takes and returns them.
std::vector<int64_t> MatrixSizes(const MatmulProblem& problem, int64_t rows, int64_t columns) {
  return problem.batch == 1 ? std::vector<int64_t>{rows, columns} : std::vector<int64_t>{problem.batch, rows, columns};
}

/// The operands that the problem has, in the order of the host function's parameters.
std::vector<Descriptor> DescribeAll(const MatmulProblem& problem, const HostOperands& operands) {
  const bool transposed = problem.transpose_b;
  std::vector<Descriptor> memrefs = {Describe(operands.a, MatrixSizes(problem, problem.m, problem.k)),
                                     Describe(operands.b, MatrixSizes(problem, transposed ? problem.n : problem.k,
                                                                      transposed ? problem.k : problem.n))};
  if (problem.HasBias()) memrefs.push_back(Describe(operands.bias, {problem.n}));
  if (problem.HasAddend()) memrefs.push_back(Describe(operands.addend, MatrixSizes(problem, problem.m, problem.n)));
  return memrefs;
}

std::string SizesText(const int64_t* sizes, size_t rank) { return absl::StrJoin(sizes, sizes + rank, "x"); }

/// Shows elements of these sizes, row-major and dense.
void Show(Descriptor& memref, const std::vector<int64_t>& sizes, absl::FunctionRef<void(const float* c)> show) {
  Descriptor dense = Describe(nullptr, sizes);
  if (std::equal(dense.extents, std::end(dense.extents), memref.extents)) return show(memref.aligned + memref.offset);
  std::vector<float> elements(static_cast<size_t>(absl::c_accumulate(sizes, int64_t{1}, std::multiplies<>())));
  dense.aligned = elements.data();
  const auto rank = static_cast<int64_t>(sizes.size());
  const MmtuneUnrankedMemref source = {rank, &memref}, target = {rank, &dense};
  memrefCopy(sizeof(float), &source, &target);
  show(elements.data());
}

/// `memrefs` are A, B and at most two operands of the epilogue.
void Call(void* entry, Descriptor* result, std::vector<Descriptor>& memrefs) {
  using D = Descriptor*;
  D d = memrefs.data();
  if (memrefs.size() == 2) return reinterpret_cast<void (*)(D, D, D)>(entry)(result, d, d + 1);
  if (memrefs.size() == 3) return reinterpret_cast<void (*)(D, D, D, D)>(entry)(result, d, d + 1, d + 2);
  reinterpret_cast<void (*)(D, D, D, D, D)>(entry)(result, d, d + 1, d + 2, d + 3);
}

}  // namespace

absl::Status HostFunction::Run(const MatmulProblem& problem, const HostOperands& operands,
                               absl::FunctionRef<void(const float* c)> show) {
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
  if (status.ok()) Show(result, sizes, show);
  const bool own = std::none_of(memrefs.begin(), memrefs.end(),
                                [&](const Descriptor& memref) { return memref.allocated == result.allocated; });
  if (own) std::free(result.allocated);
  return status;
}

absl::Status HostFunction::Run(const MatmulProblem& problem, const HostOperands& operands, float* c) {
  return Run(problem, operands, [&problem, c](const float* result) { std::copy_n(result, problem.ElementsC(), c); });
}

absl::StatusOr<std::unique_ptr<LoadedObject>> LoadHostObject(std::string_view image) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> object, LoadedObject::Load(image, MgpuSymbols()));
  object->RunConstructors();
  absl::Status status = TakeMgpuError();
  if (status.ok()) return object;
  object->RunDestructors();
  TakeMgpuError().IgnoreError();  // What unloading adds is not the cause.
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
