// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates among which model-based search chooses, with the state of a Gaussian process at each, and the initial
// design, which takes some of them that are predicted fast and unlike one another.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "proto/types/schedule.h"
#include "search/cost_model/gaussian_process.h"
#include "search/space/rng.h"

namespace mmtune {

/// A schedule with its point in feature space.
struct Candidate {
  Schedule schedule;
  Eigen::ArrayXd point;
  uint64_t code = 0;    ///< The same for schedules with the same features.
  double expected = 0;  ///< The logarithm of its predicted time over the mean prediction.
  double delay = 0;     ///< The log-ratio of compiled to predicted time (CompileAhead::DelayOf).
};

/// Candidates, each conditioned on the points of a process. Takes (2 * points of the process + coordinates) * 8 bytes a
/// candidate. Not thread-safe.
class CandidatePool {
 public:
  size_t size() const { return schedules_.size(); }
  Candidate candidate(size_t i) const {
    const auto at = static_cast<Eigen::Index>(i);
    return {schedules_[i], points_.col(at), codes_[i], expected_[at], delays_[at]};
  }

  /// Returns Candidate::code of candidate `i`.
  uint64_t code(size_t i) const { return codes_[i]; }
  /// Sets Candidate::delay of candidate `i`.
  void Delay(size_t i, double by) { delays_[static_cast<Eigen::Index>(i)] = by; }

  /// Adds candidates and conditions them on all points of `process`, as the others already are.
  void Add(std::vector<Candidate> fresh, const GaussianProcess& process);
  /// Removes candidate `i`; the last one takes its index.
  void Remove(size_t i);
  /// Removes the candidates with the lowest of `scores`, one score for each, until `keep` are left. Returns their
  /// codes.
  std::vector<uint64_t> KeepBest(const Eigen::ArrayXd& scores, size_t keep);

  /// Conditions the candidates on the last point of `process`.
  void ConditionOnLast(const GaussianProcess& process);
  /// Conditions the candidates anew on all points of `process` behind the first `same`, for which points and kernel
  /// have not changed. Reuses the distances to points that it has had before.
  void Recondition(const GaussianProcess& process, size_t same = 0);

  /// Returns the mean of the process at each candidate: its column of V times `weights`.
  Eigen::ArrayXd Means(const Eigen::VectorXd& weights) const;
  const Eigen::ArrayXd& variances() const { return variances_; }
  /// Returns Candidate::expected of each.
  const Eigen::ArrayXd& expected() const { return expected_; }
  /// Returns Candidate::delay of each.
  const Eigen::ArrayXd& delays() const { return delays_; }

 private:
  // One after another, each as Remove() does.
  void RemoveAll(const std::vector<size_t>& descending);
  // Makes room for so many rows, and as many columns as points_ has.
  void Reserve(Eigen::Index rows);
  Eigen::Index Count() const { return static_cast<Eigen::Index>(schedules_.size()); }

  std::vector<Schedule> schedules_;
  std::vector<uint64_t> codes_;
  // With room for more columns than there are schedules, and more rows than the process has points.
  Points points_;
  Points rows_;       ///< V.
  Points distances_;  ///< Squared, to the points of the process: a row for each of centres_.
  std::vector<Eigen::ArrayXd> centres_;
  Eigen::ArrayXd norms_, variances_, expected_, delays_;  ///< The first: squared distances to the origin.
};

/// Moves `count` candidates (fewer if there are not so many distinct ones) out of `sample`, and their values out of
/// `expected`: from the `share` with the least expected values, at least `count`; from all, if these values are equal.
/// The first is drawn uniformly, each next one with the fourth power of its distance to the nearest one drawn as its
/// weight.
std::vector<Candidate> TakeInitialDesign(std::vector<Candidate>& sample, std::vector<double>& expected, double share,
                                         size_t count, SearchRng& rng);

}  // namespace mmtune
