// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/boosted_transfer.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kRounds = 100;
/// Each round learns from a part of the rows and columns, which the seed draws. One thread: sums are in one order.
constexpr struct {
  const char* name;
  const char* value;
} kParameters[] = {{"nthread", "1"},     {"verbosity", "0"},          {"tree_method", "hist"},
                   {"max_bin", "64"},    {"max_depth", "6"},          {"eta", "0.1"},
                   {"subsample", "0.8"}, {"colsample_bytree", "0.6"}, {"min_child_weight", "2"}};
constexpr char kOneThread[] = R"({"missing": NaN, "nthread": 1})";
constexpr char kPlainValues[] =
    R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": false})";

}  // namespace

absl::StatusOr<BoostedTransfer::Handle> BoostedTransfer::MatrixOf(
    const std::vector<const std::vector<double>*>& rows) const {
  std::vector<float> values;
  for (const std::vector<double>* row : rows) values.insert(values.end(), row->begin(), row->end());
  // NumPy's array interface; the library copies the values.
  const std::string array =
      absl::StrCat(R"({"data": [)", reinterpret_cast<uintptr_t>(values.data()), R"(, true], "shape": [)", rows.size(),
                   ", ", rows.front()->size(), R"(], "typestr": "<f4", "version": 3})");
  void* matrix = nullptr;
  RETURN_IF_ERROR(library_.Check(library_.CreateMatrix(array.c_str(), kOneThread, &matrix)));
  return Handle(matrix, library_.FreeMatrix);
}

absl::Status BoostedTransfer::Learn(const std::vector<Experience>& experiences) {
  std::vector<const std::vector<double>*> rows;
  std::vector<float> surprises, weights;
  for (const Experience& experience : experiences) {
    rows.push_back(&experience.features);
    surprises.push_back(static_cast<float>(experience.surprise));
    weights.push_back(static_cast<float>(experience.weight));
  }
  ASSIGN_OR_RETURN(const Handle matrix, MatrixOf(rows));
  RETURN_IF_ERROR(library_.Check(library_.SetFloats(matrix.get(), "label", surprises.data(), surprises.size())));
  RETURN_IF_ERROR(library_.Check(library_.SetFloats(matrix.get(), "weight", weights.data(), weights.size())));
  void* const given[] = {matrix.get()};
  void* booster = nullptr;
  RETURN_IF_ERROR(library_.Check(library_.CreateBooster(given, 1, &booster)));
  booster_ = Handle(booster, library_.FreeBooster);
  for (const auto& [name, value] : kParameters) {
    RETURN_IF_ERROR(library_.Check(library_.SetParameter(booster, name, value)));
  }
  const std::string seed = absl::StrCat(seed_ % (uint64_t{1} << 31));
  RETURN_IF_ERROR(library_.Check(library_.SetParameter(booster, "seed", seed.c_str())));
  for (int round = 0; round < kRounds; ++round) {
    RETURN_IF_ERROR(library_.Check(library_.UpdateOnce(booster, round, matrix.get())));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> BoostedTransfer::Predict(const std::vector<std::vector<double>>& features) const {
  if (features.empty()) return std::vector<double>();
  std::vector<const std::vector<double>*> rows;
  for (const std::vector<double>& row : features) rows.push_back(&row);
  ASSIGN_OR_RETURN(const Handle matrix, MatrixOf(rows));
  const uint64_t* shape = nullptr;
  uint64_t dimensions = 0;
  const float* expected = nullptr;
  RETURN_IF_ERROR(
      library_.Check(library_.Predict(booster_.get(), matrix.get(), kPlainValues, &shape, &dimensions, &expected)));
  if (dimensions < 1 || shape[0] != rows.size()) return Internal("XGBoost: not one prediction for each schedule");
  return std::vector<double>(expected, expected + rows.size());
}

}  // namespace mmtune
