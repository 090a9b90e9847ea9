// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of jobs whose searches have schedules compiled, and of those that are not chosen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>

#include "proto/wire/convert.h"
#include "tests/server/coordinator_compile.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

TEST_F(CoordinatorCompileTest, JobMeasuresItsTrialsAndRecordsTheRestAsNotChosen) {
  Start({"gpu"}, 8);
  Finish("gpu");
  ExpectConsistentCounts(8);
  const std::vector<TuningRecord> unchosen = Unchosen(uuid_);
  ASSERT_THAT(unchosen, testing::Not(IsEmpty()));
  for (const TuningRecord& record : unchosen) {
    EXPECT_THAT(record.measurement.message, StartsWith("not chosen: 100 registers; predicted: "));
    EXPECT_EQ(record.measurement.timing.low_ns, 0);
    EXPECT_EQ(record.measurement.resources.threads, 128);
    EXPECT_EQ(record.measurement.phases.llvm_ms, 3);
    EXPECT_EQ(record.measurement.code_digest, "digest");
    EXPECT_EQ(record.worker, "gpu");
    EXPECT_EQ(record.device.kind, DeviceKind::kCuda);
  }
}

TEST_F(CoordinatorCompileTest, ScheduleThatDoesNotCompileIsNotMeasured) {
  Start({"gpu"}, 5);
  const Tasks tasks = Ask("gpu");
  std::vector<v1::CompileReport> reports;
  std::set<std::string> refused;
  for (const v1::CompileTask& task : tasks) {
    v1::CompileReport& report = reports.emplace_back();
    report.set_token(task.token());
    report.set_compile_failed("ptxas:\nno");
    refused.insert(FromWire(task.schedule())->Text());
  }
  ASSERT_TRUE(h_.ReportCompiled("gpu", reports).ok());
  Finish("gpu");
  ExpectConsistentCounts(5);
  int refusals = 0;
  for (const TuningRecord& record : Unchosen(uuid_)) {
    if (!refused.contains(record.schedule.Text())) continue;
    ++refusals;
    EXPECT_EQ(record.measurement.message, "not chosen: it does not compile: ptxas: no");
    EXPECT_EQ(record.measurement.resources.registers, -1);
  }
  EXPECT_EQ(refusals, kLanes);
}

TEST_F(CoordinatorCompileTest, SearchWithoutCompileAheadHasNoTasks) {
  struct Case {
    const char* what;
    DeviceInfo device;
    std::function<void(v1::JobSpec&)> change;
  };
  const std::vector<Case> cases = {
      {"the SIMT device", SimtDevice(), [](v1::JobSpec&) {}},
      {"no_compile_ahead", CudaDevice(), [](v1::JobSpec& spec) { spec.set_no_compile_ahead(true); }},
      {"another strategy", CudaDevice(), [](v1::JobSpec& spec) { spec.set_strategy("random"); }},
      {"named schedules", CudaDevice(),
       [](v1::JobSpec& spec) {
         for (int i = 0; i < 8; ++i) *spec.add_schedules() = FreeSchedule(i);
       }},
      {"a reference", CudaDevice(),
       [](v1::JobSpec& spec) {
         for (int i = 0; i < 8; ++i) *spec.add_schedules() = FreeSchedule(i);
         *spec.mutable_reference() = FreeSchedule(9);
       }},
  };
  for (const Case& one : cases) {
    CoordinatorHarness h;
    ASSERT_TRUE(h.Register("w", one.device, {}, kLanes).ok());
    v1::JobSpec spec = ModelJob(8);
    one.change(spec);
    const std::string uuid = h.Submit(spec).value();
    for (int i = 0; i < 8; ++i) {
      const auto call = h.Lease("w", 1, 0, "", 100);
      EXPECT_EQ(call->response.compiles_size(), 0) << one.what;
      ASSERT_EQ(call->response.leases_size(), 1) << one.what;
      v1::CandidateReport report = OkReport(call->response.leases(0).token(), 1000 + i);
      if (one.device.kind == DeviceKind::kCuda) *report.mutable_device() = ToWire(CudaDevice());
      ASSERT_TRUE(h.Report("w", report).ok());
    }
    EXPECT_EQ(h.Job(uuid).progress().done(), 8) << one.what;
  }
}

TEST_F(CoordinatorCompileTest, WorkersWithoutCompileLanesGetNoTasks) {
  ASSERT_TRUE(h_.Register("old", CudaDevice()).ok());
  uuid_ = h_.Submit(ModelJob(8)).value();
  EXPECT_EQ(MeasureAll("old"), 8);
  ExpectConsistentCounts(8);
}

TEST_F(CoordinatorCompileTest, JobAnsweredByTheLogNeedsNoCompiling) {
  Start({"gpu"}, 8);
  Finish("gpu");
  const std::string first = uuid_;
  uuid_ = h_.Submit(ModelJob(8)).value();
  Finish("gpu");
  EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_DONE);
  EXPECT_GE(h_.Job(uuid_).progress().from_log(), 3);
}

TEST_F(CoordinatorCompileTest, CancelledJobRecordsCompiledSchedules) {
  Start({"gpu"}, 0);
  const Tasks tasks = Ask("gpu");
  ASSERT_THAT(tasks, SizeIs(kLanes));
  Compile("gpu", {tasks[0], tasks[1]});
  v1::CancelJobRequest request;
  request.set_job_uuid(uuid_);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(request); }).ok());
  EXPECT_THAT(Unchosen(uuid_), SizeIs(2));
  EXPECT_FALSE(h_.coordinator().NextDeadline()) << "its tasks are over";
  const size_t records = h_.storage().records.size();
  Compile("gpu", tasks);
  EXPECT_EQ(h_.storage().records.size(), records) << "too late";
  EXPECT_THAT(Ask("gpu"), IsEmpty());
  const v1::JobProgress progress = h_.Job(uuid_).progress();
  EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_CANCELLED);
  EXPECT_EQ(progress.done(), 5);
  EXPECT_EQ(progress.proposed(), 5);
  EXPECT_EQ(progress.outcomes().at("skipped"), 2);
}

TEST_F(CoordinatorCompileTest, TasksOfAnEndedJobOccupyNoLanes) {
  Start({"gpu"}, 0);
  ASSERT_THAT(Ask("gpu", kLanes), SizeIs(kLanes));
  v1::CancelJobRequest request;
  request.set_job_uuid(uuid_);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(request); }).ok());
  uuid_ = h_.Submit(ModelJob(8)).value();
  MeasureAll("gpu");
  EXPECT_THAT(Ask("gpu", kLanes), SizeIs(kLanes));
}

TEST_F(CoordinatorCompileTest, FailedJobRecordsCompiledSchedules) {
  Start({"gpu"}, 30);
  Compile("gpu", Ask("gpu"));
  for (int round = 0; round < 200 && h_.Job(uuid_).state() == v1::JOB_STATE_RUNNING; ++round) {
    if (const v1::Lease lease = h_.LeaseOne("gpu"); !lease.token().empty()) {
      v1::CandidateReport report;
      report.set_token(lease.token());
      report.set_infrastructure_error("out of disk");
      ASSERT_TRUE(h_.Report("gpu", report).ok());
    } else {
      Compile("gpu", Ask("gpu"));
    }
  }
  EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_FAILED);
  const v1::JobProgress progress = h_.Job(uuid_).progress();
  EXPECT_EQ(progress.done(), progress.proposed());
  EXPECT_EQ(progress.outcomes().at("not_measured"), 5);
  EXPECT_EQ(progress.outcomes().at("skipped"), static_cast<int64_t>(Unchosen(uuid_).size()));
}

TEST_F(CoordinatorCompileTest, JobOutOfTimeEndsDespiteOpenTasks) {
  v1::JobSpec spec = ModelJob(0);
  spec.set_seconds(10);
  Start({"gpu"}, 0, &spec);
  const Tasks tasks = Ask("gpu");
  ASSERT_THAT(tasks, SizeIs(kLanes));
  Compile("gpu", {tasks[0]});
  h_.Pass(seconds(10));
  ExpectConsistentCounts(3);
  Compile("gpu", tasks);
  EXPECT_THAT(Unchosen(uuid_), SizeIs(1));
}

TEST_F(CoordinatorCompileTest, TwoJobsShareTheLanesOfAWorker) {
  Start({"gpu"}, 6);
  const std::string first = uuid_;
  uuid_ = h_.Submit(ModelJob(6)).value();
  MeasureAll("gpu");
  EXPECT_THAT(Ask("gpu", 6), SizeIs(6));
  EXPECT_THAT(Ask("gpu", 6), IsEmpty());
  EXPECT_THAT(Ask("gpu", 100), SizeIs(2));
  ASSERT_TRUE(h_.Register("gpu", CudaDevice(), {}, kLanes).ok());
  for (int round = 0; round < 100; ++round) {
    MeasureAll("gpu");
    if (const Tasks tasks = Ask("gpu", 6); !tasks.empty()) Compile("gpu", tasks);
  }
  for (const std::string& uuid : {first, uuid_}) EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(Measured(first), 6);
}

TEST_F(CoordinatorCompileTest, HighestPriorityGetsLanesFirst) {
  Start({"gpu"}, 6);
  v1::JobSpec urgent = ModelJob(6);
  urgent.set_priority(1);
  const std::string first = std::exchange(uuid_, h_.Submit(urgent).value());
  MeasureAll("gpu");
  const Tasks tasks = Ask("gpu", 2 * kLanes);
  ASSERT_THAT(tasks, SizeIs(2 * kLanes));
  for (int i = 0; i < 2 * kLanes; ++i) EXPECT_EQ(tasks[i].job_uuid(), i < kLanes ? uuid_ : first);
}

TEST_F(CoordinatorCompileTest, RestartDropsTasksAndKeepsTrials) {
  Start({"gpu"}, 7);
  Compile("gpu", Ask("gpu"));
  MeasureAll("gpu");
  const Tasks out = Ask("gpu");
  std::set<std::string> before;
  for (const auto& [id, candidate] : h_.storage().candidates) before.insert(candidate.schedule.Text());
  const int64_t measured = Measured(uuid_);
  h_.Restart();
  ASSERT_TRUE(h_.Register("gpu", CudaDevice(), {}, kLanes).ok());
  Compile("gpu", out);  // of nobody that it knows
  EXPECT_EQ(h_.Job(uuid_).progress().done(), measured) << "all that was proposed has its result";
  EXPECT_EQ(h_.storage().candidates.size(), before.size()) << "what was only compiled is no candidate";
  Finish("gpu");
  EXPECT_EQ(Measured(uuid_), 7);
  const v1::JobProgress progress = h_.Job(uuid_).progress();
  EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(progress.done(), progress.proposed());
}

TEST_F(CoordinatorCompileTest, UndoneBatchDropsTasksAndKeepsTrials) {
  v1::JobSpec spec = ModelJob(6);
  spec.set_remeasure(true);
  for (int calls = 1; calls <= 12; ++calls) {
    Start({"gpu"}, 6, &spec);
    const Tasks tasks = Ask("gpu");
    ASSERT_THAT(tasks, SizeIs(kLanes)) << calls;
    Compile("gpu", {tasks[0], tasks[1]});
    h_.log().FailAfter(calls);
    for (int round = 0; round < 100 && h_.Job(uuid_).state() != v1::JOB_STATE_DONE; ++round) {
      const auto call = h_.Lease("gpu", 1, 0, "", 100);
      std::vector<v1::CompileReport> reports;
      for (const v1::CompileTask& task : call->response.compiles()) reports.push_back(CompiledReport(task.token()));
      h_.ReportCompiled("gpu", reports).IgnoreError();
      for (const v1::Lease& lease : call->response.leases()) ReportCuda("gpu", lease, 1000).IgnoreError();
      h_.Pass(seconds(1));
    }
    EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_DONE) << calls;
    EXPECT_EQ(Measured(uuid_), 6) << calls;
  }
}

TEST_F(CoordinatorCompileTest, JobThatLeavesItsDeviceDropsItsTasks) {
  CoordinatorOptions options;
  options.lease_ttl = seconds(20);  // so that it leaves before it goes on without
  CoordinatorHarness h(options);
  v1::JobSpec spec = ModelJob(4);
  spec.mutable_device()->set_device("auto");
  ASSERT_TRUE(h.Register("gpu", CudaDevice(), {}, kLanes).ok());
  const std::string uuid = h.Submit(spec).value();
  // None of the first can be measured.
  for (v1::Lease lease = h.LeaseOne("gpu"); !lease.token().empty(); lease = h.LeaseOne("gpu")) {
    v1::CandidateReport report;
    report.set_token(lease.token());
    report.set_infrastructure_error("no");
    ASSERT_TRUE(h.Report("gpu", report).ok());
  }
  const v1::LeaseResponse out = h.Lease("gpu", 1, 0, "", 100)->response;
  ASSERT_EQ(out.compiles_size(), kLanes);
  for (int i = 0; i + 1 < kLanes; ++i) {
    ASSERT_TRUE(h.ReportCompiled("gpu", {CompiledReport(out.compiles(i).token())}).ok());
  }
  ASSERT_TRUE(h.Register("w", SimtDevice()).ok());
  for (int passed = 0; passed < 50; passed += 10) {
    h.Pass(seconds(10));
    h.Lease("w", 1);
  }
  ASSERT_EQ(h.Job(uuid).device().kind(), "simt");
  for (const v1::CompileTask& task : out.compiles()) {
    ASSERT_TRUE(h.ReportCompiled("gpu", {CompiledReport(task.token())}).ok());
  }
  h.Pass(seconds(21));
  ASSERT_TRUE(h.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h.Drain("w"), 4);
  EXPECT_EQ(h.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h.Job(uuid).progress().done(), 4);
  for (const auto& [id, entry] : h.storage().records) EXPECT_EQ(entry.record.measurement.outcome, Outcome::kOk);
}

}  // namespace
}  // namespace mmtune
