// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/stop_condition.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(StopLimits, NothingStopsWithoutLimits) { EXPECT_FALSE(StopLimits().Reached({1'000'000'000, 1e9, 0, 1000, 100})); }

TEST(StopLimits, TrialsStopAtTheLimitAndNotBefore) {
  const StopLimits limits{64, 0};
  EXPECT_FALSE(limits.Reached({63, 1e9}));
  EXPECT_TRUE(limits.Reached({64, 0}));
  EXPECT_TRUE(limits.Reached({70, 0}));
}

TEST(StopLimits, SecondsStopAtTheLimitAndNotBefore) {
  const StopLimits limits{0, 30};
  EXPECT_FALSE(limits.Reached({1'000'000, 29.99}));
  EXPECT_TRUE(limits.Reached({0, 30}));
  EXPECT_TRUE((StopLimits{0, 0.5}.Reached({0, 0.75})));
}

TEST(StopLimits, TheFirstThatHoldsStops) {
  const StopLimits limits{64, 30};
  EXPECT_TRUE(limits.Reached({10, 31}));
  EXPECT_TRUE(limits.Reached({64, 3}));
  EXPECT_FALSE(limits.Reached({63, 29}));
}

TEST(StopLimits, SpeedsStopWhereTheyAreKnownAndReached) {
  StopLimits limits;
  limits.baseline_percent = 95;
  EXPECT_FALSE(limits.Reached({.proposed = 5}));
  EXPECT_FALSE(limits.Reached({.baseline_percent = 94.9}));
  EXPECT_FALSE(limits.Reached({.bound_percent = 99}));
  EXPECT_TRUE(limits.Reached({.baseline_percent = 95}));
  limits = {};
  limits.bound_percent = 80;
  EXPECT_FALSE(limits.Reached({.baseline_percent = 200, .bound_percent = 79.9}));
  EXPECT_TRUE(limits.Reached({.bound_percent = 80}));
}

TEST(StopLimits, APlateauIsAGainBelowTheLimit) {
  StopLimits limits;
  limits.plateau_percent = 1;
  EXPECT_FALSE(limits.Reached({.proposed = 5})) << "nothing is known of it yet";
  EXPECT_FALSE(limits.Reached({.gain_percent = 1}));
  EXPECT_TRUE(limits.Reached({.gain_percent = 0.99}));
}

TEST(StopLimits, TheReasonIsALineWithTheFigures) {
  const StopLimits limits{64, 30, 1, 95, 80};
  EXPECT_EQ(*limits.Reached({.proposed = 64}), "trials: 64");
  EXPECT_EQ(*limits.Reached({.seconds = 31}), "seconds: 30");
  EXPECT_EQ(*limits.Reached({.gain_percent = 0.256}),
            "plateau: one more schedule is expected to gain 0.26 %, less than 1 %");
  EXPECT_EQ(*limits.Reached({.baseline_percent = 101.55}),
            "the best schedule has 101.55 % of the baseline's speed; the limit is 95 %");
  EXPECT_EQ(*limits.Reached({.bound_percent = 80}),
            "the best schedule has 80 % of the device's peak; the limit is 80 %");
}

TEST(StopLimits, WhatWasProposedIsStillWantedAfterTrialsAndOnAPlateau) {
  const StopLimits limits{64, 30, 1, 95, 80};
  EXPECT_FALSE(limits.ReachedHardLimit({.proposed = 64, .gain_percent = 0}));
  EXPECT_TRUE(limits.ReachedHardLimit({.seconds = 31}));
  EXPECT_TRUE(limits.ReachedHardLimit({.baseline_percent = 96}));
  EXPECT_TRUE(limits.ReachedHardLimit({.bound_percent = 96}));
}

}  // namespace
}  // namespace mmtune
