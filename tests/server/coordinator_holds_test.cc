// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers that get no leases: cordoned or drained by an admin, quarantined because they lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "proto/wire/protocol.h"
#include "server/result_trust.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

class CoordinatorHoldsTest : public CoordinatorWorkTest {
 protected:
  v1::WorkerStatus Status(const std::string& worker) {
    const v1::ServerInfo info = h_.coordinator().GetServerInfo();
    for (const v1::WorkerStatus& status : info.workers()) {
      if (status.worker_id() == worker) return status;
    }
    return {};
  }
  bool GetsLeases(const std::string& worker) { return !h_.LeaseOne(worker).token().empty(); }
  absl::StatusOr<v1::ReportStatus> ReportCuda(const std::string& worker, const v1::Lease& lease, double ns,
                                              const std::string& finding = "") {
    v1::CandidateReport report = OkReport(lease.token(), ns);
    Measurement measurement = *FromWire(report.measurement());
    measurement.conditions.health.finding = finding;
    *report.mutable_measurement() = ToWire(measurement);
    *report.mutable_device() = ToWire(CudaDevice());
    return h_.Report(worker, report);
  }
};

TEST_F(CoordinatorHoldsTest, ACordonedWorkerGetsNoLeasesUntilItIsLetGo) {
  const std::string uuid = StartJob();
  const v1::Lease before = h_.LeaseOne("w");
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_FALSE(GetsLeases("w"));
  EXPECT_FALSE(h_.Heartbeat("w", {before.token()})->drain());
  EXPECT_TRUE(h_.ReportOk("w", before)->canonical()) << "what it has counts";
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_CORDONED);
  EXPECT_EQ(Status("w").hold_reason(), "by an admin");
  EXPECT_FALSE(Status("w").live());
  h_.Pass(seconds(0));
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("that gets leases (w is cordoned)"));
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_FALSE(GetsLeases("w")) << "a restart of the worker does not lift it";
  const auto waiting = h_.Lease("w", 1, 20);
  EXPECT_FALSE(waiting->answered());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_NONE).ok());
  ASSERT_TRUE(waiting->answered());
  EXPECT_EQ(waiting->response.leases_size(), 1);
  EXPECT_TRUE(Status("w").live());
  EXPECT_EQ(h_.Job(uuid).message(), "");
}

TEST_F(CoordinatorHoldsTest, ADrainedWorkerEndsAndComesBackCordoned) {
  StartJob();
  const v1::Lease before = h_.LeaseOne("w");
  const auto waiting = h_.Lease("w", 1, 20);
  v1::Lease held;
  if (waiting->answered()) held = waiting->response.leases(0);
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_DRAINED).ok());
  EXPECT_TRUE(h_.Heartbeat("w", {before.token()})->drain());
  EXPECT_THAT(h_.Heartbeat("w", {before.token()})->cancel_tokens(), testing::IsEmpty()) << "it may finish";
  const auto asked = h_.Lease("w", 1, 20);
  ASSERT_TRUE(asked->answered());
  EXPECT_TRUE(asked->response.drain());
  EXPECT_EQ(asked->response.leases_size(), 0);
  EXPECT_TRUE(h_.ReportOk("w", before)->canonical());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_TRUE(h_.Heartbeat("w", {})->drain()) << "it has not ended yet: only its connection was new";

  v1::HeartbeatRequest farewell;
  farewell.set_worker_id("w");
  farewell.set_draining(true);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.Heartbeat(farewell); }).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_FALSE(h_.Heartbeat("w", {})->drain()) << "otherwise it would be started again and again";
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_CORDONED);
  EXPECT_FALSE(GetsLeases("w"));
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_NONE).ok());
  EXPECT_TRUE(GetsLeases("w"));
}

TEST_F(CoordinatorHoldsTest, AWaitingCallOfAWorkerThatIsDrainedIsAnswered) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const auto waiting = h_.Lease("w", 1, 20);
  ASSERT_FALSE(waiting->answered());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_DRAINED).ok());
  ASSERT_TRUE(waiting->answered());
  EXPECT_TRUE(waiting->response.drain());
}

TEST_F(CoordinatorHoldsTest, AHeldWorkerIsNotForgottenForADay) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_CORDONED).ok());
  h_.Pass(minutes(60));
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_CORDONED);
  EXPECT_EQ(Status("v").worker_id(), "");
  h_.Pass(minutes(24 * 60));
  EXPECT_EQ(Status("w").worker_id(), "") << "it does not come back";
}

TEST_F(CoordinatorHoldsTest, BadRequestsOfAdminsAreRefusedInOneLine) {
  EXPECT_TRUE(absl::IsNotFound(h_.Hold("nobody", v1::WORKER_HOLD_CORDONED)));
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Hold("", v1::WORKER_HOLD_CORDONED)));
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Hold("w", v1::WORKER_HOLD_QUARANTINED)));
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Hold("w", static_cast<v1::WorkerHold>(99))));
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE);
}

constexpr double kTooFast = 1e-300;

TEST_F(CoordinatorHoldsTest, AWorkerWhoseImpossibleTimeAnotherRefutesIsQuarantined) {
  const std::string uuid = StartJob(FreeJob(3));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease lie = h_.LeaseOne("w"), held = h_.LeaseOne("w");
  EXPECT_FALSE(h_.ReportOk("w", lie, kTooFast)->canonical());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE) << "it may have been an accident";
  const v1::Lease again = h_.LeaseOne("v");
  ASSERT_EQ(again.candidate_id(), lie.candidate_id());
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

TEST_F(CoordinatorHoldsTest, AWorkerThatNobodyCanCheckIsNotHeldForImpossibleTimes) {
  const std::string uuid = StartJob(FreeJob(5));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), kTooFast)->canonical());
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("suspect"), 5);
  EXPECT_EQ(h_.Job(uuid).progress().best_gflops(), 0);
}

TEST_F(CoordinatorHoldsTest, WorkersThatAgreeOnImpossibleTimesAccuseTheBound) {
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

TEST_F(CoordinatorHoldsTest, OneResultThatCannotBeStoredIsJudgedOnce) {
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

TEST_F(CoordinatorHoldsTest, WhereItsOwnWorkerIsAllThereIsNobodyIsQuarantined) {
  CoordinatorOptions options;
  options.quarantine = false;
  CoordinatorHarness harness(options);
  harness.StartJob(FreeJob(5));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(harness.ReportOk("w", harness.LeaseOne("w"), kTooFast).ok()) << i;
}

/// Workers with CUDA devices of one class, and a job on them for which "honest" found 9 us.
class CudaHoldsTest : public CoordinatorHoldsTest {
 protected:
  CudaHoldsTest() {
    for (const char* worker : {"honest", "other"}) EXPECT_TRUE(h_.Register(worker, CudaDevice()).ok());
    uuid_ = *h_.Submit(FreeJob(6));
    EXPECT_TRUE(ReportCuda("honest", h_.LeaseOne("honest"), 9000)->canonical());
  }
  /// A new candidate, for which "other" claims 2.9 us; it is doubted.
  v1::Lease Claimed(double ns = 2900) {
    const v1::Lease claimed = h_.LeaseOne("other");
    EXPECT_FALSE(ReportCuda("other", claimed, ns)->canonical());
    return claimed;
  }
  v1::Lease LeaseAgain(const std::string& worker, const v1::Lease& claimed) {
    const v1::Lease again = h_.LeaseOne(worker);
    EXPECT_EQ(again.candidate_id(), claimed.candidate_id()) << worker;
    return again;
  }
  std::string uuid_;
};

TEST_F(CudaHoldsTest, ATimeFarBelowAllOthersIsMeasuredAgainAndTheSlowerOneCounts) {
  const v1::Lease claimed = Claimed();
  EXPECT_FALSE(claimed.remeasure());
  const TuningRecord& kept = h_.storage().records.rbegin()->second.record;
  EXPECT_EQ(kept.measurement.outcome, Outcome::kSuspect);
  EXPECT_THAT(kept.measurement.message, HasSubstr("3.1 times as fast as the best that other workers found, 9 us"));
  const v1::Lease again = LeaseAgain("honest", claimed);
  EXPECT_TRUE(again.remeasure()) << "what its worker remembers is no second word";
  EXPECT_EQ(again.incumbent_ns(), 0) << "it is timed to the end";
  EXPECT_TRUE(ReportCuda("honest", again, 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE) << "one word against one";
}

TEST_F(CudaHoldsTest, AThirdWorkerDecides) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease claimed = Claimed();
  EXPECT_FALSE(ReportCuda("honest", LeaseAgain("honest", claimed), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", claimed), 8900)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_THAT(Status("other").hold_reason(),
              AllOf(HasSubstr("it reported 2.9 us"), HasSubstr("honest found 8.8 us; worker third found 8.9 us")));
  EXPECT_EQ(Status("honest").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaHoldsTest, AThirdWorkerMayTakeTheSideOfTheFasterOne) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease claimed = Claimed();
  EXPECT_FALSE(ReportCuda("honest", LeaseAgain("honest", claimed), 8800)->canonical());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", claimed), 2800)->canonical());
  for (const char* worker : {"honest", "other", "third"}) EXPECT_EQ(Status(worker).hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaHoldsTest, TwoWorkersThatContradictItInDifferentCandidatesConvictIt) {
  ReportCuda("honest", LeaseAgain("honest", Claimed()), 8800).value();
  ReportCuda("honest", LeaseAgain("honest", Claimed()), 8800).value();
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE) << "the same word twice";
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  ASSERT_TRUE(h_.Hold("honest", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Claimed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(CudaHoldsTest, AnAccusationOutlivesARestart) {
  ReportCuda("honest", LeaseAgain("honest", Claimed()), 8800).value();
  h_.Restart();
  for (const char* worker : {"honest", "third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  ReportCuda("honest", h_.LeaseOne("honest"), 9000).value();
  ASSERT_TRUE(h_.Hold("honest", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Claimed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(CudaHoldsTest, AnOldAccusationIsForgottenInARestart) {
  ReportCuda("honest", LeaseAgain("honest", Claimed()), 8800).value();
  h_.clock().Advance(minutes(61));
  h_.Restart();
  for (const char* worker : {"honest", "third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  ReportCuda("honest", h_.LeaseOne("honest"), 9000).value();
  ASSERT_TRUE(h_.Hold("honest", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Claimed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaHoldsTest, AQuarantineHoldsForReportsThatComeBeforeTheWorker) {
  const v1::Lease held = h_.LeaseOne("other");
  ReportCuda("honest", LeaseAgain("honest", Claimed(1e-300)), 8800).value();
  ASSERT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  h_.Restart();
  EXPECT_FALSE(ReportCuda("other", held, 8500)->canonical());
  const Measurement& kept = h_.storage().records.rbegin()->second.record.measurement;
  EXPECT_EQ(kept.outcome, Outcome::kSuspect);
  EXPECT_THAT(kept.message, HasSubstr("its worker is in quarantine"));
}

TEST_F(CudaHoldsTest, AWorkerInQuarantineIsLetGoBeforeItComesBack) {
  ReportCuda("honest", LeaseAgain("honest", Claimed(1e-300)), 8800).value();
  h_.Restart();
  EXPECT_TRUE(absl::IsNotFound(h_.Hold("other", v1::WORKER_HOLD_CORDONED)));
  EXPECT_TRUE(h_.Hold("other", v1::WORKER_HOLD_NONE).ok());
  EXPECT_TRUE(absl::IsNotFound(h_.Hold("other", v1::WORKER_HOLD_NONE))) << "nothing holds it any more";
  h_.Restart();
  ASSERT_TRUE(h_.Register("other", CudaDevice()).ok());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaHoldsTest, AQuarantineOutlivesARestartUntilAnAdminEndsIt) {
  ReportCuda("honest", LeaseAgain("honest", Claimed(1e-300)), 8800).value();
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

/// Workers with certificates: their ids begin with the name in it, and they dial from a host.
class PartiesTest : public CoordinatorHoldsTest {
 protected:
  void Add(const std::string& worker, const std::string& host) {
    v1::RegisterRequest request;
    request.set_worker_id(worker);
    request.set_min_protocol(kProtocol);
    request.set_max_protocol(kProtocol);
    *request.add_devices()->mutable_device() = ToWire(CudaDevice());
    const auto registered =
        h_.Call([&](Coordinator& coordinator) { return coordinator.Register(request, "ipv4:" + host); });
    ASSERT_TRUE(registered.ok()) << registered.status();
  }
  /// What becomes of "liar/1" when `first` contradicts one candidate that it claims, and `second` another.
  v1::WorkerHold HoldAfter(const std::string& first, const std::string& second) {
    h_.Submit(FreeJob(12)).value();
    ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
    EXPECT_TRUE(h_.Hold("good/1", v1::WORKER_HOLD_CORDONED).ok());
    ContradictLiar(first, second);
    ContradictLiar(second, first);
    return Status("liar/1").hold();
  }
  /// While `away` asks for nothing.
  void ContradictLiar(const std::string& worker, const std::string& away) {
    EXPECT_TRUE(h_.Hold(away, v1::WORKER_HOLD_CORDONED).ok());
    const v1::Lease claimed = h_.LeaseOne("liar/1");
    EXPECT_FALSE(ReportCuda("liar/1", claimed, 2900)->canonical());
    const v1::Lease again = h_.LeaseOne(worker);
    EXPECT_EQ(again.candidate_id(), claimed.candidate_id());
    EXPECT_TRUE(ReportCuda(worker, again, 8800)->canonical());
    EXPECT_TRUE(h_.Hold(away, v1::WORKER_HOLD_NONE).ok());
  }
  Outcome LastOutcome() { return h_.storage().records.rbegin()->second.record.measurement.outcome; }
};

TEST_F(PartiesTest, TwoIdsOfOneCertificateOnAHostAreOneWitness) {
  Add("good/1", "10.0.0.1");
  Add("liar/1", "10.0.0.2");
  Add("one/1", "10.0.0.3");
  Add("one/2", "10.0.0.3");
  EXPECT_EQ(HoldAfter("one/1", "one/2"), v1::WORKER_HOLD_NONE);
}

TEST_F(PartiesTest, TwoCertificatesAreTwoWitnesses) {
  Add("good/1", "10.0.0.1");
  Add("liar/1", "10.0.0.2");
  Add("one/1", "10.0.0.3");
  Add("two/1", "10.0.0.3");
  EXPECT_EQ(HoldAfter("one/1", "two/1"), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(PartiesTest, OneCertificateOnTwoHostsIsTwoWitnesses) {
  Add("good/1", "10.0.0.1");
  Add("liar/1", "10.0.0.2");
  Add("pool/1", "10.0.0.3");
  Add("pool/2", "10.0.0.4");
  EXPECT_EQ(HoldAfter("pool/1", "pool/2"), v1::WORKER_HOLD_QUARANTINED);
}

TEST_F(PartiesTest, AWorkerWhoseAddressChangesIsOneWitness) {
  Add("good/1", "10.0.0.1");
  Add("liar/1", "10.0.0.2");
  Add("one/1", "10.0.0.3");
  Add("away/1", "10.0.0.5");
  h_.Submit(FreeJob(12)).value();
  ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
  ASSERT_TRUE(h_.Hold("good/1", v1::WORKER_HOLD_CORDONED).ok());
  ContradictLiar("one/1", "away/1");
  Add("one/1", "10.0.0.4");
  ContradictLiar("one/1", "away/1");
  EXPECT_EQ(Status("liar/1").hold(), v1::WORKER_HOLD_NONE);
  h_.Restart();
  for (const auto& [worker, host] : {std::pair("good/1", "10.0.0.1"), {"liar/1", "10.0.0.2"}, {"away/1", "10.0.0.5"}}) {
    Add(worker, host);
  }
  ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
  ASSERT_TRUE(h_.Hold("good/1", v1::WORKER_HOLD_CORDONED).ok());
  Add("one/1", "10.0.0.4");
  ContradictLiar("one/1", "away/1");
  EXPECT_EQ(Status("liar/1").hold(), v1::WORKER_HOLD_NONE) << "nor after a restart";
  ContradictLiar("away/1", "one/1");
  EXPECT_EQ(Status("liar/1").hold(), v1::WORKER_HOLD_QUARANTINED) << "the first that is another";
}

TEST_F(PartiesTest, AnIdDoesNotCheckAnotherOfItsCertificate) {
  Add("good/1", "10.0.0.1");
  Add("liar/1", "10.0.0.2");
  Add("liar/2", "10.0.0.2");
  h_.Submit(FreeJob(6)).value();
  ReportCuda("good/1", h_.LeaseOne("good/1"), 9000).value();
  const v1::Lease claimed = h_.LeaseOne("liar/1");
  EXPECT_FALSE(ReportCuda("liar/1", claimed, 2900)->canonical());
  EXPECT_NE(h_.LeaseOne("liar/2").candidate_id(), claimed.candidate_id()) << "another party is asked";
  const v1::Lease again = h_.LeaseOne("good/1");
  ASSERT_EQ(again.candidate_id(), claimed.candidate_id());
  EXPECT_TRUE(ReportCuda("good/1", again, 8900)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kOk);
}

TEST_F(PartiesTest, WhatFailedOnAWorkerGoesToAnotherOfItsParty) {
  Add("a/1", "10.0.0.1");
  Add("a/2", "10.0.0.1");
  h_.Submit(FreeJob(6)).value();
  const v1::Lease failed = h_.LeaseOne("a/1");
  v1::CandidateReport report;
  report.set_token(failed.token());
  report.set_infrastructure_error("disk full");
  ASSERT_TRUE(h_.Report("a/1", report).ok());
  EXPECT_NE(h_.LeaseOne("a/1").candidate_id(), failed.candidate_id());
  EXPECT_EQ(h_.LeaseOne("a/2").candidate_id(), failed.candidate_id());
}

TEST_F(PartiesTest, OnePartyAloneIsBelievedAsOneWorkerAloneIs) {
  Add("a/1", "10.0.0.1");
  Add("a/2", "10.0.0.1");
  h_.Submit(FreeJob(6)).value();
  EXPECT_TRUE(ReportCuda("a/1", h_.LeaseOne("a/1"), 9000)->canonical());
  EXPECT_TRUE(ReportCuda("a/2", h_.LeaseOne("a/2"), 2900)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kOk);
}

TEST_F(PartiesTest, AnImprovementThatAnotherPartyConfirmsCounts) {
  for (const char* worker : {"a/1", "a/2", "a/3"}) Add(worker, "10.0.0.1");
  Add("b/1", "10.0.0.2");
  h_.Submit(FreeJob(8)).value();
  for (const char* worker : {"a/1", "a/2", "a/3", "b/1"}) {
    EXPECT_TRUE(ReportCuda(worker, h_.LeaseOne(worker), 9000)->canonical());
  }
  const v1::Lease found = h_.LeaseOne("a/1");
  EXPECT_FALSE(ReportCuda("a/1", found, 2900)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kSuspect);
  for (const char* worker : {"a/1", "a/2", "a/3"}) {
    EXPECT_NE(h_.LeaseOne(worker).candidate_id(), found.candidate_id()) << worker;
  }
  const v1::Lease again = h_.LeaseOne("b/1");
  ASSERT_EQ(again.candidate_id(), found.candidate_id());
  EXPECT_TRUE(ReportCuda("b/1", again, 2950)->canonical());
  EXPECT_EQ(LastOutcome(), Outcome::kOk);
}

TEST_F(PartiesTest, OneThatIsNotRegisteredDoesNotCheckItsParty) {
  Add("a/1", "10.0.0.1");
  h_.Submit(FreeJob(6)).value();
  EXPECT_TRUE(ReportCuda("a/1", h_.LeaseOne("a/1"), 9000)->canonical());
  const v1::Lease held = h_.LeaseOne("a/1");
  h_.Restart();
  Add("a/2", "10.0.0.1");
  Add("b/1", "10.0.0.2");
  EXPECT_TRUE(ReportCuda("a/2", h_.LeaseOne("a/2"), 9000)->canonical());
  EXPECT_TRUE(ReportCuda("a/1", held, 2900)->canonical()) << "no other party has found anything";
}

TEST(Parties, ThatMayBeTheSameCountAsOne) {
  EXPECT_EQ(CountParties({}), 0u);
  EXPECT_EQ(CountParties({"a at h", "a at h", "b at h", "a at g"}), 3u);
  EXPECT_EQ(CountParties({"a at ", "a at h", "a at g"}), 2u);
  EXPECT_EQ(CountParties({"a at h", "a at "}), 1u);
  EXPECT_EQ(CountParties({"a at ", "b at "}), 2u);
  EXPECT_FALSE(SameParty("a at ", "ab at h"));
  EXPECT_FALSE(SameParty("a", "a at h"));
}

TEST(Parties, AWitnessIsReadAsItWasWritten) {
  EXPECT_EQ(WitnessText({"w", "w"}), "w");
  for (const char* host : {"10.0.0.1", "::1", ""}) {
    const Witness read = ParseWitness(WitnessText({"gpu-a/x at y", PartyText("gpu-a/x at y", host)}));
    EXPECT_EQ(read.worker, "gpu-a/x at y");
    EXPECT_EQ(read.party, absl::StrCat("gpu-a at ", host));
  }
  for (const char* whole : {"w", "gpu-a at 10.0.0.1", "w at the top"}) {
    EXPECT_EQ(ParseWitness(whole).worker, whole);
    EXPECT_EQ(ParseWitness(whole).party, whole);
  }
}

TEST_F(CudaHoldsTest, AnAccusationIsForgotten) {
  ReportCuda("honest", LeaseAgain("honest", Claimed()), 8800).value();
  h_.Pass(minutes(61));
  for (const char* worker : {"third", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  EXPECT_TRUE(ReportCuda("third", LeaseAgain("third", Claimed()), 8800)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CudaHoldsTest, OneThatIsConfirmedCounts) {
  EXPECT_TRUE(ReportCuda("honest", LeaseAgain("honest", Claimed()), 8700)->canonical());
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE) << "within a factor of three";
  EXPECT_TRUE(ReportCuda("other", h_.LeaseOne("other"), 3100)->canonical()) << "not far below";
}

TEST_F(CudaHoldsTest, ASecondLieIsNotBelievedBecauseItIsTheSecond) {
  const v1::Lease claimed = Claimed();
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease again = LeaseAgain("third", claimed);
  ASSERT_TRUE(h_.Hold("honest", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("third", again, 10)->canonical());
  EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kSuspect);
}

TEST_F(CudaHoldsTest, WrongResultsOfTwoWorkersConvictAndOfOneDoNot) {
  ASSERT_TRUE(h_.Register("third", CudaDevice()).ok());
  const v1::Lease claimed = Claimed();
  for (const char* worker : {"honest", "third"}) {
    EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
    v1::CandidateReport report = OkReport(LeaseAgain(worker, claimed).token());
    *report.mutable_device() = ToWire(CudaDevice());
    report.mutable_measurement()->set_outcome("wrong_result");
    EXPECT_EQ(h_.Report(worker, report)->canonical(), worker == std::string("third"));
    EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kWrongResult);
  }
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  EXPECT_THAT(Status("other").hold_reason(), HasSubstr("found a wrong result"));
}

TEST_F(CudaHoldsTest, ADeviceInTroubleConvictsNobody) {
  constexpr char kHot[] = "hw thermal slowdown";
  for (const char* worker : {"slow", "slower"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  ASSERT_TRUE(h_.Hold("honest", v1::WORKER_HOLD_CORDONED).ok());
  const v1::Lease claimed = Claimed();
  ReportCuda("slow", LeaseAgain("slow", claimed), 9100, kHot).value();
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
  ReportCuda("slower", h_.LeaseOne("slower"), 9100, kHot).value();
  EXPECT_EQ(Status("other").hold(), v1::WORKER_HOLD_NONE);
}

TEST_F(CoordinatorHoldsTest, TheTimesOfADeviceInTroubleAreNoReasonToDoubtOthers) {
  for (const char* worker : {"slow", "good"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  h_.Submit(FreeJob(4)).value();
  EXPECT_TRUE(ReportCuda("slow", h_.LeaseOne("slow"), 9000, "hw thermal slowdown")->canonical());
  EXPECT_TRUE(ReportCuda("good", h_.LeaseOne("good"), 2900)->canonical());
}

TEST_F(CudaHoldsTest, ADoubtedWorkerDoesNotConfirmItself) {
  const v1::Lease claimed = Claimed(100);
  v1::CandidateReport back;
  back.set_token(LeaseAgain("honest", claimed).token());
  back.set_released(true);
  ASSERT_TRUE(h_.Report("honest", back).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), claimed.candidate_id());
  v1::CandidateReport failed;
  failed.set_token(LeaseAgain("honest", claimed).token());
  failed.set_infrastructure_error("out of disk");
  ASSERT_TRUE(h_.Report("honest", failed).ok());
  EXPECT_NE(h_.LeaseOne("other").candidate_id(), claimed.candidate_id());
  // Nobody else is left: then it stays suspect.
  ASSERT_TRUE(h_.Hold("honest", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_TRUE(ReportCuda("other", LeaseAgain("other", claimed), 100)->canonical());
  EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kSuspect);
  EXPECT_EQ(h_.Job(uuid_).progress().outcomes().at("suspect"), 1);
}

TEST_F(CudaHoldsTest, AReportOfAnotherDeviceThanThatOfTheLeaseIsAFailure) {
  const v1::Lease lease = h_.LeaseOne("other");
  v1::CandidateReport report = OkReport(lease.token());
  DeviceInfo invented = CudaDevice();
  invented.uuid = "GPU-invented-17";
  *report.mutable_device() = ToWire(invented);
  EXPECT_FALSE(h_.Report("other", report)->canonical());
  EXPECT_EQ(h_.storage().attempts.at(lease.token()).row.state, AttemptState::kFailed);
}

TEST_F(CoordinatorHoldsTest, TimesOfTheSimtDeviceAreNotDoubtedForTheirSpeed) {
  StartJob(FreeJob(2));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"), 9000)->canonical());
  EXPECT_TRUE(h_.ReportOk("v", h_.LeaseOne("v"), 90)->canonical());
}

}  // namespace
}  // namespace mmtune
