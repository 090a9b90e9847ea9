// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/server_connection.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BackoffTest, APauseIsNeverNoneAndGrowsToTenSeconds) {
  Duration longest_first{}, longest{};
  for (int i = 0; i < 1000; ++i) {
    Backoff backoff;
    const Duration first = backoff.Next();
    EXPECT_GE(first, milliseconds(20));
    longest_first = std::max(longest_first, first);
    for (int failure = 1; failure < 12; ++failure) longest = std::max(longest, backoff.Next());
    backoff.Reset();
    longest_first = std::max(longest_first, backoff.Next());
  }
  EXPECT_LE(longest_first, milliseconds(200));
  EXPECT_LE(longest, seconds(10));
  EXPECT_GT(longest, seconds(8));
}

}  // namespace
}  // namespace mmtune
