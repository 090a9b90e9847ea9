// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/noise.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

TEST(HostLoadTest, IsReadFromTheTextOfTheKernel) {
  const std::optional<HostLoad> load = ParseHostLoad("5.21 2.10 1.00 6/512 1234\n", 2);
  ASSERT_TRUE(load.has_value());
  EXPECT_EQ(load->Text(), "load 5.2 on 2 cores");
  EXPECT_TRUE(load->AboveCores());
  EXPECT_FALSE(ParseHostLoad("5.21 2.10 1.00 1/512 1234\n", 2)->AboveCores()) << "what made the load has ended";
  EXPECT_FALSE(ParseHostLoad("1.90 2.10 1.00 6/512 1234\n", 2)->AboveCores()) << "busy for a moment";
  for (const char* text : {"", "5.21", "x 2.10 1.00 6/512 1234", "5.21 2.10 1.00 x/512 1234"}) {
    EXPECT_FALSE(ParseHostLoad(text, 2).has_value()) << text;
  }
  EXPECT_FALSE(ParseHostLoad("5.21 2.10 1.00 6/512 1234\n", 0).has_value());
}

TuningRecord Spread20(double low, double high) {
  TuningRecord record = OkRecord(1000);
  record.measurement.timing.low_ns = low;
  record.measurement.timing.high_ns = high;
  return record;
}

TEST(FindNoiseTest, WarnsOfAWideBestABusyHostAndAMovingClock) {
  EXPECT_EQ(FindNoise({}, std::nullopt).found, "");
  const HostLoad idle = {0.5, 1, 2}, busy = {5.21, 6, 2};
  EXPECT_EQ(FindNoise({Spread20(850, 1200), Spread20(100, 2000)}, idle).found, "") << "only the best counts";
  NoiseWarning warning = FindNoise({Spread20(700, 1200)}, idle);
  EXPECT_EQ(warning.found, "the best's spread is 25.0 %");
  EXPECT_EQ(warning.remedy, "end other programs, and measure again with --remeasure");
  TuningRecord moved = OkRecord(1000);
  moved.measurement.conditions.health.finding = "SM clock 1980 MHz before and 1500 MHz after";
  warning = FindNoise({Spread20(700, 1200), moved}, busy);
  EXPECT_EQ(warning.found,
            "the best's spread is 25.0 %; load 5.2 on 2 cores; of the device: SM clock 1980 MHz before and 1500 MHz "
            "after");
  EXPECT_THAT(warning.remedy, HasSubstr("nvidia-smi -lgc"));
  EXPECT_THAT(FindNoise({moved}, idle).remedy, testing::Not(HasSubstr("end other programs")));
}

RankedRecord Ranked(int64_t bm, std::vector<double> samples) {
  RankedRecord ranked;
  ranked.record = OkRecord(samples[0]);
  ranked.record.schedule.params["bm"] = bm;
  ranked.ranked_ns = ranked.place_ns = samples[0];
  ranked.record.measurement.timing.samples_ns = std::move(samples);
  return ranked;
}

TEST(WinnerFlipTest, TellsWhenTheHalvesDisagree) {
  const RankedRecord steady = Ranked(1, {10, 10, 10, 10, 10, 10});
  const RankedRecord falling = Ranked(2, {12, 12, 12, 9, 9, 9});
  EXPECT_EQ(WinnerFlipText({steady, falling}), "row 1 in the first half, row 2 in the second");
  EXPECT_EQ(WinnerFlipText({steady, Ranked(2, {12, 12, 12, 11, 11, 11})}), "");
  EXPECT_EQ(WinnerFlipText({steady, Ranked(2, {12, 12, 9, 9})}), "") << "too few samples";
  EXPECT_EQ(WinnerFlipText({}), "");
}

TEST(WinnerFlipTest, CountsRandomHalvesThatDisagree) {
  const RankedRecord steady = Ranked(1, {10, 10, 10, 10, 10, 10});
  EXPECT_EQ(WinnerFlips({steady, Ranked(2, {12, 12, 12, 12, 12, 12})}), 0);
  // Both halves are faster where each has one of the slow samples: in 12 of 20 divisions.
  const RankedRecord noisy = Ranked(2, {8, 8, 8, 8, 12, 12});
  const std::optional<int> flips = WinnerFlips({steady, noisy});
  ASSERT_TRUE(flips);
  EXPECT_NEAR(*flips, 0.4 * kWinnerDivisions, 0.1 * kWinnerDivisions);
  EXPECT_EQ(WinnerFlips({steady, noisy}), flips) << "the same log gives the same text";
  EXPECT_EQ(WinnerFlips({steady, Ranked(2, {12, 12, 9, 9})}), std::nullopt) << "too few samples";
  EXPECT_EQ(WinnerFlips({}), std::nullopt);
}

TEST(WinnerFlipTest, ComparedSchedulesCountByTheirRatios) {
  // The reference's own samples change; the ratios, which were measured side by side, do not agree with themselves.
  const RankedRecord reference = Ranked(1, {10, 20, 20, 5, 5, 5});
  RankedRecord compared = Ranked(2, {99});
  compared.ranked_ns = 10;
  compared.comparison = Comparison{reference.record.schedule, 1, 0.9, 1.1, {1.1, 1.1, 1.1, 0.9, 0.9, 0.9}, {}, {}};
  EXPECT_EQ(WinnerFlipText({reference, compared}), "row 1 in the first half, row 2 in the second");
  compared.comparison->ratios = {1.1, 1.1, 1.1, 1.1, 1.1, 1.1};
  EXPECT_EQ(WinnerFlipText({reference, compared}), "");
  // Samples of a schedule that was not compared are of another moment.
  EXPECT_EQ(WinnerFlipText({reference, compared, Ranked(3, {5, 5, 5, 30, 30, 30})}), "");
}

}  // namespace
}  // namespace mmtune
