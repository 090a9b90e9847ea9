// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast schedules should be, after what was measured elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "search/cost_model/experience.h"

namespace mmtune {

/// The same seed and experiences give the same predictions. One thread. Not thread-safe. Conformance suite:
/// tests/search/transfer_model_test.
class TransferModel {
 public:
  virtual ~TransferModel() = default;
  virtual std::string_view name() const = 0;

  /// From kFewestExperiences or more, each with as many features. Called once. Returns
  /// Internal, with the library's message, when that fails.
  virtual absl::Status Learn(const std::vector<Experience>& experiences) = 0;
  /// The surprise (Experience) that is expected of each schedule, finite. `features`: a row for each, as many columns
  /// as there were to learn from.
  virtual absl::StatusOr<std::vector<double>> Predict(const std::vector<std::vector<double>>& features) const = 0;
};

/// With fewer experiences the model would learn noise.
inline constexpr size_t kFewestExperiences = 16;

/// "process", "ridge", "xgboost".
const std::vector<std::string>& TransferModelNames();
/// The one of which the replays spoke best, of the version before outliers were tamed (docs/measurements/replay.md).
inline constexpr char kDefaultTransferModel[] = "process";

/// InvalidArgument listing the names; NotFound where it needs a library that is not there, and how to get it.
absl::StatusOr<std::unique_ptr<TransferModel>> CreateTransferModel(std::string_view name, uint64_t seed);

/// What the model of that name, which CreateTransferModel gives, makes of `features` after the experiences; those with
/// other features are passed over. Empty with too few of them. Where its library fails, ridge regression takes its
/// place, and a line of the log says so.
std::vector<double> ExpectedSurprises(std::string_view name, uint64_t seed, const std::vector<Experience>& experiences,
                                      const std::vector<std::vector<double>>& features);

}  // namespace mmtune
