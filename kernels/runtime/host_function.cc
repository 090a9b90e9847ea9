// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/host_function.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxRank = 3;

/// A memref as MLIR passes it through a C interface: after the offset come its sizes, then its strides, as many as its
/// rank says; all of these count elements.
struct Descriptor {
  void* allocated = nullptr;
  void* aligned = nullptr;
  int64_t offset = 0;
  int64_t extents[2 * kMaxRank] = {};
};

/// Dense, row-major.
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

/// The sizes of one matrix for each of the batch, as the host function takes and returns them.
std::vector<int64_t> MatrixSizes(const MatmulProblem& problem, int64_t rows, int64_t columns) {
  return problem.batch == 1 ? std::vector<int64_t>{rows, columns} : std::vector<int64_t>{problem.batch, rows, columns};
}

/// The operands that the problem has, in the order of the host function's parameters.
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

bool IsDense(const Descriptor& memref, size_t rank) {
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0; stride *= memref.extents[i]) {
    if (memref.extents[rank + i] != stride) return false;
  }
  return true;
}

const char* FirstElement(const Descriptor& memref, int64_t element_bytes) {
  return static_cast<const char*>(memref.aligned) + memref.offset * element_bytes;
}

void CopyDense(const Descriptor& from, size_t rank, int64_t element_bytes, char* to) {
  const int64_t* sizes = from.extents;
  const int64_t* strides = from.extents + rank;
  const int64_t matrices = rank == 3 ? sizes[0] : 1;
  const int64_t rows = sizes[rank - 2], columns = sizes[rank - 1];
  for (int64_t i = 0; i < matrices * rows; ++i) {
    const int64_t matrix = rank == 3 ? i / rows * strides[0] : 0;
    const char* source = FirstElement(from, element_bytes) + (matrix + i % rows * strides[rank - 2]) * element_bytes;
    char* target = to + i * columns * element_bytes;
    if (strides[rank - 1] == 1) {
      std::memcpy(target, source, static_cast<size_t>(columns * element_bytes));
      continue;
    }
    for (int64_t column = 0; column < columns; ++column) {
      std::memcpy(target + column * element_bytes, source + column * strides[rank - 1] * element_bytes,
                  static_cast<size_t>(element_bytes));
    }
  }
}

class OrcHostFunction : public HostFunction {
 public:
  OrcHostFunction(std::unique_ptr<LoadedObject> object, void* entry) : object_(std::move(object)), entry_(entry) {}

  ~OrcHostFunction() override { object_->RunDestructors(); }

  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands,
                   absl::FunctionRef<void(const void* c)> show) override {
    std::vector<Descriptor> memrefs = DescribeAll(problem, operands);
    Descriptor result;
    Call(&result, memrefs);
    absl::Status status = TakeMgpuError();
    const std::vector<int64_t> sizes = MatrixSizes(problem, problem.m, problem.n);
    if (status.ok() && !std::equal(sizes.begin(), sizes.end(), result.extents)) {
      status = InvalidArgument(absl::StrCat("the host function was compiled for another problem: it returned ",
                                            SizesText(result.extents, sizes.size()), ", not ",
                                            SizesText(sizes.data(), sizes.size())));
    }
    if (status.ok()) Show(problem, result, sizes.size(), show);
    const bool own = std::none_of(memrefs.begin(), memrefs.end(),
                                  [&](const Descriptor& memref) { return memref.allocated == result.allocated; });
    if (own) std::free(result.allocated);
    return status;
  }

 private:
  static void Show(const MatmulProblem& problem, const Descriptor& result, size_t rank,
                   absl::FunctionRef<void(const void* c)> show) {
    const int64_t element_bytes = DataTypeBytes(problem.TypeOfC());
    if (IsDense(result, rank)) return show(FirstElement(result, element_bytes));
    std::vector<char> dense(static_cast<size_t>(problem.ElementsC() * element_bytes));
    CopyDense(result, rank, element_bytes, dense.data());
    show(dense.data());
  }

  /// A, B and at most two operands of the epilogue.
  void Call(Descriptor* result, std::vector<Descriptor>& memrefs) {
    using D = Descriptor*;
    D d = memrefs.data();
    if (memrefs.size() == 2) return reinterpret_cast<void (*)(D, D, D)>(entry_)(result, d, d + 1);
    if (memrefs.size() == 3) return reinterpret_cast<void (*)(D, D, D, D)>(entry_)(result, d, d + 1, d + 2);
    reinterpret_cast<void (*)(D, D, D, D, D)>(entry_)(result, d, d + 1, d + 2, d + 3);
  }

  std::unique_ptr<LoadedObject> object_;
  void* const entry_;
};

}  // namespace

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
  return std::make_unique<OrcHostFunction>(std::move(object), *entry);
}

}  // namespace mmtune
