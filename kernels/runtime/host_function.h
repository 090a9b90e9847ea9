// Runs the complete host function of a CompiledKernel: copies in, launches, copies out, as a user's program would.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/runtime/device.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Loads the host object with ORC, runs its global constructors (which load the image) and, at destruction, its
/// destructors. SetMgpuDevice() first. Not thread-safe.
class HostFunction {
 public:
  static absl::StatusOr<std::unique_ptr<HostFunction>> Load(const CompiledKernel& kernel);
  virtual ~HostFunction() = default;

  /// Row-major operands of the problem's sizes; `c` gets M*N elements.
  virtual absl::Status Run(const MatmulProblem& problem, const float* a, const float* b, float* c) = 0;
};

}  // namespace mmtune
