// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every transfer model promises.
#include "search/cost_model/transfer_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "search/cost_model/xgboost_library.h"
#include "search/space/rng.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

double Truth(const std::vector<double>& features) { return 0.5 * features[0] + std::sin(features[1]); }

std::vector<Experience> Some(size_t count, uint64_t seed = 1) {
  SearchRng rng(seed);
  std::vector<Experience> experiences(count);
  for (Experience& experience : experiences) {
    experience.features = {4 * UniformUnit(rng), 4 * UniformUnit(rng), 1};
    experience.surprise = Truth(experience.features);
  }
  return experiences;
}

std::vector<std::vector<double>> FeaturesOf(const std::vector<Experience>& experiences) {
  std::vector<std::vector<double>> features;
  for (const Experience& experience : experiences) features.push_back(experience.features);
  return features;
}

class TransferModelConformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() != "xgboost") return;
    // What deploy/install-deps --deploy-tests has brought, unless the variable names another one.
    if (::access(TEST_XGBOOST, R_OK) == 0) ::setenv("MMTUNE_XGBOOST", TEST_XGBOOST, 0);
    if (auto library = XgboostLibrary::System(); !library.ok()) GTEST_SKIP() << library.status().message();
  }

  static std::vector<double> Learnt(const std::vector<Experience>& experiences,
                                    const std::vector<std::vector<double>>& features, uint64_t seed = 1) {
    auto model = CreateTransferModel(GetParam(), seed);
    EXPECT_TRUE(model.ok()) << model.status();
    EXPECT_EQ((*model)->name(), GetParam());
    EXPECT_TRUE((*model)->Learn(experiences).ok());
    auto expected = (*model)->Predict(features);
    EXPECT_TRUE(expected.ok()) << expected.status();
    EXPECT_EQ(expected->size(), features.size());
    return *std::move(expected);
  }
};

TEST_P(TransferModelConformance, LearnsWhatWasMeasured) {
  const std::vector<Experience> unseen = Some(100, 2);
  const std::vector<double> expected = Learnt(Some(400), FeaturesOf(unseen));
  double error = 0, spread = 0;
  for (size_t i = 0; i < unseen.size(); ++i) {
    error += std::abs(expected[i] - unseen[i].surprise);
    spread += std::abs(unseen[i].surprise - 1);
  }
  EXPECT_LT(error, 0.35 * spread);
}

TEST_P(TransferModelConformance, TheSameSeedAndExperiencesGiveTheSame) {
  const std::vector<std::vector<double>> unseen = FeaturesOf(Some(50, 2));
  EXPECT_EQ(Learnt(Some(300), unseen, 7), Learnt(Some(300), unseen, 7));
}

TEST_P(TransferModelConformance, OfManyItLearnsFromAllOfThem) {
  std::vector<Experience> many = Some(5000);
  // The first half says that nothing matters.
  for (size_t i = 0; i < many.size() / 2; ++i) many[i].surprise = 0;
  EXPECT_NEAR(Learnt(many, {{3.5, 1.5, 1}})[0], Truth({3.5, 1.5, 1}) / 2, 0.5);
}

TEST_P(TransferModelConformance, WhatWeighsLessCountsLess) {
  // Half of them say the truth, half of them the opposite.
  auto learnt = [](double weight_of_lies) {
    std::vector<Experience> both = Some(200), lies = Some(200);
    for (Experience& lie : lies) {
      lie.surprise *= -1;
      lie.weight = weight_of_lies;
    }
    both.insert(both.end(), lies.begin(), lies.end());
    return Learnt(both, {{3, 1.5, 1}})[0];
  };
  EXPECT_NEAR(learnt(1), 0, 0.5);
  EXPECT_GT(learnt(0.1), 0.5 * Truth({3, 1.5, 1}));
}

TEST_P(TransferModelConformance, WhatIsTheSameEverywhereGivesNumbers) {
  std::vector<Experience> same = Some(kFewestExperiences);
  for (Experience& experience : same) experience = {{1, 2, 3}, 0.25};
  EXPECT_NEAR(Learnt(same, {{5, 6, 7}})[0], 0.25, 1e-3);
  EXPECT_TRUE(Learnt(same, {}).empty());
}

TEST_P(TransferModelConformance, TooFewOrOtherFeaturesTeachNothing) {
  auto count = [](const std::vector<Experience>& experiences, const std::vector<std::vector<double>>& features) {
    return ExpectedSurprises(GetParam(), 1, experiences, features).size();
  };
  EXPECT_EQ(count({}, {{1, 2, 3}}), 0u);
  EXPECT_EQ(count(Some(kFewestExperiences - 1), {{1, 2, 3}}), 0u);
  EXPECT_EQ(count(Some(kFewestExperiences), {{1, 2, 3}}), 1u);
  EXPECT_EQ(count(Some(100), {{1, 2, 3, 4}}), 0u);
  EXPECT_EQ(count(Some(100), {}), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, TransferModelConformance, ::testing::ValuesIn(TransferModelNames()),
                         [](const auto& info) { return info.param; });

TEST(TransferModel, AnUnknownNameListsTheOthers) {
  EXPECT_EQ(CreateTransferModel("oracle", 1).status().message(),
            "unknown transfer model 'oracle'; known: process, ridge, xgboost");
  EXPECT_TRUE(CreateTransferModel(kDefaultTransferModel, 1).ok());
}

TEST(TransferModel, WhereOneFailsRidgeRegressionTakesItsPlaceAndOneLineSaysSo) {
  ::testing::internal::CaptureStderr();
  const std::vector<double> first = ExpectedSurprises("oracle", 1, Some(100), {{1, 2, 3}});
  const std::vector<double> again = ExpectedSurprises("oracle", 2, Some(100), {{1, 2, 3}});
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(first, ExpectedSurprises("ridge", 1, Some(100), {{1, 2, 3}}));
  EXPECT_EQ(again, first);
  EXPECT_THAT(said, HasSubstr("ridge regression takes its place"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(TransferModel, WithoutTheLibraryALineSaysHowToGetIt) {
  const std::string missing(XgboostLibrary::Open("/nowhere/libxgboost.so").status().message());
  EXPECT_THAT(missing, HasSubstr("no XGBoost: /nowhere/libxgboost.so: cannot open"));
  EXPECT_THAT(missing, HasSubstr("PyPI's xgboost-cpu"));
  EXPECT_THAT(missing, ::testing::Not(HasSubstr("\n")));
  const std::string other(XgboostLibrary::Open("libm.so.6").status().message());
  EXPECT_THAT(other, HasSubstr("XGBoost: libm.so.6 has no XGDMatrixCreateFromDense; "));
}

}  // namespace
}  // namespace mmtune
