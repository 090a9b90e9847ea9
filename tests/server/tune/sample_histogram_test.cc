// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/sample_histogram.h"

#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace mmtune {
namespace {

int64_t Sum(const std::vector<int64_t>& counts) { return std::accumulate(counts.begin(), counts.end(), int64_t{0}); }

/// `count` samples within 1 % of `ns`, densest there.
void AddAround(std::vector<double>& samples, double ns, int count) {
  for (int i = 0; i < count; ++i) {
    const double share = 2.0 * i / (count - 1) - 1;  // -1 to 1.
    samples.push_back(ns * (1 + 0.01 * share * share * share));
  }
}

TEST(SampleHistogramTest, NoSamplesHaveNoBins) { EXPECT_TRUE(MakeSampleHistogram({}, 10).counts.empty()); }

TEST(SampleHistogramTest, EqualSamplesAreOneBinAndOneMode) {
  const SampleHistogram histogram = MakeSampleHistogram(std::vector<double>(20, 5.0), 10);
  EXPECT_EQ(histogram.counts, std::vector<int64_t>{20});
  ASSERT_EQ(histogram.modes.size(), 1u);
  EXPECT_EQ(histogram.modes[0].ns, 5.0);
  EXPECT_EQ(histogram.modes[0].share, 1.0);
}

TEST(SampleHistogramTest, EverySampleIsInOneBinOfAtMostSoMany) {
  std::vector<double> samples;
  AddAround(samples, 1000, 300);
  for (const size_t most : {2, 5, 24}) {
    const SampleHistogram histogram = MakeSampleHistogram(samples, most);
    EXPECT_LE(histogram.counts.size(), most);
    EXPECT_EQ(Sum(histogram.counts), 300);
    EXPECT_EQ(histogram.low_ns, 990);
    EXPECT_NEAR(histogram.BinStart(histogram.counts.size()), 1010, 1e-6);
    EXPECT_FALSE(histogram.open);
  }
}

TEST(SampleHistogramTest, OneHeapIsOneMode) {
  std::vector<double> samples;
  AddAround(samples, 1000, 100);
  const SampleHistogram histogram = MakeSampleHistogram(samples, 40);
  ASSERT_EQ(histogram.modes.size(), 1u);
  EXPECT_NEAR(histogram.modes[0].ns, 1000, 2);
  EXPECT_EQ(histogram.modes[0].share, 1.0);
}

TEST(SampleHistogramTest, TwoClocksAreTwoModesWithTheirShares) {
  std::vector<double> samples;
  AddAround(samples, 1000, 60);
  AddAround(samples, 1100, 40);
  const SampleHistogram histogram = MakeSampleHistogram(samples, 40);
  ASSERT_EQ(histogram.modes.size(), 2u);
  EXPECT_NEAR(histogram.modes[0].ns, 1000, 10);
  EXPECT_NEAR(histogram.modes[1].ns, 1100, 10);
  EXPECT_NEAR(histogram.modes[0].share, 0.6, 1e-9);
  EXPECT_NEAR(histogram.modes[1].share, 0.4, 1e-9);
}

TEST(SampleHistogramTest, AFarSampleGoesToTheLastBinAndIsNoMode) {
  std::vector<double> samples;
  AddAround(samples, 1000, 100);
  samples.push_back(1e6);
  const SampleHistogram histogram = MakeSampleHistogram(samples, 40);
  EXPECT_TRUE(histogram.open);
  EXPECT_LT(histogram.BinStart(histogram.counts.size()), 1100);
  EXPECT_EQ(Sum(histogram.counts), 101);
  EXPECT_EQ(histogram.modes.size(), 1u);
}

TEST(SampleHistogramTest, FewSamplesTellNoModes) {
  EXPECT_TRUE(MakeSampleHistogram(std::vector<double>(kSamplesForModes - 1, 5.0), 10).modes.empty());
}

}  // namespace
}  // namespace mmtune
