// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/ridge_transfer.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace mmtune {
namespace {

/// Of each slope but the level's: as if one measurement had said that the feature makes no difference.
constexpr double kPenalty = 1;
constexpr double kPenaltyOfLevel = 1e-6;
/// What is this many deviations out says no more than that: squares of it would.
constexpr double kFarthest = 4;

}  // namespace

Eigen::VectorXd RidgeTransfer::Columns(const std::vector<double>& features) const {
  Eigen::ArrayXd point = scale_.ToPoint(features);
  const Eigen::Index count = point.size();
  point = (point * std::sqrt(static_cast<double>(count))).max(-kFarthest).min(kFarthest);
  Eigen::VectorXd columns(1 + 2 * count);
  columns[0] = 1;
  columns.segment(1, count) = point.matrix();
  columns.tail(count) = point.square().matrix();
  return columns;
}

absl::Status RidgeTransfer::Learn(const std::vector<Experience>& experiences) {
  std::vector<std::vector<double>> features;
  for (const Experience& experience : experiences) features.push_back(experience.features);
  scale_ = FeatureScale(features);
  const Eigen::Index count = Columns(features.front()).size();
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(count);
  for (const Experience& experience : experiences) {
    const Eigen::VectorXd columns = Columns(experience.features);
    for (Eigen::Index i = 0; i < count; ++i) {
      products.col(i).head(i + 1) += experience.weight * columns[i] * columns.head(i + 1);
    }
    sums += experience.weight * experience.surprise * columns;
  }
  products.diagonal().array() += kPenalty;
  products(0, 0) += kPenaltyOfLevel - kPenalty;
  slopes_ = products.selfadjointView<Eigen::Upper>().llt().solve(sums);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> RidgeTransfer::Predict(const std::vector<std::vector<double>>& features) const {
  std::vector<double> expected;
  for (const std::vector<double>& of_one : features) expected.push_back(Columns(of_one).dot(slopes_));
  return expected;
}

}  // namespace mmtune
