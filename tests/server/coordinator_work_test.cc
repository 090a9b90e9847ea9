// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers: leases, reports, and what goes wrong with them.
#include "server/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "proto/wire/protocol.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

class CoordinatorWorkTest : public testing::Test {
 protected:
  std::string StartJob(const v1::JobSpec& spec = FreeJob()) { return h_.StartJob(spec); }

  CoordinatorHarness h_;
};

TEST_F(CoordinatorWorkTest, ALateReportOfAFencedLeaseIsStoredNonCanonical) {
  StartJob();
  v1::Lease fenced = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease fresh = h_.LeaseOne("v");
  EXPECT_EQ(fresh.candidate_id(), fenced.candidate_id());
  EXPECT_EQ(fresh.attempt(), 2);
  absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", fenced);
  EXPECT_FALSE(late->canonical());
  EXPECT_FALSE(late->duplicate());
  EXPECT_TRUE(h_.ReportOk("w", fenced)->duplicate());
  EXPECT_TRUE(h_.ReportOk("v", fresh)->canonical());
  EXPECT_EQ(h_.storage().records.size(), 2u);
}

TEST_F(CoordinatorWorkTest, AReportTwiceIsADuplicateAndStaysCanonical) {
  StartJob();
  v1::Lease lease = h_.LeaseOne("w");
  EXPECT_TRUE(h_.ReportOk("w", lease)->canonical());
  absl::StatusOr<v1::ReportStatus> again = h_.ReportOk("w", lease);
  EXPECT_TRUE(again->duplicate());
  EXPECT_TRUE(again->canonical());
}

TEST_F(CoordinatorWorkTest, WhatWasMeasuredIsFoundByItsTimingKey) {
  StartJob();
  auto find = [&](const std::string& key) {
    v1::FindMeasuredRequest request;
    request.set_worker_id("w");
    request.set_timing_key(key);
    return h_.Call([&](Coordinator& coordinator) { return coordinator.FindMeasured(request); });
  };
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report = OkReport(lease.token(), 1234);
  report.mutable_measurement()->set_timing_key("key");
  EXPECT_FALSE(find("key")->has_measurement());
  ASSERT_TRUE(h_.Report("w", report).ok());
  ASSERT_TRUE(find("key").ok());
  EXPECT_EQ(find("key")->measurement().timing().median_ns(), 1234);
  EXPECT_FALSE(find("another")->has_measurement());
  EXPECT_EQ(find("").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(CoordinatorWorkTest, ALeaseSaysHowToMeasure) {
  v1::JobSpec spec = FreeJob();
  spec.mutable_measure()->set_regime("cold");
  spec.mutable_measure()->set_precision(0.001);
  spec.mutable_measure()->set_baseline(false);
  StartJob(spec);
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_EQ(lease.measure().regime(), "cold");
  EXPECT_EQ(lease.measure().precision(), 0.001);
  EXPECT_FALSE(lease.measure().baseline());
  EXPECT_TRUE(lease.measure().proof());
  EXPECT_EQ(lease.measure().budget_seconds(), 1) << "the device's default";
  EXPECT_FALSE(lease.has_rival());
}

TEST_F(CoordinatorWorkTest, SchedulesWithARivalAreMeasuredThoughTheLogKnowsThem) {
  StartJob(FreeJob(1));
  const v1::Lease first = h_.LeaseOne("w");
  ASSERT_TRUE(h_.ReportOk("w", first).ok());
  v1::JobSpec finals = FreeJob();
  *finals.add_schedules() = first.schedule();
  *finals.mutable_rival() = first.schedule();
  ASSERT_TRUE(h_.Submit(finals).ok());
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_EQ(lease.rival().family(), first.schedule().family());
  EXPECT_TRUE(lease.remeasure());
}

TEST_F(CoordinatorWorkTest, ATokenCountsOnlyFromItsHolder) {
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

TEST_F(CoordinatorWorkTest, ACandidateThatLosesTwoWorkersIsCrashed) {
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
  // The last worker's own word, when it comes, does not replace the verdict.
  EXPECT_FALSE(h_.ReportOk("v", second)->canonical());
}

TEST_F(CoordinatorWorkTest, ALeaseThatHeartbeatsPastItsCapIsTimedOut) {
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

TEST_F(CoordinatorWorkTest, AnInfrastructureErrorGoesToAnotherWorker) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report;
  report.set_token(lease.token());
  report.set_infrastructure_error("disk full");
  ASSERT_TRUE(h_.Report("w", report).ok());
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  v1::Lease again = h_.LeaseOne("v");
  EXPECT_EQ(again.candidate_id(), lease.candidate_id());
  EXPECT_TRUE(h_.ReportOk("v", again)->canonical());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
}

TEST_F(CoordinatorWorkTest, AWorkerGetsNewWorkWhileWhatItFailedWaitsForAnother) {
  StartJob(FreeJob());
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  v1::Lease failed = h_.LeaseOne("w");
  v1::CandidateReport report;
  report.set_token(failed.token());
  report.set_infrastructure_error("disk full");
  ASSERT_TRUE(h_.Report("w", report).ok());
  v1::Lease next = h_.LeaseOne("w");
  EXPECT_FALSE(next.token().empty());
  EXPECT_NE(next.candidate_id(), failed.candidate_id());
}

TEST_F(CoordinatorWorkTest, WorkersThatOnlyFailFailTheJobWithTheirReason) {
  const std::string uuid = StartJob();
  int leases = 0;
  for (v1::Lease lease = h_.LeaseOne("w"); !lease.token().empty(); lease = h_.LeaseOne("w")) {
    v1::CandidateReport report;
    report.set_token(lease.token());
    report.set_infrastructure_error("no\nspace");
    ASSERT_TRUE(h_.Report("w", report).ok());
    ++leases;
  }
  EXPECT_EQ(leases, 5 * 4);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_FAILED);
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("no space"));
  EXPECT_TRUE(h_.storage().records.empty());
}

TEST_F(CoordinatorWorkTest, NonsenseIsTheWorkersFailureAndNeverARecord) {
  StartJob();
  v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report = OkReport(lease.token());
  report.mutable_measurement()->mutable_timing()->set_median_ns(-5);
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
  v1::Lease again = h_.LeaseOne("w");
  EXPECT_EQ(again.candidate_id(), lease.candidate_id());
  report = OkReport(again.token());
  report.mutable_device()->set_name("another device");
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
  EXPECT_EQ(h_.storage().attempts.at(again.token()).row.detail, "measured on another device, not on simt-cpu");
}

TEST_F(CoordinatorWorkTest, AnOkThatWasNotCheckedIsTheWorkersFailure) {
  const std::string uuid = StartJob(FreeJob(1));
  void (*const spoils[])(v1::Measurement&) = {
      [](v1::Measurement& m) { m.mutable_check()->set_passed(false); },
      [](v1::Measurement& m) { m.clear_check(); },
      [](v1::Measurement& m) { m.mutable_proof()->set_passed(false); },
      [](v1::Measurement& m) { m.mutable_timing()->set_low_ns(2000); },
  };
  for (auto* spoil : spoils) {
    const v1::Lease lease = h_.LeaseOne("w");
    ASSERT_FALSE(lease.token().empty());
    v1::CandidateReport report = OkReport(lease.token(), 1000);
    spoil(*report.mutable_measurement());
    EXPECT_FALSE(h_.Report("w", report)->canonical());
  }
  EXPECT_TRUE(h_.storage().records.empty());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("not_measured"), 1);
}

constexpr double kTooFast = 1e-300;

TEST_F(CoordinatorWorkTest, ATimeBeyondTheDeviceIsMeasuredAgainElsewhere) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_FALSE(h_.ReportOk("w", lease, kTooFast)->canonical());
  ASSERT_EQ(h_.storage().records.size(), 1u) << "kept";
  EXPECT_EQ(h_.storage().records.begin()->second.record.measurement.outcome, Outcome::kSuspect);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  const v1::Lease again = h_.LeaseOne("v");
  EXPECT_EQ(again.candidate_id(), lease.candidate_id());
  EXPECT_TRUE(h_.ReportOk("v", again)->canonical());
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
  EXPECT_FALSE(h_.Job(uuid).progress().outcomes().contains("suspect"));
  EXPECT_LT(h_.Job(uuid).progress().best_gflops(), 1000);
}

TEST_F(CoordinatorWorkTest, ATimeBeyondTheDeviceEndsAsSuspectWhereEverybodySaysSo) {
  const std::string uuid = StartJob(FreeJob(1));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_FALSE(h_.ReportOk("w", h_.LeaseOne("w"), kTooFast)->canonical());
  EXPECT_TRUE(h_.ReportOk("v", h_.LeaseOne("v"), kTooFast)->canonical());
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 1);
  EXPECT_EQ(h_.Job(uuid).progress().best_gflops(), 0);
}

TEST_F(CoordinatorWorkTest, ASuspectOfTheOnlyWorkerIsItsVerdictAndIsNotReused) {
  const std::string uuid = StartJob(FreeJob(1));
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report = OkReport(lease.token(), kTooFast);
  report.mutable_measurement()->set_timing_key("key");
  EXPECT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 1);
  v1::FindMeasuredRequest find;
  find.set_worker_id("w");
  find.set_timing_key("key");
  EXPECT_FALSE(h_.Call([&](Coordinator& coordinator) { return coordinator.FindMeasured(find); })->has_measurement());
  ASSERT_TRUE(h_.Submit(FreeJob(1)).ok());
  const v1::Lease next = h_.LeaseOne("w");
  EXPECT_FALSE(next.token().empty()) << "a later job measures it";
  EXPECT_NE(next.candidate_id(), lease.candidate_id());
}

TEST_F(CoordinatorWorkTest, WhatWasTimedWithoutAProofIsMeasuredAgainByAJobThatProves) {
  v1::JobSpec without = FreeJob(1);
  without.mutable_measure()->set_proof(false);
  const std::string first = StartJob(without);
  v1::CandidateReport report = OkReport(h_.LeaseOne("w").token(), 1000);
  *report.mutable_measurement()->mutable_proof() = v1::ProofReport();
  report.mutable_measurement()->mutable_proof()->set_reason(std::string(kProofTurnedOff));
  ASSERT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_GT(h_.Job(first).progress().best_gflops(), 0);
  EXPECT_EQ(h_.Job(*h_.Submit(without)).progress().from_log(), 1);

  const std::string proving = *h_.Submit(FreeJob(1));
  const v1::Lease lease = h_.LeaseOne("w");
  ASSERT_FALSE(lease.token().empty());
  report.set_token(lease.token());
  report.mutable_measurement()->mutable_proof()->set_reason("no valid small shape");
  ASSERT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_EQ(h_.Job(proving).progress().outcomes().at("ok"), 1);
  EXPECT_EQ(h_.Job(proving).progress().best_gflops(), 0) << "the best is a proven one";
  EXPECT_EQ(h_.Job(*h_.Submit(FreeJob(1))).progress().from_log(), 1) << "no proof can be made: asked once";
}

TEST_F(CoordinatorWorkTest, ARunWithoutProofsHidesNothingThatWasProven) {
  StartJob(FreeJob(1));
  ASSERT_EQ(h_.Drain(), 1);
  h_.Pass(seconds(1));
  v1::JobSpec without = FreeJob(1);
  without.mutable_measure()->set_proof(false);
  without.set_remeasure(true);
  ASSERT_TRUE(h_.Submit(without).ok());
  v1::CandidateReport report = OkReport(h_.LeaseOne("w").token(), 900);
  *report.mutable_measurement()->mutable_proof() = v1::ProofReport();
  report.mutable_measurement()->mutable_proof()->set_reason(std::string(kProofTurnedOff));
  ASSERT_TRUE(h_.Report("w", report)->canonical());
  EXPECT_EQ(h_.Job(*h_.Submit(FreeJob(1))).progress().from_log(), 1);
}

TEST_F(CoordinatorWorkTest, AReleasedLeaseIsGivenOutAgain) {
  StartJob(FreeJob(1));
  v1::Lease lease = h_.LeaseOne("w");
  v1::CandidateReport report;
  report.set_token(lease.token());
  report.set_released(true);
  ASSERT_TRUE(h_.Report("w", report).ok());
  EXPECT_EQ(h_.LeaseOne("w").candidate_id(), lease.candidate_id());
}

TEST_F(CoordinatorWorkTest, ARepeatedLeaseCallGetsTheSameLeases) {
  StartJob();
  auto first = h_.Lease("w", 2, 0, "r");
  auto second = h_.Lease("w", 2, 0, "r");
  ASSERT_EQ(first->response.leases_size(), 2);
  ASSERT_EQ(second->response.leases_size(), 2);
  EXPECT_EQ(first->response.leases(0).token(), second->response.leases(0).token());
  EXPECT_EQ(first->response.leases(1).token(), second->response.leases(1).token());
}

TEST_F(CoordinatorWorkTest, ALeaseCallWaitsForWork) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  EXPECT_FALSE(call->answered());
  ASSERT_TRUE(h_.Submit(FreeJob()).ok());
  ASSERT_TRUE(call->answered());
  EXPECT_EQ(call->response.leases_size(), 1);
  EXPECT_EQ(call->answers, 1);
}

TEST_F(CoordinatorWorkTest, ALeaseCallIsAnsweredWhenItsTimeIsUp) {
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

TEST_F(CoordinatorWorkTest, DrainingAnswersWaitingCallsAndLeasesNothing) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  h_.coordinator().Drain();
  h_.Pass(seconds(0));
  ASSERT_TRUE(call->answered());
  EXPECT_TRUE(call->response.drain());
  EXPECT_TRUE(h_.Heartbeat("w", {})->drain());
  EXPECT_TRUE(absl::IsUnavailable(h_.Submit(FreeJob()).status()));
}

TEST_F(CoordinatorWorkTest, ADeviceThatCannotBeIsRefused) {
  DeviceInfo device = SimtDevice();
  device.memory_bytes = -5;
  absl::Status status = h_.Register("w", device);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("devices[0]: memory_bytes is -5"));
  device = SimtDevice();
  device.multiprocessors = -1;
  EXPECT_THAT(std::string(h_.Register("w", device).message()), HasSubstr("multiprocessors is -1"));
  StartJob();
  v1::CandidateReport report = OkReport(h_.LeaseOne("w").token());
  report.mutable_device()->set_memory_bytes(-5);
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
}

v1::JobSpec AutoJob() {
  v1::JobSpec spec = FreeJob(2);
  spec.mutable_device()->set_device("auto");
  return spec;
}

TEST_F(CoordinatorWorkTest, AJobLeavesADeviceThatNeverAsksForWork) {
  ASSERT_TRUE(h_.Register("mute", CudaDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  for (int i = 0; i < 4; ++i) {
    h_.Pass(seconds(10));
    h_.Heartbeat("mute", {}).IgnoreError();  // it lives
    if (call->answered() && call->response.leases_size() == 0) call = h_.Lease("w", 1, 20);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "simt");
  ASSERT_EQ(call->response.leases_size(), 1);
  EXPECT_TRUE(h_.ReportOk("w", call->response.leases(0))->canonical());
  EXPECT_EQ(h_.Drain("w"), 1);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 2);
}

TEST_F(CoordinatorWorkTest, AJobLeavesASilentDeviceWheneverThatIsLookedAt) {
  for (int step : {7, 10, 29}) {
    CoordinatorHarness h;
    ASSERT_TRUE(h.Register("mute", CudaDevice()).ok());
    const std::string uuid = h.Submit(AutoJob()).value();
    ASSERT_TRUE(h.Register("w", SimtDevice()).ok());
    for (int passed = 0; passed < 60; passed += step) {
      EXPECT_EQ(h.Job(uuid).device().kind(), passed < 30 ? "cuda" : "simt") << passed << " s, in steps of " << step;
      h.Pass(seconds(step));
      h.Heartbeat("mute", {}).IgnoreError();
      h.Lease("w", 1);
    }
  }
}

TEST_F(CoordinatorWorkTest, AJobLeavesADeviceThatOnlyLosesItsLeases) {
  ASSERT_TRUE(h_.Register("thief", CudaDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  const v1::Lease taken = h_.LeaseOne("thief");
  ASSERT_FALSE(taken.token().empty());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (int i = 0; i < 4; ++i) {
    h_.Pass(seconds(10));
    h_.Lease("thief", 1);  // it asks for more, and reports nothing
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "simt");
  h_.Pass(seconds(31));  // what "w" was given above
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Drain("w"), 2);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_TRUE(h_.Report("thief", OkReport(taken.token())).ok());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 2);
}

TEST_F(CoordinatorWorkTest, AJobStaysWhereOneOfManyWorkersIsLost) {
  for (const char* gpu : {"gpu-1", "gpu-2", "gpu-3"}) ASSERT_TRUE(h_.Register(gpu, CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  v1::JobSpec spec = AutoJob();
  spec.set_trials(0);
  const std::string uuid = h_.Submit(spec).value();
  ASSERT_FALSE(h_.LeaseOne("gpu-1").token().empty());  // it is killed
  const std::string slow = h_.LeaseOne("gpu-2").token();
  for (int i = 0; i < 8; ++i) {
    h_.Pass(seconds(10));
    h_.Heartbeat("gpu-2", {slow}).IgnoreError();
    h_.Heartbeat("gpu-3", {}).IgnoreError();
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  v1::CandidateReport report = OkReport(slow);
  *report.mutable_device() = ToWire(CudaDevice());
  EXPECT_TRUE(h_.Report("gpu-2", report)->canonical()) << "its lease was not dropped";
}

TEST_F(CoordinatorWorkTest, AJobStaysWhereALeaseRanPastItsCap) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  const v1::Lease lease = h_.LeaseOne("gpu");
  for (double left = lease.start_to_close_seconds() + 20; left > 0; left -= 20) {
    h_.Pass(seconds(20));
    h_.Heartbeat("gpu", {lease.token()}).IgnoreError();
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
}

TEST_F(CoordinatorWorkTest, AWorkerThatStartsAgainHasTheTimeOfALease) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  h_.Lease("gpu", 1, 20);
  const v1::Lease lease = h_.LeaseOne("gpu");
  v1::HeartbeatRequest leaves;
  leaves.set_worker_id("gpu");
  leaves.set_draining(true);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.Heartbeat(leaves); }).ok());
  h_.Pass(seconds(5));
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  ASSERT_TRUE(h_.Register("gpu-again", CudaDevice()).ok());
  h_.Lease("gpu-again", 1);
  for (int i = 0; i < 5; ++i) {
    h_.Pass(seconds(10));
    h_.Lease("gpu-again", 1);
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
}

TEST_F(CoordinatorWorkTest, WorkersThatComeAndNeverAskForWorkDoNotHoldAJob) {
  ASSERT_TRUE(h_.Register("gpu-0", CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  for (int i = 1; i < 6; ++i) {
    h_.Pass(seconds(10));
    ASSERT_TRUE(h_.Register(absl::StrCat("gpu-", i), CudaDevice()).ok());
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "simt");
}

TEST_F(CoordinatorWorkTest, ALateReportOfACandidateThatCannotBeReadIsAcknowledged) {
  const std::string uuid = StartJob();
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(uuid);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  h_.storage().candidates.erase(lease.candidate_id());
  h_.Restart();
  absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", lease);
  ASSERT_TRUE(late.ok()) << late.status();
  EXPECT_FALSE(late->canonical());
  EXPECT_TRUE(h_.storage().records.empty());
}

TEST_F(CoordinatorWorkTest, ALateReportThatCannotBePlacedJustNowIsTakenWhenItComesAgain) {
  const std::string uuid = StartJob();
  const v1::Lease lease = h_.LeaseOne("w");
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(uuid);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  int refused = 0;
  for (int call = 1; h_.storage().records.empty() && call < 10; ++call) {
    h_.log().FailAfter(call, /*once=*/true);
    const absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", lease);
    if (!late.ok()) ++refused;
    EXPECT_EQ(late.ok(), !h_.storage().records.empty()) << "call " << call << ": " << late.status();
  }
  EXPECT_GE(refused, 3) << "to begin, to find the attempt, and to find its candidate";
  EXPECT_EQ(h_.storage().records.size(), 1u);
}

TEST_F(CoordinatorWorkTest, AJobThatHasResultsStaysOnItsDevice) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  v1::CandidateReport report = OkReport(h_.LeaseOne("gpu").token());
  *report.mutable_device() = ToWire(CudaDevice());
  ASSERT_TRUE(h_.Report("gpu", report)->canonical());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (int i = 0; i < 5; ++i) {
    h_.Pass(seconds(10));
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
}

TEST_F(CoordinatorWorkTest, AnUnknownWorkerIsToldToRegister) {
  auto call = h_.Lease("stranger");
  EXPECT_TRUE(absl::IsNotFound(call->status));
  EXPECT_TRUE(h_.Heartbeat("stranger", {})->unknown_worker());
}

TEST_F(CoordinatorWorkTest, ANewerOrOlderWorkerIsRefusedNamingBothVersions) {
  v1::RegisterRequest request;
  request.set_worker_id("w");
  request.set_min_protocol(kProtocol + 1);
  request.set_max_protocol(kProtocol + 2);
  request.set_version("9.9");
  *request.add_devices()->mutable_device() = v1::DeviceInfo();
  absl::Status status = h_.Call([&](Coordinator& coordinator) { return coordinator.Register(request); }).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()),
              testing::AllOf(HasSubstr(absl::StrCat("protocol ", kProtocol, ",")), HasSubstr("protocols "),
                             HasSubstr("9.9"), HasSubstr("upgrade the server")));
  request.set_min_protocol(kProtocol - 1);
  request.set_max_protocol(kProtocol - 1);
  status = h_.Call([&](Coordinator& coordinator) { return coordinator.Register(request); }).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("upgrade the worker"));
}

}  // namespace
}  // namespace mmtune
