#include "proto/types/conditions.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

Conditions Ended(std::string_view why, double precision, double budget_seconds) {
  Conditions conditions;
  conditions.ended = std::string(why);
  conditions.precision = precision;
  conditions.budget_seconds = budget_seconds;
  return conditions;
}

MeasureOptions Wanted(double precision, double budget_seconds) {
  return {.precision = precision, .budget_seconds = budget_seconds};
}

TEST(Conditions, ARunThatEndedPreciseSufficesForWhatIsNoFiner) {
  const Conditions run = Ended(kEndedPrecise, 0.005, 1);
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 1)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.01, 1)));
  EXPECT_FALSE(run.SufficeFor(Wanted(0.0049, 1)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 100))) << "it would not have used the time";
}

TEST(Conditions, ARunThatEndedWithItsBudgetSufficesForWhatIsNoLonger) {
  const Conditions run = Ended(kEndedBudget, 0.005, 1);
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 1)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 0.5)));
  EXPECT_FALSE(run.SufficeFor(Wanted(0.005, 1.01))) << "with more time it would have gone on";
  EXPECT_FALSE(run.SufficeFor(Wanted(0.1, 1.01)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.0001, 1))) << "it was not precise enough to end before";
}

TEST(Conditions, WhatEndedOtherwiseOrIsOlderThanItsConditionsSuffices) {
  for (std::string_view why : {kEndedSamples, kEndedSlower, std::string_view()}) {
    EXPECT_TRUE(Ended(why, 0.005, 1).SufficeFor(Wanted(0.0001, 100))) << why;
  }
  EXPECT_TRUE(Ended(kEndedPrecise, 0, 0).SufficeFor(Wanted(0.0001, 100)));
  EXPECT_TRUE(Ended(kEndedBudget, 0, 0).SufficeFor(Wanted(0.0001, 100)));
}

TEST(DefaultBudgetSeconds, IsLongerWhereKernelsAreSlower) {
  EXPECT_EQ(DefaultBudgetSeconds(DeviceKind::kCuda), 0.3);
  EXPECT_EQ(DefaultBudgetSeconds(DeviceKind::kSimt), 1);
}

}  // namespace
}  // namespace mmtune
