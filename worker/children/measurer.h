// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a measure child does with a compiled kernel, and what proves a schedule before that. The real ones are
// DeviceMeasurer and ScheduleProver; tests have others.
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

/// The result of several turns.
struct Compared {
  double ratio = 0;  ///< Median over the turns of the kernel's time over the rival's.
  double median_ns = 0, rival_median_ns = 0;
  std::string finding = {};  ///< As HealthReport::finding.
};

struct CompareOptions {
  MeasureOptions measure;    ///< A comparison takes half of the budget, as several processes make one.
  bool rival_first = false;  ///< Loads and runs the rival first.
};

/// Not thread-safe. Called in the order Load, Check, Time; Load again for the next kernel. Compare stands alone. Errors
/// as Device gives them: Aborted means that the process must end.
class Measurer {
 public:
  virtual ~Measurer() = default;
  virtual absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) = 0;
  /// A wrong result is a report, not an error.
  virtual absl::StatusOr<CheckReport> Check() = 0;
  /// DataLoss: the kernel changed its inputs.
  virtual absl::StatusOr<TimedRun> Time(const TimeOptions& options) = 0;
  /// `kernel` and `rival` timed in turn on the same operands. Neither is checked. DataLoss as Time.
  virtual absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                           const CompiledKernel& rival, const CompareOptions& options) = 0;
};

struct ProofRequest {
  MatmulProblem
      problem;  ///< Its kind (type, transpose, epilogue, batch or none); its extents matter for watch_size only.
  Schedule schedule;
  DeviceInfo device;        ///< What the schedule is for; proven on the SIMT device in its place.
  int stress_runs = 3;      ///< Of each shape.
  bool watch_size = false;  ///< Watch mode at the extents of the problem, too.
};

/// Not thread-safe.
class Prover {
 public:
  virtual ~Prover() = default;
  /// A proof that failed, and one that cannot be made, are reports; errors are the worker's own.
  virtual absl::StatusOr<VerificationReport> Prove(const ProofRequest& request) = 0;
};

}  // namespace mmtune
