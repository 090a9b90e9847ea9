// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/schedule_table.h"

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;

TuningRecord RecordOf(Schedule schedule) {
  TuningRecord record = OkRecord(1e6);
  record.schedule = std::move(schedule);
  return record;
}

TEST(WordsOfTest, NamesTheTiles) {
  const ScheduleLabels words = WordsOf(OkRecord(1));
  EXPECT_EQ(words.blockTile, "64x32x16");
  EXPECT_EQ(words.threadTile, "8x4");
  EXPECT_EQ(words.stages, "3");
  EXPECT_EQ(words.splitK, "2");
}

TEST(WordsOfTest, ADirectScheduleHasNoKStep) {
  const ScheduleLabels words = WordsOf(RecordOf({"direct", {{"bx", 32}, {"by", 8}, {"tm", 4}, {"tn", 2}}}));
  EXPECT_EQ(words.blockTile, "32x64");
  EXPECT_EQ(words.threadTile, "4x2");
  EXPECT_EQ(words.stages, "-");
  EXPECT_EQ(words.splitK, "-");
}

TEST(WordsOfTest, WhatThisProgramDoesNotKnowIsNoError) {
  EXPECT_EQ(WordsOf(RecordOf({"future", {{"x", 1}}})).blockTile, "-");
  EXPECT_EQ(WordsOf(RecordOf({"fma", {{"bm", 64}, {"bn", 64}}})).blockTile, "-");
}

TEST(RankedTableTest, ShowsRankSpeedScheduleAndResources) {
  TuningRecord slow = OkRecord(4e6);
  slow.measurement.resources.registers = 128;
  EXPECT_EQ(
      RankedTable({OkRecord(2e6), slow}).Text(),
      "rank  GFLOPS  +/- [%]  time [ms]  block tile  threads  thread tile  stages  split-k  shared [B]  registers\n"
      "----  ------  -------  ---------  ----------  -------  -----------  ------  -------  ----------  ---------\n"
      "   1    2.10      1.0       2.00    64x32x16       64          8x4       3        2       12288          -\n"
      "   2    1.05      1.0       4.00    64x32x16       64          8x4       3        2       12288        128\n");
}

TEST(RankedTableTest, AComparisonIsAColumn) {
  const TuningRecord reference = OkRecord(2e6);
  TuningRecord tied = OkRecord(2.1e6), slower = OkRecord(2.2e6), other = OkRecord(3e6);
  tied.schedule.params["bm"] = 16;
  tied.measurement.conditions.comparison = Comparison{reference.schedule, 1.003, 0.99, 1.01, {}, {}, {}};
  slower.schedule.params["bm"] = 32;
  slower.measurement.conditions.comparison = Comparison{reference.schedule, 1.12, 1.05, 1.2, {}, {}, {}};
  other.schedule.params["bm"] = 128;
  const std::string text = RankedTable({reference, tied, slower, other}, reference.schedule).Text();
  EXPECT_NE(text.find("time [ms]  vs reference [%]  block tile"), std::string::npos) << text;
  for (const char* cell : {"  0.0    ", " +0.3 =  ", "+12.0    ", "  -    "}) {
    EXPECT_NE(text.find(cell), std::string::npos) << cell << text;
  }
}

TuningRecord RecordOfAGpu(double median_ns) {
  TuningRecord record = OkRecord(median_ns);
  record.device = ArchitectureLimits("sm_90").value();
  record.device.kind = DeviceKind::kCuda;
  record.device.multiprocessors = 1;
  record.device.clock_khz = 1'000'000;  // a peak of 256 GFLOPS
  record.measurement.conditions.baseline.name = "cuBLAS 13.1.0";
  record.measurement.conditions.baseline.median_ns = 1e5;
  return record;
}

TEST(RankedTableTest, ShowsPercentOfCublasAndOfThePeakWhereTheyAreKnown) {
  TuningRecord none = RecordOfAGpu(4e5);
  none.measurement.conditions.baseline = {};
  none.device.clock_khz = 0;
  const std::string text = RankedTable({RecordOfAGpu(8e4), RecordOfAGpu(2e5), none}).Text();
  EXPECT_THAT(text, HasSubstr("rank  GFLOPS  % cuBLAS  % peak  +/- [%]  time [us]"));
  EXPECT_THAT(text, HasSubstr("   1    52.4     125.0    20.5      1.0       80.0"));
  EXPECT_THAT(text, HasSubstr("   2    21.0      50.0     8.2      1.0      200.0"));
  EXPECT_THAT(text, HasSubstr("   3    10.5         -       -      1.0      400.0"));
  EXPECT_THAT(RankedTable({OkRecord(1e6)}).Text(), Not(HasSubstr("% ")));
  TuningRecord no_peak = RecordOfAGpu(8e4);
  no_peak.device.clock_khz = 0;
  EXPECT_THAT(RankedTable({no_peak}).Text(), HasSubstr("% cuBLAS  +/- [%]"));
}

TEST(RankedTableTest, MarksWhatWasTimedInDoubt) {
  TuningRecord doubtful = OkRecord(4e6);
  doubtful.measurement.conditions.health.finding = "HW slowdown";
  const std::string text = RankedText({OkRecord(2e6), doubtful});
  EXPECT_THAT(text, HasSubstr("          -\n   2    1.05"));
  EXPECT_THAT(text, HasSubstr("          -  !\n! timed while the device was in doubt: tune records show says why\n"));
  EXPECT_EQ(RankedText({OkRecord(2e6)}), RankedTable({OkRecord(2e6)}).Text());
  EXPECT_THAT(RankedText({OkRecord(2e6)}), Not(HasSubstr("!")));
}

TEST(RankedTableTest, MarksWhatIsNotVerified) {
  TuningRecord unverified = OkRecord(4e6);
  unverified.measurement.verification = {};
  EXPECT_THAT(
      RankedText({OkRecord(2e6), unverified}),
      HasSubstr("          -  unverified\nunverified: timed without verification; tune records show says why\n"));
  unverified.measurement.conditions.health.finding = "HW slowdown";
  EXPECT_THAT(RankedText({unverified}), HasSubstr("          -  ! unverified\n! timed"));
}

TEST(RankedTableTest, FortyColumnsHoldTheRankTheSpeedAndTheTile) {
  EXPECT_EQ(RankedText({OkRecord(2e6)}, OkRecord(2e6).schedule, 40),
            "rank  GFLOPS  time [ms]  block tile\n"
            "----  ------  ---------  ----------\n"
            "   1    2.10       2.00    64x32x16\n");
}

TEST(RankedTableTest, TheUnitSuitsTheFastest) {
  EXPECT_EQ(ScheduleColumns({OkRecord(5e3), OkRecord(5e6)}).Headings()[2].heading, "time [us]");
}

TEST(ScheduleColumnsTest, AFailureShowsItsOutcome) {
  TuningRecord failed = OkRecord(1e6);
  failed.measurement.outcome = Outcome::kTimedOut;
  const auto cells = ScheduleColumns({failed}).Cells(failed);
  EXPECT_EQ(cells[0], "timed_out");
  EXPECT_EQ(cells[2], "-");
}

TEST(RankedTableTest, OneThreadIsANumberOfThreads) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.resources.threads = 1;
  EXPECT_THAT(RankedTable({record}).Text(), HasSubstr("64x32x16        1  "));
  record.measurement.resources.threads = 0;
  EXPECT_THAT(RankedTable({record}).Text(), HasSubstr("64x32x16        -  "));
}

TEST(PercentOfBaselineTest, IsOfTimesAlone) {
  TuningRecord record = OkRecord(2e6);
  EXPECT_EQ(PercentOfBaseline(record), std::nullopt);
  record.measurement.conditions.baseline.name = "cuBLAS";
  EXPECT_EQ(PercentOfBaseline(record), std::nullopt) << "it has not been timed";
  record.measurement.conditions.baseline.median_ns = 1e6;
  EXPECT_EQ(PercentOfBaseline(record), 50);
  record.measurement.outcome = Outcome::kTimedOut;
  EXPECT_EQ(PercentOfBaseline(record), std::nullopt);
}

}  // namespace
}  // namespace mmtune
