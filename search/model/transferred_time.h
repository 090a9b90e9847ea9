// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast schedules should be, after what was measured elsewhere: the mean of a Gaussian process over a sample of it.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "search/experience.h"
#include "search/model/feature_scale.h"
#include "search/model/gaussian_process.h"

namespace mmtune {

/// Immutable.
class TransferredTime {
 public:
  /// As many as are learnt from; of more, some evenly apart.
  static constexpr size_t kMostExperiences = 256;
  /// Fewer say more of chance than of schedules.
  static constexpr size_t kFewestExperiences = 16;

  /// Experiences with another number of features than `features` are passed over. Nullopt with too few to learn from.
  static std::optional<TransferredTime> Learn(const std::vector<Experience>& experiences, size_t features);

  /// The surprise (Experience) that is expected of a schedule with these features.
  double At(const std::vector<double>& features) const;

 private:
  TransferredTime() = default;

  FeatureScale scale_;
  ProcessKernel kernel_;
  Points points_;
  Eigen::VectorXd weights_;  ///< Of the covariances with the points.
  double mean_ = 0;
};

}  // namespace mmtune
