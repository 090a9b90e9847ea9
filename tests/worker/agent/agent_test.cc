// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The agent against a small coordinator, with an evaluator that runs nothing.
#include <gmock/gmock.h>

#include <algorithm>

#include "proto/wire/convert.h"
#include "tests/worker/agent/agent_fixture.h"
#include "tests/worker/children/processes.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(AgentTest, MeasuresEachCandidateOnceAndReportsIt) {
  for (int i = 0; i < 20; ++i) server_.AddCandidate(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(20));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(evaluator_.started(), SizeIs(20));
  EXPECT_THAT(Measured(), SizeIs(20));
  const v1::CandidateReport report = server_.reports()[0];
  EXPECT_EQ(report.measurement().timing().median_ns(), 7);
  EXPECT_EQ(report.device().arch(), "sm_80");
  EXPECT_TRUE(spool_->TakeLeftovers().empty());
}

TEST_F(AgentTest, HoldsNoMoreThanItLooksAhead) {
  for (int i = 0; i < 9; ++i) server_.AddCandidate(kMeasuring);
  StartAgent();
  ASSERT_TRUE(server_.WaitForLeases(3));
  // Three heartbeats later it still holds three.
  ASSERT_TRUE(Eventually([&] { return server_.heartbeat_tokens().size() == 3; }));
  EXPECT_THAT(server_.leased(), SizeIs(3));
  evaluator_.ReleaseSlow();
  ASSERT_TRUE(server_.WaitForReports(9));
}

TEST_F(AgentTest, ALostLeaseReplyIsAskedForAgainWithTheSameId) {
  server_.AddCandidate(kQuick);
  server_.FailNext("Lease", 1, grpc::StatusCode::UNAVAILABLE);
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_EQ(server_.lease_request_ids()[0], server_.lease_request_ids()[1]);
  EXPECT_THAT(evaluator_.started(), SizeIs(1));
}

/// Leases that come with the answers to reports are as good as those of a poll.
class AskingAgentTest : public AgentTest {
 protected:
  void StartWith(int candidates) {
    for (int i = 0; i < candidates; ++i) server_.AddCandidate(kQuick);
    StartAgent();
  }
  void ExpectEachMeasuredOnce(int candidates) {
    ASSERT_TRUE(Eventually([&] { return Measured().size() == static_cast<size_t>(candidates); }));
    EXPECT_TRUE(StopAgent().ok());
    EXPECT_THAT(evaluator_.started(), SizeIs(candidates));
    EXPECT_THAT(server_.leased(), SizeIs(candidates));
    EXPECT_TRUE(spool_->TakeLeftovers().empty());
  }
};

TEST_F(AskingAgentTest, ReportsAskForTheNextLeases) {
  StartWith(60);
  ExpectEachMeasuredOnce(60);
  EXPECT_GT(server_.asked_with_reports(), 0);
}

TEST_F(AskingAgentTest, LostAnswersAreAskedForAgainWithTheSameId) {
  server_.FailNext(FakeWorkQueue::kAskingReport, 2, grpc::StatusCode::UNAVAILABLE);
  StartWith(60);
  ExpectEachMeasuredOnce(60);
  const std::vector<std::string> ids = server_.lease_request_ids();
  EXPECT_LT(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST_F(AskingAgentTest, AnOlderServerIsPolled) {
  server_.ForgetNext();
  StartWith(20);
  ExpectEachMeasuredOnce(20);
}

TEST_F(AskingAgentTest, ADrainGivesBackWhatAnAnswerOnItsWayGrants) {
  server_.SetHeartbeatInterval(10'000);
  server_.HoldAnswersWithLeases(kMeasuring);
  StartAgent();
  // Until a report asks: one that ends while another is sent does not.
  ASSERT_TRUE(Eventually([&] {
    if (server_.held().empty()) server_.AddCandidate(kQuick);
    return !server_.held().empty();
  }));
  EXPECT_TRUE(StopAgent().ok());
  const std::vector<std::string> held = server_.held();
  EXPECT_THAT(ReleasedTokens(), testing::IsSupersetOf(held));
  // What was leased was measured or given back, and no token was dealt with in both ways.
  std::set<std::string> ended = Measured();
  for (const std::string& token : ReleasedTokens()) EXPECT_TRUE(ended.insert(token).second) << token;
  const std::vector<std::string> leased = server_.leased();
  EXPECT_EQ(ended, std::set<std::string>(leased.begin(), leased.end()));
}

TEST_F(AgentTest, ALostAcknowledgementIsResentWithTheSameToken) {
  server_.AddCandidate(kQuick);
  server_.FailNext("Report", 2, grpc::StatusCode::UNAVAILABLE);
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(3));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(MeasuredTokens(), ElementsAre("token-1", "token-1", "token-1"));
}

// As when its own coordinator is gone, and the other one has taken its jobs over.
TEST_F(AgentTest, AnotherCoordinatorGetsHeartbeatsAndReports) {
  FakeWorkQueue other;
  ServerConnection connection(ServerEndpoint{other.address()});
  options_.others = {&connection};
  server_.AddCandidate(kMeasuring);
  StartAgent();
  ASSERT_TRUE(server_.WaitForLeases(1));
  for (const char* method : {"Report", "Heartbeat", "Lease"}) {
    server_.FailNext(method, 1000, grpc::StatusCode::UNAVAILABLE);
  }
  other.CancelNext("token-1");  // what it does not know is not cancelled
  EXPECT_TRUE(Eventually([&] { return other.heartbeat_tokens().contains("token-1"); }));
  evaluator_.ReleaseSlow();
  ASSERT_TRUE(other.WaitForReports(1));
  EXPECT_TRUE(other.reports()[0].has_measurement());
  EXPECT_EQ(other.registrations(), 0) << "it has an agent of its own";
  EXPECT_TRUE(StopAgent().ok());
}

TEST_F(AgentTest, ARefusedReportDoesNotTakeTheOthersWithIt) {
  server_.AddCandidate(kQuick);
  server_.FailNext("Report", 1, grpc::StatusCode::INVALID_ARGUMENT);
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  server_.AddCandidate(kQuick);
  ASSERT_TRUE(Eventually([&] {
    std::vector<std::string> tokens = MeasuredTokens();
    return std::count(tokens.begin(), tokens.end(), "token-2") == 1;
  }));
  EXPECT_TRUE(StopAgent().ok());
}

TEST_F(AgentTest, HeartbeatsNameWhatItHolds) {
  server_.AddCandidate(kMeasuring);
  StartAgent();
  EXPECT_TRUE(Eventually([&] { return server_.heartbeat_tokens().count("token-1") == 1; }));
}

TEST_F(AgentTest, ACancelledLeaseIsStoppedAndNotReported) {
  server_.AddCandidate(kMeasuring);
  server_.AddCandidate(kQuick);
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  server_.CancelNext("token-1");
  server_.AddCandidate(kMeasuring);
  server_.AddCandidate(kMeasuring);
  server_.AddCandidate(kMeasuring);
  // Only when the cancelled one has ended is there room for the last.
  ASSERT_TRUE(server_.WaitForLeases(5));
  evaluator_.ReleaseSlow();
  ASSERT_TRUE(server_.WaitForReports(4));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(Measured(), ElementsAre("token-2", "token-3", "token-4", "token-5"));
  EXPECT_THAT(ReleasedTokens(), IsEmpty());
}

TEST_F(AgentTest, ADrainGivesBackWhatWaitsAndFinishesWhatIsMeasured) {
  server_.AddCandidate(kMeasuring);
  server_.AddCandidate(kQueued);
  StartAgent();
  ASSERT_TRUE(server_.WaitForLeases(2));
  ASSERT_TRUE(Eventually([&] { return evaluator_.started().size() == 2; }));
  agent_->Drain();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_THAT(ReleasedTokens(), ElementsAre("token-2"));
  evaluator_.ReleaseSlow();
  EXPECT_TRUE(WaitForEnd().ok());
  EXPECT_THAT(MeasuredTokens(), ElementsAre("token-1"));
}

TEST_F(AgentTest, ADrainGivesBackWhatDoesNotEndInTime) {
  options_.drain_limit = milliseconds(6500);
  server_.AddCandidate(kMeasuring);
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return evaluator_.started().size() == 1; }));
  const TimePoint start = Clock::Real().Now();
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_LT(Clock::Real().Now() - start, options_.drain_limit);
  EXPECT_THAT(ReleasedTokens(), ElementsAre("token-1"));
}

TEST_F(AgentTest, TheServerCanDrainIt) {
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return server_.registrations() == 1; }));
  server_.DrainWorkers();
  EXPECT_TRUE(WaitForEnd().ok());
}

TEST_F(AgentTest, ItsOwnFailureIsNotTheCandidates) {
  server_.AddCandidate(Schedule{"quick", {{"broken", 1}}});
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_EQ(server_.reports()[0].infrastructure_error(), "no device");
  EXPECT_FALSE(server_.reports()[0].has_measurement());
}

TEST_F(AgentTest, RegistersAgainWhenForgotten) {
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return server_.registrations() == 1; }));
  server_.ForgetWorkers();
  ASSERT_TRUE(Eventually([&] { return server_.registrations() >= 2; }));
  server_.AddCandidate(kQuick);
  EXPECT_TRUE(server_.WaitForReports(1));
}

TEST_F(AgentTest, SurvivesARestartOfTheServer) {
  server_.AddCandidate(kMeasuring);
  StartAgent();
  ASSERT_TRUE(server_.WaitForLeases(1));
  server_.Stop();
  evaluator_.ReleaseSlow();
  ASSERT_TRUE(Eventually([&] { return connection_->SilentFor() > Duration::zero(); }));
  server_.ForgetWorkers();
  server_.Start();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_THAT(MeasuredTokens(), Contains("token-1"));
}

TEST_F(AgentTest, GivesUpOnASilentServerAndKeepsTheReports) {
  options_.give_up_after = milliseconds(600);
  server_.AddCandidate(kMeasuring);
  StartAgent();
  ASSERT_TRUE(server_.WaitForLeases(1));
  server_.Stop();
  evaluator_.ReleaseSlow();
  absl::Status end = WaitForEnd();
  EXPECT_TRUE(absl::IsUnavailable(end)) << end;
  EXPECT_THAT(std::string(end.message()), HasSubstr(server_.address()));

  // The next process finds the report and sends it before anything else.
  agent_.reset();
  spool_.reset();
  connection_ = std::make_unique<ServerConnection>(ServerEndpoint{server_.address()});
  spool_ = ReportSpool::Open(folder_.path(), server_.address()).value();
  server_.Start();
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_THAT(MeasuredTokens(), ElementsAre("token-1"));
}

TEST_F(AgentTest, AServerWhoseSocketIsGoneIsNotWaitedFor) {
  options_.give_up_after = std::chrono::hours(1);
  options_.end_without_socket = true;
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return !server_.heartbeats().empty(); }));
  server_.Stop();  // removes the socket
  absl::Status end = WaitForEnd();
  EXPECT_TRUE(absl::IsUnavailable(end)) << end;
  EXPECT_THAT(std::string(end.message()), HasSubstr("its socket is gone"));
}

TEST_F(AgentTest, ItsLastHeartbeatSaysThatItEnds) {
  server_.SetHeartbeatInterval(10'000);
  StartAgent();
  ASSERT_TRUE(Eventually([&] { return server_.heartbeats().size() == 1; }));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(server_.heartbeats(), ElementsAre(false, true));
}

TEST_F(AgentTest, ACubinIsMadeOnlyForAnArchitectureThatTheDeviceRuns) {
  WorkerDevice& device = options_.devices[0];
  device.info.kind = DeviceKind::kCuda;
  device.info.arch = device.native_arch = "sm_90";
  server_.AddCandidate(kQuick);
  server_.AddCandidate(kQuick, 600, "sm_80");
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(2));
  EXPECT_TRUE(StopAgent().ok());
  const std::vector<Candidate> started = evaluator_.started();
  ASSERT_THAT(started, SizeIs(2));
  EXPECT_TRUE(started[0].assemble);
  EXPECT_EQ(started[1].target.arch, "sm_80");
  EXPECT_FALSE(started[1].assemble);
}

TEST_F(AgentTest, CodeOfAnotherChipIsRefusedBeforeItIsMade) {
  WorkerDevice& device = options_.devices[0];
  device.info.kind = DeviceKind::kCuda;
  device.info.arch = "sm_100";
  device.native_arch = "sm_103";
  server_.AddCandidate(kQuick, 600, "sm_100a");
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(1));
  EXPECT_TRUE(StopAgent().ok());
  EXPECT_THAT(evaluator_.started(), SizeIs(0));
  EXPECT_THAT(server_.reports()[0].measurement().message(), HasSubstr("is sm_103: ask for sm_100 or older"));
}

TEST_F(AgentTest, WhatTheLeaseSaysIsDone) {
  const Schedule reference{"quick", {{"bm", 7}}};
  server_.AddCandidate(kQuick);
  server_.AddCandidate(kQuick);
  server_.ChangeLease([&reference](v1::Lease& lease) {
    *lease.mutable_measure() =
        ToWire(MeasureOptions{Regime::kCold, 0.125, 1.5, /*baseline=*/false, /*verification=*/false});
    lease.set_incumbent_ns(2.5);
    lease.set_remeasure(true);
    *lease.mutable_reference() = ToWire(reference);
  });
  StartAgent();
  ASSERT_TRUE(server_.WaitForReports(2));
  EXPECT_TRUE(StopAgent().ok());
  const std::vector<Candidate> started = evaluator_.started();
  ASSERT_THAT(started, SizeIs(2));
  const Candidate &plain = started[0], &special = started[1];
  EXPECT_EQ(plain.problem, (MatmulProblem{8, 8, 8, DataType::kF32}));
  EXPECT_EQ(plain.measure, MeasureOptions().For(plain.target.kind));
  EXPECT_EQ(plain.incumbent_ns, 0);
  EXPECT_FALSE(plain.remeasure);
  EXPECT_FALSE(plain.reference.has_value());
  EXPECT_EQ(special.measure, (MeasureOptions{Regime::kCold, 0.125, 1.5, false, false}));
  EXPECT_EQ(special.incumbent_ns, 2.5);
  EXPECT_TRUE(special.remeasure);
  EXPECT_EQ(special.reference, reference);
}

TEST_F(AgentTest, AServerOfAnotherProtocolIsRefused) {
  server_.SetProtocol(99);
  StartAgent();
  absl::Status end = WaitForEnd();
  EXPECT_TRUE(absl::IsFailedPrecondition(end)) << end;
  EXPECT_THAT(std::string(end.message()), HasSubstr("protocol 99"));
}

TEST_F(AgentTest, AServerThatDoesNotTakeItIsFinal) {
  server_.FailNext("Register", 1000, grpc::StatusCode::FAILED_PRECONDITION);
  StartAgent();
  EXPECT_TRUE(absl::IsFailedPrecondition(WaitForEnd()));
}

TEST_F(AgentTest, NoServerAtAll) {
  server_.Stop();
  options_.give_up_after = milliseconds(300);
  StartAgent();
  EXPECT_TRUE(absl::IsUnavailable(WaitForEnd()));
}

TEST_F(AgentTest, ADrainEndsTheWaitForAServer) {
  server_.Stop();
  StartAgent();
  EXPECT_TRUE(StopAgent().ok());
}

}  // namespace
}  // namespace mmtune
