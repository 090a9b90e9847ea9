// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/schedule_table.h"

#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Returns a record of a schedule with other parameters.
TuningRecord Other(double median_ns, const std::map<std::string, int64_t>& parameters) {
  TuningRecord record = OkRecord(median_ns);
  for (const auto& [name, value] : parameters) record.schedule.params[name] = value;
  return record;
}

TEST(RankedTableTest, ShowsRankSpeedTileAndWhatDiffers) {
  TuningRecord slow = Other(4e6, {{"bm", 128}, {"stages", 2}});
  slow.measurement.resources.registers = 1128;
  slow.measurement.resources.shared_bytes = 1234 * 1024 + 512;
  EXPECT_EQ(RankedTable({OkRecord(2e6), slow}).Text(),
            "in all rows: threads 64\n"
            "rank  GFLOP/s  +/- [%]  time [ms]  block tile  shared [KiB]  registers  differs in\n"
            "----  -------  -------  ---------  ----------  ------------  ---------  ----------\n"
            "   1     2.10      1.0       2.00    64x32x16            12          -  stages=3\n"
            "   2     1.05      1.0       4.00   128x32x16       1,234.5      1,128  stages=2\n");
}

TEST(RankedTableTest, ColumnsThatAreEmptyOrAlikeInAllRowsGo) {
  EXPECT_EQ(RankedTable({OkRecord(2e6), Other(4e6, {{"lm", 8}})}).Text(),
            "in all rows: block tile 64x32x16, threads 64, shared [KiB] 12\n"
            "rank  GFLOP/s  +/- [%]  time [ms]  differs in\n"
            "----  -------  -------  ---------  ----------\n"
            "   1     2.10      1.0       2.00  lm=4\n"
            "   2     1.05      1.0       4.00  lm=8\n");
  EXPECT_THAT(RankedTable({OkRecord(2e6)}).Text(), HasSubstr("block tile  threads  shared [KiB]\n"))
      << "of one row nothing is alike";
}

TEST(RankedTableTest, AComparisonIsAColumnThatIsExplainedOnce) {
  const TuningRecord reference = OkRecord(2e6);
  TuningRecord tied = Other(2.1e6, {{"bm", 16}}), slower = Other(2.2e6, {{"bm", 32}}),
               other = Other(3e6, {{"bm", 128}});
  tied.measurement.conditions.comparison = Comparison{reference.schedule, 1.003, 0.99, 1.01, {}, {}, {}};
  slower.measurement.conditions.comparison = Comparison{reference.schedule, 1.12, 1.05, 1.2, {}, {}, {}};
  const std::vector<TuningRecord> records = {reference, tied, slower, other};
  const std::string text = RankedText(records, reference.schedule);
  EXPECT_THAT(text, HasSubstr("time [ms]  vs reference [%]  block tile"));
  for (const char* cell : {"  0.0    ", " +0.3 =  ", "+12.0    "}) EXPECT_THAT(text, HasSubstr(cell));
  EXPECT_THAT(text, HasSubstr("\nvs reference: time compared with the row at 0.0; - faster, + slower, = tied"));
  EXPECT_THAT(text, HasSubstr("(cannot be told apart), empty: not compared\n"));
  EXPECT_THAT(text, testing::ContainsRegex(" 3.00 +128x32x16")) << "it was not compared";
  EXPECT_THAT(RankedText({reference, tied}, reference.schedule), HasSubstr("(cannot be told apart)\n"));
  EXPECT_THAT(RankedText(records), Not(HasSubstr("reference")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  const std::string painted = RankedText(records, reference.schedule, {.color = true});
  EXPECT_THAT(painted, HasSubstr("\x1b[1m2.10\x1b[0m")) << "the best is bold";
  EXPECT_THAT(painted, HasSubstr("\x1b[31m+12.0\x1b[0m")) << "what is slower is red";
  EXPECT_THAT(painted, Not(HasSubstr("\x1b[31m+0.3")));
}

TEST(RankedTableTest, MarksWideSpreads) {
  TuningRecord wide = Other(4e6, {{"lm", 8}});
  wide.measurement.timing.low_ns = 3.7e6;
  wide.measurement.timing.high_ns = 4.2e6;
  const std::string text = RankedText({OkRecord(2e6), wide});
  EXPECT_THAT(text, HasSubstr("  1.0        "));
  EXPECT_THAT(text, HasSubstr("  6.2 ~      "));
  EXPECT_THAT(text, HasSubstr("\n~ spread above 5 %\n"));
  EXPECT_THAT(RankedText({OkRecord(2e6)}), Not(HasSubstr("~")));
}

TEST(RankedTableTest, MarkdownKeepsTheLinesOfTheMarks) {
  TuningRecord unverified = OkRecord(2e6);
  unverified.measurement.verification = {};
  EXPECT_THAT(RankedText({unverified}, std::nullopt, {.markdown = true}),
              testing::AllOf(HasSubstr("\n| rank | GFLOP/s |"), HasSubstr("|\n\n```text\nunverified: timed")));
}

TuningRecord RecordOfAGpu(double median_ns) {
  TuningRecord record = OkRecord(median_ns);
  record.device = ArchitectureLimits("sm_90").value();
  record.device.kind = DeviceKind::kCuda;
  record.device.multiprocessors = 1;
  record.device.clock_khz = 1'000'000;  // a peak of 256 GFLOP/s
  record.measurement.conditions.baseline.name = "cuBLAS 13.1.0";
  record.measurement.conditions.baseline.median_ns = 1e5;
  return record;
}

TEST(RankedTableTest, ShowsPercentOfCublasAndOfThePeakWhereTheyAreKnown) {
  TuningRecord none = RecordOfAGpu(4e5);
  none.measurement.conditions.baseline = {};
  none.device.clock_khz = 0;
  const std::string text = RankedTable({RecordOfAGpu(8e4), RecordOfAGpu(2e5), none}).Text();
  EXPECT_THAT(text, HasSubstr("rank  GFLOP/s  % cuBLAS  % peak  +/- [%]  time [us]"));
  EXPECT_THAT(text, HasSubstr("   1     52.4     125.0    20.5      1.0       80.0"));
  EXPECT_THAT(text, HasSubstr("   2     21.0      50.0     8.2      1.0      200.0"));
  EXPECT_THAT(text, HasSubstr("   3     10.5         -       -      1.0      400.0"));
  EXPECT_THAT(RankedTable({OkRecord(1e6)}).Text(), Not(HasSubstr("% ")));
  TuningRecord no_peak = RecordOfAGpu(8e4);
  no_peak.device.clock_khz = 0;
  EXPECT_THAT(RankedTable({no_peak}).Text(), HasSubstr("% cuBLAS  +/- [%]"));
}

TEST(RankedTableTest, MarksWhatWasTimedInDoubt) {
  TuningRecord doubtful = Other(4e6, {{"lm", 8}});
  doubtful.measurement.conditions.health.finding = "HW slowdown";
  const std::string text = RankedText({OkRecord(2e6), doubtful});
  EXPECT_THAT(text, HasSubstr("2.00     lm=4\n"));
  EXPECT_THAT(text, HasSubstr("4.00  !  lm=8\n! timed while the device was in doubt: tune records show says why\n"));
  EXPECT_EQ(RankedText({OkRecord(2e6)}), RankedTable({OkRecord(2e6)}).Text());
  EXPECT_THAT(RankedText({OkRecord(2e6)}), Not(HasSubstr("!")));
}

TEST(RankedTableTest, MarksWhatIsNotVerified) {
  TuningRecord unverified = Other(4e6, {{"lm", 8}});
  unverified.measurement.verification = {};
  EXPECT_THAT(
      RankedText({OkRecord(2e6), unverified}),
      HasSubstr("4.00  unverified  lm=8\nunverified: timed without verification; tune records show says why\n"));
  EXPECT_THAT(RankedText({unverified, unverified}), HasSubstr("  unverified\n")) << "although all rows are alike";
  unverified.measurement.conditions.health.finding = "HW slowdown";
  EXPECT_THAT(RankedText({unverified}), HasSubstr("  ! unverified\n! timed"));
}

TEST(RankedTableTest, FortyColumnsHoldTheSpeedTheTileAndWhatDiffers) {
  EXPECT_EQ(RankedText({OkRecord(2e6), Other(4e6, {{"bm", 128}, {"tm", 16}, {"lm", 8}, {"stages", 2}})},
                       OkRecord(2e6).schedule, {.width = 42}),
            "in all rows: threads 64, shared [KiB] 12\n"
            "rank  GFLOP/s  block tile  differs in\n"
            "----  -------  ----------  ---------------\n"
            "   1     2.10    64x32x16  tm=8 lm=4\n"
            "                           stages=3\n"
            "   2     1.05   128x32x16  tm=16 lm=8\n"
            "                           stages=2\n"
            "not shown in 42 columns: +/- [%], time\n"
            "[ms], vs reference [%]; 84 columns show\n"
            "all\n"
            "vs reference: time compared with the row\n"
            "at 0.0; - faster, + slower, = tied (cannot\n"
            "be told apart), empty: not compared\n"
            "differs in: row 1 has every parameter in\n"
            "which rows differ; the others what is\n"
            "unlike row 1\n");
}

TEST(RankedTableTest, TheUnitSuitsTheFastest) {
  EXPECT_THAT(RankedTable({OkRecord(5e3), OkRecord(5e6)}).Text(), HasSubstr("time [us]"));
}

TEST(ScheduleColumnsTest, AFailureShowsItsOutcome) {
  TuningRecord failed = OkRecord(1e6);
  failed.measurement.outcome = Outcome::kTimedOut;
  const auto cells = ScheduleColumns({failed}).Cells(0);
  EXPECT_EQ(cells[0], "timed_out");
  EXPECT_EQ(cells[ScheduleColumns::kAfterTime - 1], "-");
}

TEST(RankedTableTest, OneThreadIsANumberOfThreads) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.resources.threads = 1;
  EXPECT_THAT(RankedTable({record}).Text(), HasSubstr("64x32x16        1  "));
  record.measurement.resources.threads = 0;
  EXPECT_THAT(RankedTable({record}).Text(), Not(HasSubstr("threads")));
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
