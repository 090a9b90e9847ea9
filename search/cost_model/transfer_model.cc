// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/transfer_model.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "search/cost_model/boosted_transfer.h"
#include "search/cost_model/process_transfer.h"
#include "search/cost_model/ridge_transfer.h"

namespace mmtune {
namespace {

bool AllFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

absl::StatusOr<std::vector<double>> LearnAndPredict(std::string_view name, uint64_t seed,
                                                    const std::vector<Experience>& experiences,
                                                    const std::vector<std::vector<double>>& features) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TransferModel> model, CreateTransferModel(name, seed));
  RETURN_IF_ERROR(model->Learn(experiences));
  return model->Predict(features);
}

/// Whether it has not been asked for this text before: a process may make hundreds of strategies.
bool IsNews(const std::string& text) {
  static std::mutex mutex;
  static auto* told = new std::set<std::string>();
  const std::lock_guard lock(mutex);
  return told->insert(text).second;
}

}  // namespace

const std::vector<std::string>& TransferModelNames() {
  static const auto* names = new std::vector<std::string>{"process", "ridge", "xgboost"};
  return *names;
}

absl::StatusOr<std::unique_ptr<TransferModel>> CreateTransferModel(std::string_view name, uint64_t seed) {
  if (name == "process") return std::make_unique<ProcessTransfer>();
  if (name == "ridge") return std::make_unique<RidgeTransfer>();
  if (name == "xgboost") {
    ASSIGN_OR_RETURN(const XgboostLibrary* library, XgboostLibrary::System());
    return std::make_unique<BoostedTransfer>(*library, seed);
  }
  return InvalidArgument(
      absl::StrCat("unknown transfer model '", ToAbsl(name), "'; known: ", absl::StrJoin(TransferModelNames(), ", ")));
}

std::vector<double> ExpectedSurprises(std::string_view name, uint64_t seed, const std::vector<Experience>& experiences,
                                      const std::vector<std::vector<double>>& features) {
  std::vector<Experience> usable;
  for (const Experience& experience : experiences) {
    if (!features.empty() && experience.features.size() == features.front().size() && AllFinite(experience.features) &&
        std::isfinite(experience.surprise) && experience.weight > 0) {
      usable.push_back(experience);
    }
  }
  if (usable.size() < kFewestExperiences) return {};
  auto expected = LearnAndPredict(name, seed, usable, features);
  if (!expected.ok()) {
    const std::string why(expected.status().message());
    if (IsNews(absl::StrCat(ToAbsl(name), ": ", why))) {
      Log(LogLevel::kWarning, "the transfer model failed, ridge regression takes its place",
          {{"model", name}, {"why", why}});
    }
    expected = LearnAndPredict("ridge", seed, usable, features);
  }
  return expected.ok() && AllFinite(*expected) ? *std::move(expected) : std::vector<double>();
}

}  // namespace mmtune
