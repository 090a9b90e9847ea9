// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/sample_statistics.h"
#include "tests/test_seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace mmtune {
namespace {

// The samples 1..n, shuffled: an order statistic is its own rank.
MedianInterval OfRanks(size_t n) {
  std::vector<double> samples(n);
  std::iota(samples.begin(), samples.end(), 1);
  std::shuffle(samples.begin(), samples.end(), std::mt19937_64(TestSeed(7)));
  return MedianOf(samples);
}

TEST(MedianOf, AveragesTheMiddleTwo) {
  EXPECT_EQ(MedianOf({3}).median, 3);
  EXPECT_EQ(MedianOf({4, 1}).median, 2.5);
  EXPECT_EQ(MedianOf({9, 1, 5}).median, 5);
}

TEST(MedianOf, UnderSixSamplesTheIntervalIsMinAndMax) {
  for (size_t n = 1; n < 6; ++n) {
    EXPECT_EQ(OfRanks(n).low, 1) << n;
    EXPECT_EQ(OfRanks(n).high, n) << n;
  }
}

// Ranks from published tables of the 95% interval of the median.
TEST(MedianOf, RanksAgreeWithTheTables) {
  struct Row {
    size_t n;
    double low, high;
  };
  for (Row row : {Row{6, 1, 6}, Row{8, 1, 8}, Row{9, 2, 8}, Row{10, 2, 9}, Row{15, 4, 12}, Row{20, 6, 15},
                  Row{30, 10, 21}, Row{50, 18, 33}, Row{100, 40, 61}}) {
    EXPECT_EQ(OfRanks(row.n).low, row.low) << row.n;
    EXPECT_EQ(OfRanks(row.n).high, row.high) << row.n;
  }
}

TEST(MedianOf, CoversTheTrueMedianNinetyFiveTimesInAHundred) {
  std::mt19937_64 random(TestSeed(11));
  std::exponential_distribution<double> skewed(1);
  const double truth = std::log(2.0);
  int covered = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> samples(25);
    for (double& sample : samples) sample = skewed(random);
    MedianInterval interval = MedianOf(samples);
    covered += interval.low <= truth && truth <= interval.high;
  }
  EXPECT_GE(covered, kTrials * 94 / 100);
  EXPECT_LE(covered, kTrials * 99 / 100);
}

TEST(MedianOf, HoldsUpAtTheCapOfSamples) {
  MedianInterval interval = OfRanks(200);
  EXPECT_EQ(interval.median, 100.5);
  EXPECT_EQ(interval.low, 86);
  EXPECT_EQ(interval.high, 115);
}

TEST(IntervalOf, TwoModesAreBothInside) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 1);
    for (const auto& [of_slow, outliers] : {std::pair{40, 0}, {60, 0}, {80, 4}, {20, 4}}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", slow " << of_slow << " of 100, outliers " << outliers);
      std::vector<double> samples;
      for (int i = 0; i < 100; ++i) samples.push_back((i < of_slow ? 180 : 100) + noise(random));
      for (int i = 0; i < outliers; ++i) samples[static_cast<size_t>(40 * i % 100)] = 5000;
      const MedianInterval interval = IntervalOf(samples);
      EXPECT_EQ(interval.median, MedianOf(samples).median);
      EXPECT_NEAR(interval.low, 100, 5);
      EXPECT_NEAR(interval.high, 180, 5);
      EXPECT_LT(MedianOf(samples).high - MedianOf(samples).low, 90);
    }
  }
}

TEST(IntervalOf, OneModeHasTheIntervalOfItsMedian) {
  int widened = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(100, 3);
    std::exponential_distribution<double> skewed(1);
    std::vector<double> even(200), uneven(200);
    for (double& sample : even) sample = normal(random);
    for (double& sample : uneven) sample = 100 + skewed(random);
    even[7] = 1e6;
    for (const std::vector<double>& samples : {even, uneven}) {
      const MedianInterval interval = IntervalOf(samples), median = MedianOf(samples);
      widened += interval.low != median.low || interval.high != median.high;
    }
  }
  EXPECT_EQ(widened, 0) << "of seeds 1 to 20";
  EXPECT_EQ(IntervalOf(std::vector<double>(50, 3)).high, 3);
  EXPECT_EQ(IntervalOf({1, 2, 9, 10}).high, 10) << "too few to tell";
}

}  // namespace
}  // namespace mmtune
