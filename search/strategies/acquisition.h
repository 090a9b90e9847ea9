// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The acquisition function of Bayesian optimization: expected improvement times the probability to run.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace mmtune {

/// The acquisition value of each candidate of a pool, in its order. Valid while the pool does not change. Times are
/// logarithms. Not thread-safe.
class AcquisitionValues {
 public:
  /// Takes the best time so far, and mean, deviation and probability to run of each candidate.
  AcquisitionValues(double best, Eigen::ArrayXd means, Eigen::ArrayXd deviations, Eigen::ArrayXd chances);

  /// Returns the expected improvement (Jones, Schonlau and Welch 1998) times the probability to run.
  const Eigen::ArrayXd& scores() const { return scores_; }
  /// Returns the candidate with the highest score, the first of equal ones. The pool is not empty.
  size_t MostPromising() const;

  /// Raises the expected logarithm of candidate `i`'s time by `by`.
  void Delay(size_t i, double by);
  /// Sets the probability of candidate `i` to run to 0.
  void Refuse(size_t i);

 private:
  double Score(Eigen::Index i) const;

  double best_;
  Eigen::ArrayXd means_, deviations_, chances_, scores_;
};

}  // namespace mmtune
