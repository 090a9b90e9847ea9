// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/stop_condition.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(StopCondition, NothingStopsWithoutLimits) { EXPECT_EQ(StopReason({}, {1'000'000'000, 1e9}), std::nullopt); }

TEST(StopCondition, TrialsStopAtTheLimitAndNotBefore) {
  EXPECT_EQ(StopReason({64, 0}, {63, 1e9}), std::nullopt);
  EXPECT_EQ(StopReason({64, 0}, {64, 0}), "64 trials");
  EXPECT_EQ(StopReason({64, 0}, {70, 0}), "64 trials");
  EXPECT_EQ(StopReason({1, 0}, {1, 0}), "1 trial");
}

TEST(StopCondition, SecondsStopAtTheLimitAndNotBefore) {
  EXPECT_EQ(StopReason({0, 30}, {1'000'000, 29.99}), std::nullopt);
  EXPECT_EQ(StopReason({0, 30}, {0, 30}), "30 s");
  EXPECT_EQ(StopReason({0, 0.5}, {0, 0.75}), "0.5 s");
}

TEST(StopCondition, TheFirstThatHoldsStops) {
  EXPECT_EQ(StopReason({64, 30}, {10, 31}), "30 s");
  EXPECT_EQ(StopReason({64, 30}, {64, 3}), "64 trials");
}

}  // namespace
}  // namespace mmtune
