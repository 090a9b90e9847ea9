// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the trials of a model among its matmuls. Each matmul is one problem of the model, and has a search of its
// own, and a weight, the number of times that the model computes it. The aim is the shortest time of the whole model.
//
//   time of the model = sum of weight * time of the matmul with its fastest known schedule
//   next trial        = the matmul with the largest weight * expected improvement / seconds of a trial
//
// The expected improvement has a prior, a fraction of the matmul's time that falls with each trial. So it is finite
// for a matmul that never ran, and a matmul whose trials all fail does not use up the budget. Once the matmul's
// search predicts an improvement itself (Strategy::ExpectedGain), the geometric mean of the prior and this prediction
// is used, because predictions after few trials are several times too large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mmtune {

/// The progress of the search for one matmul.
struct MatmulProgress {
  double weight = 1;    ///< The number of times that the model computes the matmul.
  double time_ns = 0;   ///< The time of the fastest known schedule, or the estimate for the one that is used now.
  double bound_ns = 0;  ///< No schedule is faster than this; 0 if that is not known.
  int64_t trials = 0;   ///< Trials with a result.
  int64_t ran = 0;      ///< The number of these trials that gave a time.
  int64_t running = 0;  ///< Trials that are being measured.
  std::optional<double> expected_gain;  ///< Strategy::ExpectedGain(); absent: the search predicts none.
  double trial_seconds = 0;             ///< The mean time of a trial: compile, verify, measure; 0 if not known.
  bool exhausted = false;               ///< The search proposes nothing more.
};

/// The decision for one state of all matmuls. A plain value.
class MatmulScheduler {
 public:
  explicit MatmulScheduler(std::vector<MatmulProgress> matmuls);

  /// Returns the expected improvement of the model's time by one more trial of matmul `i`, in nanoseconds: the weight
  /// times the improvement of the matmul's time. 0 if the matmul's search is exhausted.
  double GainNs(size_t i) const;
  /// Returns all matmuls that are not exhausted, the one that should get the next trial first.
  std::vector<size_t> Order() const;
  /// Returns the time of the model, in nanoseconds.
  double ModelNs() const;
  /// True if one trial of each matmul together is expected to improve the model by less than kLeastGain.
  bool Converged() const;

  /// The part of the model's time below which the expected improvement is not worth further trials.
  static constexpr double kLeastGain = 0.005;
  /// The prior of the improvement by each of the first two trials of a matmul, as a fraction of the matmul's time.
  /// After n trials, the prior of the next one is kPriorGain / n^1.5. The strategy `model` improves at this rate on
  /// recorded landscapes (docs/measurements/model.md), where the first trial measures the schedule that is used now.
  static constexpr double kPriorGain = 0.25;
  /// If this many trials of a matmul have all failed, every matmul with a larger expected improvement comes before
  /// it, however long a trial of that matmul takes.
  static constexpr int64_t kMaxFailedTrials = 8;

 private:
  /// True if kMaxFailedTrials trials of the matmul, or more, have all failed.
  bool Yields(size_t i) const;
  /// Returns the expected improvement by one more trial per second that the trial takes. It is smaller while other
  /// trials of the matmul are running.
  double Rate(size_t i) const;

  std::vector<MatmulProgress> matmuls_;
  double usual_seconds_ = 1;  ///< The mean time of a trial of the matmuls for which it is known.
};

}  // namespace mmtune
