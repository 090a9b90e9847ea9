// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "server/tune/commands/matmul_command.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two schedules that look the same in the table.
TuningResult Result() {
  TuningResult result;
  for (int64_t vector : {1, 4}) {
    TuningRecord record = OkRecord(1e6 / static_cast<double>(vector));
    record.schedule.params["vec"] = vector;
    result.best.Add(record);
  }
  return result;
}

TEST(TuningReportTest, TheBestScheduleStandsInFullBelowTheTable) {
  const Schedule best = Result().best.Top(1).front().schedule;
  const std::string text = TuningReport(Result(), 10);
  EXPECT_THAT(text, HasSubstr("\n\nbest      " + best.Text() + "\noutcomes  "));
  EXPECT_THAT(text, HasSubstr("vec=4"));
  EXPECT_THAT(text, HasSubstr("  vec=1\n")) << "what differs is in the table";
  EXPECT_EQ(*ParseSchedule(best.Text()), best);
}

TEST(TuningReportTest, SaysWhatEndedTheSearchAndWhatItLearnedFrom) {
  TuningResult result = Result();
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("stopped")));
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("learned")));
  result.run.job.set_state(v1::JOB_STATE_DONE);
  result.run.job.set_message("trials: 64");
  result.run.job.set_prior_observations(1234);
  EXPECT_THAT(TuningReport(result, 10),
              HasSubstr("\nstopped   trials: 64\npriors    1,234 records of other problems, devices or toolchains"));
  const nlohmann::json report = nlohmann::json::parse(TuningReportJson(result, 10));
  EXPECT_EQ(report["message"], "trials: 64");
  EXPECT_EQ(report["prior_observations"], 1234);
  EXPECT_EQ(report["log_error"], "");
  result.run.job.set_prior_observations(0);
  result.run.job.set_log_error("a page is gone");
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\npriors    none: the log could not be read: a page is gone\n"));
}

TEST(TuningReportTest, SaysWhetherTheSizeOfTheSpaceIsAnEstimate) {
  TuningResult result = Result();
  result.run.job.set_space_size(17801216);
  for (bool estimated : {false, true}) {
    result.run.job.set_space_size_estimated(estimated);
    EXPECT_THAT(TuningReport(result, 10),
                HasSubstr(estimated ? "\nspace     about 17,801,216 valid" : "\nspace     17,801,216 valid"));
    const nlohmann::json report = nlohmann::json::parse(TuningReportJson(result, 10));
    EXPECT_EQ(report["space_size"], 17801216);
    EXPECT_EQ(report["space_size_estimated"], estimated);
  }
}

TEST(TuningReportTest, SaysHowManyWereSkippedByWhichBound) {
  TuningResult result = Result();
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("skipped")));
  (*result.run.job.mutable_progress()->mutable_outcomes())["skipped"] = 5;
  result.skipped = {{"blocks", 3}, {"schedulers", 2}};
  const std::string text = TuningReport(result, 10);
  EXPECT_THAT(text, HasSubstr(" failed, 5 skipped\nskipped   3 by blocks, 2 by schedulers: "));
  EXPECT_THAT(text, HasSubstr("(--no-skip: time them)\n"));
  const nlohmann::json report = nlohmann::json::parse(TuningReportJson(result, 10));
  EXPECT_EQ(report["outcomes"]["skipped"], 5);
  EXPECT_EQ(report["skipped_by"]["blocks"], 3);
}

TEST(TuningReportTest, SaysHowManyWereCompiledToChoose) {
  TuningResult result = Result();
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("compiled")));
  TuningRecord unchosen = OkRecord(1e6);
  unchosen.measurement = {};
  unchosen.measurement.outcome = Outcome::kSkipped;
  for (int i = 0; i < 36; ++i) CountSkipped(unchosen, result.skipped);
  EXPECT_THAT(
      TuningReport(result, 10),
      HasSubstr("\ncompiled  36 more, to choose by registers and spills (--no-compile-ahead: only what is timed)\n"));
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("\nskipped")));
  EXPECT_EQ(nlohmann::json::parse(TuningReportJson(result, 10))["skipped_by"]["not chosen"], 36);
  result.skipped["blocks"] = 3;
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\nskipped   3 by blocks: no run of them"));
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\ncompiled  36 more, "));
}

TEST(TuningReportTest, SaysHowManyWereVerified) {
  EXPECT_THAT(TuningReport(Result(), 10), HasSubstr("\nverified  2 of 2\n"));
  EXPECT_EQ(nlohmann::json::parse(TuningReportJson(Result(), 10))["verified"], 2);
  TuningRecord unverified = OkRecord(100);
  unverified.schedule.params["vec"] = 8;
  unverified.measurement.verification = {};
  TuningResult result = Result();
  result.best.Add(unverified);
  const std::string text = TuningReport(result, 10);
  EXPECT_THAT(text, HasSubstr("\nverified  2 of 3; 1 left out of the table (--allow-unverified shows them)\n"));
  EXPECT_THAT(text, Not(HasSubstr("unverified: timed")));
  EXPECT_THAT(text, HasSubstr("\n\nbest      " + Result().best.Top(1).front().schedule.Text()));
  EXPECT_EQ(nlohmann::json::parse(TuningReportJson(result, 10))["unverified_left_out"], 1);
}

TEST(TuningReportTest, MarksWhatIsNotVerifiedWhereThatIsAllowed) {
  TuningRecord unverified = OkRecord(100);
  unverified.measurement.verification = {};
  TuningResult result;
  result.best = BestRecords(/*allow_unverified=*/true);
  result.best.Add(unverified);
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("  unverified\nunverified: timed without verification; "));
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\nverified  0 of 1 (--allow-unverified)\n"));
  result.run.job.mutable_spec()->mutable_measure()->set_verification(false);
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\nverified  0 of 1 (--no-verification)\n"));
  TuningResult strict;
  strict.best.Add(unverified);
  EXPECT_THAT(TuningReport(strict, 10), HasSubstr("\nno schedule with a valid result was verified\n"));
  EXPECT_THAT(TuningReport(strict, 10), HasSubstr("\nverified  0 of 1; 1 left out"));
}

TEST(TuningReportTest, SaysHowManyFinalistsAreTied) {
  TuningResult result = Result();
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("reference")));
  const std::vector<TuningRecord> top = result.best.Top(2);
  result.best.SetReference(top[0].schedule);
  TuningRecord compared = top[1];
  compared.measurement.conditions.comparison =
      Comparison{top[0].schedule, 1.02, 0.99, 1.03, {0.99, 1.02, 1.03}, {5e5, 7e5, 6e5}, {4e5, 6e5, 5e5}};
  result.best.Add(compared);
  result.finalists = 3;
  result.finals_seconds = 9.1;
  for (size_t rows : {1, 10}) {
    EXPECT_THAT(
        TuningReport(result, rows),
        HasSubstr("\nreference 1 of 1 tied with the row at 0.0: each timed alternately with it in 3 fresh processes, "
                  "9.1 s; 1 not compared\n"));
  }
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("+2.0 ="));
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("  255  ")) << "the reference's 250 us and the ratio to it";
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("  250  "));
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("\norder ")));
  const auto json = nlohmann::json::parse(TuningReportJson(result, 10));
  EXPECT_EQ(json["finalists"]["reference"], top[0].schedule.Text());
  EXPECT_EQ(json["finalists"]["tied"], 1);
  result.finalists = 2;
  EXPECT_EQ(nlohmann::json::parse(TuningReportJson(result, 10))["finalists"]["compared"], 1);
  result.finalists = 0;
  EXPECT_TRUE(nlohmann::json::parse(TuningReportJson(result, 10))["finalists"].is_null());
}

TEST(TuningReportTest, SaysInWhatOrderThoseAsFastAsTheReferenceAre) {
  TuningResult result = Result();
  const std::vector<TuningRecord> top = result.best.Top(2);
  result.best.SetReference(top[0].schedule);
  TuningRecord compared = top[1];
  compared.measurement.conditions.comparison =
      Comparison{top[0].schedule, 1.005, 0.99, 1.03, {0.99, 1.005, 1.03}, {5e5, 7e5, 6e5}, {4e5, 6e5, 5e5}};
  result.best.Add(compared);
  result.finalists = 2;
  const std::string text = TuningReport(result, 10);
  EXPECT_THAT(text, HasSubstr("\norder     by GFLOP/s; rows tied with the reference within 1 %"));
  EXPECT_THAT(text, HasSubstr("+0.5 ="));
  EXPECT_THAT(text, Not(HasSubstr("251"))) << "the reference's 250 us stand for both";
}

TEST(TuningReportTest, SaysHowFastTheBaselineIs) {
  TuningResult result;
  TuningRecord record = OkRecord(1e5);
  record.measurement.conditions.baseline.reason = "no cuBLAS: none";
  result.best.Add(record);
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\nbaseline  none (no cuBLAS: none)\n"));
  auto json = nlohmann::json::parse(TuningReportJson(result, 10));
  EXPECT_EQ(json["baseline"], (nlohmann::json{{"reason", "no cuBLAS: none"}}));
  EXPECT_FALSE(json["best"][0].contains("percent_of_baseline"));
  EXPECT_FALSE(json["best"][0].contains("percent_of_peak"));

  record = OkRecord(90000);
  record.problem = {1024, 1024, 1024};
  record.schedule.params["vec"] = 4;
  record.measurement.conditions.baseline.name = "cuBLAS 13.1.0";
  record.measurement.conditions.baseline.median_ns = 45000;
  record.measurement.conditions.baseline.drift = 0.001;
  result.best.Add(record);
  record.schedule.params["vec"] = 8;
  record.measurement.timing.median_ns = 95000;
  record.measurement.conditions.baseline.median_ns = 43700;
  record.measurement.conditions.baseline.low_ns = 43600;
  record.measurement.conditions.baseline.high_ns = 43900;
  record.measurement.conditions.baseline.drift = -0.0288;
  record.unix_millis += 1;
  result.best.Add(record);
  EXPECT_THAT(TuningReport(result, 1), HasSubstr("\nbaseline  cuBLAS 13.1.0: 49.1 TFLOP/s, drift -2.9 %\n"));
  json = nlohmann::json::parse(TuningReportJson(result, 10));
  EXPECT_EQ(json["baseline"]["library"], "cuBLAS 13.1.0");
  EXPECT_EQ(json["baseline"]["median_ns"], 43700);
  EXPECT_EQ(json["baseline"]["low_ns"], 43600);
  EXPECT_EQ(json["baseline"]["high_ns"], 43900);
  EXPECT_NEAR(json["baseline"]["gflops"].get<double>(), 49141, 1);
  EXPECT_NEAR(json["baseline"]["drift"].get<double>(), -0.0288, 1e-12);
  EXPECT_NEAR(json["best"][0]["percent_of_baseline"].get<double>(), 50, 1e-9);
}

TEST(TuningReportTest, WarnsOnceOfNoiseWithTheRemedy) {
  TuningResult result = Result();
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("warning")));
  result.load = HostLoad{5.21, 6, 2};
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("warning"))) << "nothing was measured under this load";
  result.run.job.mutable_progress()->set_done(1);
  EXPECT_THAT(TuningReport(result, 10),
              HasSubstr("\n\nwarning   noisy times: load 5.2 on 2 cores. To do: end other programs, and measure again "
                        "with --remeasure\n"));
  EXPECT_THAT(TuningReport(result, 10, {.color = true}), HasSubstr("\x1b[31mwarning"));
}

TEST(TuningReportTest, SaysThatTheWinnerIsNotSettled) {
  TuningResult result;
  TuningRecord steady = OkRecord(10), changing = OkRecord(11);
  steady.measurement.timing.samples_ns = {10, 10, 10, 10, 10, 10};
  changing.schedule.params["vec"] = 4;
  changing.measurement.timing.samples_ns = {13, 13, 13, 9, 9, 9};
  result.best.Add(steady);
  EXPECT_THAT(TuningReport(result, 10), Not(HasSubstr("winner")));
  result.best.Add(changing);
  EXPECT_THAT(
      TuningReport(result, 10),
      HasSubstr("\nwinner    not settled: by the samples, it is row 1 in the first half, row 2 in the second\n"));
  EXPECT_THAT(TuningReport(result, 1), Not(HasSubstr("winner"))) << "only rows that are shown";
}

TEST(TuningReportTest, MarkdownKeepsTheLinesBelowTheTable) {
  EXPECT_THAT(TuningReport(Result(), 10, {.width = 30, .markdown = true}),
              testing::AllOf(HasSubstr("\n| rank | GFLOP/s |"), HasSubstr("\n```text\nbest      "),
                             testing::EndsWith("\n```\n")));
}

TEST(NextStepTest, IsOneLineWithACommandToCopy) {
  JobOptions options;
  EXPECT_EQ(NextStepText(options, 80), "next      tune report -o report.html, or tune explain, compile\n");
  options.log = "tuning.db";
  EXPECT_EQ(NextStepText(options, 80),
            "next      tune report --log tuning.db -o report.html, or tune explain, compile\n");
  options.log = "postgres://host/db?a=1&b=2";
  EXPECT_THAT(NextStepText(options, 0), HasSubstr("tune report --log 'postgres://host/db?a=1&b=2' -o report.html"));
}

TEST(TuningReportTest, RecordsWithoutABaselineSaySo) {
  EXPECT_THAT(TuningReport(Result(), 10), HasSubstr("\nbaseline  none (the records have none)\n"));
}

TEST(TuningReportTest, WithoutAResultThereIsNoBest) {
  EXPECT_THAT(TuningReport(TuningResult(), 10), Not(HasSubstr("\nbest ")));
}

TEST(TuningReportTest, TheTitleAndTheJsonNameTheWholeProblem) {
  TuningResult result = Result();
  v1::MatmulProblem& problem = *result.run.job.mutable_spec()->mutable_problem();
  problem.set_m(4);
  problem.set_n(5);
  problem.set_k(6);
  problem.set_dtype("f32");
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\n4x5x6 f32: "));
  const nlohmann::json plain = {{"m", 4}, {"n", 5}, {"k", 6}, {"dtype", "f32"}};
  EXPECT_EQ(nlohmann::json::parse(TuningReportJson(result, 10))["problem"], plain);
  problem.set_batch(8);
  problem.set_transpose_b(true);
  problem.set_epilogue("bias,relu");
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\n4x5x6 batch=8 transpose_b epilogue=bias,relu f32: "));
  nlohmann::json variant = plain;
  variant.update({{"batch", 8}, {"transpose_b", true}, {"epilogue", "bias,relu"}});
  EXPECT_EQ(nlohmann::json::parse(TuningReportJson(result, 10))["problem"], variant);
  problem.set_epilogue("\x1b[31mgelu");  // of a server we do not know
  EXPECT_THAT(TuningReport(result, 10), HasSubstr("\na malformed problem: "));
}

TEST(TuningReportTest, JsonHoldsEverySchedule) {
  const auto report = nlohmann::json::parse(TuningReportJson(Result(), 10));
  ASSERT_EQ(report["best"].size(), 2u);
  EXPECT_EQ(report["best"][0]["schedule"]["params"]["vec"], 4);
  EXPECT_EQ(report["best"][1]["schedule"]["params"]["vec"], 1);
}

}  // namespace
}  // namespace mmtune
