// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradient-boosted trees (Chen and Guestrin, XGBoost, KDD 2016), by the library.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/cost_model/transfer_model.h"
#include "search/cost_model/xgboost_library.h"

namespace mmtune {

class BoostedTransfer : public TransferModel {
 public:
  /// The library must outlive it.
  BoostedTransfer(const XgboostLibrary& library, uint64_t seed) : library_(library), seed_(seed) {}

  std::string_view name() const override { return "xgboost"; }
  absl::Status Learn(const std::vector<Experience>& experiences) override;
  absl::StatusOr<std::vector<double>> Predict(const std::vector<std::vector<double>>& features) const override;

 private:
  /// A matrix or a booster of the library.
  using Handle = std::unique_ptr<void, std::function<void(void*)>>;

  absl::StatusOr<Handle> MatrixOf(const std::vector<const std::vector<double>*>& rows) const;

  const XgboostLibrary& library_;
  const uint64_t seed_;
  Handle booster_;
};

}  // namespace mmtune
