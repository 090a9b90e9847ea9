// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tuning_job.h"

#include <gtest/gtest.h>

#include "tests/fake_clock.h"

namespace mmtune {
namespace {

class TuningJobTest : public testing::Test {
 protected:
  TuningJobTest() : job_(JobRow(), v1::JobSpec(), Spec(), clock_) {
    JobPlan plan;
    plan.strategy = CreateListStrategy(spec_.schedules);
    job_.SetTarget({});
    job_.Start(std::move(plan));
  }
  const JobSpec& Spec() {
    spec_.problem = {32, 32, 32};
    for (int64_t i = 0; i < 4; ++i) spec_.schedules.push_back({"direct", {{"t", i}}});
    return spec_;
  }

  FakeClock clock_;
  JobSpec spec_;
  TuningJob job_;
};

TEST_F(TuningJobTest, OneThatStartsOverHasDoneNothing) {
  EXPECT_EQ(job_.Propose(3).size(), 3u);
  TuningRecord record;
  record.schedule = spec_.schedules[0];
  job_.Observe(record, /*from_log=*/true);
  job_.ObserveUnmeasured(spec_.schedules[1]);
  clock_.Advance(std::chrono::seconds(5));
  const v1::JobProgress before = job_.Progress();
  EXPECT_EQ(before.elapsed_seconds(), 5);
  EXPECT_EQ(before.done(), 2);
  EXPECT_EQ(before.from_log(), 1);

  job_.StartOver();
  v1::JobProgress none;
  none.set_planned(4);
  EXPECT_EQ(job_.Progress().SerializeAsString(), none.SerializeAsString()) << job_.Progress().DebugString();
  EXPECT_FALSE(job_.started());
  EXPECT_FALSE(job_.target().has_value());
  EXPECT_EQ(job_.unmeasured_in_a_row(), 0);
  EXPECT_TRUE(job_.Propose(1).empty());
}

/// Proposes nothing; keeps what it observes.
class Listener : public Strategy {
 public:
  explicit Listener(std::vector<Observation>& heard) : heard_(heard) {}
  std::string_view name() const override { return "listener"; }
  std::vector<Schedule> Propose(int) override { return {}; }
  void Observe(const std::vector<Observation>& observations) override {
    heard_.insert(heard_.end(), observations.begin(), observations.end());
  }
  bool Exhausted() const override { return false; }

 private:
  std::vector<Observation>& heard_;
};

TEST_F(TuningJobTest, WhatCouldNotBeMeasuredIsToldToTheStrategyAsSayingNothing) {
  std::vector<Observation> heard;
  JobPlan plan;
  plan.strategy = std::make_unique<Listener>(heard);
  job_.Start(std::move(plan));
  job_.ObserveUnmeasured(spec_.schedules[1]);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].schedule, spec_.schedules[1]);
  EXPECT_EQ(heard[0].outcome, Outcome::kUnstable);
}

}  // namespace
}  // namespace mmtune
