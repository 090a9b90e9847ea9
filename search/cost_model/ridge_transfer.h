// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ridge regression on the features and their squares (Hoerl and Kennard, Technometrics 12, 1970).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "search/cost_model/feature_scale.h"
#include "search/cost_model/transfer_model.h"

namespace mmtune {

class RidgeTransfer : public TransferModel {
 public:
  std::string_view name() const override { return "ridge"; }
  absl::Status Learn(const std::vector<Experience>& experiences) override;
  absl::StatusOr<std::vector<double>> Predict(const std::vector<std::vector<double>>& features) const override;

 private:
  /// One, the features of about unit width, and their squares: an optimum may lie inside the range of a feature.
  Eigen::VectorXd Columns(const std::vector<double>& features) const;

  FeatureScale scale_;
  Eigen::VectorXd slopes_;
};

}  // namespace mmtune
