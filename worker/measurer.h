// What a measure child does with a compiled kernel. The real one is DeviceMeasurer; tests have others.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Not thread-safe. Called in the order Load, Check, Time; Load again for the next kernel. Errors as Device gives them:
/// Aborted means that the process must end.
class Measurer {
 public:
  virtual ~Measurer() = default;
  virtual absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) = 0;
  /// A wrong result is a report, not an error.
  virtual absl::StatusOr<CheckReport> Check() = 0;
  /// `budget_seconds` 0: the device's default. `incumbent_ns` 0: none. DataLoss: the kernel changed its inputs.
  virtual absl::StatusOr<Timing> Time(double budget_seconds, double incumbent_ns) = 0;
};

}  // namespace mmtune
