// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures candidates on one device, by a thread with a measure child that owns the device.
#pragma once

#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

#include "worker/children/evaluation.h"
#include "worker/children/measurer.h"

namespace mmtune {

/// Loads, checks and times compiled candidates one after the other, and ends each. Thread-safe.
class MeasureLane {
 public:
  explicit MeasureLane(ChildOptions options);
  /// Finishes the queued evaluations; raise their stop tokens first.
  ~MeasureLane();

  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Measure(Child& child, EvaluationPtr evaluation);
  /// Returns the run of another candidate with the same timing key; nullopt if there is none that can be reused.
  std::optional<TimedRun> FindShared(const Candidate& candidate, const Measurement& measurement);
  /// Times the candidate while nothing of this worker runs that could disturb it.
  absl::StatusOr<worker::Reply> CallTime(Child& child, const Evaluation& evaluation, bool baseline,
                                         Duration limit) const;
  /// Times once more after a pause. A healthy run replaces the unhealthy one. May end the attempt with another outcome.
  absl::Status TimeAgain(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m);
  absl::Status CompareWithReference(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m) const;
  /// Attempts until one succeeds or FailedAttempts::Settled(). Returns Unavailable if the device is at fault.
  absl::StatusOr<Measurement> MeasureFairly(Child& child, const Evaluation& evaluation);
  /// A measurement that is not ok holds its failed attempt.
  absl::StatusOr<Measurement> Attempt(Child& child, const Evaluation& evaluation, bool baseline);

  const ChildOptions options_;
  EvaluationQueue queue_;
  std::unordered_map<std::string, TimedRun> timed_;  // by timing key: the runs of this lane
  bool baseline_hangs_ = false;  // a candidate ran out of time with the baseline, and not without it
  std::thread thread_;
};

/// The number of processes of a comparison. The ratios of two equal kernels fall on either side of 1 with equal
/// probability, all 8 on one side in 2 of 2^8 comparisons, so 99 % of comparisons of equal kernels come out as tied.
inline constexpr int kComparedProcesses = 8;

/// Compares a schedule with its reference in several fresh measure children, each of which has the device to itself by
/// `gate` (may be null). Each process gives one ratio, so that differences between processes (addresses, clocks) are
/// sampled. Returns the errors of Child::Call and of the measurer.
absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit,
                                   TimingGate* gate);

}  // namespace mmtune
