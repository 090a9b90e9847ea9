// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the complete host function of a CompiledKernel: copies in, launches, copies out, as a user's program would.
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

/// The operands of a problem, of its sizes and types, row-major and dense. What the problem lacks is not read and may
/// be null.
struct HostOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* bias = nullptr;
  const void* addend = nullptr;
};

/// Loads the host object with ORC, runs its global constructors (which load the image) and, at destruction, its
/// destructors. SetMgpuDevice() first. Not thread-safe.
class HostFunction {
 public:
  static absl::StatusOr<std::unique_ptr<HostFunction>> Load(const CompiledKernel& kernel);
  ~HostFunction() { object_->RunDestructors(); }

  /// `problem` is the one that the kernel was compiled for; `c` gets its ElementsC() elements of TypeOfC().
  /// InvalidArgument when the result has other sizes.
  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands, void* c);
  /// Passes the elements to `show` where the function left them, without a copy. They are valid during that call only.
  absl::Status Run(const MatmulProblem& problem, const HostOperands& operands,
                   absl::FunctionRef<void(const void* c)> show);

 private:
  HostFunction(std::unique_ptr<LoadedObject> object, void* entry) : object_(std::move(object)), entry_(entry) {}

  const std::unique_ptr<LoadedObject> object_;
  void* const entry_;
};

/// Links host code, and loads the device images in it: its constructors have run, its destructors are for the caller to
/// run. As LoadedObject::Load, or the error of loading an image.
absl::StatusOr<std::unique_ptr<LoadedObject>> LoadHostObject(std::string_view image);

}  // namespace mmtune
