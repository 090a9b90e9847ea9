// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/log_writer.h"
#include "tests/fake_clock.h"
#include "tests/server/fake_tuning_log.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

// Thirty candidates that nobody has proposed yet.
FakeLogStorage MakeStorage() {
  FakeLogStorage storage;
  storage.jobs[1].id = 1;
  for (int64_t id = 1; id <= 30; ++id) storage.candidates[id] = {id, 1, {}, CandidateState::kQueued};
  return storage;
}

class LeaseTableTest : public testing::Test {
 protected:
  LeaseTableTest()
      : leases_({seconds(30), 3, 2}, transaction_, clock_, [this] { return absl::StrCat("token-", ++tokens_); }) {}

  void Add(int64_t id, int64_t job = 1, Duration cap = std::chrono::hours(1)) {
    EXPECT_TRUE(leases_.Enqueue({id, job, {}, cap, 0, /*awaited=*/true}).ok());
  }

  /// `others`: both "a" and "b" serve, and nobody else. Each is a party of its own.
  std::vector<LiveLease> Grant(const std::string& worker, int max = 1, bool others = false, int64_t job = 1,
                               const std::string& request = "request") {
    LeaseGrant grant{worker, worker, "device", request, job, max, {}};
    if (others) {
      grant.others_serve = [](const std::vector<std::string>& trust_domains, std::string_view but) {
        const auto serves = [&](const char* worker) {
          return but != worker && std::find(trust_domains.begin(), trust_domains.end(), worker) == trust_domains.end();
        };
        return serves("a") || serves("b");
      };
    }
    return *leases_.Grant(grant);
  }
  LiveLease GrantOne(const std::string& worker, bool others = false) {
    std::vector<LiveLease> granted = Grant(worker, 1, others);
    EXPECT_EQ(granted.size(), 1u);
    return granted.empty() ? LiveLease() : granted[0];
  }
  absl::Status Dispute(const LiveLease& lease) {
    return leases_.Dispute(lease.token, {.worker = lease.worker, .trust_domain = lease.worker});
  }
  LeaseOutcome Fail(const LiveLease& lease) { return *leases_.Fail(lease.token, "out of disk"); }

  std::vector<LostLease> Expire() {
    std::vector<LostLease> lost;
    while (std::optional<LostLease> next = *leases_.ExpireNext()) lost.push_back(*std::move(next));
    return lost;
  }

  CandidateState StateOf(int64_t id) { return storage_.candidates.at(id).state; }
  const AttemptRow& RowOf(const LiveLease& lease) { return storage_.attempts.at(lease.token).row; }

  FakeClock clock_;
  int tokens_ = 0;
  FakeLogStorage storage_ = MakeStorage();
  FakeTuningLog log_{storage_};
  LogTransaction transaction_{log_};
  LeaseTable leases_;
};

TEST_F(LeaseTableTest, GrantsQueuedCandidatesInOrderAndOnce) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  Add(2);  // already there
  std::vector<LiveLease> first = Grant("a", 2);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].candidate_id, 1);
  EXPECT_EQ(first[1].candidate_id, 2);
  EXPECT_NE(first[0].token, first[1].token);
  EXPECT_EQ(GrantOne("b").candidate_id, 3);
  EXPECT_TRUE(Grant("b").empty());
  EXPECT_EQ(leases_.Live(1), 3);
  EXPECT_EQ(leases_.Queued(1), 0);
}

TEST_F(LeaseTableTest, RepeatedRequestFindsOnlyItsWorkersLiveLeases) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  const std::vector<LiveLease> of_a = Grant("a", 2);
  const LiveLease of_b = GrantOne("b");
  const auto repeated = [this](const char* worker) {
    std::vector<std::string> tokens;
    for (const LiveLease& lease : leases_.GrantedTo(worker, "request")) tokens.push_back(lease.token);
    return tokens;
  };
  EXPECT_THAT(repeated("a"), testing::ElementsAre(of_a[0].token, of_a[1].token));
  EXPECT_THAT(repeated("b"), testing::ElementsAre(of_b.token));
  ASSERT_TRUE(leases_.Complete(of_a[0].token).ok());
  EXPECT_THAT(repeated("a"), testing::ElementsAre(of_a[1].token));
  EXPECT_THAT(repeated("b"), testing::ElementsAre(of_b.token));
  EXPECT_TRUE(leases_.GrantedTo("a", "another").empty());
  leases_.Clear();
  EXPECT_TRUE(repeated("a").empty());
}

TEST_F(LeaseTableTest, DisputedCandidateGoesToAnotherWorker) {
  Add(1);
  const LiveLease first = GrantOne("a");
  EXPECT_TRUE(leases_.Disputed(first.token).empty());
  EXPECT_TRUE(Dispute(first).ok());
  EXPECT_EQ(leases_.Live(1), 0);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty());
  const LiveLease second = GrantOne("b", /*others=*/true);
  EXPECT_EQ(second.attempt, 2);
  ASSERT_EQ(leases_.Disputed(second.token).size(), 1u);
  EXPECT_EQ(leases_.Disputed(second.token)[0].worker, "a");
  EXPECT_TRUE(Dispute(second).ok());
  const LiveLease third = GrantOne("c", /*others=*/true);
  EXPECT_TRUE(absl::IsFailedPrecondition(Dispute(third)));
  EXPECT_NE(leases_.FindLease(third.token), nullptr);
}

TEST_F(LeaseTableTest, DisputedCandidateStaysReservedAfterItsNextLeaseEnds) {
  Add(1);
  ASSERT_TRUE(Dispute(GrantOne("a")).ok());
  ASSERT_TRUE(leases_.Release(GrantOne("b", /*others=*/true).token).ok());
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty()) << "handed back";
  EXPECT_EQ(Fail(GrantOne("b", /*others=*/true)), LeaseOutcome::kRequeued);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty()) << "failed";
  GrantOne("b", /*others=*/true);
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty()) << "lost";
  ASSERT_TRUE(leases_.Release(GrantOne("b", /*others=*/true).token).ok());
  EXPECT_EQ(GrantOne("a", /*others=*/false).candidate_id, 1) << "when nobody else is left";
}

TEST_F(LeaseTableTest, KeepsJobsApart) {
  Add(1, /*job=*/1);
  Add(2, /*job=*/2);
  EXPECT_EQ(Grant("a", 5, false, 2).size(), 1u);
  EXPECT_EQ(leases_.Live(1), 0);
  EXPECT_EQ(leases_.Queued(1), 1);
}

TEST_F(LeaseTableTest, HeartbeatExtendsTheTtl) {
  Add(1);
  LiveLease lease = GrantOne("a");
  clock_.Advance(seconds(29));
  EXPECT_TRUE(leases_.Extend(lease.token, "a"));
  clock_.Advance(seconds(29));
  EXPECT_TRUE(Expire().empty());
  clock_.Advance(seconds(1));
  EXPECT_EQ(Expire().size(), 1u);
  EXPECT_FALSE(leases_.Extend(lease.token, "a"));
}

TEST_F(LeaseTableTest, OnlyTheLeasesWorkerExtendsIt) {
  Add(1);
  LiveLease lease = GrantOne("a");
  EXPECT_FALSE(leases_.Extend(lease.token, "b"));
  EXPECT_FALSE(leases_.Extend("no such token", "a"));
}

TEST_F(LeaseTableTest, HeartbeatsDoNotExtendTheCap) {
  Add(1, 1, seconds(50));
  LiveLease lease = GrantOne("a");
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(seconds(10));
    leases_.Extend(lease.token, "a");
  }
  std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_TRUE(lost[0].overran);
  EXPECT_EQ(lost[0].outcome, LeaseOutcome::kRequeued);
}

TEST_F(LeaseTableTest, ExpiredTokenIsNotFound) {
  Add(1);
  LiveLease old = GrantOne("a");
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  LiveLease fresh = GrantOne("b");
  EXPECT_EQ(fresh.candidate_id, 1);
  EXPECT_EQ(fresh.attempt, 2);
  EXPECT_EQ(leases_.FindLease(old.token), nullptr);
  EXPECT_TRUE(absl::IsNotFound(leases_.Complete(old.token)));
  EXPECT_TRUE(absl::IsNotFound(leases_.Release(old.token)));
  EXPECT_TRUE(absl::IsNotFound(Dispute(old)));
  EXPECT_TRUE(absl::IsNotFound(leases_.Fail(old.token, "").status()));
  EXPECT_EQ(RowOf(old).state, AttemptState::kExpired);
  EXPECT_TRUE(leases_.Complete(fresh.token).ok());
  EXPECT_EQ(leases_.Find(1), nullptr);
}

TEST_F(LeaseTableTest, SecondLossGivesTheCandidateUp) {
  Add(1);
  GrantOne("a");
  clock_.Advance(seconds(31));
  EXPECT_EQ(Expire()[0].outcome, LeaseOutcome::kRequeued);
  GrantOne("b");
  clock_.Advance(seconds(31));
  std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].outcome, LeaseOutcome::kGivenUp);
  EXPECT_EQ(leases_.Find(1), nullptr);
}

TEST_F(LeaseTableTest, RetriesThreeTimesAfterInfrastructureFailures) {
  Add(1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Fail(GrantOne("a")), LeaseOutcome::kRequeued);
  EXPECT_EQ(Fail(GrantOne("a")), LeaseOutcome::kGivenUp);
  EXPECT_TRUE(Grant("a").empty());
}

TEST_F(LeaseTableTest, FailedCandidateIsLeftToAnotherWorker) {
  Add(1);
  Add(2);
  Fail(GrantOne("a"));
  EXPECT_EQ(GrantOne("a", /*others=*/true).candidate_id, 2);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty());
  EXPECT_EQ(GrantOne("b", /*others=*/true).candidate_id, 1);
}

TEST_F(LeaseTableTest, OnlyWorkerGetsItsFailedCandidateAgain) {
  Add(1);
  Fail(GrantOne("a"));
  EXPECT_EQ(GrantOne("a").candidate_id, 1);
}

TEST_F(LeaseTableTest, ReleaseCountsNoFailure) {
  Add(1);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(leases_.Release(GrantOne("a", /*others=*/true).token).ok());
  LiveLease lease = GrantOne("a");
  EXPECT_EQ(lease.attempt, 11);
  EXPECT_EQ(Fail(lease), LeaseOutcome::kRequeued);
}

// What comes back is older than all that waits, and goes before it, however it came back.
TEST_F(LeaseTableTest, ReturnedCandidateIsLeasedNext) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  LiveLease lease = GrantOne("a");
  ASSERT_EQ(lease.candidate_id, 1);
  ASSERT_TRUE(leases_.Release(lease.token).ok());
  lease = GrantOne("a");
  ASSERT_EQ(lease.candidate_id, 1) << "released";
  ASSERT_EQ(Fail(lease), LeaseOutcome::kRequeued);
  ASSERT_EQ(GrantOne("a").candidate_id, 1) << "failed";
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_EQ(GrantOne("a").candidate_id, 1) << "its lease ran out";
  EXPECT_EQ(GrantOne("a").candidate_id, 2);
}

TEST_F(LeaseTableTest, ReservedCandidateKeepsItsPlaceInTheQueue) {
  for (int64_t id = 1; id <= 4; ++id) Add(id);
  const std::vector<LiveLease> held = Grant("a", 2);
  ASSERT_EQ(held.size(), 2u);
  Fail(held[1]);
  Fail(held[0]);
  EXPECT_EQ(GrantOne("a", /*others=*/true).candidate_id, 3);
  std::vector<int64_t> ids;
  for (const LiveLease& lease : Grant("b", 3, /*others=*/true)) ids.push_back(lease.candidate_id);
  EXPECT_THAT(ids, testing::ElementsAre(1, 2, 4));
}

TEST_F(LeaseTableTest, ListsLeasesInTheOrderOfGrants) {
  std::vector<int64_t> ids, listed;
  for (int64_t id = 20; id > 0; --id) {
    Add(id);
    clock_.Advance(seconds(1));
    ids.push_back(GrantOne("a").candidate_id);
  }
  for (const LiveLease& lease : leases_.Leases()) listed.push_back(lease.candidate_id);
  EXPECT_EQ(listed, ids);
}

TEST_F(LeaseTableTest, RepeatedRequestGetsItsLeases) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  std::vector<LiveLease> granted = Grant("a", 2, false, 1, "r1");
  Grant("a", 1, false, 1, "r2");
  ASSERT_EQ(leases_.GrantedTo("a", "r1").size(), 2u);
  EXPECT_TRUE(leases_.GrantedTo("b", "r1").empty());
  EXPECT_TRUE(leases_.Complete(granted[0].token).ok());
  std::vector<LiveLease> repeated = leases_.GrantedTo("a", "r1");
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_EQ(repeated[0].token, granted[1].token);
}

TEST_F(LeaseTableTest, ReopensAnExpiredLeaseForItsLateResult) {
  Add(1);
  Add(2);
  const LiveLease late = GrantOne("a");
  ASSERT_EQ(late.candidate_id, 1);
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  ASSERT_EQ(leases_.Queued(1), 2);
  const AttemptRow row = RowOf(late);
  ASSERT_TRUE(leases_.Reopen(row).ok()) << "while its candidate is queued";
  EXPECT_EQ(leases_.Queued(1), 1);
  EXPECT_EQ(leases_.Live(1), 1);
  ASSERT_TRUE(leases_.Requeue(late.token).ok());
  const LiveLease other = GrantOne("b");
  ASSERT_EQ(other.candidate_id, 1);
  ASSERT_TRUE(leases_.Reopen(row).ok()) << "while another worker has it";
  EXPECT_EQ(RowOf(other).state, AttemptState::kReleased);
  EXPECT_EQ(leases_.Live(1), 1);
  ASSERT_TRUE(leases_.Complete(late.token).ok());
  EXPECT_EQ(StateOf(1), CandidateState::kDone);
  EXPECT_EQ(RowOf(late).state, AttemptState::kReported);
  EXPECT_FALSE(leases_.Extend(other.token, "b"));
  EXPECT_EQ(leases_.Live(1), 0);
  EXPECT_EQ(GrantOne("a").candidate_id, 2);
}

TEST_F(LeaseTableTest, RestoredLeaseGetsOneNewTtl) {
  clock_.Advance(std::chrono::hours(5));
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 2, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(leases_.Restore([](int64_t) { return seconds(100); }).ok());
  clock_.Advance(seconds(29));
  EXPECT_TRUE(Expire().empty());
  EXPECT_TRUE(leases_.Extend("old", "a"));
  EXPECT_EQ(leases_.NextDeadline(), clock_.Now() + seconds(30));
  clock_.Advance(seconds(30));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_EQ(GrantOne("b").attempt, 3);
}

TEST_F(LeaseTableTest, DropJobEndsItsLeases) {
  Add(1);
  Add(2);
  Add(3, /*job=*/2);
  LiveLease lease = GrantOne("a");
  absl::StatusOr<std::vector<PendingCandidate>> dropped = leases_.DropJob(1, "cancelled");
  ASSERT_EQ(dropped->size(), 2u);
  EXPECT_EQ((*dropped)[0].id, 1);
  EXPECT_EQ((*dropped)[1].id, 2);
  EXPECT_EQ(leases_.FindLease(lease.token), nullptr);
  EXPECT_EQ(RowOf(lease).state, AttemptState::kReleased);
  EXPECT_EQ(RowOf(lease).detail, "cancelled");
  EXPECT_EQ(StateOf(1), CandidateState::kQueued);
  EXPECT_EQ(leases_.Awaited(1), 0);
  EXPECT_EQ(leases_.Find(1), nullptr);
  EXPECT_EQ(leases_.Find(2), nullptr);
  EXPECT_NE(leases_.Find(3), nullptr);
}

TEST_F(LeaseTableTest, DropQueuedKeepsLeases) {
  Add(1);
  Add(2);
  LiveLease lease = GrantOne("a");
  EXPECT_THAT(leases_.DropQueued(1), testing::ElementsAre(2));
  EXPECT_NE(leases_.FindLease(lease.token), nullptr);
  EXPECT_EQ(leases_.Queued(1), 0);
}

TEST_F(LeaseTableTest, NextDeadlineIsTheEarliestEnd) {
  EXPECT_EQ(leases_.NextDeadline(), std::nullopt);
  Add(1, 1, seconds(10));
  Add(2);
  Grant("a", 2);
  EXPECT_EQ(leases_.NextDeadline(), clock_.Now() + seconds(10));
}

TEST_F(LeaseTableTest, RestoreEndsLeasesOfEndedJobs) {
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 1, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(log_.SetCandidateState(7, CandidateState::kLeased).ok());
  ASSERT_TRUE(leases_.Restore([](int64_t) { return std::nullopt; }).ok());
  EXPECT_TRUE(leases_.Leases().empty());
  EXPECT_EQ(storage_.attempts.at("old").row.state, AttemptState::kExpired);
  EXPECT_EQ(StateOf(7), CandidateState::kQueued);
}

// Leased before a restart: its job may propose it again, or may not.
TEST_F(LeaseTableTest, RestoredCandidateIsNotAwaited) {
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 1, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(leases_.Restore([](int64_t) { return seconds(100); }).ok());
  Add(1);
  EXPECT_EQ(leases_.Awaited(1), 1);
  ASSERT_TRUE(leases_.Release("old").ok());
  EXPECT_THAT(leases_.DropQueued(1), testing::ElementsAre(1)) << "7 is dropped, too, and was counted nowhere";
  EXPECT_EQ(leases_.Find(7), nullptr);
  EXPECT_EQ(leases_.Awaited(1), 0);
}

TEST_F(LeaseTableTest, CandidateProposedAgainIsAwaitedOnce) {
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 1, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(leases_.Restore([](int64_t) { return seconds(100); }).ok());
  EXPECT_FALSE(leases_.Find(7)->awaited);
  leases_.MarkAwaited(7);
  leases_.MarkAwaited(7);
  EXPECT_EQ(leases_.Awaited(1), 1);
  EXPECT_TRUE(leases_.Find(7)->awaited);
  ASSERT_TRUE(leases_.Complete("old").ok());
  EXPECT_EQ(leases_.Awaited(1), 0);
}

TEST_F(LeaseTableTest, LostLeaseNamesItsCandidateAndReason) {
  Add(5, 1, seconds(10));
  const LiveLease lease = GrantOne("a");
  clock_.Advance(seconds(10));
  const std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].candidate.id, 5);
  EXPECT_TRUE(lost[0].candidate.awaited);
  EXPECT_EQ(lost[0].lease.token, lease.token);
  EXPECT_EQ(RowOf(lease).detail, lost[0].Reason());
}

TEST_F(LeaseTableTest, LogFailureIsAStorageFailure) {
  Add(1);
  Add(2);
  const LiveLease lease = GrantOne("a");
  for (int calls = 1; calls <= 2; ++calls) {
    log_.FailAfter(calls);
    EXPECT_TRUE(IsStorageFailure(leases_.Grant({"b", "b", "device", "", 1, 1, {}}).status())) << calls;
    log_.Rollback();
    leases_.Clear();
    ASSERT_TRUE(leases_.Restore([](int64_t) { return seconds(100); }).ok());
    Add(2);
  }
  log_.FailAfter(1);
  EXPECT_TRUE(IsStorageFailure(leases_.Complete(lease.token)));
}

}  // namespace
}  // namespace mmtune
