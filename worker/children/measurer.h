// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interfaces by which a child measures a compiled kernel and verifies a schedule. DeviceMeasurer and
// ScheduleVerifier ship; tests have fakes.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct TimeOptions {
  MeasureOptions measure;
  double incumbent_ns = 0;  ///< Best median so far; 0: none.
};

struct TimedRun {
  Timing timing;
  Conditions conditions;
};

/// The result of timing two kernels alternately.
struct Compared {
  double ratio = 0;  ///< The median of the kernel's time over the reference's.
  double median_ns = 0, reference_median_ns = 0;
  std::string finding = {};  ///< A HealthReport::finding.
};

struct CompareOptions {
  MeasureOptions measure;        ///< One process takes half of the budget.
  bool reference_first = false;  ///< Load and run the reference first.
};

/// Measures kernels: Load, Check, Time, in this order, for each. Compare needs none of them. Returns the errors of
/// Device; after Aborted the process must end. Not thread-safe.
class Measurer {
 public:
  virtual ~Measurer() = default;
  virtual absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) = 0;
  /// Checks the results of the loaded kernel. A wrong result is a report, not an error.
  virtual absl::StatusOr<CheckReport> Check() = 0;
  /// Times the loaded kernel. Returns DataLoss if it changed its inputs.
  virtual absl::StatusOr<TimedRun> Time(const TimeOptions& options) = 0;
  /// Times `kernel` and `reference` alternately on the same operands, without checking either. Returns DataLoss if one
  /// changed its inputs.
  virtual absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                           const CompiledKernel& reference, const CompareOptions& options) = 0;
};

struct VerificationRequest {
  /// Type, transposition, epilogue and whether there is a batch are used; the extents for watch_size only.
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;        ///< The target; the SIMT device stands in for it.
  int fuzzing_runs = 3;     ///< Runs of schedule fuzzing for each shape.
  bool watch_size = false;  ///< Run the race detector at the problem's extents, too.
};

/// Verifies schedules. Not thread-safe.
class Verifier {
 public:
  virtual ~Verifier() = default;
  /// Verifies one schedule. A failed or impossible verification is a report; an error is a failure of the worker.
  virtual absl::StatusOr<VerificationReport> Verify(const VerificationRequest& request) = 0;
};

}  // namespace mmtune
