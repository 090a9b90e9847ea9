// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A coordinator that was stopped for a while judges nobody by that; and a result that comes late counts while its
// candidate waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "proto/base/log.h"
#include "server/coordinator/log_writer.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SuspendAwareClock, AdvancesByOneStepDuringAPause) {
  FakeClock real;
  const SuspendAwareClock clock(real);
  const TimePoint start = clock.Now();
  for (int i = 0; i < 10; ++i) {
    real.Advance(milliseconds(1500));
    clock.Now();
  }
  EXPECT_EQ(clock.Now() - start, seconds(15));
  real.Advance(hours(1));
  EXPECT_EQ(clock.Now() - start, seconds(17));
  EXPECT_EQ(clock.Now() - start, seconds(17));
  real.Advance(seconds(1));
  EXPECT_EQ(clock.Now() - start, seconds(18));
  EXPECT_EQ(clock.UnixMillis(), real.UnixMillis());
}

TEST(SuspendAwareClock, LogsPausesOnceInTenSeconds) {
  FakeClock real;
  const SuspendAwareClock clock(real);
  const LogLevel before = GetLogLevel();
  SetLogLevel(LogLevel::kWarning);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 6; ++i) {
    real.Advance(seconds(5));
    clock.Now();
  }
  // After 5, 15 and 25 of the 30 seconds: 3, 6 and 6 were left out since.
  const std::string said = testing::internal::GetCapturedStderr();
  SetLogLevel(before);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 3) << said;
  EXPECT_THAT(said, testing::HasSubstr("seconds=6"));
}

class CoordinatorPauseTest : public CoordinatorWorkTest {
 protected:
  std::vector<AttemptState> AttemptStates() {
    std::vector<AttemptState> states;
    for (const auto& [token, attempt] : h_.storage().attempts) states.push_back(attempt.row.state);
    return states;
  }
  /// The lease of "w" runs out, twice.
  std::vector<v1::Lease> LoseTwice() {
    std::vector<v1::Lease> leases;
    for (int i = 0; i < 2; ++i) {
      if (!h_.Register("w", SimtDevice()).ok()) return {};
      leases.push_back(h_.LeaseOne("w"));
      h_.Pass(seconds(31));
    }
    return leases;
  }
  bool ToldToStop(const std::string& worker, const v1::Lease& lease) {
    return h_.Heartbeat(worker, {lease.token()})->cancel_tokens_size() == 1;
  }
};

TEST_F(CoordinatorPauseTest, UptimeIncludesPauses) {
  h_.clock().Advance(hours(1));
  EXPECT_EQ(h_.coordinator().GetServerInfo().uptime_seconds(), 3600);
}

TEST_F(CoordinatorPauseTest, PauseExpiresNoLeaseAndSilencesNoWorker) {
  const std::string uuid = StartJob(FreeJob(1));
  const v1::Lease lease = h_.LeaseOne("w");
  for (int i = 0; i < 3; ++i) {
    h_.Pause(hours(1));
    EXPECT_THAT(AttemptStates(), ElementsAre(AttemptState::kLive));
    EXPECT_TRUE(Status("w").live());
    EXPECT_EQ(h_.Job(uuid).message(), "");
    EXPECT_EQ(h_.Heartbeat("w", {lease.token()})->cancel_tokens_size(), 0);
  }
  EXPECT_TRUE(h_.ReportOk("w", lease)->canonical());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
}

TEST_F(CoordinatorPauseTest, SilenceBeforeAndAfterAPauseCounts) {
  StartJob(FreeJob(1));
  h_.LeaseOne("w");
  h_.Pass(seconds(20));
  h_.Pause(hours(1));
  h_.Pass(seconds(7));
  EXPECT_THAT(AttemptStates(), ElementsAre(AttemptState::kLive));
  h_.Pass(seconds(2));
  EXPECT_THAT(AttemptStates(), ElementsAre(AttemptState::kExpired));
}

TEST_F(CoordinatorPauseTest, PauseEndsNoWaitForADevice) {
  CoordinatorHarness h({.max_wait = seconds(60)});
  const std::string uuid = *h.Submit(FreeJob(1));
  h.Pause(hours(1));
  EXPECT_EQ(h.Job(uuid).state(), v1::JOB_STATE_WAITING);
  h.Pass(seconds(60));
  EXPECT_EQ(h.Job(uuid).state(), v1::JOB_STATE_FAILED);
}

TEST_F(CoordinatorPauseTest, LateOkCompletesAQueuedCandidate) {
  const std::string uuid = StartJob(FreeJob(1));
  const v1::Lease lease = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_THAT(AttemptStates(), ElementsAre(AttemptState::kExpired));
  EXPECT_TRUE(h_.ReportOk("w", lease)->canonical());
  EXPECT_TRUE(h_.ReportOk("w", lease)->duplicate());
  EXPECT_THAT(AttemptStates(), ElementsAre(AttemptState::kReported));
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
}

TEST_F(CoordinatorPauseTest, LateOkEndsTheLeaseOfAnotherWorker) {
  const std::string uuid = StartJob(FreeJob(2));
  const v1::Lease late = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease fresh = h_.LeaseOne("v");
  ASSERT_EQ(fresh.candidate_id(), late.candidate_id());
  EXPECT_TRUE(h_.ReportOk("w", late)->canonical());
  EXPECT_TRUE(ToldToStop("v", fresh));
  EXPECT_FALSE(h_.ReportOk("v", fresh)->canonical()) << "it comes too late now, and is kept";
  EXPECT_EQ(h_.storage().records.size(), 2u);
  EXPECT_EQ(h_.Job(uuid).progress().done(), 1);
}

TEST_F(CoordinatorPauseTest, LateFailureIsStoredAndDecidesNothing) {
  StartJob(FreeJob(1));
  const v1::Lease late = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  const v1::Lease fresh = h_.LeaseOne("v");
  v1::CandidateReport report = OkReport(late.token());
  report.mutable_measurement()->set_outcome("timed_out");
  EXPECT_FALSE(h_.Report("w", report)->canonical());
  EXPECT_FALSE(ToldToStop("v", fresh));
  EXPECT_TRUE(h_.ReportOk("v", fresh)->canonical());
}

TEST_F(CoordinatorPauseTest, LateOkPreventsACrashRecord) {
  const std::string uuid = StartJob(FreeJob(1));
  const v1::Lease first = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  h_.LeaseOne("v");
  ASSERT_TRUE(h_.ReportOk("w", first)->canonical());
  h_.Pass(seconds(31));
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 1);
  EXPECT_EQ(h_.storage().records.size(), 1u);
}

TEST_F(CoordinatorPauseTest, LateOkOfAQuarantinedWorkerDecidesNothing) {
  for (const char* worker : {"honest", "other"}) ASSERT_TRUE(h_.Register(worker, CudaDevice()).ok());
  h_.Submit(FreeJob()).value();
  const v1::Lease late = h_.LeaseOne("other");
  ASSERT_FALSE(ReportCuda("other", h_.LeaseOne("other"), 1e-300)->canonical());
  ASSERT_TRUE(ReportCuda("honest", h_.LeaseOne("honest"), 8800)->canonical());
  ASSERT_EQ(Status("other").hold(), v1::WORKER_HOLD_QUARANTINED);
  h_.Pass(seconds(31));
  EXPECT_FALSE(ReportCuda("other", late, 9000)->canonical());
  EXPECT_EQ(h_.storage().records.rbegin()->second.record.measurement.outcome, Outcome::kSuspect);
  EXPECT_EQ(h_.LeaseOne("honest").candidate_id(), late.candidate_id());
}

TEST_F(CoordinatorPauseTest, LateOkOfALeaseWithARecordIsADuplicate) {
  StartJob(FreeJob());
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w")).ok());
  const v1::Lease late = h_.LeaseOne("w");
  h_.Pass(seconds(31));
  FakeLogStorage& storage = h_.storage();
  FakeLogStorage::Record kept = storage.records.begin()->second;
  kept.candidate_id = late.candidate_id();
  kept.record.canonical = false;
  storage.records[2] = kept;
  storage.attempts.at(late.token()).record_id = 2;
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_TRUE(h_.ReportOk("w", late)->duplicate());
  const v1::Lease again = h_.LeaseOne("w");
  EXPECT_EQ(again.candidate_id(), late.candidate_id()) << "it waits as before";
  EXPECT_TRUE(h_.ReportOk("w", again)->canonical());
}

TEST_F(CoordinatorPauseTest, CrashRecordIsNotReusedAfterALateOk) {
  const std::string uuid = StartJob(FreeJob(1));
  const std::vector<v1::Lease> leases = LoseTwice();
  ASSERT_EQ(h_.Job(uuid).progress().outcomes().at("crashed"), 1);
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string told = *h_.Submit(FreeJob(1));
  EXPECT_EQ(h_.Job(told).progress().from_log(), 1) << "no late result refutes it";
  EXPECT_FALSE(h_.ReportOk("w", leases.back())->canonical());
  h_.Pass(seconds(1));
  h_.Submit(FreeJob(1)).value();
  EXPECT_TRUE(h_.ReportOk("w", h_.LeaseOne("w"))->canonical());
  const std::string last = *h_.Submit(FreeJob(1));
  EXPECT_EQ(h_.Job(last).progress().outcomes().at("ok"), 1);
  EXPECT_THAT(h_.LeaseOne("w").token(), IsEmpty());
}

}  // namespace
}  // namespace mmtune
