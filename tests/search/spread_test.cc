// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/candidate_pool.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

/// At 0, 1, 2 … of a line; what is expected of each is its place.
struct Line {
  explicit Line(int count) {
    for (int i = 0; i < count; ++i) {
      sample.push_back({{"f", {{"x", i}}}, Eigen::ArrayXd::Constant(1, i), static_cast<uint64_t>(i)});
      expected.push_back(i);
    }
  }
  std::vector<ScoredSchedule> sample;
  std::vector<double> expected;
};

TEST(TakeInitialDesign, TakesOfTheBestShareAndLeavesTheOthersWithTheirTimes) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Line line(100);
    SearchRng rng(seed);
    const std::vector<ScoredSchedule> taken = TakeInitialDesign(line.sample, line.expected, 0.1, 3, rng);
    ASSERT_EQ(taken.size(), 3u);
    for (const ScoredSchedule& candidate : taken) EXPECT_LT(candidate.schedule.Get("x"), 10);
    ASSERT_EQ(line.sample.size(), 97u);
    ASSERT_EQ(line.expected.size(), 97u);
    for (size_t i = 0; i < line.sample.size(); ++i) {
      EXPECT_EQ(line.expected[i], static_cast<double>(line.sample[i].schedule.Get("x")));
      for (const ScoredSchedule& candidate : taken) EXPECT_FALSE(candidate.schedule == line.sample[i].schedule);
    }
  }
}

TEST(TakeInitialDesign, TheyAreFarFromOneAnother) {
  double apart = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Line line(100);
    SearchRng rng(seed);
    const std::vector<ScoredSchedule> taken = TakeInitialDesign(line.sample, line.expected, 1, 2, rng);
    apart += std::abs(taken[0].point[0] - taken[1].point[0]) / 200;
  }
  EXPECT_GT(apart, 50) << "33 when drawn without a look at the distance";
}

TEST(TakeInitialDesign, WhereTheSameIsExpectedOfAllAnyMayBeTaken) {
  int64_t last = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Line line(100);
    line.expected.assign(100, 1);
    SearchRng rng(seed);
    last = std::max(last, TakeInitialDesign(line.sample, line.expected, 0.1, 1, rng)[0].schedule.Get("x"));
  }
  EXPECT_GT(last, 50);
}

TEST(TakeInitialDesign, WhatIsNotThereIsNotTaken) {
  SearchRng rng(1);
  Line line(2);
  EXPECT_EQ(TakeInitialDesign(line.sample, line.expected, 0.1, 5, rng).size(), 2u);
  EXPECT_TRUE(line.sample.empty());
  EXPECT_TRUE(TakeInitialDesign(line.sample, line.expected, 0.1, 5, rng).empty());
  Line same(4);
  for (ScoredSchedule& candidate : same.sample) candidate.point[0] = 0;
  EXPECT_EQ(TakeInitialDesign(same.sample, same.expected, 1, 3, rng).size(), 1u) << "the others are no different";
}

}  // namespace
}  // namespace mmtune
