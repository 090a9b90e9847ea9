// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/clock.h"
#include "tests/fake_clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace mmtune {
namespace {

TEST(RealClock, NeverGoesBack) {
  const Clock& clock = Clock::Real();
  TimePoint last = clock.Now();
  for (int i = 0; i < 1000; ++i) {
    TimePoint now = clock.Now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(RealClock, CountsMillisecondsOfTheUnixEpoch) {
  using std::chrono::milliseconds;
  auto system = std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_NEAR(static_cast<double>(Clock::Real().UnixMillis()), static_cast<double>(system), 60'000);
}

TEST(SecondsTest, AreDurationsAndBack) {
  EXPECT_EQ(FromSeconds(1.5), std::chrono::milliseconds(1500));
  EXPECT_EQ(FromSeconds(-2), -std::chrono::seconds(2));
  EXPECT_EQ(Seconds(std::chrono::milliseconds(250)), 0.25);
}

TEST(FakeClock, MovesOnlyWhenTold) {
  FakeClock clock;
  const TimePoint start = clock.Now();
  EXPECT_EQ(clock.Now(), start);
  clock.Advance(std::chrono::seconds(3));
  EXPECT_EQ(clock.Now() - start, std::chrono::seconds(3));
  EXPECT_EQ(clock.UnixMillis(), 3000);
}

}  // namespace
}  // namespace mmtune
