// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On which device a job runs that may run on any, and when it leaves it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

v1::JobSpec AutoJob() {
  v1::JobSpec spec = FreeJob(2);
  spec.mutable_device()->set_device("auto");
  return spec;
}

TEST_F(CoordinatorWorkTest, JobLeavesADeviceThatNeverAsksForWork) {
  ASSERT_TRUE(h_.Register("mute", CudaDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  auto call = h_.Lease("w", 1, 20);
  for (int i = 0; i < 4; ++i) {
    h_.Pass(seconds(10));
    h_.Heartbeat("mute", {}).IgnoreError();  // it lives
    if (call->answered() && call->response.leases_size() == 0) call = h_.Lease("w", 1, 20);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "simt");
  ASSERT_EQ(call->response.leases_size(), 1);
  EXPECT_TRUE(h_.ReportOk("w", call->response.leases(0))->canonical());
  EXPECT_EQ(h_.Drain("w"), 1);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 2);
}

TEST_F(CoordinatorWorkTest, JobLeavesASilentDeviceAtAnyTick) {
  for (int step : {7, 10, 29}) {
    CoordinatorHarness h;
    ASSERT_TRUE(h.Register("mute", CudaDevice()).ok());
    const std::string uuid = h.Submit(AutoJob()).value();
    ASSERT_TRUE(h.Register("w", SimtDevice()).ok());
    for (int passed = 0; passed < 60; passed += step) {
      EXPECT_EQ(h.Job(uuid).device().kind(), passed < 30 ? "cuda" : "simt") << passed << " s, in steps of " << step;
      h.Pass(seconds(step));
      h.Heartbeat("mute", {}).IgnoreError();
      h.Lease("w", 1);
    }
  }
}

TEST_F(CoordinatorWorkTest, JobLeavesADeviceThatOnlyLosesItsLeases) {
  ASSERT_TRUE(h_.Register("thief", CudaDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  const v1::Lease taken = h_.LeaseOne("thief");
  ASSERT_FALSE(taken.token().empty());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (int i = 0; i < 4; ++i) {
    h_.Pass(seconds(10));
    h_.Lease("thief", 1);  // it asks for more, and reports nothing
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "simt");
  h_.Pass(seconds(31));  // what "w" was given above
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Drain("w"), 2);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_TRUE(h_.Report("thief", OkReport(taken.token())).ok());
  EXPECT_EQ(h_.Job(uuid).progress().outcomes().at("ok"), 2);
}

TEST_F(CoordinatorWorkTest, JobKeepsItsDeviceWhenOneOfManyWorkersIsLost) {
  for (const char* gpu : {"gpu-1", "gpu-2", "gpu-3"}) ASSERT_TRUE(h_.Register(gpu, CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  v1::JobSpec spec = AutoJob();
  spec.set_trials(0);
  const std::string uuid = h_.Submit(spec).value();
  ASSERT_FALSE(h_.LeaseOne("gpu-1").token().empty());  // it is killed
  const std::string slow = h_.LeaseOne("gpu-2").token();
  for (int i = 0; i < 8; ++i) {
    h_.Pass(seconds(10));
    h_.Heartbeat("gpu-2", {slow}).IgnoreError();
    h_.Heartbeat("gpu-3", {}).IgnoreError();
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  v1::CandidateReport report = OkReport(slow);
  *report.mutable_device() = ToWire(CudaDevice());
  EXPECT_TRUE(h_.Report("gpu-2", report)->canonical()) << "its lease was not dropped";
}

TEST_F(CoordinatorWorkTest, JobKeepsItsDeviceWhenALeaseTookTooLong) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  const v1::Lease lease = h_.LeaseOne("gpu");
  for (double left = lease.start_to_close_seconds() + 20; left > 0; left -= 20) {
    h_.Pass(seconds(20));
    h_.Heartbeat("gpu", {lease.token()}).IgnoreError();
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
}

TEST_F(CoordinatorWorkTest, RestartedWorkerHasTheTimeOfALeaseToReturn) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  h_.Lease("gpu", 1, 20);
  const v1::Lease lease = h_.LeaseOne("gpu");
  v1::HeartbeatRequest leaves;
  leaves.set_worker_id("gpu");
  leaves.set_draining(true);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.Heartbeat(leaves); }).ok());
  h_.Pass(seconds(5));
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  ASSERT_TRUE(h_.Register("gpu-again", CudaDevice()).ok());
  h_.Lease("gpu-again", 1);
  for (int i = 0; i < 5; ++i) {
    h_.Pass(seconds(10));
    h_.Lease("gpu-again", 1);
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
}

TEST_F(CoordinatorWorkTest, WorkersThatNeverAskForWorkDoNotKeepAJob) {
  ASSERT_TRUE(h_.Register("gpu-0", CudaDevice()).ok());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  for (int i = 1; i < 6; ++i) {
    h_.Pass(seconds(10));
    ASSERT_TRUE(h_.Register(absl::StrCat("gpu-", i), CudaDevice()).ok());
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "simt");
}

TEST_F(CoordinatorWorkTest, JobWithResultsKeepsItsDevice) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  const std::string uuid = h_.Submit(AutoJob()).value();
  v1::CandidateReport report = OkReport(h_.LeaseOne("gpu").token());
  *report.mutable_device() = ToWire(CudaDevice());
  ASSERT_TRUE(h_.Report("gpu", report)->canonical());
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (int i = 0; i < 5; ++i) {
    h_.Pass(seconds(10));
    h_.Lease("w", 1);
  }
  EXPECT_EQ(h_.Job(uuid).device().kind(), "cuda");
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
}

}  // namespace
}  // namespace mmtune
