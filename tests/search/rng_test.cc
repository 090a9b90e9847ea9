// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/rng.h"
#include "tests/test_seed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mmtune {
namespace {

using ::testing::UnorderedElementsAre;

TEST(Rng, UniformBelowCoversItsRangeEvenly) {
  SearchRng rng(TestSeed(1));
  std::vector<int> hits(7);
  for (int i = 0; i < 70000; ++i) ++hits[UniformBelow(rng, 7)];
  for (int count : hits) EXPECT_NEAR(count, 10000, 400);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(UniformBelow(rng, 1), 0u);
}

TEST(Rng, UniformBelowIsUnbiasedForLargeRanges) {
  // A plain modulo would put two thirds of the draws in the lower half.
  SearchRng rng(TestSeed(1));
  const uint64_t n = (uint64_t{1} << 63) + (uint64_t{1} << 62);
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += UniformBelow(rng, n) < n / 2;
  EXPECT_NEAR(low, 5000, 250);
}

TEST(Rng, UniformUnitStaysBelowOne) {
  SearchRng rng(TestSeed(1));
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    double u = UniformUnit(rng);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Rng, StreamsOfOneSeedDiffer) {
  EXPECT_EQ(MakeStream(1, 2)(), MakeStream(1, 2)());
  EXPECT_NE(MakeStream(1, 2)(), MakeStream(1, 3)());
  EXPECT_NE(MakeStream(1, 2)(), MakeStream(2, 2)());
  EXPECT_NE(MakeStream(1, 2)(), MakeStream(2, 1)());
}

TEST(Rng, TheStreamIsTheSameOnEveryPlatform) {
  SearchRng rng = MakeStream(7, 0);
  std::vector<uint64_t> draws;
  for (int i = 0; i < 4; ++i) draws.push_back(UniformBelow(rng, 1000));
  EXPECT_EQ(draws, (std::vector<uint64_t>{810, 912, 835, 448}));
}

TEST(Rng, ShufflePermutes) {
  SearchRng rng(TestSeed(1));
  std::vector<int> items{1, 2, 3, 4, 5};
  bool moved = false;
  for (int i = 0; i < 10; ++i) {
    Shuffle(items, rng);
    EXPECT_THAT(items, UnorderedElementsAre(1, 2, 3, 4, 5));
    moved |= items[0] != 1;
  }
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace mmtune
