// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures compiled candidates (the kernels of schedules) on one device, one after the other, in a child process that
// has the device open. Each candidate is loaded, checked and timed. Failed attempts are repeated in a new child, to
// find out whether the candidate is at fault. This file also compares two schedules in several new processes.
#pragma once

#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

#include "worker/children/evaluation.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// The lane of one device, with one thread and one child. Thread-safe.
class MeasureLane {
 public:
  explicit MeasureLane(ChildOptions options);
  /// Finishes the candidates in the queue. To end early, raise their stop tokens first.
  ~MeasureLane();

  /// Adds a compiled candidate.
  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Measure(Child& child, EvaluationPtr evaluation);
  /// Returns the timing of another candidate with the same TimingKey() (evaluation.h), that is, with the same code;
  /// nullopt if there is none that can be reused.
  std::optional<TimedRun> FindShared(const Candidate& candidate, const Measurement& measurement);
  /// Times the candidate while nothing else of this worker can disturb the device.
  absl::StatusOr<worker::Reply> CallTime(Child& child, const Evaluation& evaluation, bool baseline,
                                         Duration limit) const;
  /// Times the candidate once more, after a pause, because its device was unhealthy. A healthy run replaces the
  /// unhealthy one. The second run may also end with another outcome.
  absl::Status TimeAgain(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m);
  absl::Status CompareWithReference(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m) const;
  /// Repeats attempts until one succeeds or FailedAttempts::Settled(). Returns Unavailable if the device is at fault.
  absl::StatusOr<Measurement> MeasureWithRetries(Child& child, const Evaluation& evaluation);
  /// Makes one attempt. A measurement that is not ok contains its failed attempt.
  absl::StatusOr<Measurement> Attempt(Child& child, const Evaluation& evaluation, bool baseline);

  const ChildOptions options_;
  EvaluationQueue queue_;
  std::unordered_map<std::string, TimedRun> timed_;  // the timings of this lane by timing key
  bool baseline_hangs_ = false;                      // a candidate timed out with the baseline, and not without it
  std::thread thread_;
};

/// The number of processes of a comparison. Two schedules are told apart only if all ratios are on the same side of 1;
/// otherwise they are tied. With equally fast kernels each side has probability 1/2, so that 2 of 2^8 comparisons tell
/// them apart by mistake: less than 1 %.
inline constexpr int kComparedProcesses = 8;

/// Compares a schedule with its reference in several new measure children, each of which has the device to itself
/// through `gate` (timing_gate.h; may be null). Each process gives one ratio, so that differences between processes
/// (addresses, clocks) average out. `limit` is the time of one process; it is less if the lease ends before. Returns
/// the errors of Child::Call() and of the measurer.
absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit,
                                   TimingGate* gate);

}  // namespace mmtune
