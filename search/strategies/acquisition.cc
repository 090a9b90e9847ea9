// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/acquisition.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

/// Returns the expected improvement over `best` of a normal variable.
double ExpectedImprovement(double best, double mean, double deviation) {
  const double z = (best - mean) / deviation;
  const double density = ExpOfNegative(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  return deviation * (z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + density);
}

}  // namespace

AcquisitionValues::AcquisitionValues(double best, Eigen::ArrayXd means, Eigen::ArrayXd deviations,
                                     Eigen::ArrayXd chances)
    : best_(best), means_(std::move(means)), deviations_(std::move(deviations)), chances_(std::move(chances)) {
  scores_.resize(means_.size());
  for (Eigen::Index i = 0; i < scores_.size(); ++i) scores_[i] = Score(i);
}

size_t AcquisitionValues::MostPromising() const {
  Eigen::Index most = 0;
  for (Eigen::Index i = 1; i < scores_.size(); ++i) {
    if (scores_[i] > scores_[most]) most = i;
  }
  return static_cast<size_t>(most);
}

void AcquisitionValues::Delay(size_t i, double by) {
  const auto at = static_cast<Eigen::Index>(i);
  means_[at] += by;
  scores_[at] = Score(at);
}

void AcquisitionValues::Refuse(size_t i) {
  const auto at = static_cast<Eigen::Index>(i);
  chances_[at] = scores_[at] = 0;
}

double AcquisitionValues::Score(Eigen::Index i) const {
  return ExpectedImprovement(best_, means_[i], deviations_[i]) * chances_[i];
}

}  // namespace mmtune
