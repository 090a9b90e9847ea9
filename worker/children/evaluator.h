// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface through which the agent has candidates evaluated: a candidate in, a measurement out.
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

/// Asks an evaluation to end early. Levels only rise. Thread-safe.
class StopToken {
 public:
  enum class Level {
    kRun,
    kUnlessMeasuring,  ///< Stop unless it is already on the device.
    kNow,              ///< Stop; its child is killed.
  };

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
  std::string selector;  ///< "cuda:1", "simt".
  /// The architecture of a CUDA device itself. Code is generated for `info.arch`, which may be older.
  std::string native_arch;
};

struct Candidate {
  MatmulProblem problem;
  Schedule schedule;
  size_t device = 0;          ///< Index among the evaluator's devices.
  DeviceInfo target;          ///< That device as code for the lease's architecture sees it.
  bool assemble = true;       ///< Run ptxas; false: its cubin would not run on the device.
  int fuzzing_runs = 3;       ///< Runs of schedule fuzzing for each small shape.
  bool watch_size = false;    ///< Run the race detector at the problem's own size, too.
  MeasureOptions measure;     ///< Includes the budget of the device.
  double incumbent_ns = 0;    ///< Best median so far; 0: none.
  double skip_above_ns = 0;   ///< Skip the candidate if its lower bound exceeds this; 0: never.
  bool remeasure = false;     ///< Time it even if a kernel with the same timing key was timed.
  bool compile_only = false;  ///< End after compiling, with the facts of the code and no time.
  /// Receives CodeFacts::predicted_peak_fraction of a compile task before it ends. Called on a thread of the evaluator,
  /// and must not block; may be null.
  std::function<void(double share)> take_predicted_peak_fraction;
  /// Looks up a measurement of any worker by its timing key; may be null.
  std::function<absl::StatusOr<std::optional<Measurement>>(const std::string& timing_key)> find_measured;
  std::optional<Schedule> reference;   ///< Compare with this one, in several fresh children.
  TimePoint close = TimePoint::max();  ///< The evaluation ends by then in any case.
  LogSubject subject;                  ///< For log lines.
};

/// Evaluates candidates. The implementation that ships is ProcessEvaluator. Thread-safe.
class Evaluator {
 public:
  /// Receives a Measurement for every outcome of the candidate, Cancelled if `stop` was raised, or another error, which
  /// is a failure of the worker; DeviceBusy (timing_gate.h) is one that the next candidate would meet, too.
  using Done = std::function<void(absl::StatusOr<Measurement>)>;

  virtual ~Evaluator() = default;
  /// Starts an evaluation without blocking. `done` is called exactly once, on a thread of the evaluator, and must not
  /// block.
  virtual void Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) = 0;
  /// Returns how many candidates to keep in flight for one device: the one measured and those compiled ahead.
  virtual int Lookahead() const = 0;
  /// Returns how many candidates of that device can compile at once without disturbing it; 0: compile nothing ahead.
  virtual int CompileLanes(size_t device) const = 0;
};

}  // namespace mmtune
