// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/stop_condition.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

TEST(StopLimits, NothingStopsWithoutLimits) { EXPECT_FALSE(StopLimits().Reached(1'000'000'000, 1e9)); }

TEST(StopLimits, TrialsStopAtTheLimitAndNotBefore) {
  const StopLimits limits{64, 0};
  EXPECT_FALSE(limits.Reached(63, 1e9));
  EXPECT_TRUE(limits.Reached(64, 0));
  EXPECT_TRUE(limits.Reached(70, 0));
}

TEST(StopLimits, SecondsStopAtTheLimitAndNotBefore) {
  const StopLimits limits{0, 30};
  EXPECT_FALSE(limits.Reached(1'000'000, 29.99));
  EXPECT_TRUE(limits.Reached(0, 30));
  EXPECT_TRUE((StopLimits{0, 0.5}.Reached(0, 0.75)));
}

TEST(StopLimits, TheFirstThatHoldsStops) {
  const StopLimits limits{64, 30};
  EXPECT_TRUE(limits.Reached(10, 31));
  EXPECT_TRUE(limits.Reached(64, 3));
  EXPECT_FALSE(limits.Reached(63, 29));
}

}  // namespace
}  // namespace mmtune
