// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that a search wants compiled before it chooses: who compiles them, and what it is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "tests/server/coordinator_compile.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(CoordinatorCompileTest, SearchChoosesByCompileResults) {
  Start({"gpu"});
  EXPECT_EQ(Measured(uuid_), 3) << "the first ones are chosen without";
  const Tasks tasks = Ask("gpu");
  ASSERT_THAT(tasks, SizeIs(kLanes));
  EXPECT_EQ(tasks[0].job_uuid(), uuid_);
  EXPECT_EQ(tasks[0].problem().m(), 64);
  EXPECT_EQ(tasks[0].schedule().family(), "spilling");
  EXPECT_EQ(tasks[0].arch(), "sm_90");
  EXPECT_EQ(tasks[0].trace_id(), h_.Job(uuid_).spec().trace_id());
  EXPECT_THAT(Ask("gpu"), IsEmpty());
  std::vector<v1::CompileReport> reports;
  for (const v1::CompileTask& task : tasks) reports.push_back(CompiledReport(task.token(), reports.empty() ? 0 : 50));
  ASSERT_TRUE(h_.ReportCompiled("gpu", reports).ok());
  const v1::Lease lease = h_.LeaseOne("gpu");
  EXPECT_EQ(FromWire(lease.schedule())->Text(), FromWire(tasks[0].schedule())->Text()) << "it alone does not spill";
}

TEST_F(CoordinatorCompileTest, WorkersGetAtMostTheTasksTheyAskFor) {
  Start({"gpu"});
  EXPECT_THAT(Ask("gpu", 0), IsEmpty());
  EXPECT_THAT(Ask("gpu", 3), SizeIs(3));
  EXPECT_THAT(Ask("gpu", 3), IsEmpty()) << "it has as many";
  EXPECT_THAT(Ask("gpu", 4), SizeIs(1));
}

TEST_F(CoordinatorCompileTest, CompileLanesAreThoseOfServingDevices) {
  struct Case {
    std::vector<int> lanes;  ///< One number for each worker.
    bool other_device;       ///< The last worker has one that does not serve.
    size_t tasks;
  };
  for (const Case& one : {Case{{4, 4}, false, 8}, Case{{4, 0}, false, 4}, Case{{1}, false, 0}, Case{{2}, false, 2},
                          Case{{6}, true, 3}, Case{{6, 6}, true, 8}}) {
    CoordinatorHarness h;
    for (size_t i = 0; i < one.lanes.size(); ++i) {
      v1::RegisterRequest request;
      request.set_worker_id(absl::StrCat("w", i));
      request.set_protocol(kProtocol);
      request.set_compile_lanes(one.lanes[i]);
      DeviceInfo other = SimtDevice();
      other.uuid = "device-1";
      for (const DeviceInfo& device : {CudaDevice(), other}) {
        if (device.uuid == other.uuid && !(one.other_device && i + 1 == one.lanes.size())) continue;
        *request.add_devices()->mutable_device() = ToWire(device);
        *request.mutable_devices()->rbegin()->mutable_toolchain() = ToWire(TestToolchain());
      }
      ASSERT_TRUE(h.Call([&](Coordinator& coordinator) { return coordinator.Register(request); }).ok());
    }
    ASSERT_TRUE(h.Submit(ModelJob(20)).ok());
    for (v1::Lease lease = h.LeaseOne("w0"); !lease.token().empty(); lease = h.LeaseOne("w0")) {
      v1::CandidateReport report = OkReport(lease.token());
      *report.mutable_device() = ToWire(CudaDevice());
      ASSERT_TRUE(h.Report("w0", report).ok());
    }
    EXPECT_EQ(h.Lease("w0", 1, 0, "", 100)->response.compiles_size(), one.tasks) << testing::PrintToString(one.lanes);
  }
}

TEST_F(CoordinatorCompileTest, WaitingLeaseCallGetsTheChosenCandidate) {
  Start({"gpu"});
  const Tasks tasks = Ask("gpu");
  const auto waits = h_.Lease("gpu", 1, 20, "", kLanes);
  Compile("gpu", {tasks[0], tasks[1]});
  EXPECT_FALSE(waits->answered());
  Compile("gpu", {tasks[2], tasks[3]});
  ASSERT_TRUE(waits->answered());
  ASSERT_EQ(waits->response.leases_size(), 1);
  // Of the four that are the most promising after it, one has not been compiled yet: while this one is measured, it is.
  ASSERT_EQ(waits->response.compiles_size(), 1);
  EXPECT_EQ(h_.Lease("gpu", 1, 0, "", kLanes)->response.leases_size(), 0) << "the next choice waits for it";
  EXPECT_THAT(Ask("gpu"), IsEmpty());
}

TEST_F(CoordinatorCompileTest, WaitingLeaseCallIsAnsweredByTasksAlone) {
  ASSERT_TRUE(h_.Register("gpu", CudaDevice(), {}, kLanes).ok());
  uuid_ = h_.Submit(ModelJob(8)).value();
  v1::Lease last;
  for (int i = 0; i < 3; ++i) {
    last = h_.LeaseOne("gpu");
    ASSERT_TRUE(i == 2 || Measure("gpu", last));
  }
  const auto waits = h_.Lease("gpu", 1, 20, "", kLanes);
  EXPECT_FALSE(waits->answered());
  ASSERT_TRUE(Measure("gpu", last));
  ASSERT_TRUE(waits->answered());
  EXPECT_EQ(waits->response.leases_size(), 0);
  EXPECT_EQ(waits->response.compiles_size(), kLanes);
}

TEST_F(CoordinatorCompileTest, RepeatedLeaseCallGetsTheSameTasks) {
  Start({"gpu"});
  const Tasks first = Ask("gpu", 3, "r"), again = Ask("gpu", 3, "r");
  ASSERT_THAT(first, SizeIs(3));
  ASSERT_THAT(again, SizeIs(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(first[i].token(), again[i].token());
  Compile("gpu", {first[0]});
  EXPECT_THAT(Ask("gpu", 3, "r"), SizeIs(2));
}

TEST_F(CoordinatorCompileTest, AnotherWorkerGetsAReturnedTask) {
  Start({"a", "b"});
  const Tasks tasks = Ask("a", 1);
  ASSERT_THAT(tasks, SizeIs(1));
  ASSERT_TRUE(Released("a", tasks[0]).ok());
  EXPECT_EQ(Ask("b", 1).at(0).token(), tasks[0].token());
  ASSERT_TRUE(Released("a", tasks[0]).ok());
  EXPECT_THAT(Ask("a", 0), IsEmpty());
  EXPECT_NE(Ask("a", 1).at(0).token(), tasks[0].token()) << "b is at it";
}

TEST_F(CoordinatorCompileTest, SearchContinuesWithoutTasksThatTimeOut) {
  Start({"gpu"}, 4);
  for (int round = 0; round < 3; ++round) {
    const Tasks tasks = Ask("gpu");
    ASSERT_THAT(tasks, SizeIs(kLanes)) << round;
    for (const v1::CompileTask& task : tasks) ASSERT_TRUE(Released("gpu", task).ok());
  }
  EXPECT_EQ(MeasureAll("gpu"), 1);
  EXPECT_THAT(Unchosen(uuid_), IsEmpty()) << "nothing was compiled";
  ExpectConsistentCounts(4);
}

TEST_F(CoordinatorCompileTest, InvalidCompileReportLeavesTheTaskToAnotherWorker) {
  Start({"a", "b"});
  const std::string token = Ask("a", 1).at(0).token();
  for (const int kind : {0, 1, 2, 3, 4, 5}) {
    v1::CompileReport nonsense = CompiledReport(token);
    if (kind == 0) nonsense.clear_result();
    if (kind == 1) nonsense.mutable_facts()->mutable_resources()->set_registers(-7);
    if (kind == 2) nonsense.mutable_facts()->mutable_resources()->set_registers(int64_t{1} << 62);
    if (kind == 3) nonsense.mutable_facts()->mutable_phases()->set_llvm_ms(-1);
    if (kind == 4)
      nonsense.mutable_facts()->set_predicted_peak_fraction(1e-310);  // as good as for ever, in a search's mean
    if (kind == 5) nonsense.mutable_facts()->set_predicted_peak_fraction(std::nan(""));
    ASSERT_TRUE(h_.ReportCompiled("a", {nonsense}).ok()) << "there is nothing that it could do about it";
  }
  EXPECT_EQ(Ask("b", 1).at(0).token(), token);
}

TEST_F(CoordinatorCompileTest, CompileReportOfAQuarantinedWorkerIsIgnored) {
  Start({"a", "b"});
  const Tasks tasks = Ask("a");
  ASSERT_THAT(tasks, testing::Not(IsEmpty()));
  v1::JobSpec urgent = FreeJob(3);
  urgent.set_priority(1);
  ASSERT_TRUE(h_.Submit(urgent).ok());
  EXPECT_FALSE(ReportCuda("a", h_.LeaseOne("a"), 1e-300)->canonical());
  EXPECT_TRUE(ReportCuda("b", h_.LeaseOne("b"), 1000)->canonical());
  ASSERT_EQ(Status("a").hold(), v1::WORKER_HOLD_QUARANTINED);
  Compile("a", tasks);
  EXPECT_THAT(Unchosen(uuid_), IsEmpty());
  MeasureAll("b");
  std::set<std::string> tokens, again;
  for (const v1::CompileTask& task : tasks) tokens.insert(task.token());
  for (const v1::CompileTask& task : Ask("b")) again.insert(task.token());
  for (const std::string& token : tokens) EXPECT_TRUE(again.contains(token)) << token;
}

TEST_F(CoordinatorCompileTest, HeldWorkersGetNoTasks) {
  Start({"a", "b"});
  for (const v1::WorkerHold hold : {v1::WORKER_HOLD_CORDONED, v1::WORKER_HOLD_DRAINED}) {
    ASSERT_TRUE(h_.Hold("a", hold).ok());
    EXPECT_THAT(Ask("a"), IsEmpty());
  }
  v1::HeartbeatRequest leaves;
  leaves.set_worker_id("b");
  leaves.set_draining(true);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.Heartbeat(leaves); }).ok());
  EXPECT_THAT(Ask("b"), IsEmpty());
}

TEST_F(CoordinatorCompileTest, CompileReportOfACordonedWorkerCounts) {
  Start({"gpu"});
  const Tasks tasks = Ask("gpu");
  ASSERT_TRUE(h_.Hold("gpu", v1::WORKER_HOLD_CORDONED).ok());
  Compile("gpu", tasks);
  ASSERT_TRUE(h_.Hold("gpu", v1::WORKER_HOLD_NONE).ok());
  EXPECT_EQ(MeasureAll("gpu"), 1);
}

TEST_F(CoordinatorCompileTest, TasksOfASilentWorkerGoToAnotherBeforeTheSearchContinues) {
  Start({"a", "b"}, 6);
  const Tasks lost = Ask("a");
  ASSERT_THAT(lost, testing::Not(IsEmpty()));
  Ask("b");
  h_.Pass(seconds(19));
  EXPECT_THAT(Ask("b"), IsEmpty());
  h_.Pass(seconds(1));
  const Tasks again = Ask("b");
  EXPECT_THAT(again, SizeIs(lost.size()));
  h_.Pass(seconds(39));
  EXPECT_TRUE(h_.LeaseOne("b").token().empty());
  h_.Pass(seconds(1));
  const v1::Lease lease = h_.LeaseOne("b");
  ASSERT_FALSE(lease.token().empty()) << "a minute is enough";
  Compile("a", lost);
  Compile("b", again);
  EXPECT_TRUE(Measure("b", lease));
  Finish("b");
  ExpectConsistentCounts(6);
}

TEST_F(CoordinatorCompileTest, TaskTimeoutWakesTheSearch) {
  Start({"gpu"}, 4);
  ASSERT_THAT(Ask("gpu"), SizeIs(kLanes));
  h_.Pass(seconds(50));
  const auto waits = h_.Lease("gpu", 1, 20);
  ASSERT_FALSE(waits->answered());
  EXPECT_EQ(h_.coordinator().NextDeadline(), h_.clock().Now() + seconds(10));
  h_.Pass(seconds(10));
  EXPECT_EQ(waits->response.leases_size(), 1);
}

TEST_F(CoordinatorCompileTest, PauseOfTheCoordinatorDoesNotExpireTasks) {
  Start({"gpu"}, 4);
  const Tasks tasks = Ask("gpu");
  h_.Pause(std::chrono::minutes(10));
  Compile("gpu", tasks);
  Finish("gpu");
  ExpectConsistentCounts(4);
  EXPECT_THAT(Unchosen(uuid_), testing::Not(IsEmpty())) << "it was told";
}

TEST_F(CoordinatorCompileTest, WorkerThatRegistersAgainHasNoTasks) {
  Start({"gpu"});
  const Tasks tasks = Ask("gpu");
  ASSERT_TRUE(h_.Register("gpu", CudaDevice(), {}, kLanes).ok());
  EXPECT_THAT(Ask("gpu"), SizeIs(tasks.size()));
}

TEST_F(CoordinatorCompileTest, CompileTokenCountsOnlyFromAssignedWorkers) {
  Start({"a", "thief"});
  const Tasks tasks = Ask("a", 1);
  Compile("thief", tasks);
  ASSERT_TRUE(Released("thief", tasks[0]).ok());
  h_.Pass(seconds(20));
  EXPECT_EQ(Ask("thief", 1).at(0).token(), tasks[0].token()) << "nobody has done it";
}

}  // namespace
}  // namespace mmtune
