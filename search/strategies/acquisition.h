// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The acquisition function of Bayesian optimization: it rates each candidate (a schedule that could be measured next)
// by how much measuring it is expected to improve the best time. It is the expected improvement (Jones, Schonlau and
// Welch 1998) times the probability that the candidate runs at all.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace mmtune {

/// The acquisition value of each candidate of a pool (candidate_pool.h), in the order of the pool. Valid while the pool
/// does not change. All times are logarithms. Not thread-safe.
class AcquisitionValues {
 public:
  /// Takes the best time so far, and for each candidate the predicted mean, its standard deviation, and the probability
  /// that the candidate runs.
  AcquisitionValues(double best, Eigen::ArrayXd means, Eigen::ArrayXd deviations, Eigen::ArrayXd chances);

  /// Returns the acquisition values.
  const Eigen::ArrayXd& scores() const { return scores_; }
  /// Returns the index of the candidate with the highest value, the first if there are several. The pool must not be
  /// empty.
  size_t MostPromising() const;

  /// Raises the predicted log-time of candidate `i` by `by`, and updates its value. Called when the schedule was
  /// compiled and its code is slower than predicted; `by` is negative if it is faster.
  void Delay(size_t i, double by);
  /// Sets the probability that candidate `i` runs to 0. Called if the compiler has refused it.
  void Refuse(size_t i);

 private:
  double Score(Eigen::Index i) const;

  double best_;
  Eigen::ArrayXd means_, deviations_, chances_, scores_;
};

}  // namespace mmtune
