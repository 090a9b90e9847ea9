#include "server/lease_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

class LeaseTableTest : public testing::Test {
 protected:
  LeaseTableTest() : table_({seconds(30), 3, 2}, clock_, [this] { return absl::StrCat("token-", ++tokens_); }) {}

  void Add(int64_t id, int64_t job = 1, Duration cap = std::chrono::hours(1)) { table_.Add({id, job, cap, 0}); }

  std::vector<LiveLease> Grant(const std::string& worker, int max = 1, bool others = false, int64_t job = 1) {
    return table_.Grant({worker, "device", "request", job, max, others});
  }
  LiveLease GrantOne(const std::string& worker, bool others = false) {
    std::vector<LiveLease> granted = Grant(worker, 1, others);
    EXPECT_EQ(granted.size(), 1u);
    return granted.empty() ? LiveLease() : granted[0];
  }

  std::vector<LostLease> Expire() {
    std::vector<LostLease> lost;
    while (std::optional<LostLease> next = table_.ExpireNext()) lost.push_back(*std::move(next));
    return lost;
  }

  FakeClock clock_;
  int tokens_ = 0;
  LeaseTable table_;
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
  EXPECT_EQ(table_.Live(1), 3);
  EXPECT_EQ(table_.Queued(1), 0);
}

TEST_F(LeaseTableTest, WhatIsDoubtedGoesToAnotherWorkerOnce) {
  Add(1);
  const LiveLease first = GrantOne("a");
  EXPECT_FALSE(table_.Doubted(first.token));
  EXPECT_TRUE(table_.Doubt(first.token));
  EXPECT_EQ(table_.Live(1), 0);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty());
  const LiveLease second = GrantOne("b", /*others=*/true);
  EXPECT_EQ(second.attempt, 2);
  EXPECT_TRUE(table_.Doubted(second.token));
  EXPECT_FALSE(table_.Doubt(second.token));
  EXPECT_NE(table_.Find(second.token), nullptr);
}

TEST_F(LeaseTableTest, KeepsJobsApart) {
  Add(1, /*job=*/1);
  Add(2, /*job=*/2);
  EXPECT_EQ(Grant("a", 5, false, 2).size(), 1u);
  EXPECT_EQ(table_.Live(1), 0);
  EXPECT_EQ(table_.Queued(1), 1);
}

TEST_F(LeaseTableTest, AHeartbeatExtendsTheTtl) {
  Add(1);
  LiveLease lease = GrantOne("a");
  clock_.Advance(seconds(29));
  EXPECT_TRUE(table_.Extend(lease.token, "a"));
  clock_.Advance(seconds(29));
  EXPECT_TRUE(Expire().empty());
  clock_.Advance(seconds(1));
  EXPECT_EQ(Expire().size(), 1u);
  EXPECT_FALSE(table_.Extend(lease.token, "a"));
}

TEST_F(LeaseTableTest, OnlyTheHolderExtends) {
  Add(1);
  LiveLease lease = GrantOne("a");
  EXPECT_FALSE(table_.Extend(lease.token, "b"));
  EXPECT_FALSE(table_.Extend("no such token", "a"));
}

TEST_F(LeaseTableTest, HeartbeatsDoNotExtendTheCap) {
  Add(1, 1, seconds(50));
  LiveLease lease = GrantOne("a");
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(seconds(10));
    table_.Extend(lease.token, "a");
  }
  std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_TRUE(lost[0].overran);
  EXPECT_EQ(lost[0].verdict, LeaseVerdict::kRequeued);
}

TEST_F(LeaseTableTest, AFencedTokenIsDead) {
  Add(1);
  LiveLease old = GrantOne("a");
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  LiveLease fresh = GrantOne("b");
  EXPECT_EQ(fresh.candidate_id, 1);
  EXPECT_EQ(fresh.attempt, 2);
  EXPECT_EQ(table_.Find(old.token), nullptr);
  EXPECT_FALSE(table_.Finish(old.token));
  EXPECT_FALSE(table_.Release(old.token));
  EXPECT_TRUE(table_.Finish(fresh.token));
  EXPECT_FALSE(table_.Holds(1));
}

TEST_F(LeaseTableTest, TheSecondLossGivesTheCandidateUp) {
  Add(1);
  GrantOne("a");
  clock_.Advance(seconds(31));
  EXPECT_EQ(Expire()[0].verdict, LeaseVerdict::kRequeued);
  GrantOne("b");
  clock_.Advance(seconds(31));
  std::vector<LostLease> lost = Expire();
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].verdict, LeaseVerdict::kGivenUp);
  EXPECT_FALSE(table_.Holds(1));
}

TEST_F(LeaseTableTest, RetriesThreeTimesAfterInfrastructureFailures) {
  Add(1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(table_.Fail(GrantOne("a").token), LeaseVerdict::kRequeued);
  EXPECT_EQ(table_.Fail(GrantOne("a").token), LeaseVerdict::kGivenUp);
  EXPECT_TRUE(Grant("a").empty());
}

TEST_F(LeaseTableTest, LeavesAFailureToAnotherWorkerWhenThereIsOne) {
  Add(1);
  Add(2);
  table_.Fail(GrantOne("a").token);
  EXPECT_EQ(GrantOne("a", /*others=*/true).candidate_id, 2);
  EXPECT_TRUE(Grant("a", 1, /*others=*/true).empty());
  EXPECT_EQ(GrantOne("b", /*others=*/true).candidate_id, 1);
}

TEST_F(LeaseTableTest, TakesItsOwnFailureAgainWhenAlone) {
  Add(1);
  table_.Fail(GrantOne("a").token);
  EXPECT_EQ(GrantOne("a").candidate_id, 1);
}

TEST_F(LeaseTableTest, ReleasingUsesUpNoRetry) {
  Add(1);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(table_.Release(GrantOne("a", /*others=*/true).token));
  LiveLease lease = GrantOne("a");
  EXPECT_EQ(lease.attempt, 11);
  EXPECT_EQ(table_.Fail(lease.token), LeaseVerdict::kRequeued);
}

// What comes back is older than all that waits, and goes before it, however it came back.
TEST_F(LeaseTableTest, WhatComesBackIsLeasedNext) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  LiveLease lease = GrantOne("a");
  ASSERT_EQ(lease.candidate_id, 1);
  ASSERT_TRUE(table_.Release(lease.token));
  lease = GrantOne("a");
  ASSERT_EQ(lease.candidate_id, 1) << "released";
  ASSERT_EQ(table_.Fail(lease.token), LeaseVerdict::kRequeued);
  ASSERT_EQ(GrantOne("a").candidate_id, 1) << "failed";
  clock_.Advance(seconds(31));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_EQ(GrantOne("a").candidate_id, 1) << "its lease ran out";
  EXPECT_EQ(GrantOne("a").candidate_id, 2);
}

TEST_F(LeaseTableTest, WhatIsLeftToAnotherWorkerKeepsItsPlaceInTheQueue) {
  for (int64_t id = 1; id <= 4; ++id) Add(id);
  const std::vector<LiveLease> held = Grant("a", 2);
  ASSERT_EQ(held.size(), 2u);
  table_.Fail(held[1].token);
  table_.Fail(held[0].token);
  EXPECT_EQ(GrantOne("a", /*others=*/true).candidate_id, 3);
  std::vector<int64_t> ids;
  for (const LiveLease& lease : Grant("b", 3, /*others=*/true)) ids.push_back(lease.candidate_id);
  EXPECT_THAT(ids, testing::ElementsAre(1, 2, 4));
}

TEST_F(LeaseTableTest, LeasesComeInTheOrderInWhichTheyWereGranted) {
  std::vector<int64_t> ids, listed;
  for (int64_t id = 20; id > 0; --id) {
    Add(id);
    clock_.Advance(seconds(1));
    ids.push_back(GrantOne("a").candidate_id);
  }
  for (const LiveLease& lease : table_.Leases()) listed.push_back(lease.candidate_id);
  EXPECT_EQ(listed, ids);
}

TEST_F(LeaseTableTest, RepeatsWhatARequestGot) {
  for (int64_t id = 1; id <= 3; ++id) Add(id);
  std::vector<LiveLease> granted = table_.Grant({"a", "device", "r1", 1, 2, false});
  table_.Grant({"a", "device", "r2", 1, 1, false});
  ASSERT_EQ(table_.Repeat("a", "r1").size(), 2u);
  EXPECT_TRUE(table_.Repeat("b", "r1").empty());
  table_.Finish(granted[0].token);
  std::vector<LiveLease> repeated = table_.Repeat("a", "r1");
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_EQ(repeated[0].token, granted[1].token);
}

TEST_F(LeaseTableTest, ARestoredLeaseGetsOneFreshTtl) {
  clock_.Advance(std::chrono::hours(5));
  LiveLease lease;
  lease.token = "old";
  lease.candidate_id = 7;
  lease.job_id = 1;
  lease.attempt = 2;
  lease.worker = "a";
  table_.Restore({7, 1, seconds(100), 2}, lease);
  clock_.Advance(seconds(29));
  EXPECT_TRUE(Expire().empty());
  EXPECT_TRUE(table_.Extend("old", "a"));
  EXPECT_EQ(table_.NextDeadline(), clock_.Now() + seconds(30));
  clock_.Advance(seconds(30));
  ASSERT_EQ(Expire().size(), 1u);
  EXPECT_EQ(GrantOne("b").attempt, 3);
}

TEST_F(LeaseTableTest, DroppingAJobCutsItsLeasesOff) {
  Add(1);
  Add(2);
  Add(3, /*job=*/2);
  LiveLease lease = GrantOne("a");
  std::vector<LiveLease> cut = table_.DropJob(1);
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].token, lease.token);
  EXPECT_FALSE(table_.Holds(1));
  EXPECT_FALSE(table_.Holds(2));
  EXPECT_TRUE(table_.Holds(3));
}

TEST_F(LeaseTableTest, DroppingTheQueueLeavesLeasesAlone) {
  Add(1);
  Add(2);
  LiveLease lease = GrantOne("a");
  EXPECT_THAT(table_.DropQueued(1), testing::ElementsAre(2));
  EXPECT_NE(table_.Find(lease.token), nullptr);
  EXPECT_EQ(table_.Queued(1), 0);
}

TEST_F(LeaseTableTest, TheNextDeadlineIsTheEarliestEnd) {
  EXPECT_EQ(table_.NextDeadline(), std::nullopt);
  Add(1, 1, seconds(10));
  Add(2);
  Grant("a", 2);
  EXPECT_EQ(table_.NextDeadline(), clock_.Now() + seconds(10));
}

}  // namespace
}  // namespace mmtune
