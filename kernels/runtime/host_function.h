// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the complete host function of a CompiledKernel, like a user's program: copies to the device, launches, copies
// back.
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

/// The operands of a problem, row-major and dense, with its sizes and types. Those that it does not have may be null.
struct HostOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* bias = nullptr;
  const void* addend = nullptr;
};

/// A host object linked into the process. Loading runs its global constructors, which load the image; destruction runs
/// its destructors. Requires SetMgpuDevice(). Not thread-safe.
class HostFunction {
 public:
  static absl::StatusOr<std::unique_ptr<HostFunction>> Load(const CompiledKernel& kernel);
  ~HostFunction() { object_->RunDestructors(); }

  /// Runs the function for the problem that it was compiled for, and copies its ElementsC() elements of TypeOfC() to
  /// `c`. InvalidArgument if the result has other sizes.
  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands, void* c);
  /// Runs the function and passes its elements to `show` without a copy. They are valid during that call only.
  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands,
                   absl::FunctionRef<void(const void* c)> show);

 private:
  HostFunction(std::unique_ptr<LoadedObject> object, void* entry) : object_(std::move(object)), entry_(entry) {}

  const std::unique_ptr<LoadedObject> object_;
  void* const entry_;
};

/// Links host code and runs its constructors, which load the device images. The caller has to run the destructors.
/// Returns the errors of LoadedObject::Load() and of loading an image.
absl::StatusOr<std::unique_ptr<LoadedObject>> LoadHostObject(std::string_view image);

}  // namespace mmtune
