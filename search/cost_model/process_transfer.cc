// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/process_transfer.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace mmtune {

absl::Status ProcessTransfer::Learn(const std::vector<Experience>& experiences) {
  const size_t count = std::min(experiences.size(), kMostExperiences);
  std::vector<std::vector<double>> sample;
  Eigen::VectorXd values(static_cast<Eigen::Index>(count)), noise(static_cast<Eigen::Index>(count));
  for (size_t i = 0; i < count; ++i) {
    const Experience& experience = experiences[i * experiences.size() / count];
    sample.push_back(experience.features);
    values[static_cast<Eigen::Index>(i)] = experience.surprise;
    noise[static_cast<Eigen::Index>(i)] = 1 / experience.weight;
  }
  scale_ = FeatureScale(sample);
  const auto columns = static_cast<Eigen::Index>(count);
  points_.resize(scale_.ToPoint(sample[0]).size(), columns);
  for (Eigen::Index i = 0; i < columns; ++i) points_.col(i) = scale_.ToPoint(sample[static_cast<size_t>(i)]);
  mean_ = values.sum() / static_cast<double>(count);
  values.array() -= mean_;
  kernel_ = MostLikelyKernel(points_, values);
  Eigen::MatrixXd covariances(columns, columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    covariances.row(i) = Covariances(kernel_, points_.col(i), points_).matrix().transpose();
  }
  covariances.diagonal() += kernel_.noise * noise;
  weights_ = Eigen::LLT<Eigen::MatrixXd>(covariances).solve(values);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> ProcessTransfer::Predict(const std::vector<std::vector<double>>& features) const {
  std::vector<double> expected;
  for (const std::vector<double>& of_one : features) {
    expected.push_back(mean_ + Covariances(kernel_, scale_.ToPoint(of_one), points_).matrix().dot(weights_));
  }
  return expected;
}

}  // namespace mmtune
