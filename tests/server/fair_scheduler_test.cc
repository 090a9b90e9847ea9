// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "server/coordinator/fair_scheduler.h"

namespace mmtune {
namespace {

using testing::ElementsAre;

/// Leases given out one call after another, as a worker asks for them.
class Workshop {
 public:
  void Add(int64_t id, int weight = 1, int priority = 0) { jobs_[id] = {id, priority, weight, std::nullopt}; }
  void Remove(int64_t id) { jobs_.erase(id); }
  /// A job that has nothing to lease out.
  void Idle(int64_t id, bool idle) { idle_[id] = idle; }

  /// The jobs that get the next leases, in order.
  std::vector<int64_t> Grant(int calls) {
    std::vector<int64_t> granted;
    for (int i = 0; i < calls; ++i) {
      std::vector<RunnableJob> contenders;
      for (const auto& [id, job] : jobs_) contenders.push_back(job);
      FairScheduler turns(contenders);
      while (const RunnableJob* next = turns.Next()) {
        if (!idle_[next->job_id]) {
          granted.push_back(next->job_id);
          turns.Granted(1);
          break;
        }
        turns.Pass();
      }
      for (const RunnableJob& job : turns.jobs()) jobs_[job.job_id] = job;
    }
    return granted;
  }
  std::map<int64_t, int> Count(int calls) {
    std::map<int64_t, int> counts;
    for (int64_t id : Grant(calls)) ++counts[id];
    return counts;
  }

 private:
  std::map<int64_t, RunnableJob> jobs_;
  std::map<int64_t, bool> idle_;
};

TEST(FairSchedulerTest, EqualJobsAlternate) {
  Workshop shop;
  shop.Add(1);
  shop.Add(2);
  shop.Add(3);
  EXPECT_THAT(shop.Grant(7), ElementsAre(1, 2, 3, 1, 2, 3, 1));
}

TEST(FairSchedulerTest, SharesByWeightWithinOneLease) {
  for (const auto& [a, b] : {std::pair(1, 3), std::pair(3, 1), std::pair(1, 1000), std::pair(7, 11)}) {
    Workshop shop;
    shop.Add(1, a);
    shop.Add(2, b);
    int first = 0, second = 0;
    for (int call = 0; call < 5000; ++call) {
      (shop.Grant(1).front() == 1 ? first : second) += 1;
      const double fair = static_cast<double>((first + second) * a) / (a + b);
      ASSERT_LE(std::abs(first - fair), 1) << a << ":" << b << " after " << call;
    }
  }
}

TEST(FairSchedulerTest, NewJobBeginsAtTheLowestPosition) {
  Workshop shop;
  shop.Add(1);
  EXPECT_EQ(shop.Count(10000)[1], 10000);
  shop.Add(2);
  std::map<int64_t, int> counts = shop.Count(40);
  EXPECT_EQ(counts[1], 20) << "it does not make up for the time before it came";
  EXPECT_EQ(counts[2], 20);
}

TEST(FairSchedulerTest, IdleJobAccumulatesNoCredit) {
  Workshop shop;
  shop.Add(1);
  shop.Add(2);
  shop.Idle(2, true);
  EXPECT_EQ(shop.Count(1000)[1], 1000);
  shop.Idle(2, false);
  EXPECT_LE(std::abs(shop.Count(40)[1] - 20), 1);
}

TEST(FairSchedulerTest, HigherPriorityComesFirstWhileItHasCandidates) {
  Workshop shop;
  shop.Add(1, 1000, 0);
  shop.Add(2, 1, 5);
  shop.Add(3, 1, 5);
  EXPECT_THAT(shop.Grant(4), ElementsAre(2, 3, 2, 3));
  shop.Idle(2, true);
  shop.Idle(3, true);
  EXPECT_THAT(shop.Grant(2), ElementsAre(1, 1));
  shop.Idle(3, false);
  EXPECT_THAT(shop.Grant(2), ElementsAre(3, 3));
}

TEST(FairSchedulerTest, EndsWhenAllJobsHavePassed) {
  FairScheduler none({});
  EXPECT_EQ(none.Next(), nullptr);
  FairScheduler turns({{1, 0, 1, std::nullopt}, {2, 0, 1, std::nullopt}});
  EXPECT_FALSE(turns.alone());
  turns.Pass();
  EXPECT_TRUE(turns.alone());
  EXPECT_EQ(turns.Next()->job_id, 2);
  turns.Pass();
  EXPECT_EQ(turns.Next(), nullptr);
}

}  // namespace
}  // namespace mmtune
