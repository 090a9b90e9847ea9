// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers that get no leases because an admin said so: cordoned or drained.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

class CoordinatorHoldsTest : public CoordinatorWorkTest {};

TEST_F(CoordinatorHoldsTest, CordonedWorkerGetsNoLeasesUntilUncordoned) {
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

TEST_F(CoordinatorHoldsTest, DrainedWorkerEndsAndReturnsCordoned) {
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

TEST_F(CoordinatorHoldsTest, DrainingAWorkerAnswersItsWaitingCall) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const auto waiting = h_.Lease("w", 1, 20);
  ASSERT_FALSE(waiting->answered());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_DRAINED).ok());
  ASSERT_TRUE(waiting->answered());
  EXPECT_TRUE(waiting->response.drain());
}

TEST_F(CoordinatorHoldsTest, SilentWorkerDoesNotServeDespiteLongLeases) {
  CoordinatorOptions options;
  options.lease_ttl = std::chrono::hours(1);
  CoordinatorHarness harness(options);
  harness.StartJob(FreeJob(3));
  const v1::Lease held = harness.LeaseOne("w");
  harness.Pass(seconds(31));
  EXPECT_FALSE(harness.coordinator().GetServerInfo().workers(0).live());
  EXPECT_TRUE(harness.ReportOk("w", held)->canonical()) << "the lease is its own still";
}

TEST_F(CoordinatorHoldsTest, HeldWorkerIsKeptForADay) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_CORDONED).ok());
  h_.Pass(minutes(60));
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_CORDONED);
  EXPECT_EQ(Status("v").worker_id(), "");
  h_.Pass(minutes(24 * 60));
  EXPECT_EQ(Status("w").worker_id(), "") << "it does not come back";
}

TEST_F(CoordinatorHoldsTest, BadHoldRequestsGetAOneLineError) {
  EXPECT_TRUE(absl::IsNotFound(h_.Hold("nobody", v1::WORKER_HOLD_CORDONED)));
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Hold("", v1::WORKER_HOLD_CORDONED)));
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Hold("w", v1::WORKER_HOLD_QUARANTINED)));
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Hold("w", static_cast<v1::WorkerHold>(99))));
  EXPECT_EQ(Status("w").hold(), v1::WORKER_HOLD_NONE);
}

}  // namespace
}  // namespace mmtune
