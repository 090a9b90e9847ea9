// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Restarts, and a log that fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

class CoordinatorRecoveryTest : public testing::Test {
 protected:
  CoordinatorHarness h_;
};

TEST_F(CoordinatorRecoveryTest, JobContinuesAfterARestart) {
  for (const char* strategy : {"exhaustive", "random", "evolutionary", "model"}) {
    ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
    v1::JobSpec spec = FreeJob(10);
    spec.set_strategy(strategy);
    spec.set_remeasure(true);
    absl::StatusOr<std::string> uuid = h_.Submit(spec);
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w")).ok());
    v1::Lease held = h_.LeaseOne("w");
    h_.Restart();
    EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_WAITING);
    // The lease it held is still its own, registered again or not.
    absl::StatusOr<v1::HeartbeatResponse> beat = h_.Heartbeat("w", {held.token()});
    EXPECT_TRUE(beat->unknown_worker());
    EXPECT_THAT(beat->cancel_tokens(), testing::IsEmpty());
    ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
    EXPECT_TRUE(h_.ReportOk("w", held)->canonical());
    EXPECT_EQ(h_.Drain(), 5) << strategy;
    v1::Job job = h_.Job(*uuid);
    EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
    EXPECT_EQ(job.progress().done(), 10);
    EXPECT_EQ(job.progress().from_log(), 0);
  }
}

TEST_F(CoordinatorRecoveryTest, ReportBeforeRegisteringAgainIsAccepted) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob());
  v1::Lease held = h_.LeaseOne("w");
  h_.Restart();
  EXPECT_TRUE(h_.ReportOk("w", held)->canonical());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Drain(), 11);
  EXPECT_EQ(h_.Job(*uuid).progress().done(), 12);
}

TEST_F(CoordinatorRecoveryTest, LeaseWithoutHeartbeatsExpiresAfterARestart) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  ASSERT_TRUE(h_.Submit(FreeJob(1)).ok());
  v1::Lease held = h_.LeaseOne("w");
  h_.Restart();
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_TRUE(h_.LeaseOne("v").token().empty());
  h_.Pass(seconds(31));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_EQ(h_.LeaseOne("v").candidate_id(), held.candidate_id());
}

TEST_F(CoordinatorRecoveryTest, LeasesOfAnEarlierProcessExpireAtOnce) {
  ASSERT_TRUE(h_.Register("w", SimtDevice(), {}, 0, "first").ok());
  ASSERT_TRUE(h_.Register("v", SimtDevice(), {}, 0, "other").ok());
  ASSERT_TRUE(h_.Submit(FreeJob(2)).ok());
  const v1::Lease held = h_.LeaseOne("w");
  const v1::Lease of_other = h_.LeaseOne("v");
  // The same process registers again after each reconnect, and keeps what it has.
  ASSERT_TRUE(h_.Register("w", SimtDevice(), {}, 0, "first").ok());
  EXPECT_EQ(h_.Heartbeat("w", {held.token()})->cancel_tokens_size(), 0);
  ASSERT_TRUE(h_.Register("w", SimtDevice(), {}, 0, "second").ok());
  EXPECT_EQ(h_.Heartbeat("w", {held.token()})->cancel_tokens_size(), 1);
  EXPECT_EQ(h_.Heartbeat("v", {of_other.token()})->cancel_tokens_size(), 0) << "that of another worker goes on";
  // The other worker gets it: this one may have ended by it.
  EXPECT_EQ(h_.LeaseOne("v").candidate_id(), held.candidate_id());
}

TEST_F(CoordinatorRecoveryTest, CandidateOutsideTheSpaceIsDroppedWhenItsWorkersFail) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob(2));
  v1::Lease lease = h_.LeaseOne("w");
  const int64_t gone = lease.candidate_id();
  h_.storage().candidates.at(gone).schedule = {"free", {{"x", 99}, {"y", 5}}};  // of another version of the program
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (int failures = 0; lease.candidate_id() == gone; ++failures) {
    ASSERT_LT(failures, 10);
    v1::CandidateReport report;
    report.set_token(lease.token());
    report.set_infrastructure_error("no such schedule");
    ASSERT_TRUE(h_.Report("w", report).ok());
    lease = h_.LeaseOne("w");
  }
  ASSERT_TRUE(h_.ReportOk("w", lease).ok());
  EXPECT_EQ(h_.Drain(), 1);
  const v1::Job job = h_.Job(*uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().done(), 2);
  EXPECT_EQ(job.progress().outcomes().count("not_measured"), 0u) << "it was none of the two trials";
}

TEST_F(CoordinatorRecoveryTest, EmbeddedCoordinatorMarksOldJobsInterrupted) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob());
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w")).ok());
  v1::Lease held = h_.LeaseOne("w");
  h_.Restart(/*resume_jobs=*/false);
  EXPECT_EQ(h_.storage().jobs.begin()->second.state, JobState::kInterrupted);
  EXPECT_EQ(h_.storage().attempts.at(held.token()).row.state, AttemptState::kExpired);
  EXPECT_FALSE(h_.ReportOk("w", held)->canonical());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> again = h_.Submit(FreeJob());
  EXPECT_EQ(h_.Drain(), 11);
  EXPECT_EQ(h_.Job(*again).progress().from_log(), 1);
}

TEST_F(CoordinatorRecoveryTest, FailedCommitIsNotAcknowledgedAndLosesNothing) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob(3));
  v1::Lease lease = h_.LeaseOne("w");
  // Whichever call of the log fails, the answer is Unavailable and the next try succeeds.
  int failures = 0;
  for (int n = 1; n < 40; ++n) {
    const size_t records = h_.storage().records.size();
    h_.log().FailAfter(n);
    absl::StatusOr<v1::ReportStatus> status = h_.ReportOk("w", lease);
    if (!status.ok()) {
      ++failures;
      EXPECT_TRUE(absl::IsUnavailable(status.status()));
      EXPECT_EQ(h_.storage().records.size(), records);
      status = h_.ReportOk("w", lease);
    }
    h_.log().FailAfter(0);
    ASSERT_TRUE(status.ok());
    EXPECT_TRUE(status->canonical());
    if (!status->duplicate()) lease = h_.LeaseOne("w");
    if (lease.token().empty()) {
      uuid = h_.Submit([] {
        v1::JobSpec spec = FreeJob(3);
        spec.set_remeasure(true);
        return spec;
      }());
      lease = h_.LeaseOne("w");
    }
  }
  EXPECT_GT(failures, 5);
}

TEST_F(CoordinatorRecoveryTest, JobWhoseEndWasUndoneIsKeptWhileOthersEnd) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto remeasured = [] {
    v1::JobSpec spec = FreeJob(1);
    spec.set_remeasure(true);
    return spec;
  };
  absl::StatusOr<std::string> undone = h_.Submit(remeasured());
  ASSERT_TRUE(undone.ok());
  v1::Lease lease = h_.LeaseOne("w");
  int failures = 0;
  for (int n = 1; h_.Job(*undone).state() == v1::JOB_STATE_RUNNING; ++n) {
    h_.log().FailAfter(n);
    if (!h_.ReportOk("w", lease).ok()) ++failures;
    h_.log().FailAfter(0);
    if (failures == 0) break;
    if (n > 40) break;
  }
  EXPECT_GT(failures, 0);
  // More than are kept in memory after their end: the ended ones go, nothing is taken for one of them.
  for (int i = 0; i < 80; ++i) {
    ASSERT_TRUE(h_.Submit(remeasured()).ok());
    v1::Lease other = h_.LeaseOne("w");
    ASSERT_FALSE(other.token().empty()) << i;
    v1::ServerInfo info = h_.coordinator().GetServerInfo();
    ASSERT_EQ(info.leases_size(), 1) << i;
    ASSERT_TRUE(h_.ReportOk("w", other).ok()) << i;
  }
}

TEST_F(CoordinatorRecoveryTest, JobsThatEndedBeforeAFailureAreKeptAndShortened) {
  const std::string first = h_.StartJob(FreeJob(1));
  ASSERT_EQ(h_.Drain(), 1);
  h_.log().FailAfter(2);
  ASSERT_FALSE(h_.Submit(FreeJob()).ok());
  EXPECT_EQ(h_.Job(first).state(), v1::JOB_STATE_DONE);
  EXPECT_GT(h_.Events(first).size(), 1u);
  for (int i = 0; i < 80; ++i) {
    ASSERT_TRUE(h_.Submit(FreeJob(1)).ok());
    if (i == 10) {
      EXPECT_EQ(h_.Events(first).size(), 1u);
    }
  }
  EXPECT_EQ(h_.feeds().Find(first), nullptr);
}

TEST_F(CoordinatorRecoveryTest, UndoneSubmissionsLeaveNoFeeds) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  int undone = 0;
  for (int n = 1; n < 20; ++n) {
    h_.log().FailAfter(n);
    undone += !h_.Submit(FreeJob(1)).ok();
    h_.log().FailAfter(0);
    EXPECT_EQ(h_.feeds().size(), static_cast<size_t>(h_.coordinator().GetServerInfo().jobs_size())) << n;
  }
  EXPECT_GT(undone, 2);
}

TEST_F(CoordinatorRecoveryTest, FailedLoadsLeaveNoFeeds) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (int n = 1; n < 20; ++n) {
    ASSERT_TRUE(h_.Submit(FreeJob(1)).ok());
    h_.Drain();
    h_.log().FailAfter(1);
    // Loading fails, too: in its n-th call of the log.
    const WriteCommand empty{[](Coordinator&) { return absl::OkStatus(); },
                             [&](const absl::Status&) { h_.log().FailAfter(n, /*once=*/true); }};
    ASSERT_FALSE(h_.Run({empty}).ok());
    h_.log().FailAfter(0);
    h_.Pass(seconds(1));
    EXPECT_FALSE(h_.runner().broken());
    EXPECT_EQ(h_.feeds().size(), static_cast<size_t>(h_.coordinator().GetServerInfo().jobs_size())) << n;
  }
}

TEST_F(CoordinatorRecoveryTest, UncommittedLeaseIsNotGranted) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  ASSERT_TRUE(h_.Submit(FreeJob()).ok());
  h_.log().FailAfter(3);
  auto call = h_.Lease("w");
  EXPECT_TRUE(absl::IsUnavailable(call->status));
  EXPECT_EQ(call->response.leases_size(), 0);
  EXPECT_TRUE(h_.storage().attempts.empty());
  EXPECT_FALSE(h_.LeaseOne("w").token().empty());
}

TEST_F(CoordinatorRecoveryTest, EventsArePublishedOnlyAfterTheCommit) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob());
  v1::Lease lease = h_.LeaseOne("w");
  const size_t before = h_.Events(*uuid).size();
  h_.log().FailAfter(4);
  ASSERT_FALSE(h_.ReportOk("w", lease).ok());
  for (const v1::JobEvent& event : h_.Events(*uuid)) EXPECT_FALSE(event.has_record());
  ASSERT_TRUE(h_.ReportOk("w", lease).ok());
  EXPECT_GT(h_.Events(*uuid).size(), before);
  EXPECT_TRUE(h_.Events(*uuid).back().has_record());
}

TEST_F(CoordinatorRecoveryTest, ResumedJobKeepsItsClassOfDevices) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob());
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w")).ok());
  h_.Restart();
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_WAITING);
  EXPECT_THAT(h_.Job(*uuid).message(), testing::HasSubstr("class"));
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_RUNNING);
}

}  // namespace
}  // namespace mmtune
