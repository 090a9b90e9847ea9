// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/matmul_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A product that was searched for a while and whose search predicts a gain.
ProductProgress Predicted(double weight, double time_ns, double gain) {
  ProductProgress product;
  product.weight = weight;
  product.time_ns = time_ns;
  product.trials = product.ran = 50;
  product.expected_gain = gain;
  product.trial_seconds = 1;
  return product;
}

/// A product of which nothing was measured.
ProductProgress Untried(double weight, double time_ns) {
  ProductProgress product;
  product.weight = weight;
  product.time_ns = time_ns;
  return product;
}

TEST(ProductScheduler, NextTrialIsThatOfTheLargestWeightedGain) {
  EXPECT_THAT(ProductScheduler({Predicted(1, 100, 0.1), Predicted(3, 100, 0.1), Predicted(1, 200, 0.2)}).Order(),
              ElementsAre(1, 2, 0));
}

TEST(ProductScheduler, CheapTrialsComeFirst) {
  ProductProgress slow = Predicted(1, 100, 0.1), fast = Predicted(1, 100, 0.06);
  slow.trial_seconds = 4;
  fast.trial_seconds = 2;
  EXPECT_THAT(ProductScheduler({slow, fast}).Order(), ElementsAre(1, 0));
}

TEST(ProductScheduler, UnknownSecondsAreTheMeanOfTheOthers) {
  ProductProgress known = Predicted(1, 100, 0.1), unknown = known;
  known.trial_seconds = 10;
  unknown.trial_seconds = 0;
  unknown.expected_gain = 0.11;
  EXPECT_THAT(ProductScheduler({known, unknown}).Order(), ElementsAre(1, 0));
  unknown.expected_gain = 0.09;
  EXPECT_THAT(ProductScheduler({known, unknown}).Order(), ElementsAre(0, 1));
}

TEST(ProductScheduler, FirstTrialOfAHotProductCompetesWithTheFiftiethOfAColdOne) {
  // The prior of the untried product is a quarter of its time.
  EXPECT_THAT(ProductScheduler({Predicted(1, 100, 0.02), Untried(1, 100)}).Order(), ElementsAre(1, 0));
  EXPECT_THAT(ProductScheduler({Predicted(100, 100, 0.02), Untried(1, 100)}).Order(), ElementsAre(0, 1));
}

TEST(ProductScheduler, PriorGainFallsWithTrialsAndIsCappedByTheBound) {
  ProductProgress product = Untried(2, 100);
  EXPECT_DOUBLE_EQ(ProductScheduler({product}).GainNs(0), 2 * 100 * ProductScheduler::kPriorGain);
  product.trials = 4;
  EXPECT_DOUBLE_EQ(ProductScheduler({product}).GainNs(0), 2 * 100 * ProductScheduler::kPriorGain / 8);
  product.trials = 0;
  product.bound_ns = 99;
  EXPECT_DOUBLE_EQ(ProductScheduler({product}).GainNs(0), 2);
  product.bound_ns = 120;
  EXPECT_DOUBLE_EQ(ProductScheduler({product}).GainNs(0), 0);
}

TEST(ProductScheduler, PredictedGainIsTakenWithThePrior) {
  ProductProgress product = Predicted(1, 100, 0.04);
  product.trials = 4;
  EXPECT_DOUBLE_EQ(ProductScheduler({product}).GainNs(0), 100 * std::sqrt(0.04 * ProductScheduler::kPriorGain / 8));
  product.expected_gain = -1;
  EXPECT_EQ(ProductScheduler({product}).GainNs(0), 0);
}

TEST(ProductScheduler, ProductWhoseTrialsAllFailYieldsUntilEveryOtherGainIsSmaller) {
  ProductProgress failing = Untried(1, 100), other = Predicted(10, 100, 0.04);
  failing.trials = ProductScheduler::kPatience - 1;
  failing.trial_seconds = 0.001;
  EXPECT_THAT(ProductScheduler({failing, other}).Order(), ElementsAre(0, 1)) << "its failures are quick";
  failing.trials = ProductScheduler::kPatience;
  EXPECT_THAT(ProductScheduler({failing, other}).Order(), ElementsAre(1, 0));
  other.expected_gain = 0.001;
  EXPECT_THAT(ProductScheduler({failing, other}).Order(), ElementsAre(0, 1));
}

TEST(ProductScheduler, ProductThatAlwaysFailsDoesNotUseUpTheBudget) {
  std::vector<ProductProgress> products = {Untried(1, 1000), Untried(1, 1000)};
  for (int trial = 0; trial < 200; ++trial) {
    ProductProgress& next = products[ProductScheduler(products).Order().front()];
    ++next.trials;
    next.trial_seconds = &next == &products[0] ? 0.01 : 1;
    if (&next == &products[1]) {
      ++next.ran;
      next.expected_gain = 0.01;
    }
  }
  EXPECT_LT(products[0].trials, 50);
}

TEST(ProductScheduler, RunningTrialsCountAgainstAnotherOneOfTheProduct) {
  ProductProgress first = Predicted(1, 100, 0.1), second = Predicted(1, 100, 0.06);
  first.running = 1;
  EXPECT_THAT(ProductScheduler({first, second}).Order(), ElementsAre(1, 0));
  second.running = 1;
  EXPECT_THAT(ProductScheduler({first, second}).Order(), ElementsAre(0, 1));
}

TEST(ProductScheduler, EqualProductsTakeTurnsInTheirOrder) {
  EXPECT_THAT(ProductScheduler({Untried(1, 5), Untried(1, 5), Untried(1, 5)}).Order(), ElementsAre(0, 1, 2));
}

TEST(ProductScheduler, ExhaustedProductsGetNothing) {
  ProductProgress exhausted = Untried(100, 100);
  exhausted.exhausted = true;
  EXPECT_THAT(ProductScheduler({exhausted, Untried(1, 1)}).Order(), ElementsAre(1));
  EXPECT_EQ(ProductScheduler({exhausted}).GainNs(0), 0);
  EXPECT_THAT(ProductScheduler({exhausted}).Order(), IsEmpty());
  EXPECT_TRUE(ProductScheduler({exhausted}).Converged());
}

TEST(ProductScheduler, ConvergesWhenAllGainsTogetherAreSmall) {
  EXPECT_FALSE(ProductScheduler({Untried(1, 100)}).Converged());
  EXPECT_FALSE(ProductScheduler({Predicted(1, 100, 0.04), Predicted(1, 100, 0.05)}).Converged());
  EXPECT_TRUE(ProductScheduler({Predicted(1, 100, 0.02), Predicted(1, 100, 0.03)}).Converged());
  EXPECT_DOUBLE_EQ(ProductScheduler({Predicted(2, 100, 0), Predicted(1, 50, 0)}).ModelNs(), 250);
}

}  // namespace
}  // namespace mmtune
