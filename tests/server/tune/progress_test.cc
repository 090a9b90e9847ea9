// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/progress.h"

#include <algorithm>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fake_clock.h"

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
  EXPECT_EQ(ProgressText(progress, 0), "12/64  7 ok  1 rejected  3 failed  1 wrong  best 12.3 GFLOPS  43 s left");
}

TEST(ProgressTextTest, WhatWasSkippedIsNoFailure) {
  v1::JobProgress progress = Progress(4, 64, 0);
  progress.set_done(7);
  (*progress.mutable_outcomes())["skipped"] = 3;
  EXPECT_EQ(ProgressText(progress, 0), "7/64  4 ok  0 rejected  0 failed  0 wrong  3 skipped");
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

TEST_F(PrinterTest, ALiveLineIsRewrittenAndEnds) {
  options_.live = true;
  {
    ProgressPrinter printer(out_, clock_, options_);
    printer.Update(Progress(1, 3, 0));
    printer.Update(Progress(2, 3, 0));  // within a tenth of a second: not written
    clock_.Advance(milliseconds(100));
    printer.Update(Progress(3, 3, 0));
  }
  EXPECT_EQ(out_.str(),
            "\r\x1b[K1/3  1 ok  0 rejected  0 failed  0 wrong"
            "\r\x1b[K3/3  3 ok  0 rejected  0 failed  0 wrong"
            "\r\x1b[K");
}

TEST_F(PrinterTest, ALiveLineFitsTheTerminal) {
  options_.live = true;
  options_.width = 20;
  ProgressPrinter printer(out_, clock_, options_);
  printer.Update(Progress(1, 3, 0));
  EXPECT_EQ(out_.str(), "\r\x1b[K1/3  1 ok  0 reject");
}

TEST(ConvergenceTextTest, RisesToTheLast) {
  EXPECT_EQ(ConvergenceText({}, 10), "");
  EXPECT_EQ(ConvergenceText({0, 0}, 10), "__");
  EXPECT_EQ(ConvergenceText({0, 1, 5, 10}, 10), "_.=#");
  EXPECT_EQ(ConvergenceText({0, 1, 5, 10}, 2), ".#") << "the highest of two trials each";
  EXPECT_EQ(ConvergenceText(std::vector<double>(1000, 3), 20), std::string(20, '#'));
}

TEST_F(PrinterTest, ThePanelHasTheBestItsWayAndWhatIsInWork) {
  options_.live = true;
  ProgressPrinter printer(out_, clock_, options_);
  v1::JobProgress progress = Progress(1, 4, 0);
  progress.set_best_gflops(5);
  progress.mutable_best_schedule()->set_family("fma");
  (*progress.mutable_best_schedule()->mutable_params())["bm"] = 64;
  progress.set_proposed(4);
  printer.Update(progress);
  EXPECT_EQ(out_.str(),
            "\r\x1b[K1/4  1 ok  0 rejected  0 failed  0 wrong  best 5.00 GFLOPS\n"
            "\r\x1b[Kbest so far  fma bm=64\n"
            "\r\x1b[Kby trial     #  1\n"
            "\r\x1b[Kin work      3 candidates");
  out_.str("");
  clock_.Advance(milliseconds(100));
  progress.set_done(4);
  progress.set_best_gflops(10);
  printer.Update(progress);
  EXPECT_THAT(out_.str(), testing::StartsWith("\x1b[3A\r\x1b[J\r\x1b[K4/4"));
  EXPECT_THAT(out_.str(), HasSubstr("by trial     =###  4"));
  EXPECT_THAT(out_.str(), testing::EndsWith("  4")) << "nothing is in work";
  // What was compiled and not chosen, at the end, is no trial.
  clock_.Advance(milliseconds(100));
  progress.set_done(9);
  (*progress.mutable_outcomes())["skipped"] = 5;
  printer.Update(progress);
  EXPECT_THAT(out_.str(), testing::EndsWith("by trial     =###  4"));
  out_.str("");
  printer.Note("a note");
  EXPECT_EQ(out_.str(), "\x1b[2A\r\x1b[J\r\x1b[Ka note\n");
  printer.Finish();
  EXPECT_THAT(out_.str(), testing::EndsWith("a note\n")) << "nothing is left to take away";
}

TEST_F(PrinterTest, EveryLineOfThePanelFitsTheTerminal) {
  options_.live = true;
  options_.width = 30;
  ProgressPrinter printer(out_, clock_, options_);
  v1::JobProgress progress = Progress(500, 500, 0);
  progress.set_best_gflops(5);
  progress.mutable_best_schedule()->set_family("fma");
  for (const char* name : {"bm", "bn", "bk", "tm", "tn"})
    (*progress.mutable_best_schedule()->mutable_params())[name] = 64;
  progress.set_proposed(502);
  printer.Update(progress);
  std::istringstream lines(out_.str());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 4 + 29u) << line;
}

TEST_F(PrinterTest, AWaitIsToldOnce) {
  ProgressPrinter printer(out_, clock_, options_);
  printer.Waiting("for a worker");
  printer.Waiting("for a worker");
  printer.Waiting("for a \x1b[1mCUDA\x1b[0m device");
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
