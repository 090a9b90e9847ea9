// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface that measures candidates for the agent, which talks to the server: a candidate goes in, a Measurement
// comes out. ProcessEvaluator implements it with child processes; tests have fakes. A candidate is one schedule to be
// measured for a problem on a device.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/types/compilation.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Asks an evaluation to end early. The level only rises. Thread-safe.
class StopToken {
 public:
  enum class Level {
    kRun,              ///< Continue.
    kUnlessMeasuring,  ///< End, unless the candidate is already on the device.
    kNow,              ///< End at once; its child process is killed.
  };

  /// Raises the level, unless it is higher already.
  void Raise(Level level) {
    Level current = level_.load();
    while (current < level && !level_.compare_exchange_weak(current, level)) {
    }
  }
  bool now() const { return level_.load() >= Level::kNow; }
  bool unless_measuring() const { return level_.load() >= Level::kUnlessMeasuring; }

 private:
  std::atomic<Level> level_{Level::kRun};
};

/// A device of the host.
struct WorkerDevice {
  DeviceInfo info;
  Toolchain toolchain;
  int index = 0;         ///< The driver's ordinal, as in "cuda:1".
  std::string selector;  ///< How --device selects it: "cuda:1", "simt".
  /// The device's own architecture, if it is a CUDA device. Code is generated for `info.arch`, which may be older.
  std::string native_arch;
};

/// One schedule to measure, and how.
struct Candidate {
  MatmulProblem problem;
  Schedule schedule;
  size_t device = 0;                   ///< Index among the evaluator's devices.
  DeviceInfo target;                   ///< The limits for which code is generated on that device.
  bool assemble = true;                ///< If true, ptxas runs. False if its cubin would not run on the device.
  int fuzzing_runs = 3;                ///< Verification runs with random thread orders, for each small shape.
  bool check_full_size_races = false;  ///< If true, races are detected at the problem's own size, too.
  MeasureOptions measure;    ///< Its budget is not 0: MeasureOptions::For() fills in the default of the device.
  double incumbent_ns = 0;   ///< The best median of the job so far; 0: none.
  double skip_above_ns = 0;  ///< End with kSkipped if the predicted lower bound of the time exceeds this; 0: never.
  /// True to time it even if a measurement with the same TimingKey() (evaluation.h) exists.
  bool remeasure = false;
  /// True to end after compiling, without a time.
  bool compile_only = false;
  /// Takes CodeFacts::predicted_peak_fraction (the fraction of the device's peak that the main loop is predicted to
  /// reach) of a compile-only candidate before `done` is called. Called on a thread of the evaluator; must not block.
  /// May be null.
  std::function<void(double share)> take_predicted_peak_fraction;
  /// Looks up a measurement of any worker by its timing key. May be null.
  std::function<absl::StatusOr<std::optional<Measurement>>(const std::string& timing_key)> find_measured;
  std::optional<Schedule> reference;  ///< If set, the schedule is also compared with this one, in several new children.
  /// The time at which the evaluation must end in any case: the end of the lease.
  TimePoint close = TimePoint::max();
  LogSubject subject;  ///< For log lines.
};

/// Measures candidates. Thread-safe.
class Evaluator {
 public:
  /// A function that receives the result: a Measurement for every outcome of the candidate; Cancelled if `stop` was
  /// raised; or another error, which is a failure of the worker. If IsDeviceBusy() (timing_gate.h) is true for the
  /// error, the next candidate would fail with the same error.
  using Done = std::function<void(absl::StatusOr<Measurement>)>;

  virtual ~Evaluator() = default;
  /// Starts an evaluation without blocking. `done` is called exactly once, on a thread of the evaluator, and must not
  /// block.
  virtual void Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) = 0;
  /// Returns how many candidates to lease for one device at a time: one to be measured, and those to be compiled
  /// meanwhile.
  virtual int Lookahead() const = 0;
  /// Returns how many candidates of the device can compile at once without disturbing its timings; 0: compile nothing
  /// ahead.
  virtual int CompileLanes(size_t device) const = 0;
};

}  // namespace mmtune
