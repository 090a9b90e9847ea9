// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One device: a thread, and a measure child that owns the device.
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
  /// Finishes what is queued: raise the stop tokens first.
  ~MeasureLane();

  void Add(EvaluationPtr evaluation) { queue_.Push(std::move(evaluation)); }

 private:
  void Run();
  void Measure(Child& child, EvaluationPtr evaluation);
  /// The run of another candidate with the measurement's timing key; nullopt where there is none to trust.
  std::optional<TimedRun> FindShared(const Candidate& candidate, const Measurement& measurement);
  /// Times the candidate while nothing else of this worker runs that would disturb it.
  absl::StatusOr<worker::Reply> CallTime(Child& child, const Evaluation& evaluation, bool baseline,
                                         Duration limit) const;
  /// Times once more after a pause: a healthy run replaces the one in doubt, else the latter stays. May end the attempt
  /// with another outcome.
  absl::Status TimeAgain(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m);
  absl::Status CompareWithRival(Child& child, const Evaluation& evaluation, Duration limit, Measurement& m) const;
  /// Attempts until one succeeds or FailedAttempts has settled; what is settled against the device is Unavailable.
  absl::StatusOr<Measurement> MeasureFairly(Child& child, const Evaluation& evaluation);
  /// A measurement that is not ok holds its failed attempt.
  absl::StatusOr<Measurement> Attempt(Child& child, const Evaluation& evaluation, bool baseline);

  const ChildOptions options_;
  EvaluationQueue queue_;
  std::unordered_map<std::string, TimedRun> timed_;  // by timing key: what this lane has measured
  bool baseline_hangs_ = false;  // a candidate ran out of time with the baseline, and not without it
  std::thread thread_;
};

/// So many that two of the same code, whose ratios fall to either side of 1 with equal chance, all fall to one side in
/// 2 of 2^8 comparisons only: 99% come out as tied.
inline constexpr int kComparedProcesses = 8;

/// A schedule against its rival, in several fresh measure children, each of which has the device to itself, by `gate`
/// (may be null). Every process counts for one, whatever it measured inside: what differs from process to process
/// (addresses, clocks) differs here, too. Errors as Child::Call, and those of the measurer.
absl::StatusOr<Comparison> Compare(const ChildCommand& command, const Evaluation& evaluation, Duration limit,
                                   TimingGate* gate);

}  // namespace mmtune
