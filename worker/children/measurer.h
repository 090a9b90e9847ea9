// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interfaces of the work that child processes do. A Measurer checks and times a compiled kernel on a device. A
// Verifier verifies a schedule (a kernel family with parameters) on the simulator. DeviceMeasurer and ScheduleVerifier
// implement them; tests have fakes.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// How to time a kernel.
struct TimeOptions {
  MeasureOptions measure;
  double incumbent_ns = 0;  ///< The best median so far: timing may end early if the kernel is clearly slower; 0: none.
};

/// The result of timing a kernel.
struct TimedRun {
  Timing timing;
  Conditions conditions;
};

/// The result of timing a kernel and another one, its reference, alternately.
struct Compared {
  double ratio = 0;  ///< The median of (time of the kernel) / (time of the reference).
  double median_ns = 0, reference_median_ns = 0;
  std::string finding = {};  ///< Why the device was not healthy (HealthReport::finding); empty if it was.
};

/// How to compare two kernels.
struct CompareOptions {
  MeasureOptions measure;        ///< Up to half of budget_seconds is used (TimeAlternately()).
  bool reference_first = false;  ///< If true, the reference is loaded and run first.
};

/// Measures kernels. For each kernel, call Load(), Check() and Time() in this order; Compare() needs none of these
/// calls. The methods return the errors of class Device (kernels/runtime/device/device.h); after the error Aborted the
/// process must end. Not thread-safe.
class Measurer {
 public:
  virtual ~Measurer() = default;
  /// Loads a kernel that computes `problem`.
  virtual absl::Status Load(const MatmulProblem& problem, const CompiledKernel& kernel) = 0;
  /// Checks the results of the loaded kernel. A wrong result is a report, not an error.
  virtual absl::StatusOr<CheckReport> Check() = 0;
  /// Times the loaded kernel. Returns DataLoss if the kernel changed its inputs.
  virtual absl::StatusOr<TimedRun> Time(const TimeOptions& options) = 0;
  /// Times `kernel` and `reference` alternately on the same operands, without checking either. Returns DataLoss if one
  /// of them changed its inputs.
  virtual absl::StatusOr<Compared> Compare(const MatmulProblem& problem, const CompiledKernel& kernel,
                                           const CompiledKernel& reference, const CompareOptions& options) = 0;
};

/// One schedule to verify, and how.
struct VerificationRequest {
  /// The problem. Small shapes are derived from it; its own extents are used for check_full_size_races only.
  MatmulProblem problem;
  Schedule schedule;
  DeviceInfo device;                   ///< The device to generate code for. The SIMT device simulates its architecture.
  int fuzzing_runs = 3;                ///< Runs with random thread orders, for each shape.
  bool check_full_size_races = false;  ///< If true, races are detected at the problem's own size, too.
};

/// Verifies schedules. Not thread-safe.
class Verifier {
 public:
  virtual ~Verifier() = default;
  /// Verifies one schedule. A failed or impossible verification is a report; an error is a failure of the worker.
  virtual absl::StatusOr<VerificationReport> Verify(const VerificationRequest& request) = 0;
};

}  // namespace mmtune
