// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

TEST(Conditions, PreciseRunSufficesForCoarserPrecision) {
  const Conditions run = Ended(kEndedPrecise, 0.005, 1);
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 1)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.01, 1)));
  EXPECT_FALSE(run.SufficeFor(Wanted(0.0049, 1)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 100))) << "it would not have used the time";
}

TEST(Conditions, BudgetRunSufficesForSmallerBudget) {
  const Conditions run = Ended(kEndedBudget, 0.005, 1);
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 1)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.005, 0.5)));
  EXPECT_FALSE(run.SufficeFor(Wanted(0.005, 1.01))) << "with more time it would have gone on";
  EXPECT_FALSE(run.SufficeFor(Wanted(0.1, 1.01)));
  EXPECT_TRUE(run.SufficeFor(Wanted(0.0001, 1))) << "it was not precise enough to end before";
}

TEST(Conditions, OtherEndsAndUnknownConditionsSuffice) {
  for (std::string_view why : {kEndedSamples, kEndedSlower, std::string_view()}) {
    EXPECT_TRUE(Ended(why, 0.005, 1).SufficeFor(Wanted(0.0001, 100))) << why;
  }
  EXPECT_TRUE(Ended(kEndedPrecise, 0, 0).SufficeFor(Wanted(0.0001, 100)));
  EXPECT_TRUE(Ended(kEndedBudget, 0, 0).SufficeFor(Wanted(0.0001, 100)));
}

TEST(DefaultBudgetSeconds, IsLongerForTheSimtDevice) {
  EXPECT_EQ(DefaultBudgetSeconds(DeviceKind::kCuda), 0.3);
  EXPECT_EQ(DefaultBudgetSeconds(DeviceKind::kSimt), 1);
}

TEST(Comparison, ValidatesRatioIntervalAndTimes) {
  const Comparison good{Schedule(), 1.5, 1.25, 2, {1.5}, {15}, {10}};
  EXPECT_TRUE(good.Validate().ok());
  Comparison outside = good;
  outside.ratio = 3;
  EXPECT_EQ(outside.Validate().message(),
            "comparison.ratio must be positive and inside its interval, got 3 and 1.25 to 2");
  Comparison no_ratio = good, no_time = good, no_reference_time = good;
  no_ratio.ratios = {1.5, 0};
  no_time.medians_ns = {-15};
  no_reference_time.reference_medians_ns = {0};
  EXPECT_EQ(no_ratio.Validate().message(), "comparison.ratios must all be finite and above 0");
  EXPECT_EQ(no_time.Validate().message(),
            "comparison.medians_ns and reference_medians_ns must all be finite and above 0");
  EXPECT_EQ(no_reference_time.Validate().message(),
            "comparison.medians_ns and reference_medians_ns must all be finite and above 0");
}

}  // namespace
}  // namespace mmtune
