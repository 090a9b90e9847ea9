// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/progress.h"

#include <algorithm>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/wire/convert.h"
#include "server/tune/report/text_layout.h"
#include "tests/fake_clock.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

v1::JobProgress Progress(int64_t done, int64_t planned, double elapsed) {
  v1::JobProgress progress;
  progress.set_done(done);
  progress.set_planned(planned);
  progress.set_elapsed_seconds(elapsed);
  (*progress.mutable_outcomes())["ok"] = done;
  return progress;
}

TEST(ProgressTextTest, CountsOutcomes) {
  v1::JobProgress progress = Progress(0, 64, 10);
  progress.set_done(12);
  auto& outcomes = *progress.mutable_outcomes();
  outcomes["ok"] = 7;
  outcomes["rejected"] = 1;
  outcomes["compile_failed"] = 2;
  outcomes["timed_out"] = 1;
  outcomes["wrong_result"] = 1;
  progress.set_best_gflops(12.345);
  EXPECT_EQ(ProgressText(progress, 43), "12/64  7 ok  1 rejected  3 failed  1 wrong  best 12.3 GFLOP/s  43 s left");
}

TEST(ProgressTextTest, WhatWasSkippedIsNoFailure) {
  v1::JobProgress progress = Progress(4, 64, 0);
  progress.set_done(7);
  (*progress.mutable_outcomes())["skipped"] = 3;
  EXPECT_EQ(ProgressText(progress, -1), "7/64  4 ok  0 rejected  0 failed  0 wrong  3 skipped");
}

TEST(ProgressTextTest, SaysWhatTheLogAnswered) {
  v1::JobProgress progress = Progress(64, 64, 1);
  progress.set_from_log(60);
  EXPECT_EQ(ProgressText(progress, 0), "64/64  64 ok  0 rejected  0 failed  0 wrong  60 from log");
}

TEST(SecondsLeftTest, FollowsThePaceOfMeasuring) {
  EXPECT_DOUBLE_EQ(SecondsLeft(Progress(16, 64, 8), 0), 24);
  v1::JobProgress progress = Progress(16, 64, 8);
  progress.set_from_log(8);
  EXPECT_DOUBLE_EQ(SecondsLeft(progress, 0), 48);
}

TEST(SecondsLeftTest, EndsWithTheTimeLimit) {
  EXPECT_DOUBLE_EQ(SecondsLeft(Progress(16, 64, 8), 10), 2);
  EXPECT_DOUBLE_EQ(SecondsLeft(Progress(16, 0, 8), 10), 2);
  EXPECT_DOUBLE_EQ(SecondsLeft(Progress(16, 0, 18), 10), 0);
}

TEST(SecondsLeftTest, IsUnknownWithoutPaceOrLimit) {
  EXPECT_LT(SecondsLeft(Progress(0, 64, 8), 0), 0);
  EXPECT_LT(SecondsLeft(Progress(5, 0, 8), 0), 0);
  EXPECT_EQ(SecondsLeft(Progress(64, 64, 8), 0), 0);
}

class PrinterTest : public testing::Test {
 protected:
  ProgressOptions options_;
  std::ostringstream out_;
  FakeClock clock_;
};

TEST_F(PrinterTest, PlainLinesComeEachTenth) {
  ProgressPrinter printer(out_, clock_, options_);
  for (int done = 1; done <= 100; ++done) {
    clock_.Advance(milliseconds(200));
    printer.Update(Progress(done, 100, 1));
  }
  printer.Finish();
  const std::string text = out_.str();
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("\n50/100  "));
  EXPECT_THAT(text, HasSubstr("\n100/100  "));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 10);
}

TEST_F(PrinterTest, PlainLinesComeAfterSomeSeconds) {
  ProgressPrinter printer(out_, clock_, options_);
  printer.Update(Progress(1, 1000, 1));
  clock_.Advance(seconds(4));
  printer.Update(Progress(2, 1000, 1));
  EXPECT_THAT(out_.str(), Not(HasSubstr("2/1000")));
  clock_.Advance(seconds(1));
  printer.Update(Progress(3, 1000, 1));
  EXPECT_THAT(out_.str(), HasSubstr("3/1000"));
}

TEST_F(PrinterTest, TheLastStateIsAlwaysTold) {
  ProgressPrinter printer(out_, clock_, options_);
  printer.Update(Progress(1, 3, 1));
  printer.Update(Progress(3, 3, 1));
  printer.Finish();
  printer.Finish();
  EXPECT_EQ(out_.str(),
            "1/3  1 ok  0 rejected  0 failed  0 wrong  2.0 s left\n"
            "3/3  3 ok  0 rejected  0 failed  0 wrong\n");
}

TEST_F(PrinterTest, AChangeOfStateAloneIsNoPlainLine) {
  ProgressPrinter printer(out_, clock_, options_);
  printer.Update(Progress(3, 3, 1));
  clock_.Advance(seconds(60));
  printer.Update(Progress(3, 3, 2));
  printer.Finish();
  EXPECT_EQ(out_.str(), "3/3  3 ok  0 rejected  0 failed  0 wrong\n");
}

TEST_F(PrinterTest, JsonIsOneObjectALine) {
  options_.json = true;
  options_.problem = MatmulProblem{100, 100, 100};
  ProgressPrinter printer(out_, clock_, options_);
  printer.Note("tuning \"it\"\n\x1b[1m");
  v1::JobProgress progress = Progress(4, 9, 1);
  (*progress.mutable_outcomes())["skipped"] = 1;
  (*progress.mutable_outcomes())["ok"] = 2;
  progress.set_best_gflops(2);
  printer.Update(progress);
  printer.Waiting("waiting: a device");
  printer.Update(Progress(5, 9, 1));  // Too soon after the last one, and so written at the end.
  printer.Update(Progress(6, 9, 1));
  printer.Finish();
  EXPECT_EQ(out_.str(), "{\"note\":" + nlohmann::json(PlainText("tuning \"it\"\n\x1b[1m")).dump() +
                            "}\n"
                            R"({"done":4,"planned":9,"failed":1,"best_ns":1000000.0})"
                            "\n"
                            R"({"note":"waiting: a device"})"
                            "\n"
                            R"({"done":6,"planned":9,"failed":0,"best_ns":0.0})"
                            "\n");
}

TEST_F(PrinterTest, APanelIsRewrittenAndEnds) {
  options_.live = true;
  {
    ProgressPrinter printer(out_, clock_, options_);
    printer.Update(Progress(1, 3, 0));
    printer.Update(Progress(2, 3, 0));  // within a tenth of a second: not written
    clock_.Advance(milliseconds(100));
    printer.Update(Progress(3, 3, 0));
  }
  EXPECT_EQ(out_.str(),
            "\r\x1b[K██████████░░░░░░░░░░░░░░░░░░░░  1/3  0.0 s elapsed\n"
            "\r\x1b[Ktrials    1 ok"
            "\x1b[1A\r\x1b[K██████████████████████████████  3/3  0.1 s elapsed\n"
            "\r\x1b[Ktrials    3 ok"
            "\x1b[1A\r\x1b[J\r\x1b[K");
}

TEST_F(PrinterTest, ThePanelCountsTheTimesOfEverythingAndLetsThemGoOn) {
  options_.live = true;
  options_.began = clock_.Now();
  clock_.Advance(seconds(5));
  ProgressPrinter printer(out_, clock_, options_);
  printer.ExpectAfter(30);
  v1::JobProgress progress = Progress(6, 24, 10);
  progress.set_proposed(8);
  printer.Update(progress);
  EXPECT_THAT(out_.str(), HasSubstr("  6/24  5.0 s elapsed, about 1 min 00 s left\n"));
  EXPECT_THAT(out_.str(), HasSubstr("trials    6 ok, 2 in work"));
  out_.str("");
  printer.Tick();
  EXPECT_EQ(out_.str(), "") << "too early";
  clock_.Advance(seconds(2));
  printer.Tick();
  EXPECT_THAT(out_.str(), HasSubstr("  6/24  7.0 s elapsed, about 58 s left\n"));
  clock_.Advance(seconds(2));
  printer.Update(Progress(24, 24, 14));
  EXPECT_THAT(out_.str(), HasSubstr("  24/24  9.0 s elapsed, about 30 s left for the comparison\n"));
}

TEST_F(PrinterTest, APlainLineSaysThatOnlyTheComparisonIsLeft) {
  ProgressPrinter printer(out_, clock_, options_);
  printer.ExpectAfter(30);
  printer.Update(Progress(3, 3, 4));
  EXPECT_THAT(out_.str(), testing::EndsWith("  30 s left for the comparison\n"));
}

TEST_F(PrinterTest, AnExpectationHoldsUntilThePaceIsKnown) {
  options_.live = true;
  ProgressPrinter printer(out_, clock_, options_);
  printer.Expect(30);
  clock_.Advance(seconds(4));
  printer.Update(Progress(0, 3, 4));
  EXPECT_THAT(out_.str(), HasSubstr("  0/3  4.0 s elapsed, about 26 s left"));
  clock_.Advance(seconds(8));
  printer.Update(Progress(1, 3, 12));
  EXPECT_THAT(out_.str(), HasSubstr("  1/3  12 s elapsed, about 24 s left\n"));
}

TEST_F(PrinterTest, APanelWithoutANumberOfTrialsShowsTheTimeLimit) {
  options_.live = true;
  options_.seconds_limit = 20;
  options_.began = clock_.Now();
  clock_.Advance(seconds(10));
  ProgressPrinter printer(out_, clock_, options_);
  printer.Update(Progress(1, 0, 10));
  EXPECT_THAT(out_.str(), HasSubstr("███████████████░░░░░░░░░░░░░░░  1  10 s elapsed, about 10 s left\n"));
}

TEST(BarTextTest, IsFullToAnEighthOfACharacter) {
  EXPECT_EQ(BarText(0, 3), "░░░");
  EXPECT_EQ(BarText(0.5, 3), "█▌░");
  EXPECT_EQ(BarText(1.0 / 24, 3), "▏░░");
  EXPECT_EQ(BarText(7, 3), "███");
}

TEST(ConvergenceTextTest, RisesToTheLast) {
  EXPECT_EQ(ConvergenceText({}, 10), "");
  EXPECT_EQ(ConvergenceText({0, 0}, 10), "▁▁");
  EXPECT_EQ(ConvergenceText({0, 1, 5, 10}, 10), "▁▁▅█");
  EXPECT_EQ(ConvergenceText({0, 1, 5, 10}, 2), "▁█") << "the highest of two trials each";
  EXPECT_EQ(DisplayWidth(ConvergenceText(std::vector<double>(1000, 3), 20)), 20u);
}

v1::JobProgress WithBest(v1::JobProgress progress, double gflops) {
  progress.set_best_gflops(gflops);
  *progress.mutable_best_schedule() = ToWire(OkRecord(1).schedule);
  return progress;
}

TEST_F(PrinterTest, ThePanelHasTheBestAndItsHistory) {
  options_.live = true;
  options_.problem = OkRecord(1).problem;
  options_.color = true;
  ProgressPrinter printer(out_, clock_, options_);
  v1::JobProgress progress = WithBest(Progress(1, 4, 0), 5);
  progress.set_proposed(4);
  printer.Update(progress);
  EXPECT_EQ(out_.str(),
            "\r\x1b[K███████▌░░░░░░░░░░░░░░░░░░░░░░  1/4  0.0 s elapsed\n"
            "\r\x1b[Ktrials    1 ok, 3 in work\n"
            "\r\x1b[K\x1b[1mbest      5.00 GFLOP/s: fma, block tile 64x32x16, thread tile 8x4, 3 stages, sp\x1b[0m\n"
            "\r\x1b[Khistory   █  best so far after each trial: ▁ 0, █ 5.00 GFLOP/s");
  out_.str("");
  clock_.Advance(milliseconds(100));
  progress.set_done(4);
  progress.set_best_gflops(10);
  printer.Update(progress);
  EXPECT_THAT(out_.str(), testing::StartsWith("\x1b[3A\r\x1b[K"));
  EXPECT_THAT(out_.str(), HasSubstr("history   ▅███  best"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("in work")));
  // What was compiled and not chosen, at the end, is no trial.
  clock_.Advance(milliseconds(100));
  progress.set_done(9);
  (*progress.mutable_outcomes())["skipped"] = 5;
  printer.Update(progress);
  EXPECT_THAT(out_.str(), HasSubstr("history   ▅███  best"));
  out_.str("");
  printer.Note("a note");
  EXPECT_EQ(out_.str(), "\x1b[3A\r\x1b[J\r\x1b[Ka note\n");
  printer.Finish();
  EXPECT_THAT(out_.str(), testing::EndsWith("a note\n")) << "nothing is left to take away";
}

TEST_F(PrinterTest, EveryLineOfThePanelFitsTheTerminal) {
  options_.live = true;
  options_.problem = OkRecord(1).problem;
  for (const int width : {20, 30, 60, 200}) {
    options_.width = width;
    out_.str("");
    ProgressPrinter printer(out_, clock_, options_);
    v1::JobProgress progress = WithBest(Progress(500, 500, 0), 5);
    progress.set_proposed(502);
    printer.Update(progress);
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 4u + width - 1) << line;
  }
}

TEST_F(PrinterTest, AWaitTakesThePlaceOfThePanel) {
  options_.live = true;
  ProgressPrinter printer(out_, clock_, options_);
  printer.Update(Progress(1, 3, 0));
  out_.str("");
  printer.Waiting("waiting for the device: held by process 7");
  printer.Waiting("waiting for the device: held by process 7");
  clock_.Advance(seconds(9));
  printer.Tick();
  EXPECT_EQ(out_.str(), "\x1b[1A\r\x1b[J\r\x1b[Kwaiting for the device: held by process 7");
  printer.Update(Progress(2, 3, 0));
  EXPECT_THAT(out_.str(), HasSubstr("  2/3  "));
}

TEST_F(PrinterTest, AWaitIsToldOnce) {
  ProgressPrinter printer(out_, clock_, options_);
  printer.Waiting("waiting: for a worker");
  printer.Waiting("waiting: for a worker");
  printer.Waiting("waiting: for a \x1b[1mCUDA\x1b[0m device");
  EXPECT_EQ(out_.str(), "waiting: for a worker\nwaiting: for a CUDA device\n");
}

TEST_F(PrinterTest, QuietSaysNothing) {
  options_.quiet = true;
  ProgressPrinter printer(out_, clock_, options_);
  printer.Note("note");
  printer.Waiting("wait");
  printer.Update(Progress(1, 1, 1));
  printer.Finish();
  EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace mmtune
