// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates among which model-based search (model_strategy.h) chooses the next one to measure. A candidate is a
// schedule: a kernel family with its parameters, such as tile sizes. The pool keeps the prediction of the Gaussian
// process for each candidate, and updates it as measurements come in.
//
// The first schedules of a search, before there is a model, are its initial design: TakeInitialDesign() picks some that
// are predicted fast and are unlike one another.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "proto/types/schedule.h"
#include "search/cost_model/gaussian_process.h"
#include "search/space/rng.h"

namespace mmtune {

/// A schedule, and its point in feature space (FeatureScale::ToPoint).
struct ScoredSchedule {
  Schedule schedule;
  Eigen::ArrayXd point;
  uint64_t code = 0;  ///< A hash of its features: equal for schedules that count as the same code.
  /// log(predicted time / mean predicted time). The times are predicted by formulas of the kernel family.
  double expected = 0;
  /// log(time predicted after compiling / time predicted before), less the mean of this over compiled candidates; 0 if
  /// it was not compiled. See CompileAhead.
  double delay = 0;
  /// The residual that measurements of other problems predict (PriorModel); 0 if there is no such model.
  double prior = 0;
};

/// Candidates, each with the mean and variance that a Gaussian process predicts for it. Uses (2 * points of the process
/// + coordinates) * 8 bytes for each candidate. Not thread-safe.
class CandidatePool {
 public:
  /// Returns the number of candidates.
  size_t size() const { return schedules_.size(); }
  /// Returns a copy of candidate `i`.
  ScoredSchedule candidate(size_t i) const {
    const auto at = static_cast<Eigen::Index>(i);
    return {schedules_[i], points_.col(at), codes_[i], expected_[at], delays_[at], priors_[at]};
  }

  /// Returns ScoredSchedule::code of candidate `i`.
  uint64_t code(size_t i) const { return codes_[i]; }
  /// Sets ScoredSchedule::delay of candidate `i`.
  void Delay(size_t i, double by) { delays_[static_cast<Eigen::Index>(i)] = by; }
  /// Returns the schedule of candidate `i`.
  const Schedule& schedule(size_t i) const { return schedules_[i]; }
  /// Returns the point of candidate `i`.
  auto point(size_t i) const { return points_.col(static_cast<Eigen::Index>(i)); }
  /// Sets ScoredSchedule::prior of candidate `i`.
  void SetPrior(size_t i, double prior) { priors_[static_cast<Eigen::Index>(i)] = prior; }

  /// Adds candidates, and computes the predictions of `process` for them. `process` must be the same for all candidates
  /// of the pool.
  void Add(std::vector<ScoredSchedule> fresh, const GaussianProcess& process);
  /// Removes candidate `i`. The last candidate takes its index.
  void Remove(size_t i);
  /// Removes the candidates with the lowest `scores` (one for each candidate) until `keep` are left. Returns the codes
  /// of the removed ones.
  std::vector<uint64_t> KeepBest(const Eigen::ArrayXd& scores, size_t keep);

  /// Updates all predictions after a point was appended to `process`.
  void ConditionOnLast(const GaussianProcess& process);
  /// Updates all predictions after the points of `process` from number `same` on, or its kernel, have changed. Reuses
  /// distances that it has computed before.
  void Recondition(const GaussianProcess& process, size_t same = 0);

  /// Returns the mean that the process predicts for each candidate. `weights` is GaussianProcess::Weights().
  Eigen::ArrayXd Means(const Eigen::VectorXd& weights) const;
  /// Returns the variance of each prediction.
  const Eigen::ArrayXd& variances() const { return variances_; }
  /// Returns ScoredSchedule::expected of each candidate.
  const Eigen::ArrayXd& expected() const { return expected_; }
  /// Returns ScoredSchedule::delay of each candidate.
  const Eigen::ArrayXd& delays() const { return delays_; }
  /// Returns ScoredSchedule::prior of each candidate.
  const Eigen::ArrayXd& priors() const { return priors_; }

 private:
  /// Calls Remove() for each index.
  void RemoveAll(const std::vector<size_t>& descending);
  /// Makes room for `rows` rows, and as many columns as points_ has.
  void Reserve(Eigen::Index rows);
  Eigen::Index Count() const { return static_cast<Eigen::Index>(schedules_.size()); }

  std::vector<Schedule> schedules_;
  std::vector<uint64_t> codes_;
  // The matrices have room for more columns than there are schedules, and for more rows than the process has points.
  Points points_;
  Points rows_;       ///< V of gaussian_process.h.
  Points distances_;  ///< Squared distances to the points of the process: a row for each of centres_.
  std::vector<Eigen::ArrayXd> centres_;
  Eigen::ArrayXd norms_, variances_, expected_, delays_, priors_;  ///< One value for each candidate.
};

/// Moves `count` candidates out of `sample`, and their predicted times out of `expected`. They come from the candidates
/// with the shortest predicted times: the fraction `share` of the sample, but at least `count`; or from all if no time
/// is predicted. The first is drawn uniformly. Each next one is drawn with the fourth power of its distance to the
/// nearest one drawn before as its weight, so that they spread out. Returns fewer if there are not enough distinct
/// ones.
std::vector<ScoredSchedule> TakeInitialDesign(std::vector<ScoredSchedule>& sample, std::vector<double>& expected,
                                              double share, size_t count, SearchRng& rng);

}  // namespace mmtune
