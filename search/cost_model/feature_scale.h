// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features of schedules as points: each coordinate is about as wide as the others, and so is the distance between two
// points however many there are.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace mmtune {

/// Plain values.
class FeatureScale {
 public:
  FeatureScale() = default;
  /// That of a sample of a space, not empty. What is the same in all of it counts for nothing.
  explicit FeatureScale(const std::vector<std::vector<double>>& sample);

  /// Standardised, and divided by the square root of their number.
  Eigen::ArrayXd ToPoint(const std::vector<double>& features) const;

 private:
  std::vector<size_t> used_;
  Eigen::ArrayXd mean_, divisor_;  ///< Of those used.
};

}  // namespace mmtune
