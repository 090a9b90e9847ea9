#include "kernels/runtime/host_function.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/runtime/mgpu.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// A memref<?x?xf32> as MLIR passes it through a C interface.
struct MatrixDescriptor {
  float* allocated = nullptr;
  float* aligned = nullptr;
  int64_t offset = 0;
  int64_t sizes[2] = {0, 0};
  int64_t strides[2] = {0, 0};
};

MatrixDescriptor Describe(const float* data, int64_t rows, int64_t columns) {
  auto* writable = const_cast<float*>(data);
  return {writable, writable, 0, {rows, columns}, {columns, 1}};
}

void CopyRows(const MatrixDescriptor& from, float* to) {
  const float* origin = from.aligned + from.offset;
  for (int64_t row = 0; row < from.sizes[0]; ++row) {
    const float* source = origin + row * from.strides[0];
    float* target = to + row * from.sizes[1];
    if (from.strides[1] == 1) {
      std::memcpy(target, source, static_cast<size_t>(from.sizes[1]) * sizeof(float));
      continue;
    }
    for (int64_t column = 0; column < from.sizes[1]; ++column) target[column] = source[column * from.strides[1]];
  }
}

class OrcHostFunction : public HostFunction {
 public:
  using Entry = void (*)(MatrixDescriptor* result, MatrixDescriptor* a, MatrixDescriptor* b);

  OrcHostFunction(std::unique_ptr<LoadedObject> object, Entry entry) : object_(std::move(object)), entry_(entry) {}

  ~OrcHostFunction() override { object_->RunDestructors(); }

  absl::Status Run(const MatmulProblem& problem, const float* a, const float* b, float* c) override {
    MatrixDescriptor a_matrix = Describe(a, problem.m, problem.k);
    MatrixDescriptor b_matrix = Describe(b, problem.k, problem.n);
    MatrixDescriptor result;
    entry_(&result, &a_matrix, &b_matrix);
    absl::Status status = TakeMgpuError();
    if (status.ok() && (result.sizes[0] != problem.m || result.sizes[1] != problem.n)) {
      status =
          InvalidArgument(absl::StrCat("the host function was compiled for another problem: it returned ",
                                       result.sizes[0], "x", result.sizes[1], ", not ", problem.m, "x", problem.n));
    }
    if (status.ok()) CopyRows(result, c);
    if (result.allocated != a && result.allocated != b) std::free(result.allocated);
    return status;
  }

 private:
  std::unique_ptr<LoadedObject> object_;
  const Entry entry_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HostFunction>> HostFunction::Load(const CompiledKernel& kernel) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> object, LoadedObject::Load(kernel.host_object, MgpuSymbols()));
  ASSIGN_OR_RETURN(void* entry, object->Lookup(absl::StrCat("_mlir_ciface_", kernel.host_symbol)));
  object->RunConstructors();
  if (absl::Status status = TakeMgpuError(); !status.ok()) {
    object->RunDestructors();
    TakeMgpuError().IgnoreError();  // What unloading adds is not the cause.
    return WithContext(status, "loading the image of the host function");
  }
  return std::make_unique<OrcHostFunction>(std::move(object), reinterpret_cast<OrcHostFunction::Entry>(entry));
}

}  // namespace mmtune
