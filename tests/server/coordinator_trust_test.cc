// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that are not believed: measured again by others, and workers that others refute in quarantine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/wire/convert.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::minutes;
using testing::AllOf;
using testing::HasSubstr;

class CoordinatorTrustTest : public CoordinatorWorkTest {};

constexpr double kTooFast = 1e-300;

TEST_F(CoordinatorTrustTest, ContradictedImpossibleTimeQuarantinesTheWorker) {
  const std::string uuid = StartJob(FreeJob(3));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease wrong = h_.LeaseOne("w"), held = h_.LeaseOne("w");
  EXPECT_FALSE(h_.ReportOk("w", wrong, kTooFast)->canonical());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE) << "it may have been an accident";
  const v1::Lease again = h_.LeaseOne("v");
  ASSERT_EQ(again.candidate_id(), wrong.candidate_id());
  EXPECT_TRUE(h_.ReportOk("v", again, 1000)->canonical());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_THAT(Status("w").hold_reason(), AllOf(HasSubstr("it reported"), HasSubstr("worker v found 1 us")));
  EXPECT_FALSE(GetsLeases("w"));
  EXPECT_EQ(Status("v").hold(), v1::WORKER_HOLD_NONE);

  // What it still has is kept and counts for nothing.
  const double best = h_.Job(uuid).progress().best_gflops();
  EXPECT_FALSE(h_.ReportOk("w", held, 500)->canonical());
  EXPECT_EQ(h_.Job(uuid).progress().best_gflops(), best);
  const v1::Lease third = h_.LeaseOne("v");
  EXPECT_EQ(third.candidate_id(), held.candidate_id());
  EXPECT_TRUE(h_.ReportOk("v", third)->canonical());

  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_QUARANTINED) << "a cordon is less than that";
  EXPECT_FALSE(h_.Heartbeat("w", {})->drain());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_DRAINED).ok());
  EXPECT_TRUE(h_.Heartbeat("w", {})->drain());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_THAT(Status("w").hold_reason(), HasSubstr("it reported"));
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_NONE).ok());
  EXPECT_TRUE(GetsLeases("w"));
}

TEST_F(CoordinatorTrustTest, OnlyWorkerIsNotQuarantinedForImpossibleTimes) {
  const std::string uuid = StartJob(FreeJob(5));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), kTooFast)->canonical());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 5);
  EXPECT_EQ(h_.Job(uuid).progress().best_gflops(), 0);
}

TEST_F(CoordinatorTrustTest, AgreeingImpossibleTimesQuarantineNobody) {
  const std::string uuid = StartJob(FreeJob(6));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  for (int i = 0; i < 12; ++i) {
    const std::string worker = i % 2 == 0 ? "w" : "v";
    ASSERT_TRUE(h_.ReportOk(worker, h_.LeaseOne(worker), kTooFast).ok());
  }
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_EQ(Status("v").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 6);
}

TEST_F(CoordinatorTrustTest, ResultThatCannotBeStoredIsCountedOnce) {
  StartJob(FreeJob(3));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease lease = h_.LeaseOne("w");
  for (int call = 1; call < 6; ++call) {
    h_.log().FailAfter(call, /*once=*/true);
    h_.ReportOk("w", lease, kTooFast).IgnoreError();
    for (const char* worker : {"w", "v"}) ASSERT_TRUE(h_.Register(worker, SimtDevice()).ok());
  }
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CoordinatorTrustTest, NobodyIsQuarantinedIfQuarantineIsOff) {
  CoordinatorOptions options;
  options.quarantine = false;
  CoordinatorHarness harness(options);
  harness.StartJob(FreeJob(5));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(harness.ReportOk("w", harness.LeaseOne("w"), kTooFast).ok()) << i;
}

TEST_F(CoordinatorTrustTest, ObservationOnAnotherClassIsNoVote) {
  for (const char* worker : {"a", "b"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  const std::string uuid = *h_.Submit(FreeJob(2));
  const v1::Lease disputed = h_.LeaseOne("a");
  ASSERT_FALSE(ReportCuda("a", disputed, kTooFast)->canonical());
  h_.Restart();
  ASSERT_TRUE(h_.Register("cpu", SimtDevice()).ok());  // and nobody else: the job goes on there
  const v1::Lease again = h_.LeaseOne("cpu");
  ASSERT_EQ(again.candidate_id(), disputed.candidate_id());
  EXPECT_TRUE(h_.ReportOk("cpu", again, 1000)->canonical());
  ASSERT_TRUE(h_.Register("a", CudaDevice()).ok());
  EXPECT_EQ(Status("a").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CoordinatorTrustTest, ObservationOnAnotherClassDoesNotReserveTheCandidate) {
  for (const char* worker : {"a", "b"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  const std::string uuid = *h_.Submit(FreeJob(2));
  const v1::Lease disputed = h_.LeaseOne("a");
  ASSERT_FALSE(ReportCuda("a", disputed, kTooFast)->canonical());
  h_.Restart();
  ASSERT_TRUE(h_.Register("a", SimtDevice()).ok());
  const v1::Lease again = h_.LeaseOne("a");
  EXPECT_EQ(again.candidate_id(), disputed.candidate_id()) << "others may come, but have nothing to confirm";
  EXPECT_FALSE(again.remeasure());
}

/// Workers with CUDA devices of one class, and a job on them for which "sound" found 9 us.
class CudaTrustTest : public CoordinatorTrustTest {
 protected:
  CudaTrustTest() {
    for (const char* worker : {"sound", "other"}) EXPECT_TRUE(h_.Register(worker, CudaDevice()).ok());
    uuid_ = *h_.Submit(FreeJob(6));
    EXPECT_TRUE(ReportCuda("sound", h_.LeaseOne("sound"), 9000)->canonical());
  }
  /// A new candidate, for which "other" reports 2.9 us; it is disputed.
  v1::Lease Disputed(double ns = 2900) {
    const v1::Lease disputed = h_.LeaseOne("other");
    EXPECT_FALSE(ReportCuda("other", disputed, ns)->canonical());
    return disputed;
  }
  v1::Lease LeaseAgain(const std::string& worker, const v1::Lease& disputed) {
    const v1::Lease again = h_.LeaseOne(worker);
    EXPECT_EQ(again.candidate_id(), disputed.candidate_id()) << worker;
    return again;
  }
  std::string uuid_;
};

TEST_F(CudaTrustTest, MuchFasterTimeIsMeasuredAgainAndTheSlowerOneCounts) {
  const v1::Lease disputed = Disputed();
  EXPECT_FALSE(disputed.remeasure());
  const TuningRecord& kept = h_.storage().records.rbegin()->second.record;
  EXPECT_EQ(kept.measurement.outcome, Outcome::kSuspect);
  EXPECT_THAT(kept.measurement.message, HasSubstr("3.1 times as fast as the best that other workers found, 9 us"));
  const v1::Lease again = LeaseAgain("sound", disputed);
  EXPECT_TRUE(again.remeasure()) << "an earlier timing of the same worker is no second observation";
  EXPECT_EQ(again.incumbent_ns(), 0) << "it is timed to the end";
  EXPECT_EQ(again.skip_above_ns(), 0) << "and timed at all";
  EXPECT_TRUE(ReportCuda("sound", again, 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE) << "one observation against one";
}

TEST_F(CudaTrustTest, ThirdWorkerDecides) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease disputed = Disputed();
  EXPECT_FALSE(ReportCuda("sound", LeaseAgain("sound", disputed), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", disputed), 8900)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_THAT(Status("other").hold_reason(),
              AllOf(HasSubstr("it reported 2.9 us"), HasSubstr("sound found 8.8 us; worker third found 8.9 us")));
  EXPECT_EQ(Status("sound").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, ThirdWorkerMayConfirmTheFasterTime) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease disputed = Disputed();
  EXPECT_FALSE(ReportCuda("sound", LeaseAgain("sound", disputed), 8800)->canonical());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", disputed), 2800)->canonical());
  for (const char* worker : {"sound", "other", "third"}) EXPECT_EQ(Status(worker).hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, TwoContradictionsInDifferentCandidatesQuarantine) {
  ReportCuda("sound", LeaseAgain("sound", Disputed()), 8800).value();
  ReportCuda("sound", LeaseAgain("sound", Disputed()), 8800).value();
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE) << "the same observer twice";
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  ASSERT_TRUE(h_.Hold("sound", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Disputed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(CudaTrustTest, DisputedResultSurvivesARestart) {
  const v1::Lease disputed = Disputed();
  h_.Restart();
  for (const char* worker : {"sound", "third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), disputed.candidate_id()) << "it does not confirm itself";
  const v1::Lease again = LeaseAgain("sound", disputed);
  EXPECT_TRUE(again.remeasure());
  EXPECT_FALSE(ReportCuda("sound", again, 8800)->canonical()) << "one observation against one";
  h_.Restart();
  for (const char* worker : {"sound", "third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  EXPECT_NE(h_.LeaseOne("sound").candidate_id(), disputed.candidate_id());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", disputed), 8900)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_EQ(Status("sound").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, DisputedCandidateWaitsForOtherWorkersAfterARestart) {
  const v1::Lease disputed = Disputed();
  h_.Restart();
  ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), disputed.candidate_id());
  ASSERT_TRUE(h_.Register("sound", CudaDevice()).ok());
  LeaseAgain("sound", disputed);
}

TEST_F(CoordinatorTrustTest, DisputedResultNeedsAnotherWorkerAfterARestart) {
  for (const char* worker : {"sound", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  const std::string uuid = *h_.Submit(FreeJob(6));
  const v1::Lease disputed = h_.LeaseOne("other");
  ASSERT_TRUE(ReportCuda("sound", h_.LeaseOne("sound"), 9000)->canonical());
  ASSERT_FALSE(ReportCuda("other", disputed, 2900)->canonical());
  h_.Restart();
  ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());  // and nobody else
  const v1::Lease new_one = h_.LeaseOne("other");
  ASSERT_NE(new_one.candidate_id(), disputed.candidate_id());
  ASSERT_TRUE(ReportCuda("other", new_one, 9000)->canonical());
  const double best = h_.Job(uuid).progress().best_gflops();
  h_.Pass(std::chrono::seconds(31));
  const v1::Lease again = h_.LeaseOne("other");
  ASSERT_EQ(again.candidate_id(), disputed.candidate_id());
  ASSERT_TRUE(ReportCuda("other", again, 3100).ok());  // not far below the others
  const Measurement& kept = h_.storage().records.rbegin()->second.record.measurement;
  EXPECT_EQ(kept.outcome, Outcome::kSuspect);
  EXPECT_THAT(kept.message, HasSubstr("no other worker confirms"));
  EXPECT_EQ(h_.Job(uuid).progress().best_gflops(), best);
}

TEST_F(CudaTrustTest, ExpiredDisputeDoesNotQuarantineAfterARestart) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease disputed = Disputed();
  ASSERT_FALSE(ReportCuda("sound", LeaseAgain("sound", disputed), 8800)->canonical());
  h_.clock().Advance(minutes(61));
  h_.Restart();
  for (const char* worker : {"third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", disputed), 8900)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, ClearedWorkerHasNoFaultsButItsDisputesStay) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease disputed = Disputed();
  ASSERT_FALSE(ReportCuda("sound", LeaseAgain("sound", disputed), 8800)->canonical());
  ASSERT_TRUE(h_.Hold("other", v1::WORKER_HOLD_NONE).ok());
  h_.Restart();
  for (const char* worker : {"third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), disputed.candidate_id());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", disputed), 8900)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, UnreadableDisputedResultIsIgnored) {
  const v1::Lease disputed = Disputed();
  for (const char* about : {"", "garbage", R"({"lease":"x","observation":7})"}) {
    h_.storage().notes.back().about = about;
    h_.Restart();
    ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());
    EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_RUNNING) << about;
  }
  EXPECT_TRUE(ReportCuda("other", LeaseAgain("other", disputed), 8800)->canonical());
}

TEST_F(CudaTrustTest, FaultMarkSurvivesARestart) {
  ReportCuda("sound", LeaseAgain("sound", Disputed()), 8800).value();
  h_.Restart();
  for (const char* worker : {"sound", "third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  ReportCuda("sound", h_.LeaseOne("sound"), 9000).value();
  ASSERT_TRUE(h_.Hold("sound", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Disputed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(CudaTrustTest, ExpiredFaultMarkIsNotRestored) {
  ReportCuda("sound", LeaseAgain("sound", Disputed()), 8800).value();
  h_.clock().Advance(minutes(61));
  h_.Restart();
  for (const char* worker : {"sound", "third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  ReportCuda("sound", h_.LeaseOne("sound"), 9000).value();
  ASSERT_TRUE(h_.Hold("sound", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Disputed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, QuarantineAppliesToReportsBeforeRegistration) {
  const v1::Lease held = h_.LeaseOne("other");
  ReportCuda("sound", LeaseAgain("sound", Disputed(1e-300)), 8800).value();
  ASSERT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  h_.Restart();
  EXPECT_FALSE(ReportCuda("other", held, 8500)->canonical());
  const Measurement& kept = h_.storage().records.rbegin()->second.record.measurement;
  EXPECT_EQ(kept.outcome, Outcome::kSuspect);
  EXPECT_THAT(kept.message, HasSubstr("its worker is in quarantine"));
}

TEST_F(CudaTrustTest, QuarantineCanEndBeforeTheWorkerRegisters) {
  ReportCuda("sound", LeaseAgain("sound", Disputed(1e-300)), 8800).value();
  h_.Restart();
  EXPECT_TRUE(absl::IsNotFound(h_.Hold("other", v1::WORKER_HOLD_CORDONED)));
  EXPECT_TRUE(h_.Hold("other", v1::WORKER_HOLD_NONE).ok());
  EXPECT_TRUE(absl::IsNotFound(h_.Hold("other", v1::WORKER_HOLD_NONE))) << "nothing holds it any more";
  h_.Restart();
  ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, QuarantineSurvivesARestartUntilAnAdminEndsIt) {
  ReportCuda("sound", LeaseAgain("sound", Disputed(1e-300)), 8800).value();
  const std::string why = Status("other").hold_reason();
  ASSERT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  h_.clock().Advance(minutes(48 * 60));
  h_.Restart();
  ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_EQ(Status("other").hold_reason(), why);
  EXPECT_FALSE(GetsLeases("other"));
  ASSERT_TRUE(h_.Hold("other", v1::WORKER_HOLD_NONE).ok());
  h_.Restart();
  ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_TRUE(GetsLeases("other"));
}

TEST_F(CudaTrustTest, FaultMarkExpires) {
  ReportCuda("sound", LeaseAgain("sound", Disputed()), 8800).value();
  h_.Pass(minutes(61));
  for (const char* worker : {"third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Disputed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaTrustTest, ConfirmedFastTimeCounts) {
  EXPECT_TRUE(ReportCuda("sound", LeaseAgain("sound", Disputed()), 8700)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE) << "within a factor of three";
  EXPECT_TRUE(ReportCuda("other", h_.LeaseOne("other"), 3100)->canonical()) << "not far below";
}

TEST_F(CudaTrustTest, SecondFastTimeIsNotBelievedBecauseItIsTheSecond) {
  const v1::Lease disputed = Disputed();
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease again = LeaseAgain("third", disputed);
  ASSERT_TRUE(h_.Hold("sound", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("third", again, 10)->canonical());
  EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kSuspect);
}

TEST_F(CudaTrustTest, WrongResultsOfTwoWorkersQuarantineAndOfOneDoNot) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease disputed = Disputed();
  for (const char* worker : {"sound", "third"}) {
    EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
    v1::CandidateReport report = OkReport(LeaseAgain(worker, disputed).token());
    *report.mutable_device() = ToWire(CudaDevice());
    report.mutable_measurement()->set_outcome("wrong_result");
    EXPECT_EQ(h_.Report(worker, report)->canonical(), worker == std::string("third"));
    EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kWrongResult);
  }
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_THAT(Status("other").hold_reason(), HasSubstr("found a wrong result"));
}

TEST_F(CudaTrustTest, UnhealthyDeviceContradictsNobody) {
  constexpr char kHot[] = "hw thermal slowdown";
  for (const char* worker : {"slow", "slower"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  ASSERT_TRUE(h_.Hold("sound", v1::WORKER_HOLD_CORDONED).ok());
  const v1::Lease disputed = Disputed();
  ReportCuda("slow", LeaseAgain("slow", disputed), 9100, kHot).value();
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  ReportCuda("slower", h_.LeaseOne("slower"), 9100, kHot).value();
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CoordinatorTrustTest, TimesOfAnUnhealthyDeviceDisputeNobody) {
  for (const char* worker : {"slow", "good"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  h_.Submit(FreeJob(4)).value();
  EXPECT_TRUE(ReportCuda("slow", h_.LeaseOne("slow"), 9000, "hw thermal slowdown")->canonical());
  EXPECT_TRUE(ReportCuda("good", h_.LeaseOne("good"), 2900)->canonical());
}

TEST_F(CudaTrustTest, DisputedWorkerDoesNotConfirmItself) {
  const v1::Lease disputed = Disputed(100);
  v1::CandidateReport back;
  back.set_token(LeaseAgain("sound", disputed).token());
  back.set_released(true);
  ASSERT_TRUE(h_.Report("sound", back).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), disputed.candidate_id());
  v1::CandidateReport failed;
  failed.set_token(LeaseAgain("sound", disputed).token());
  failed.set_infrastructure_error("out of disk");
  ASSERT_TRUE(h_.Report("sound", failed).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), disputed.candidate_id());
  // Nobody else is left: then it stays suspect.
  ASSERT_TRUE(h_.Hold("sound", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("other", LeaseAgain("other", disputed), 100)->canonical());
  EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kSuspect);
  EXPECT_EQ(h_.Job(uuid_).progress().outcomes().at("suspect"), 1);
}

TEST_F(CudaTrustTest, ReportForAnotherDeviceIsAFailure) {
  const v1::Lease lease = h_.LeaseOne("other");
  v1::CandidateReport report = OkReport(lease.token());
  DeviceInfo invented = CudaDevice();
  invented.uuid = "GPU-invented-17";
  *report.mutable_device() = ToWire(invented);
  EXPECT_FALSE(h_.Report("other", report)->canonical());
  EXPECT_EQ(h_.storage().attempts.at(lease.token()).row.state, AttemptState::kFailed);
}

TEST_F(CoordinatorTrustTest, FastTimesOfTheSimtDeviceAreNotDisputed) {
  StartJob(FreeJob(2));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), 9000)->canonical());
  EXPECT_TRUE(h_.ReportOk("v", h_.LeaseOne("v"), 90)->canonical());
}

}  // namespace
}  // namespace mmtune
