// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/model/transferred_time.h"

#include <Eigen/Cholesky>
#include <utility>

namespace mmtune {

std::optional<TransferredTime> TransferredTime::Learn(const std::vector<Experience>& experiences, size_t features) {
  std::vector<const Experience*> usable;
  for (const Experience& experience : experiences) {
    if (experience.features.size() == features) usable.push_back(&experience);
  }
  if (usable.size() < kFewestExperiences) return std::nullopt;
  const size_t count = std::min(usable.size(), kMostExperiences);
  std::vector<std::vector<double>> sample;
  Eigen::VectorXd values(static_cast<Eigen::Index>(count)), noise(static_cast<Eigen::Index>(count));
  for (size_t i = 0; i < count; ++i) {
    const Experience& experience = *usable[i * usable.size() / count];
    sample.push_back(experience.features);
    values[static_cast<Eigen::Index>(i)] = experience.surprise;
    noise[static_cast<Eigen::Index>(i)] = 1 / experience.weight;
  }
  TransferredTime learnt;
  learnt.scale_ = FeatureScale(sample);
  const auto columns = static_cast<Eigen::Index>(count);
  learnt.points_.resize(learnt.scale_.ToPoint(sample[0]).size(), columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    learnt.points_.col(i) = learnt.scale_.ToPoint(sample[static_cast<size_t>(i)]);
  }
  learnt.mean_ = values.sum() / static_cast<double>(count);
  values.array() -= learnt.mean_;
  learnt.kernel_ = MostLikelyKernel(learnt.points_, values);
  Eigen::MatrixXd covariances(columns, columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    covariances.row(i) = Covariances(learnt.kernel_, learnt.points_.col(i), learnt.points_).matrix().transpose();
  }
  covariances.diagonal() += learnt.kernel_.noise * noise;
  learnt.weights_ = Eigen::LLT<Eigen::MatrixXd>(covariances).solve(values);
  return learnt;
}

double TransferredTime::At(const std::vector<double>& features) const {
  return mean_ + Covariances(kernel_, scale_.ToPoint(features), points_).matrix().dot(weights_);
}

}  // namespace mmtune
