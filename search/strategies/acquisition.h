// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is expected of each candidate of a pool.
#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace mmtune {

/// In the order of the pool, as long as that does not change. Times are logarithms.
class AcquisitionValues {
 public:
  /// `best` is the best time so far; `chances` that a candidate runs at all.
  AcquisitionValues(double best, Eigen::ArrayXd means, Eigen::ArrayXd deviations, Eigen::ArrayXd chances);

  /// By how much each is expected to improve upon the best (Jones, Schonlau and Welch 1998), times its chance to run.
  const Eigen::ArrayXd& scores() const { return scores_; }
  /// The candidate with the highest score, the first of equal ones. There is one.
  size_t MostPromising() const;

  /// Candidate `i` takes so much longer than was expected.
  void Delay(size_t i, double by);
  /// It will not run.
  void Refuse(size_t i);

 private:
  double Score(Eigen::Index i) const;

  double best_;
  Eigen::ArrayXd means_, deviations_, chances_, scores_;
};

}  // namespace mmtune
