// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leases: who gets them, for how long, and calls that wait for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

TEST_F(CoordinatorWorkTest, ModelStrategyKeepsAllWorkersBusyBeforeTheFirstResult) {
  const std::vector<std::string> workers = {"a", "b", "c", "d", "e", "f"};
  for (const std::string& worker : workers) ASSERT_TRUE(h_.Register(worker, SimtDevice()).ok());
  v1::JobSpec spec = FreeJob();
  spec.set_strategy("model");
  ASSERT_TRUE(h_.Submit(spec).ok());
  for (const std::string& worker : workers) EXPECT_FALSE(h_.LeaseOne(worker).token().empty()) << worker;
}

TEST_F(CoordinatorWorkTest, LeaseContainsTheMeasureOptions) {
  v1::JobSpec spec = FreeJob();
  spec.mutable_measure()->set_regime("cold");
  spec.mutable_measure()->set_precision(0.001);
  spec.mutable_measure()->set_baseline(false);
  StartJob(spec);
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_EQ(lease.measure().regime(), "cold");
  EXPECT_EQ(lease.measure().precision(), 0.001);
  EXPECT_FALSE(lease.measure().baseline());
  EXPECT_TRUE(lease.measure().verification());
  EXPECT_EQ(lease.measure().budget_seconds(), 1) << "the device's default";
  EXPECT_FALSE(lease.has_reference());
}

TEST_F(CoordinatorWorkTest, SchedulesWithAReferenceAreMeasuredDespiteRecords) {
  StartJob(FreeJob(1));
  const v1::Lease first = h_.LeaseOne("w");
  ASSERT_TRUE(h_.ReportOk("w", first).ok());
  v1::JobSpec finals = FreeJob();
  *finals.add_schedules() = first.schedule();
  *finals.mutable_reference() = first.schedule();
  ASSERT_TRUE(h_.Submit(finals).ok());
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_EQ(lease.reference().family(), first.schedule().family());
  EXPECT_TRUE(lease.remeasure());
}

TEST_F(CoordinatorWorkTest, TokenCountsOnlyFromItsWorker) {
  StartJob();
  ASSERT_TRUE(h_.Register("thief", SimtDevice()).ok());
  v1::Lease lease = h_.LeaseOne("w");
  EXPECT_TRUE(h_.ReportOk("thief", lease)->unknown());
  EXPECT_THAT(h_.Heartbeat("thief", {lease.token()})->cancel_tokens(), testing::SizeIs(1));
  EXPECT_TRUE(h_.Report("w", OkReport("never given out"))->unknown());
  EXPECT_TRUE(h_.ReportOk("w", lease)->canonical());
  for (const char* other : {"a name before its", "z: a name after its"}) {
    ASSERT_TRUE(h_.Register(other, SimtDevice()).ok());
    EXPECT_TRUE(h_.ReportOk(other, lease)->unknown()) << "nor when it has ended";
  }
  EXPECT_TRUE(h_.ReportOk("w", lease)->duplicate());
}

TEST_F(CoordinatorWorkTest, CandidateThatLosesTwoWorkersIsCrashed) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease first = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease second = h_.LeaseOne("v");
  ASSERT_EQ(second.candidate_id(), first.candidate_id());
  h_.Pass(seconds(31));
  v1::Job job = h_.Job(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().outcomes().at("crashed"), 1);
  // A late report of the last worker does not replace the crash record.
  EXPECT_FALSE(h_.ReportOk("v", second)->canonical());
}

TEST_F(CoordinatorWorkTest, LeaseThatTakesTooLongIsTimedOut) {
  const std::string uuid = StartJob(FreeJob(1));
  for (int round = 0; round < 2; ++round) {
    v1::Lease lease = h_.LeaseOne("w");
    ASSERT_GT(lease.start_to_close_seconds(), 0);
    for (double left = lease.start_to_close_seconds(); left > 0; left -= 20) {
      ASSERT_THAT(h_.Heartbeat("w", {lease.token()})->cancel_tokens(), testing::IsEmpty());
      h_.Pass(seconds(20));
    }
  }
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("timed_out"), 1);
}

TEST_F(CoordinatorWorkTest, ReleasedLeaseIsGrantedAgain) {
  StartJob(FreeJob(1));
  v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report;
  report.set_token(lease.token());
  report.set_released(true);
  ASSERT_TRUE(h_.Report("w", report).ok());
  EXPECT_EQ(h_.LeaseOne("w").candidate_id(), lease.candidate_id());
}

TEST_F(CoordinatorWorkTest, RepeatedLeaseCallGetsTheSameLeases) {
  StartJob();
  auto first = h_.Lease("w", 2, 0, "r");
  auto second = h_.Lease("w", 2, 0, "r");
  ASSERT_EQ(first->response.leases_size(), 2);
  ASSERT_EQ(second->response.leases_size(), 2);
  EXPECT_EQ(first->response.leases(0).token(), second->response.leases(0).token());
  EXPECT_EQ(first->response.leases(1).token(), second->response.leases(1).token());
}

TEST_F(CoordinatorWorkTest, LeaseCallWaitsForWork) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  EXPECT_FALSE(call->answered());
  ASSERT_TRUE(h_.Submit(FreeJob()).ok());
  ASSERT_TRUE(call->answered());
  EXPECT_EQ(call->response.leases_size(), 1);
  EXPECT_EQ(call->answers, 1);
}

TEST_F(CoordinatorWorkTest, LeaseCallIsAnsweredWhenItsWaitEnds) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 1000);  // cut to 20 s
  EXPECT_EQ(h_.coordinator().NextDeadline(), h_.clock().Now() + seconds(20));
  h_.Pass(seconds(19));
  EXPECT_FALSE(call->answered());
  h_.Pass(seconds(1));
  ASSERT_TRUE(call->answered());
  EXPECT_TRUE(call->status.ok());
  EXPECT_EQ(call->response.leases_size(), 0);
}

TEST_F(CoordinatorWorkTest, NothingIsLeasedToACallerThatHasGone) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  call->wanted = false;
  ASSERT_TRUE(h_.Submit(FreeJob()).ok());
  EXPECT_FALSE(call->answered());
  EXPECT_TRUE(h_.storage().attempts.empty());
}

TEST_F(CoordinatorWorkTest, DrainAnswersWaitingCallsAsUnavailable) {
  h_.StartJob(FreeJob());
  const v1::Lease lease = h_.LeaseOne("w");
  ASSERT_TRUE(h_.Register("idle", SimtDevice()).ok());
  ASSERT_TRUE(h_.Hold("idle", v1::WORKER_HOLD_CORDONED).ok());
  auto call = h_.Lease("idle", 1, 20);
  ASSERT_FALSE(call->answered());
  h_.coordinator().Drain();
  h_.Pass(seconds(0));
  ASSERT_TRUE(call->answered());
  EXPECT_TRUE(absl::IsUnavailable(call->status)) << call->status;
  EXPECT_FALSE(h_.Heartbeat("idle", {})->drain());
  EXPECT_FALSE(h_.Heartbeat("w", {lease.token()})->drain());
  EXPECT_TRUE(absl::IsUnavailable(h_.Lease("w")->status));
  EXPECT_TRUE(absl::IsUnavailable(h_.Submit(FreeJob()).status()));
  // What it has meanwhile counts.
  ASSERT_TRUE(h_.ReportOk("w", lease).ok());
  EXPECT_EQ(h_.storage().records.size(), 1u);
}

TEST_F(CoordinatorWorkTest, EmbeddedCoordinatorTellsWorkersToEnd) {
  h_.Restart(/*resume_jobs=*/false);
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  h_.coordinator().Drain();
  h_.Pass(seconds(0));
  ASSERT_TRUE(call->answered());
  EXPECT_TRUE(call->status.ok()) << call->status;
  EXPECT_TRUE(call->response.drain());
  EXPECT_TRUE(h_.Heartbeat("w", {})->drain());
}

TEST_F(CoordinatorWorkTest, UnknownWorkerIsToldToRegister) {
  auto call = h_.Lease("stranger");
  EXPECT_TRUE(absl::IsNotFound(call->status));
  EXPECT_TRUE(h_.Heartbeat("stranger", {})->unknown_worker());
}

TEST_F(CoordinatorWorkTest, RefusesAWorkerWithAnotherProtocol) {
  v1::RegisterRequest request;
  request.set_worker_id("w");
  request.set_version("9.9");
  *request.add_devices()->mutable_device() = v1::DeviceInfo();
  for (const int protocol : {0, kProtocol + 1}) {
    request.set_protocol(protocol);
    absl::Status status = h_.Call([&](Coordinator& coordinator) { return coordinator.Register(request); }).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status));
    EXPECT_THAT(std::string(status.message()),
                testing::AllOf(HasSubstr(absl::StrCat("speaks protocol ", kProtocol, ",")), HasSubstr("9.9"),
                               HasSubstr(absl::StrCat("speaks protocol ", protocol, ": install the same version"))));
  }
}

}  // namespace
}  // namespace mmtune
