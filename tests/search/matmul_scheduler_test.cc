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

/// A matmul that was searched for a while and whose search predicts a gain.
MatmulProgress Predicted(double weight, double time_ns, double gain) {
  MatmulProgress matmul;
  matmul.weight = weight;
  matmul.time_ns = time_ns;
  matmul.trials = matmul.ran = 50;
  matmul.expected_gain = gain;
  matmul.trial_seconds = 1;
  return matmul;
}

/// A matmul of which nothing was measured.
MatmulProgress Untried(double weight, double time_ns) {
  MatmulProgress matmul;
  matmul.weight = weight;
  matmul.time_ns = time_ns;
  return matmul;
}

TEST(MatmulScheduler, NextTrialIsThatOfTheLargestWeightedGain) {
  EXPECT_THAT(MatmulScheduler({Predicted(1, 100, 0.1), Predicted(3, 100, 0.1), Predicted(1, 200, 0.2)}).Order(),
              ElementsAre(1, 2, 0));
}

TEST(MatmulScheduler, CheapTrialsComeFirst) {
  MatmulProgress slow = Predicted(1, 100, 0.1), fast = Predicted(1, 100, 0.06);
  slow.trial_seconds = 4;
  fast.trial_seconds = 2;
  EXPECT_THAT(MatmulScheduler({slow, fast}).Order(), ElementsAre(1, 0));
}

TEST(MatmulScheduler, UnknownSecondsAreTheMeanOfTheOthers) {
  MatmulProgress known = Predicted(1, 100, 0.1), unknown = known;
  known.trial_seconds = 10;
  unknown.trial_seconds = 0;
  unknown.expected_gain = 0.11;
  EXPECT_THAT(MatmulScheduler({known, unknown}).Order(), ElementsAre(1, 0));
  unknown.expected_gain = 0.09;
  EXPECT_THAT(MatmulScheduler({known, unknown}).Order(), ElementsAre(0, 1));
}

TEST(MatmulScheduler, FirstTrialOfAHotMatmulCompetesWithTheFiftiethOfAColdOne) {
  // The prior of the untried matmul is a quarter of its time.
  EXPECT_THAT(MatmulScheduler({Predicted(1, 100, 0.02), Untried(1, 100)}).Order(), ElementsAre(1, 0));
  EXPECT_THAT(MatmulScheduler({Predicted(100, 100, 0.02), Untried(1, 100)}).Order(), ElementsAre(0, 1));
}

TEST(MatmulScheduler, PriorGainFallsWithTrialsAndIsCappedByTheBound) {
  MatmulProgress matmul = Untried(2, 100);
  EXPECT_DOUBLE_EQ(MatmulScheduler({matmul}).GainNs(0), 2 * 100 * MatmulScheduler::kPriorGain);
  matmul.trials = 4;
  EXPECT_DOUBLE_EQ(MatmulScheduler({matmul}).GainNs(0), 2 * 100 * MatmulScheduler::kPriorGain / 8);
  matmul.trials = 0;
  matmul.bound_ns = 99;
  EXPECT_DOUBLE_EQ(MatmulScheduler({matmul}).GainNs(0), 2);
  matmul.bound_ns = 120;
  EXPECT_DOUBLE_EQ(MatmulScheduler({matmul}).GainNs(0), 0);
}

TEST(MatmulScheduler, PredictedGainIsTakenWithThePrior) {
  MatmulProgress matmul = Predicted(1, 100, 0.04);
  matmul.trials = 4;
  EXPECT_DOUBLE_EQ(MatmulScheduler({matmul}).GainNs(0), 100 * std::sqrt(0.04 * MatmulScheduler::kPriorGain / 8));
  matmul.expected_gain = -1;
  EXPECT_EQ(MatmulScheduler({matmul}).GainNs(0), 0);
}

TEST(MatmulScheduler, MatmulWhoseTrialsAllFailYieldsUntilEveryOtherGainIsSmaller) {
  MatmulProgress failing = Untried(1, 100), other = Predicted(10, 100, 0.04);
  failing.trials = MatmulScheduler::kMaxFailedTrials - 1;
  failing.trial_seconds = 0.001;
  EXPECT_THAT(MatmulScheduler({failing, other}).Order(), ElementsAre(0, 1)) << "its failures are quick";
  failing.trials = MatmulScheduler::kMaxFailedTrials;
  EXPECT_THAT(MatmulScheduler({failing, other}).Order(), ElementsAre(1, 0));
  other.expected_gain = 0.001;
  EXPECT_THAT(MatmulScheduler({failing, other}).Order(), ElementsAre(0, 1));
}

TEST(MatmulScheduler, MatmulThatAlwaysFailsDoesNotUseUpTheBudget) {
  std::vector<MatmulProgress> matmuls = {Untried(1, 1000), Untried(1, 1000)};
  for (int trial = 0; trial < 200; ++trial) {
    MatmulProgress& next = matmuls[MatmulScheduler(matmuls).Order().front()];
    ++next.trials;
    next.trial_seconds = &next == &matmuls[0] ? 0.01 : 1;
    if (&next == &matmuls[1]) {
      ++next.ran;
      next.expected_gain = 0.01;
    }
  }
  EXPECT_LT(matmuls[0].trials, 50);
}

TEST(MatmulScheduler, RunningTrialsCountAgainstAnotherOneOfTheMatmul) {
  MatmulProgress first = Predicted(1, 100, 0.1), second = Predicted(1, 100, 0.06);
  first.running = 1;
  EXPECT_THAT(MatmulScheduler({first, second}).Order(), ElementsAre(1, 0));
  second.running = 1;
  EXPECT_THAT(MatmulScheduler({first, second}).Order(), ElementsAre(0, 1));
}

TEST(MatmulScheduler, EqualMatmulsTakeTurnsInTheirOrder) {
  EXPECT_THAT(MatmulScheduler({Untried(1, 5), Untried(1, 5), Untried(1, 5)}).Order(), ElementsAre(0, 1, 2));
}

TEST(MatmulScheduler, ExhaustedMatmulsGetNothing) {
  MatmulProgress exhausted = Untried(100, 100);
  exhausted.exhausted = true;
  EXPECT_THAT(MatmulScheduler({exhausted, Untried(1, 1)}).Order(), ElementsAre(1));
  EXPECT_EQ(MatmulScheduler({exhausted}).GainNs(0), 0);
  EXPECT_THAT(MatmulScheduler({exhausted}).Order(), IsEmpty());
  EXPECT_TRUE(MatmulScheduler({exhausted}).Converged());
}

TEST(MatmulScheduler, ConvergesWhenAllGainsTogetherAreSmall) {
  EXPECT_FALSE(MatmulScheduler({Untried(1, 100)}).Converged());
  EXPECT_FALSE(MatmulScheduler({Predicted(1, 100, 0.04), Predicted(1, 100, 0.05)}).Converged());
  EXPECT_TRUE(MatmulScheduler({Predicted(1, 100, 0.02), Predicted(1, 100, 0.03)}).Converged());
  EXPECT_DOUBLE_EQ(MatmulScheduler({Predicted(2, 100, 0), Predicted(1, 50, 0)}).ModelNs(), 250);
}

}  // namespace
}  // namespace mmtune
