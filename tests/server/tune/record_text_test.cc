// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/record_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

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

TEST(RecordTextTest, SamplesAreAHistogramUnlessTheirValuesAreAskedFor) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.timing.samples_ns = {2000001, 2000003};
  for (int i = 0; i < 12; ++i) record.measurement.timing.samples_ns.push_back(2000000 + 100 * i);
  for (int i = 0; i < 6; ++i) record.measurement.timing.samples_ns.push_back(2500000 + 100 * i);
  const std::string text = RecordText(record);
  EXPECT_THAT(text, HasSubstr("  samples            20\n"));
  EXPECT_THAT(text, HasSubstr("2 modes: 2.00 ms (70 %), 2.50 ms (30 %)\n"));
  EXPECT_THAT(text, HasSubstr("from 2.000 ms    ######################################## 14\n"));
  EXPECT_THAT(text, HasSubstr("from 2.459 ms    ################## 6\n"));
  EXPECT_THAT(text, Not(HasSubstr("2000003")));
  EXPECT_THAT(RecordText(record, /*with_samples=*/true), HasSubstr("2000001 2000003 2000000"));
}

TEST(RecordTextTest, FewSamplesTellNoModes) {
  EXPECT_THAT(RecordText(OkRecord(2e6)), HasSubstr("fewer than 12 samples tell no modes"));
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
    EXPECT_LE(LongestLine(RecordsTable({OkRecord(2e6)}).Text({.width = width})), width);
    EXPECT_LE(LongestLine(WinnersText({OkRecord(2e6)}, {.width = width})), width);
  }
  EXPECT_EQ(RecordsTable({OkRecord(2e6)}).Text({.width = 40}),
            "in all rows: device simt-cpu (a CPU, 2\n"
            "threads), sm_80\n"
            "id  problem         outcome  GFLOP/s\n"
            "--  --------------  -------  -------\n"
            " 7  128x256x64 f32  ok          2.10\n"
            "not shown in 40 columns: when (UTC),\n"
            "time, block tile, thread tile, stages,\n"
            "split-k; 108 columns show all\n");
}

TEST(RecordTextTest, TheBestOfOneProblemHasItsTileAndItsSpreadInEightyColumns) {
  TuningRecord record = OkRecord(2e6);
  record.device.name = "simt-cpu (AMD EPYC 7R13 Processor, 2 threads)";
  const std::string text = WinnersText({record}, {.width = 80});
  EXPECT_THAT(text, HasSubstr("in all rows: device simt-cpu (AMD EPYC 7R13 Processor, 2 threads), sm_80\n"));
  EXPECT_THAT(text, HasSubstr("  +/- [%]     time  block tile  threads  thread tile  id\n"));
  // The names of two devices do not fit, but what is narrower does.
  const std::string of_two = WinnersText({record, OkRecord(2e6)}, {.width = 80});
  EXPECT_THAT(of_two, HasSubstr("  +/- [%]     time  block tile  threads  thread tile  id\n"));
  EXPECT_THAT(of_two, HasSubstr("not shown in 80 columns: stages, device; "));
  EXPECT_THAT(of_two, HasSubstr("in all rows: split-k 2\n"));
}

TEST(RecordTextTest, TheTimeOfARecordOutlivesItsDevice) {
  EXPECT_THAT(RecordsTable({OkRecord(2e6)}).Text({.width = 100}), HasSubstr("when (UTC)           problem"));
}

TEST(RecordTextTest, AWideSpreadOfAWinnerIsMarkedAndExplained) {
  TuningRecord steady = OkRecord(2e6), noisy = OkRecord(2e6);
  for (TuningRecord* record : {&steady, &noisy}) {
    Timing& timing = record->measurement.timing;
    timing.samples_ns = {timing.median_ns, timing.median_ns};
    timing.low_ns = timing.high_ns = timing.median_ns;
  }
  EXPECT_THAT(WinnersText({steady}), Not(HasSubstr("~")));
  noisy.measurement.timing.high_ns = 1.2 * noisy.measurement.timing.median_ns;
  const std::string text = WinnersText({noisy, steady});
  EXPECT_THAT(text, HasSubstr(" 10.0 ~  2.00 ms "));
  EXPECT_THAT(text, HasSubstr(" 0.0    2.00 ms "));
  EXPECT_THAT(text, testing::EndsWith("\n~ spread above 5 %\n"));
}

TEST(RecordTextTest, ALineOfCsvKeepsTextsFromTheTerminal) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.message = "\x1b[2Jx\ny";
  const std::string line = RecordCsvLine(record);
  EXPECT_THAT(line, HasSubstr(",x y,"));
  EXPECT_THAT(line, Not(HasSubstr("\x1b")));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
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

TEST(RecordTextTest, WhatWasSkippedTakesALeastTimeWhereABoundSaysSo) {
  TuningRecord record = OkRecord(1000);
  record.measurement = {};
  record.measurement.outcome = Outcome::kSkipped;
  record.measurement.message = "not chosen: 168 registers";
  EXPECT_THAT(RecordText(record, false), Not(HasSubstr("at least")));
  EXPECT_THAT(RecordText(record, false), HasSubstr("not chosen: 168 registers"));
  record.measurement.timing.low_ns = 2e6;
  EXPECT_THAT(RecordText(record, false), HasSubstr("at least"));
}

TEST(RecordTextTest, ShowsTheVerificationAndTheErrors) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.verification = {};
  EXPECT_THAT(RecordText(record), HasSubstr("verification\n  result             not performed\n"));
  EXPECT_THAT(RecordText(record), Not(HasSubstr("error / bound")));
  VerificationReport& verification = record.measurement.verification;
  verification.reason = "turned off";
  EXPECT_THAT(RecordText(record), HasSubstr("not performed (turned off)\n"));
  verification.performed = verification.correct = true;
  verification.shapes = {"64x64x24", "50x51x23"};
  verification.fuzzing_runs = 3;
  verification.finding = "a race \x1b[31mhere";
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
  record.measurement.timing.regime = "warm";
  const std::string wanted = "128x256x64 batch=3 transpose_b epilogue=bias,relu f32";
  EXPECT_THAT(RecordText(record), HasSubstr(wanted + "\n"));
  EXPECT_THAT(RecordsTable({record}).Text(), HasSubstr(wanted));
  EXPECT_THAT(WinnersText({record}), HasSubstr(wanted));
  EXPECT_THAT(RecordCsvHeading(), HasSubstr(",batch,transpose_b,epilogue,verification,transpose_a,out,math,regime\n"));
  EXPECT_THAT(RecordCsvLine(record), HasSubstr(",3,true,\"bias,relu\",verified,false,f32,ieee,warm\n"));
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

TEST(RecordTextTest, SaysWhyTheTimingEnded) {
  TuningRecord record = OkRecord(2e6);
  EXPECT_THAT(RecordText(record), Not(HasSubstr("ended")));
  record.measurement.conditions.ended = "precise";
  EXPECT_THAT(RecordText(record), HasSubstr("\n  ended              precise\n"));
}

TEST(RecordCsvTest, EveryCellStandsUnderItsName) {
  TuningRecord record = OkRecord(2e6);
  record.job_uuid = "its-job";
  record.measurement.timing.regime = "cold";
  record.device.name = "a device";
  record.schedule.params = {{"bm", 64}};
  record.measurement.resources = {40, 8, 12288, 64, 3, 2, 1};
  record.measurement.code_digest = "c0de";
  record.measurement.message = "a note";
  record.worker = "a-worker";
  record.attempt = 3;
  const std::string heading = RecordCsvHeading(), line = RecordCsvLine(record);
  const std::vector<std::string> names = absl::StrSplit(absl::StripSuffix(heading, "\n"), ',');
  const std::vector<std::string> cells = absl::StrSplit(absl::StripSuffix(line, "\n"), ',');
  ASSERT_EQ(names.size(), cells.size());
  std::map<std::string, std::string> by_name;
  for (size_t i = 0; i < names.size(); ++i) by_name[names[i]] = cells[i];
  EXPECT_EQ(by_name, (std::map<std::string, std::string>{{"id", "7"},
                                                         {"uuid", "0123456789abcdef"},
                                                         {"job", "its-job"},
                                                         {"unix_millis", "1769860805000"},
                                                         {"m", "128"},
                                                         {"n", "256"},
                                                         {"k", "64"},
                                                         {"dtype", "f32"},
                                                         {"device_kind", "simt"},
                                                         {"device", "a device"},
                                                         {"arch", "sm_80"},
                                                         {"outcome", "ok"},
                                                         {"gflops", "2.097152"},
                                                         {"median_ns", "2000000"},
                                                         {"low_ns", "1980000"},
                                                         {"high_ns", "2020000"},
                                                         {"family", "fma"},
                                                         {"schedule", "fma bm=64"},
                                                         {"threads", "64"},
                                                         {"shared_bytes", "12288"},
                                                         {"registers", "40"},
                                                         {"spill_bytes", "8"},
                                                         {"code_digest", "c0de"},
                                                         {"worker", "a-worker"},
                                                         {"attempt", "3"},
                                                         {"canonical", "true"},
                                                         {"message", "a note"},
                                                         {"batch", "1"},
                                                         {"transpose_b", "false"},
                                                         {"epilogue", ""},
                                                         {"verification", "verified"},
                                                         {"transpose_a", "false"},
                                                         {"out", "f32"},
                                                         {"math", "ieee"},
                                                         {"regime", "cold"}}));
}

TEST(RecordTextTest, WhatWasNotTimedIsADash) {
  TuningRecord record = OkRecord(2e6);
  record.measurement.timing.low_ns = record.measurement.timing.high_ns = 0;
  EXPECT_THAT(RecordText(record), HasSubstr("\n  interval           - to - (+/- "));
}

}  // namespace
}  // namespace mmtune
