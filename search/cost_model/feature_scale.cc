// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/feature_scale.h"

#include <cmath>

#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

/// A feature that varies less is the same everywhere.
constexpr double kLeastDeviation = 1e-5;

}  // namespace

FeatureScale::FeatureScale(const std::vector<std::vector<double>>& sample) {
  const auto count = static_cast<double>(sample.size());
  std::vector<double> means, deviations;
  for (size_t i = 0; i < sample.front().size(); ++i) {
    double mean = 0, squares = 0;
    for (const std::vector<double>& features : sample) mean += Settled(features[i]) / count;
    for (const std::vector<double>& features : sample) {
      squares += (Settled(features[i]) - mean) * (Settled(features[i]) - mean) / count;
    }
    if (std::sqrt(squares) < kLeastDeviation) continue;
    used_.push_back(i);
    means.push_back(mean);
    deviations.push_back(std::sqrt(squares));
  }
  const auto used = static_cast<Eigen::Index>(used_.size());
  mean_ = Eigen::Map<Eigen::ArrayXd>(means.data(), used);
  divisor_ = Eigen::Map<Eigen::ArrayXd>(deviations.data(), used) * std::sqrt(static_cast<double>(used));
}

Eigen::ArrayXd FeatureScale::ToPoint(const std::vector<double>& features) const {
  Eigen::ArrayXd point(static_cast<Eigen::Index>(used_.size()));
  for (Eigen::Index i = 0; i < point.size(); ++i) {
    point[i] = (Settled(features[used_[static_cast<size_t>(i)]]) - mean_[i]) / divisor_[i];
  }
  return point;
}

}  // namespace mmtune
