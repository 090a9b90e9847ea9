// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several coordinators of one log: jobs that another one has, and that are taken over when it is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A coordinator beside another one, which has one job with one live lease.
class CoordinatorTakeoverTest : public testing::Test {
 protected:
  CoordinatorTakeoverTest() {
    EXPECT_TRUE(h_.Register("w", SimtDevice()).ok());
    uuid_ = h_.Submit(FreeJob(3)).value();
    held_ = h_.LeaseOne("w");
    h_.storage().elsewhere = {1};
    h_.Restart();
  }
  absl::StatusOr<v1::Job> Cancel() {
    v1::CancelJobRequest request;
    request.set_job_uuid(uuid_);
    return h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(request); });
  }

  CoordinatorHarness h_;
  std::string uuid_;
  v1::Lease held_;
};

TEST_F(CoordinatorTakeoverTest, WhatConcernsAnothersJobIsRefusedWithItsAddress) {
  for (const absl::Status& refused : {h_.ReportOk("w", held_).status(), Cancel().status()}) {
    EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr("coordinator at other:7077"));
  }
  EXPECT_THAT(h_.Heartbeat("w", {held_.token(), "unknown"})->cancel_tokens(), ElementsAre("unknown"))
      << "the worker goes on with a lease that another coordinator may extend";
  EXPECT_TRUE(h_.storage().records.empty());
  h_.Pass(seconds(60));
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
}

TEST_F(CoordinatorTakeoverTest, AJobIsTakenOverWithItsLeases) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string own = h_.Submit(WideJob(1)).value();
  const v1::Lease of_own = h_.LeaseOne("w");
  h_.log().EndOther();
  EXPECT_TRUE(absl::IsUnavailable(h_.ReportOk("w", held_).status())) << "nobody has taken it over yet";
  h_.Pass(seconds(4));
  EXPECT_THAT(h_.Heartbeat("w", {held_.token(), of_own.token()})->cancel_tokens(), IsEmpty());
  EXPECT_TRUE(h_.ReportOk("w", held_)->canonical());
  EXPECT_TRUE(h_.ReportOk("w", of_own)->canonical()) << "its own jobs are as they were";
  EXPECT_EQ(h_.Drain(), 2);
  EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(own).state(), v1::JOB_STATE_DONE);
}

TEST_F(CoordinatorTakeoverTest, AnEmbeddedCoordinatorTakesNothingOver) {
  h_.Restart(/*resume_jobs=*/false);
  h_.log().EndOther();
  h_.Pass(seconds(60));
  EXPECT_EQ(h_.storage().jobs.at(1).state, JobState::kRunning);
  EXPECT_EQ(h_.storage().elsewhere.size(), 1u);
}

}  // namespace
}  // namespace mmtune
