// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a candidate into a measurement. The agent knows only this interface.
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

/// Asks an evaluation to end early. Thread-safe. Levels only rise.
class StopToken {
 public:
  enum class Level {
    kRun,
    kUnlessMeasuring,  ///< Give up unless it is already on the device.
    kNow,              ///< Give up; its child is killed.
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
  /// The own architecture of a CUDA device. Code is generated for `info.arch`, which may be an older one.
  std::string native_arch;
};

struct Candidate {
  MatmulProblem problem;
  Schedule schedule;
  size_t device = 0;          ///< Index among the evaluator's devices.
  DeviceInfo target;          ///< That device, standing in for the lease's architecture.
  bool assemble = true;       ///< With ptxas; false: its cubin would not run on the device.
  int stress_runs = 3;        ///< Runs of the proof in stress mode, for each small shape.
  bool watch_size = false;    ///< The proof also watches the problem at its own size.
  MeasureOptions measure;     ///< With the budget of its device.
  double incumbent_ns = 0;    ///< Best median so far; 0: none.
  double skip_above_ns = 0;   ///< What cannot take less than this (least_time.h) is skipped; 0: nothing is.
  bool remeasure = false;     ///< Time it even if something with the same timing key was timed.
  bool compile_only = false;  ///< Ends when it is compiled, with the facts of its code and no time.
  /// Of what is only compiled, before it ends with a kernel: CodeFacts::predicted_peak_fraction. From a thread of the evaluator,
  /// and must not block; null when nobody wants to know.
  std::function<void(double share)> take_predicted_peak_fraction;
  /// What any worker has measured with a timing key; null when there is nobody to ask.
  std::function<absl::StatusOr<std::optional<Measurement>>(const std::string& timing_key)> find_measured;
  std::optional<Schedule> rival;       ///< To compare with, in several fresh children.
  TimePoint close = TimePoint::max();  ///< The evaluation has ended by then, whatever it is doing.
  LogSubject subject;                  ///< For log lines.
};

class Evaluator {
 public:
  /// A Measurement, whatever became of the candidate; Cancelled when `stop` was raised. Any other error is the worker's
  /// own failure; DeviceBusy (timing_gate.h) is one that the next candidate would meet, too.
  using Done = std::function<void(absl::StatusOr<Measurement>)>;

  virtual ~Evaluator() = default;
  /// Does not block. `done` is called exactly once, from a thread of the evaluator, and must not block. Thread-safe.
  virtual void Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) = 0;
  /// Candidates worth having in flight for one device: the one measured and those compiled ahead.
  virtual int Lookahead() const = 0;
  /// How many candidates of that device compile at once where the device goes on undisturbed; 0: none, nothing is to be
  /// compiled ahead of the choice what is measured.
  virtual int CompileLanes(size_t device) const = 0;
};

}  // namespace mmtune
