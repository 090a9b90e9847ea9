// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules among which the next one is chosen, each with what a Gaussian process says of it.
//
// A few candidates that are expected to be fast, and are unlike one another.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "proto/types/schedule.h"
#include "search/cost_model/gaussian_process.h"
#include "search/space/rng.h"

namespace mmtune {

/// A schedule and where it lies.
struct Candidate {
  Schedule schedule;
  Eigen::ArrayXd point;
  uint64_t code = 0;    ///< The same for schedules with the same features.
  double expected = 0;  ///< The logarithm of its time over a usual one's, before anything was measured.
  double delay = 0;     ///< What compiling it told: CompileAhead::DelayOf.
};

/// Costs (2 * points of the process + coordinates) * 8 bytes a candidate. Not thread-safe.
class CandidatePool {
 public:
  size_t size() const { return schedules_.size(); }
  Candidate candidate(size_t i) const {
    const auto at = static_cast<Eigen::Index>(i);
    return {schedules_[i], points_.col(at), codes_[i], expected_[at], delays_[at]};
  }

  /// Candidate::code.
  uint64_t code(size_t i) const { return codes_[i]; }
  /// Sets Candidate::delay.
  void Delay(size_t i, double by) { delays_[static_cast<Eigen::Index>(i)] = by; }

  /// Adds them, conditioned upon all points of `process`, as the others have to be.
  void Add(std::vector<Candidate> fresh, const GaussianProcess& process);
  /// The last one takes its place.
  void Remove(size_t i);
  /// Removes those with the lowest scores, one for each candidate, until `keep` are left. Their codes.
  std::vector<uint64_t> KeepBest(const Eigen::ArrayXd& scores, size_t keep);

  /// Upon the point that `process` has last.
  void ConditionOnLast(const GaussianProcess& process);
  /// Upon all of them anew, but the first `same`, which are what they were, and so is the kernel. What is known of
  /// distances to other points that it had before is not computed again.
  void Recondition(const GaussianProcess& process, size_t same = 0);

  /// The sum of each column of V times `weights`.
  Eigen::ArrayXd Means(const Eigen::VectorXd& weights) const;
  const Eigen::ArrayXd& variances() const { return variances_; }
  /// Candidate::expected of each.
  const Eigen::ArrayXd& expected() const { return expected_; }
  /// Candidate::delay of each.
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

/// Takes `count` out of `sample`, fewer where there are no more that differ. `expected` has a value for each candidate,
/// which leaves with it. The pool they are drawn from is the `share` of the candidates with the least expected values,
/// but at least `count`; all of them, where all expected values are equal. The first is drawn uniformly. Each next one
/// has the fourth power of its distance to the nearest one drawn before as its weight.
std::vector<Candidate> TakeInitialDesign(std::vector<Candidate>& sample, std::vector<double>& expected, double share,
                                         size_t count, SearchRng& rng);

}  // namespace mmtune
