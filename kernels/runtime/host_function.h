// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the host function of a CompiledKernel (compiled_kernel.h) in this process, as a user's program would. The
// function copies operands to the device, launches the kernels, and copies C back. Workers use it to verify the host
// code that users' programs will run.
//
//   SetMgpuDevice(device);
//   HostFunction::Load(kernel) -> function->Run(problem, {a, b}, c)
#pragma once

#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device/device.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Pointers to the operands of a problem in host memory. They are row-major and dense, with the problem's sizes and
/// element types. Operands that the problem does not have may be null.
struct HostOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* bias = nullptr;
  const void* addend = nullptr;
};

/// The loaded host function of one CompiledKernel. Loading links the host object file and runs its global constructors,
/// which load the device code on the device that SetMgpuDevice() (mgpu.h) has set. The destructor unloads the device
/// code. Not thread-safe.
class HostFunction {
 public:
  /// Loads the host function of `kernel`. Returns an error if the object file cannot be linked or the device does not
  /// accept the code.
  static absl::StatusOr<std::unique_ptr<HostFunction>> Load(const CompiledKernel& kernel);
  ~HostFunction() { object_->RunDestructors(); }

  /// Runs the function, and copies C to `c`: ElementsC() elements of TypeOfC() (see MatmulProblem). `problem` must be
  /// the problem for which the kernel was compiled. Returns InvalidArgument if the function returns a C of another
  /// size, or the error of the device.
  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands, void* c);
  /// Runs the function as the overload above does, with the same errors, but passes C to `show` instead of copying it.
  /// The pointer is valid only during the call of `show`.
  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands,
                   absl::FunctionRef<void(const void* c)> show);

 private:
  HostFunction(std::unique_ptr<LoadedObject> object, void* entry) : object_(std::move(object)), entry_(entry) {}

  const std::unique_ptr<LoadedObject> object_;
  void* const entry_;
};

/// Links host code into this process and runs its global constructors, which load the embedded device code. The caller
/// must call RunDestructors() before it destroys the result. Returns the error of LoadedObject::Load() or of the
/// device.
absl::StatusOr<std::unique_ptr<LoadedObject>> LoadHostObject(std::string_view image);

}  // namespace mmtune
