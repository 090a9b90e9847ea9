// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/split_mix64.h"

#include <gtest/gtest.h>

#include <set>

namespace mmtune {
namespace {

TEST(SplitMix64, MatchesThePublishedSequence) {
  SplitMix64 random(1234567);  // Rosetta Code, "Pseudo-random numbers/Splitmix64"
  for (uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u}) {
    EXPECT_EQ(random.Next(), expected);
  }
}

TEST(SplitMix64, AtReturnsAnyElementOfTheSequence) {
  SplitMix64 random(7);
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(SplitMix64::At(7, i), random.Next());
}

TEST(SplitMix64, BelowReachesExactlyTheNumbersInRange) {
  SplitMix64 random(1);
  std::set<uint32_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.Below(5));
  EXPECT_EQ(seen, (std::set<uint32_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace mmtune
