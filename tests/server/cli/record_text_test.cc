#include "server/cli/record_text.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/cli/record_factory.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(RecordTextTest, ShowsEveryGroup) {
  const std::string text = RecordText(OkRecord(2e6));
  for (const char* group : {"record\n", "schedule\n", "geometry\n", "timing\n", "check\n", "kernel\n", "phases [ms]\n",
                            "device\n", "toolchain\n"}) {
    EXPECT_THAT(text, HasSubstr(group));
  }
  EXPECT_THAT(text, HasSubstr("2026-01-31 12:00:05"));
  EXPECT_THAT(text, HasSubstr("not of a GPU"));
}

size_t LongestLine(const std::string& text) {
  size_t longest = 0, start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    longest = std::max(longest, end - start);
  }
  return longest;
}

TEST(RecordTextTest, TablesFitANarrowTerminal) {
  for (const size_t width : {40, 60, 80, 100}) {
    EXPECT_LE(LongestLine(RecordsTable({OkRecord(2e6)}).Text(width)), width);
    EXPECT_LE(LongestLine(WinnersTable({OkRecord(2e6)}).Text(width)), width);
  }
  EXPECT_EQ(RecordsTable({OkRecord(2e6)}).Text(40),
            "id  problem         outcome  GFLOPS\n"
            "--  --------------  -------  ------\n"
            " 7  128x256x64 f32  ok         2.10\n");
}

TEST(RecordTextTest, AFailureShowsItsReasonAndNoTimes) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.outcome = Outcome::kWrongResult;
  record.measurement.message = "C[1,2] is \x1b[31mwrong";
  record.measurement.check.passed = false;
  record.measurement.check.wrong_row = 1;
  record.measurement.check.wrong_col = 2;
  const std::string text = RecordText(record);
  EXPECT_THAT(text, HasSubstr("C[1,2] is wrong\n"));
  EXPECT_THAT(text, HasSubstr("first wrong"));
  EXPECT_THAT(text, Not(HasSubstr("timing\n")));
}

TEST(RecordTextTest, ShowsTheProofAndTheErrors) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.proof = {};
  EXPECT_THAT(RecordText(record), HasSubstr("proof\n  result             not performed\n"));
  EXPECT_THAT(RecordText(record), Not(HasSubstr("error / bound")));
  ProofReport& proof = record.measurement.proof;
  proof.reason = "turned off";
  EXPECT_THAT(RecordText(record), HasSubstr("not performed (turned off)\n"));
  proof.performed = proof.correct = true;
  proof.shapes = {"64x64x24", "50x51x23"};
  proof.stress_runs = 3;
  proof.finding = "a race \x1b[31mhere";
  record.measurement.check.bound_fraction = 0.25;
  record.measurement.check.deterministic = false;
  const std::string text = RecordText(record);
  for (const char* line : {"result             failed\n", "correct            yes\n", "race-free          no\n",
                           "shapes             64x64x24, 50x51x23\n", "3 of each shape\n", "a race here\n",
                           "error / bound      0.25\n", "two runs           other bits\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(RecordTextTest, NamesTheWholeProblem) {
  TuningRecord record = OkRecord(2e6);
  EXPECT_THAT(RecordText(record), HasSubstr(" 128x256x64 f32\n"));
  record.problem.batch = 3;
  record.problem.transpose_b = true;
  record.problem.epilogue = ParseEpilogue("bias,relu").value();
  const std::string wanted = "128x256x64 batch=3 transpose_b epilogue=bias,relu f32";
  EXPECT_THAT(RecordText(record), HasSubstr(wanted + "\n"));
  EXPECT_THAT(RecordsTable({record}).Text(), HasSubstr(wanted));
  EXPECT_THAT(WinnersTable({record}).Text(), HasSubstr(wanted));
  EXPECT_THAT(RecordCsvHeading(), HasSubstr(",batch,transpose_b,epilogue,proof\n"));
  EXPECT_THAT(RecordCsvLine(record), HasSubstr(",3,true,\"bias,relu\",proven\n"));
}

TEST(RecordCsvTest, EveryLineHasAsManyCellsAsTheHeading) {
  TuningRecord record = OkRecord(2e6);
  record.device.name = "no comma";
  const std::string heading = RecordCsvHeading(), line = RecordCsvLine(record);
  EXPECT_EQ(std::count(heading.begin(), heading.end(), ','), std::count(line.begin(), line.end(), ','));
  EXPECT_EQ(line.back(), '\n');
  EXPECT_THAT(line, HasSubstr(",2000000,"));
}

TEST(RecordsTableTest, MarksLateReports) {
  TuningRecord record = OkRecord(2e6);
  record.canonical = false;
  EXPECT_THAT(RecordsTable({record}).Text(), HasSubstr("ok (late)"));
}

TEST(RecordTextTest, SaysWhetherLaunchesOfAGpuWereHeldBack) {
  TuningRecord record = OkRecord(1e6);
  record.measurement.conditions.run = "0123";
  EXPECT_THAT(RecordText(record), testing::Not(testing::HasSubstr("launches")));
  record.device.kind = DeviceKind::kCuda;
  EXPECT_THAT(RecordText(record), testing::HasSubstr("launches           not all enqueued before the first began"));
  record.measurement.conditions.delayed = true;
  EXPECT_THAT(RecordText(record), testing::HasSubstr("launches           enqueued before the first began"));
}

}  // namespace
}  // namespace mmtune
