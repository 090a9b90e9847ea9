// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is only to be compiled: asked for with the leases, and told of beside the reports.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "tests/worker/agent/agent_fixture.h"
#include "tests/worker/children/processes.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CompileAheadTest : public AgentTest {
 protected:
  CompileAheadTest() { evaluator_.SetLanes(2); }

  std::vector<std::string> TokensOfFacts() {
    std::vector<std::string> tokens;
    for (const v1::CompileReport& report : server_.compile_reports()) {
      if (report.has_facts()) tokens.push_back(report.token());
    }
    return tokens;
  }
  std::vector<std::string> ReleasedTasks() {
    std::vector<std::string> tokens;
    for (const v1::CompileReport& report : server_.compile_reports()) {
      if (report.released()) tokens.push_back(report.token());
    }
    return tokens;
  }
};

TEST_F(CompileAheadTest, TasksAreCompiledAndTheirFactsReported) {
  for (int i = 0; i < 9; ++i) server_.AddTask(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(9));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_EQ(server_.compile_lanes(), 2);
  EXPECT_THAT(server_.max_compiles(), ElementsAre(2));
  const v1::CompileReport report = server_.compile_reports()[0];
  ASSERT_TRUE(report.has_facts());
  EXPECT_EQ(report.facts().code_digest(), "digest");
  EXPECT_EQ(report.facts().resources().registers(), 40);
  EXPECT_EQ(report.facts().phases().llvm_ms(), 3);
  const std::vector<Candidate> started = evaluator_.started();
  EXPECT_THAT(started, SizeIs(9));
  EXPECT_THAT(started, Each(testing::Field(&Candidate::compile_only, true)));
  EXPECT_THAT(TokensOfFacts(), testing::UnorderedElementsAre("task-1", "task-2", "task-3", "task-4", "task-5", "task-6",
                                                             "task-7", "task-8", "task-9"));
  EXPECT_THAT(server_.reports(), IsEmpty());
  EXPECT_THAT(server_.heartbeat_tokens(), IsEmpty());
}

TEST_F(CompileAheadTest, ReportsThePredictedPeakFractionWhereKnown) {
  server_.AddTask(Schedule{"quick", {{"modelled", 1}}});
  server_.AddTask(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(2));
  EXPECT_TRUE(StopAgent().ok());
  std::map<std::string, double> shares;
  for (const v1::CompileReport& report : server_.compile_reports()) {
    shares[report.token()] = report.facts().predicted_peak_fraction();
  }
  EXPECT_THAT(shares, ElementsAre(testing::Pair("task-1", 0.75), testing::Pair("task-2", 0)));
}

TEST_F(CompileAheadTest, LeasesGoOnBesideThem) {
  for (int i = 0; i < 20; ++i) {
    server_.AddTask(kQuick);
    server_.AddCandidate(kQuick);
  }
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(20));
  ASSERT_TRUE(server_.WaitForCompileReports(20));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(Measured(), SizeIs(20));
  EXPECT_THAT(server_.max_compiles(), ElementsAre(2));
  EXPECT_THAT(evaluator_.started(), SizeIs(40));
}

TEST_F(CompileAheadTest, ADeviceWithoutLanesAsksForNone) {
  evaluator_.SetLanes(0);
  server_.AddTask(kQuick);
  server_.AddCandidate(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_EQ(server_.compile_lanes(), 0);
  EXPECT_THAT(server_.max_compiles(), ElementsAre(0));
  EXPECT_THAT(evaluator_.started(), SizeIs(1));
}

TEST_F(CompileAheadTest, ATaskIsForItsArchitecture) {
  WorkerDevice& device = options_.devices[0];
  device.info.kind = DeviceKind::kCuda;
  device.info.arch = device.native_arch = "sm_90";
  server_.AddTask(kQuick);
  server_.AddTask(kQuick, "sm_80");
  server_.AddTask(kQuick, "sm_120");
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(3));
  EXPECT_TRUE(StopAgent().ok());
  const std::vector<Candidate> started = evaluator_.started();
  ASSERT_THAT(started, SizeIs(2));
  EXPECT_EQ(started[0].target.arch, "sm_90");
  EXPECT_TRUE(started[0].assemble);
  EXPECT_EQ(started[1].target.arch, "sm_80");
  EXPECT_FALSE(started[1].assemble);
  std::map<std::string, v1::CompileReport> reports;
  for (const v1::CompileReport& report : server_.compile_reports()) reports[report.token()] = report;
  EXPECT_THAT(reports["task-3"].compile_failed(), HasSubstr("sm_120"));
}

TEST_F(CompileAheadTest, WhatDoesNotCompileIsReported) {
  server_.AddTask(Schedule{"quick", {{"refused", 1}}});
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(1));
  EXPECT_EQ(server_.compile_reports()[0].compile_failed(), "too many registers");
}

TEST_F(CompileAheadTest, TheWorkersOwnFailureSaysNothingOfTheSchedule) {
  server_.AddTask(Schedule{"quick", {{"broken", 1}}});
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(1));
  EXPECT_THAT(ReleasedTasks(), ElementsAre("task-1"));
}

TEST_F(CompileAheadTest, AnAnswerWithTasksAloneIsAnAnswer) {
  server_.GrantReportsTasksAlone();
  StartAgent();
  // Until a report asks and is granted something: one that ends while another is sent does not ask.
  ASSERT_TRUE(Eventually([&] {
    server_.AddCandidate(kQuick);
    server_.AddTask(kQuick);
    return server_.tasks_alone().size() > 2;
  }));
  const std::vector<std::string> alone = server_.tasks_alone();
  // A poll that followed each would have been sent by then.
  const size_t more = server_.reports().size() + 5;
  ASSERT_TRUE(Eventually([&] {
    server_.AddCandidate(kQuick);
    return server_.reports().size() >= more;
  }));
  const std::vector<std::string> ids = server_.lease_request_ids();
  for (const std::string& id : alone) EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1) << id;
}

TEST_F(CompileAheadTest, ALostAnswerIsAskedForAgainAndStartedOnce) {
  server_.FailNext("Lease", 1, grpc::StatusCode::UNAVAILABLE);
  server_.AddTask(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(1));
  EXPECT_EQ(server_.lease_request_ids()[0], server_.lease_request_ids()[1]);
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(evaluator_.started(), SizeIs(1));
}

TEST_F(CompileAheadTest, AServerThatDoesNotKnowTheReportsDropsThem) {
  server_.FailNext("ReportCompiled", 1000, grpc::StatusCode::UNIMPLEMENTED);
  server_.AddTask(kQuick);
  server_.AddCandidate(kQuick);
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return server_.compile_calls() == 1; }));
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_EQ(server_.compile_calls(), 1);
}

TEST_F(CompileAheadTest, AServerThatIsSilentForAMomentIsTriedAgain) {
  server_.FailNext("ReportCompiled", 2, grpc::StatusCode::UNAVAILABLE);
  server_.AddTask(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForCompileReports(1));
  EXPECT_EQ(server_.compile_calls(), 3);
}

TEST_F(CompileAheadTest, ADrainStopsWhatCompilesAtOnceAndSaysSo) {
  server_.AddCandidate(kMeasuring);
  server_.AddTask(kMeasuring);
  server_.AddTask(kMeasuring);
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return evaluator_.started().size() == 3; }));
  agent_->Drain();
  // The candidate goes on all the while.
  ASSERT_TRUE(server_.WaitForCompileReports(2));
  EXPECT_THAT(ReleasedTasks(), testing::UnorderedElementsAre("task-1", "task-2"));
  EXPECT_THAT(server_.reports(), IsEmpty());
  evaluator_.ReleaseSlow();
  EXPECT_TRUE(WaitForEnd().ok());
  EXPECT_THAT(MeasuredTokens(), ElementsAre("token-1"));
}

TEST_F(CompileAheadTest, ADrainIsNotHeldUpByReportsThatNobodyTakes) {
  server_.FailNext("ReportCompiled", 1000, grpc::StatusCode::UNAVAILABLE);
  server_.AddTask(kMeasuring);
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return evaluator_.started().size() == 1; }));
  const TimePoint start = Clock::Real().Now();
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_LT(Clock::Real().Now() - start, options_.drain_limit);
}

TEST_F(CompileAheadTest, TasksThatComeWithTheEndAreGivenBack) {
  server_.DrainWorkers();
  server_.AddTask(kMeasuring);
  StartAgent();
  EXPECT_TRUE(WaitForEnd().ok());
  EXPECT_EQ(ReleasedTasks(), server_.tasks_given());  // none where a heartbeat was faster than the first poll
}

TEST_F(CompileAheadTest, NoTaskIsStartedOnceNoneIsTaken) {
  v1::RegisterResponse registered;
  ASSERT_TRUE(connection_
                  ->Call(&v1::WorkQueue::Stub::Register, "Register", v1::RegisterRequest(), &registered,
                         std::chrono::seconds(5))
                  .ok());
  server_.AddTask(kQuick);
  Reporter reporter(connection_.get(), {}, spool_.get());
  CompileReporter compile_reporter(connection_.get(), "worker");
  LeaseBook book, tasks;
  tasks.Close(StopToken::Level::kNow);
  LeaseLoopParts parts;
  parts.device = options_.devices[0];
  parts.server = connection_.get();
  parts.evaluator = &evaluator_;
  parts.book = &book;
  parts.reporter = &reporter;
  parts.tasks = &tasks;
  parts.compile_reporter = &compile_reporter;
  LeaseLoop loop(parts);
  EXPECT_TRUE(server_.WaitForCompileReports(1));
  EXPECT_THAT(ReleasedTasks(), ElementsAre("task-1"));
  EXPECT_THAT(evaluator_.started(), IsEmpty());
  book.Close(StopToken::Level::kNow);
  loop.Stop();
}

class CompileReporterTest : public testing::Test {
 protected:
  static v1::CompileReport Released(int number) {
    v1::CompileReport report;
    report.set_token(absl::StrCat("task-", number));
    report.set_released(true);
    return report;
  }

  FakeWorkQueue server_;
  ServerConnection connection_{ServerEndpoint{server_.address()}};
};

TEST_F(CompileReporterTest, SendsInBatchesAndInOrder) {
  CompileReporter reporter(&connection_, "worker");
  for (int i = 0; i < 300; ++i) reporter.Add(Released(i));
  EXPECT_TRUE(reporter.Flush(std::chrono::seconds(20)));
  const std::vector<v1::CompileReport> reports = server_.compile_reports();
  ASSERT_THAT(reports, SizeIs(300));
  for (int i = 0; i < 300; ++i) EXPECT_EQ(reports[static_cast<size_t>(i)].token(), Released(i).token());
  EXPECT_LT(server_.compile_calls(), 300);
}

TEST_F(CompileReporterTest, DropsWhatNobodyTakesAndGoesOn) {
  CompileReporter reporter(&connection_, "worker", milliseconds(100));
  server_.FailNext("ReportCompiled", 1'000'000, grpc::StatusCode::UNAVAILABLE);
  reporter.Add(Released(1));
  EXPECT_TRUE(reporter.Flush(std::chrono::seconds(20)));
  EXPECT_GT(server_.compile_calls(), 0);
  server_.FailNext("ReportCompiled", 0, grpc::StatusCode::UNAVAILABLE);
  reporter.Add(Released(2));
  EXPECT_TRUE(reporter.Flush(std::chrono::seconds(20)));
  ASSERT_THAT(server_.compile_reports(), SizeIs(1));
  EXPECT_EQ(server_.compile_reports()[0].token(), "task-2");
}

TEST_F(CompileReporterTest, ItsEndDropsTheRestAtOnce) {
  server_.Stop();
  const TimePoint start = Clock::Real().Now();
  {
    CompileReporter reporter(&connection_, "worker", std::chrono::hours(1));
    reporter.Add(Released(1));
    EXPECT_FALSE(reporter.Flush(milliseconds(50)));
  }
  EXPECT_LT(Clock::Real().Now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace mmtune
