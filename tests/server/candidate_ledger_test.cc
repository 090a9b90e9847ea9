// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/candidate_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "server/coordinator/storage_status.h"
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

class CandidateLedgerTest : public testing::Test {
 protected:
  CandidateLedgerTest()
      : ledger_({seconds(30), 3, 2}, log_, clock_, [this] { return absl::StrCat("token-", ++tokens_); }) {}

  void Add(int64_t id, int64_t job = 1, Duration cap = std::chrono::hours(1)) {
    EXPECT_TRUE(ledger_.Queue({id, job, {}, cap, 0, /*awaited=*/true}).ok());
  }

  /// `others`: both "a" and "b" serve, and nobody else. Each is a party of its own.
  std::vector<LiveLease> Grant(const std::string& worker, int max = 1, bool others = false, int64_t job = 1,
                               const std::string& request = "request") {
    LeaseGrant grant{worker, worker, "device", request, job, max, {}};
    if (others) {
      grant.others_serve = [](const std::vector<std::string>& parties, std::string_view but) {
        const auto serves = [&](const char* worker) {
          return but != worker && std::find(parties.begin(), parties.end(), worker) == parties.end();
        };
        return serves("a") || serves("b");
      };
    }
    return *ledger_.Grant(grant);
  }
  LiveLease GrantOne(const std::string& worker, bool others = false) {
    std::vector<LiveLease> granted = Grant(worker, 1, others);
    EXPECT_EQ(granted.size(), 1u);
    return granted.empty() ? LiveLease() : granted[0];
  }
  absl::Status Doubt(const LiveLease& lease) {
    return ledger_.Doubt(lease.token, {.worker = lease.worker, .party = lease.worker});
  }
  LeaseVerdict Fail(const LiveLease& lease) { return *ledger_.Fail(lease.token, "out of disk"); }

  std::vector<LostLease> Expire() {
    std::vector<LostLease> lost;
    while (std::optional<LostLease> next = *ledger_.ExpireNext()) lost.push_back(*std::move(next));
    return lost;
  }

  CandidateState StateOf(int64_t id) { return storage_.candidates.at(id).state; }
  const AttemptRow& RowOf(const LiveLease& lease) { return storage_.attempts.at(lease.token).row; }

  FakeClock clock_;
  int tokens_ = 0;
  FakeLogStorage storage_ = MakeStorage();
  FakeTuningLog log_{storage_};
  CandidateLedger ledger_;
};

TEST_F(CandidateLedgerTest, GrantsQueuedCandidatesInOrderAndOnce) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  Add(2);  // already there
  std::vector<LiveLease> first = Grant("a", 2);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].candidate_id, 1);
  EXPECT_EQ(first[1].candidate_id, 2);
  EXPECT_NE(first[0].token, first[1].token);
  EXPECT_EQ(GrantOne("b").candidate_id, 3);
  EXPECT_TRUE(Grant("b").empty());
  EXPECT_EQ(ledger_.Live(1), 3);
  EXPECT_EQ(ledger_.Queued(1), 0);
}

TEST_F(CandidateLedgerTest, ARequestIsRepeatedForItsWorkerAndItsLiveLeases) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  const std::vector<LiveLease> of_a = Grant("a", 2);
  const LiveLease of_b = GrantOne("b");
  const auto repeated = [this](const char* worker) {
    std::vector<std::string> tokens;
    for (const LiveLease& lease : ledger_.Repeat(worker, "request")) tokens.push_back(lease.token);
    return tokens;
  };
  EXPECT_THAT(repeated("a"), testing::ElementsAre(of_a[0].token, of_a[1].token));
  EXPECT_THAT(repeated("b"), testing::ElementsAre(of_b.token));
  ASSERT_TRUE(ledger_.Finish(of_a[0].token).ok());
  EXPECT_THAT(repeated("a"), testing::ElementsAre(of_a[1].token));
  EXPECT_THAT(repeated("b"), testing::ElementsAre(of_b.token));
  EXPECT_TRUE(ledger_.Repeat("a", "another").empty());
  ledger_.Clear();
  EXPECT_TRUE(repeated("a").empty());
}

TEST_F(CandidateLedgerTest, WhatIsDoubtedGoesToAnotherWorker) {
  Add(1);
  const LiveLease first = GrantOne("a");
  EXPECT_TRUE(ledger_.Claims(first.token).empty());
  EXPECT_TRUE(Doubt(first).ok());
  EXPECT_EQ(ledger_.Live(1), 0);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty());
  const LiveLease second = GrantOne("b", /*others=*/true);
  EXPECT_EQ(second.attempt, 2);
  ASSERT_EQ(ledger_.Claims(second.token).size(), 1u);
  EXPECT_EQ(ledger_.Claims(second.token)[0].worker, "a");
  EXPECT_TRUE(Doubt(second).ok());
  const LiveLease third = GrantOne("c", /*others=*/true);
  EXPECT_TRUE(absl::IsFailedPrecondition(Doubt(third)));
  EXPECT_NE(ledger_.FindLease(third.token), nullptr);
}

TEST_F(CandidateLedgerTest, WhatIsDoubtedStaysWithAnotherWorkerWhateverBecomesOfItsLease) {
  Add(1);
  ASSERT_TRUE(Doubt(GrantOne("a")).ok());
  ASSERT_TRUE(ledger_.Release(GrantOne("b", /*others=*/true).token).ok());
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty()) << "handed back";
  EXPECT_EQ(Fail(GrantOne("b", /*others=*/true)), LeaseVerdict::kRequeued);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty()) << "failed";
  GrantOne("b", /*others=*/true);
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty()) << "lost";
  ASSERT_TRUE(ledger_.Release(GrantOne("b", /*others=*/true).token).ok());
  EXPECT_EQ(GrantOne("a", /*others=*/false).candidate_id, 1) << "when nobody else is left";
}

TEST_F(CandidateLedgerTest, KeepsJobsApart) {
  Add(1, /*job=*/1);
  Add(2, /*job=*/2);
  EXPECT_EQ(Grant("a", 5, false, 2).size(), 1u);
  EXPECT_EQ(ledger_.Live(1), 0);
  EXPECT_EQ(ledger_.Queued(1), 1);
}

TEST_F(CandidateLedgerTest, AHeartbeatExtendsTheTtl) {
  Add(1);
  LiveLease lease = GrantOne("a");
  clock_.Advance(seconds(29));
  EXPECT_TRUE(ledger_.Extend(lease.token, "a"));
  clock_.Advance(seconds(29));
  EXPECT_TRUE(Expire().empty());
  clock_.Advance(seconds(1));
  EXPECT_EQ(Expire().size(), 1u);
  EXPECT_FALSE(ledger_.Extend(lease.token, "a"));
}

TEST_F(CandidateLedgerTest, OnlyTheHolderExtends) {
  Add(1);
  LiveLease lease = GrantOne("a");
  EXPECT_FALSE(ledger_.Extend(lease.token, "b"));
  EXPECT_FALSE(ledger_.Extend("no such token", "a"));
}

TEST_F(CandidateLedgerTest, HeartbeatsDoNotExtendTheCap) {
  Add(1, 1, seconds(50));
  LiveLease lease = GrantOne("a");
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(seconds(10));
    ledger_.Extend(lease.token, "a");
  }
  std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_TRUE(lost[0].overran);
  EXPECT_EQ(lost[0].verdict, LeaseVerdict::kRequeued);
}

TEST_F(CandidateLedgerTest, AFencedTokenIsDead) {
  Add(1);
  LiveLease old = GrantOne("a");
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  LiveLease fresh = GrantOne("b");
  EXPECT_EQ(fresh.candidate_id, 1);
  EXPECT_EQ(fresh.attempt, 2);
  EXPECT_EQ(ledger_.FindLease(old.token), nullptr);
  EXPECT_TRUE(absl::IsNotFound(ledger_.Finish(old.token)));
  EXPECT_TRUE(absl::IsNotFound(ledger_.Release(old.token)));
  EXPECT_TRUE(absl::IsNotFound(Doubt(old)));
  EXPECT_TRUE(absl::IsNotFound(ledger_.Fail(old.token, "").status()));
  EXPECT_EQ(RowOf(old).state, AttemptState::kExpired);
  EXPECT_TRUE(ledger_.Finish(fresh.token).ok());
  EXPECT_EQ(ledger_.Find(1), nullptr);
}

TEST_F(CandidateLedgerTest, TheSecondLossGivesTheCandidateUp) {
  Add(1);
  GrantOne("a");
  clock_.Advance(seconds(31));
  EXPECT_EQ(Expire()[0].verdict, LeaseVerdict::kRequeued);
  GrantOne("b");
  clock_.Advance(seconds(31));
  std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].verdict, LeaseVerdict::kGivenUp);
  EXPECT_EQ(ledger_.Find(1), nullptr);
}

TEST_F(CandidateLedgerTest, RetriesThreeTimesAfterInfrastructureFailures) {
  Add(1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Fail(GrantOne("a")), LeaseVerdict::kRequeued);
  EXPECT_EQ(Fail(GrantOne("a")), LeaseVerdict::kGivenUp);
  EXPECT_TRUE(Grant("a").empty());
}

TEST_F(CandidateLedgerTest, LeavesAFailureToAnotherWorkerWhenThereIsOne) {
  Add(1);
  Add(2);
  Fail(GrantOne("a"));
  EXPECT_EQ(GrantOne("a", /*others=*/true).candidate_id, 2);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty());
  EXPECT_EQ(GrantOne("b", /*others=*/true).candidate_id, 1);
}

TEST_F(CandidateLedgerTest, TakesItsOwnFailureAgainWhenAlone) {
  Add(1);
  Fail(GrantOne("a"));
  EXPECT_EQ(GrantOne("a").candidate_id, 1);
}

TEST_F(CandidateLedgerTest, ReleasingUsesUpNoRetry) {
  Add(1);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(ledger_.Release(GrantOne("a", /*others=*/true).token).ok());
  LiveLease lease = GrantOne("a");
  EXPECT_EQ(lease.attempt, 11);
  EXPECT_EQ(Fail(lease), LeaseVerdict::kRequeued);
}

// What comes back is older than all that waits, and goes before it, however it came back.
TEST_F(CandidateLedgerTest, WhatComesBackIsLeasedNext) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  LiveLease lease = GrantOne("a");
  ASSERT_EQ(lease.candidate_id, 1);
  ASSERT_TRUE(ledger_.Release(lease.token).ok());
  lease = GrantOne("a");
  ASSERT_EQ(lease.candidate_id, 1) << "released";
  ASSERT_EQ(Fail(lease), LeaseVerdict::kRequeued);
  ASSERT_EQ(GrantOne("a").candidate_id, 1) << "failed";
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_EQ(GrantOne("a").candidate_id, 1) << "its lease ran out";
  EXPECT_EQ(GrantOne("a").candidate_id, 2);
}

TEST_F(CandidateLedgerTest, WhatIsLeftToAnotherWorkerKeepsItsPlaceInTheQueue) {
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

TEST_F(CandidateLedgerTest, LeasesComeInTheOrderInWhichTheyWereGranted) {
  std::vector<int64_t> ids, listed;
  for (int64_t id = 20; id > 0; --id) {
    Add(id);
    clock_.Advance(seconds(1));
    ids.push_back(GrantOne("a").candidate_id);
  }
  for (const LiveLease& lease : ledger_.Leases()) listed.push_back(lease.candidate_id);
  EXPECT_EQ(listed, ids);
}

TEST_F(CandidateLedgerTest, RepeatsWhatARequestGot) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  std::vector<LiveLease> granted = Grant("a", 2, false, 1, "r1");
  Grant("a", 1, false, 1, "r2");
  ASSERT_EQ(ledger_.Repeat("a", "r1").size(), 2u);
  EXPECT_TRUE(ledger_.Repeat("b", "r1").empty());
  EXPECT_TRUE(ledger_.Finish(granted[0].token).ok());
  std::vector<LiveLease> repeated = ledger_.Repeat("a", "r1");
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_EQ(repeated[0].token, granted[1].token);
}

TEST_F(CandidateLedgerTest, ALeaseThatRanOutIsReopenedForItsLateResult) {
  Add(1);
  Add(2);
  const LiveLease late = GrantOne("a");
  ASSERT_EQ(late.candidate_id, 1);
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  ASSERT_EQ(ledger_.Queued(1), 2);
  const AttemptRow row = RowOf(late);
  ASSERT_TRUE(ledger_.Reopen(row).ok()) << "while its candidate is queued";
  EXPECT_EQ(ledger_.Queued(1), 1);
  EXPECT_EQ(ledger_.Live(1), 1);
  ASSERT_TRUE(ledger_.Discount(late.token).ok());
  const LiveLease other = GrantOne("b");
  ASSERT_EQ(other.candidate_id, 1);
  ASSERT_TRUE(ledger_.Reopen(row).ok()) << "while another worker has it";
  EXPECT_EQ(RowOf(other).state, AttemptState::kReleased);
  EXPECT_EQ(ledger_.Live(1), 1);
  ASSERT_TRUE(ledger_.Finish(late.token).ok());
  EXPECT_EQ(StateOf(1), CandidateState::kDone);
  EXPECT_EQ(RowOf(late).state, AttemptState::kReported);
  EXPECT_FALSE(ledger_.Extend(other.token, "b"));
  EXPECT_EQ(ledger_.Live(1), 0);
  EXPECT_EQ(GrantOne("a").candidate_id, 2);
}

TEST_F(CandidateLedgerTest, ARestoredLeaseGetsOneFreshTtl) {
  clock_.Advance(std::chrono::hours(5));
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 2, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(ledger_.Restore([](int64_t) { return seconds(100); }).ok());
  clock_.Advance(seconds(29));
  EXPECT_TRUE(Expire().empty());
  EXPECT_TRUE(ledger_.Extend("old", "a"));
  EXPECT_EQ(ledger_.NextDeadline(), clock_.Now() + seconds(30));
  clock_.Advance(seconds(30));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_EQ(GrantOne("b").attempt, 3);
}

TEST_F(CandidateLedgerTest, DroppingAJobCutsItsLeasesOff) {
  Add(1);
  Add(2);
  Add(3, /*job=*/2);
  LiveLease lease = GrantOne("a");
  absl::StatusOr<std::vector<HeldCandidate>> dropped = ledger_.DropJob(1, "cancelled");
  ASSERT_EQ(dropped->size(), 2u);
  EXPECT_EQ((*dropped)[0].id, 1);
  EXPECT_EQ((*dropped)[1].id, 2);
  EXPECT_EQ(ledger_.FindLease(lease.token), nullptr);
  EXPECT_EQ(RowOf(lease).state, AttemptState::kReleased);
  EXPECT_EQ(RowOf(lease).detail, "cancelled");
  EXPECT_EQ(StateOf(1), CandidateState::kQueued);
  EXPECT_EQ(ledger_.Awaited(1), 0);
  EXPECT_EQ(ledger_.Find(1), nullptr);
  EXPECT_EQ(ledger_.Find(2), nullptr);
  EXPECT_NE(ledger_.Find(3), nullptr);
}

TEST_F(CandidateLedgerTest, DroppingTheQueueLeavesLeasesAlone) {
  Add(1);
  Add(2);
  LiveLease lease = GrantOne("a");
  EXPECT_THAT(ledger_.DropQueued(1), testing::ElementsAre(2));
  EXPECT_NE(ledger_.FindLease(lease.token), nullptr);
  EXPECT_EQ(ledger_.Queued(1), 0);
}

TEST_F(CandidateLedgerTest, TheNextDeadlineIsTheEarliestEnd) {
  EXPECT_EQ(ledger_.NextDeadline(), std::nullopt);
  Add(1, 1, seconds(10));
  Add(2);
  Grant("a", 2);
  EXPECT_EQ(ledger_.NextDeadline(), clock_.Now() + seconds(10));
}

TEST_F(CandidateLedgerTest, ARestoredLeaseOfAJobThatHasEndedIsOver) {
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 1, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(log_.SetCandidateState(7, CandidateState::kLeased).ok());
  ASSERT_TRUE(ledger_.Restore([](int64_t) { return std::nullopt; }).ok());
  EXPECT_TRUE(ledger_.Leases().empty());
  EXPECT_EQ(storage_.attempts.at("old").row.state, AttemptState::kExpired);
  EXPECT_EQ(StateOf(7), CandidateState::kQueued);
}

// Leased before a restart: its job may propose it again, or may not.
TEST_F(CandidateLedgerTest, WhatWasNotProposedIsNotAwaited) {
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 1, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(ledger_.Restore([](int64_t) { return seconds(100); }).ok());
  Add(1);
  EXPECT_EQ(ledger_.Awaited(1), 1);
  ASSERT_TRUE(ledger_.Release("old").ok());
  EXPECT_THAT(ledger_.DropQueued(1), testing::ElementsAre(1)) << "7 is dropped, too, and was counted nowhere";
  EXPECT_EQ(ledger_.Find(7), nullptr);
  EXPECT_EQ(ledger_.Awaited(1), 0);
}

TEST_F(CandidateLedgerTest, WhatIsProposedAgainIsAwaitedOnce) {
  ASSERT_TRUE(log_.InsertAttempt({"old", 7, 1, "a", "device", AttemptState::kLive, ""}).ok());
  ASSERT_TRUE(ledger_.Restore([](int64_t) { return seconds(100); }).ok());
  EXPECT_FALSE(ledger_.Find(7)->awaited);
  ledger_.Await(7);
  ledger_.Await(7);
  EXPECT_EQ(ledger_.Awaited(1), 1);
  EXPECT_TRUE(ledger_.Find(7)->awaited);
  ASSERT_TRUE(ledger_.Finish("old").ok());
  EXPECT_EQ(ledger_.Awaited(1), 0);
}

TEST_F(CandidateLedgerTest, ALostLeaseSaysWhichCandidateWasLostAndWhy) {
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

TEST_F(CandidateLedgerTest, AFailureOfTheLogIsToldAsSuch) {
  Add(1);
  Add(2);
  const LiveLease lease = GrantOne("a");
  for (int calls = 1; calls <= 2; ++calls) {
    log_.FailAfter(calls);
    EXPECT_TRUE(IsStorageFailure(ledger_.Grant({"b", "b", "device", "", 1, 1, {}}).status())) << calls;
    log_.Rollback();
    ledger_.Clear();
    ASSERT_TRUE(ledger_.Restore([](int64_t) { return seconds(100); }).ok());
    Add(2);
  }
  log_.FailAfter(1);
  EXPECT_TRUE(IsStorageFailure(ledger_.Finish(lease.token)));
}

}  // namespace
}  // namespace mmtune
