// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mean of a Gaussian process over a sample of what was measured elsewhere.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "search/cost_model/feature_scale.h"
#include "search/cost_model/gaussian_process.h"
#include "search/cost_model/transfer_model.h"

namespace mmtune {

class ProcessTransfer : public TransferModel {
 public:
  /// As many are learnt from, as the cost grows with the third power; of more, some evenly apart.
  static constexpr size_t kMostExperiences = 256;

  std::string_view name() const override { return "process"; }
  absl::Status Learn(const std::vector<Experience>& experiences) override;
  absl::StatusOr<std::vector<double>> Predict(const std::vector<std::vector<double>>& features) const override;

 private:
  FeatureScale scale_;
  ProcessKernel kernel_;
  Points points_;
  Eigen::VectorXd weights_;  ///< Of the covariances with the points.
  double mean_ = 0;
};

}  // namespace mmtune
