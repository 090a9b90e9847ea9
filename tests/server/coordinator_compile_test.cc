// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that a search wants compiled before it chooses: who compiles them, what it is told, and what becomes of
// those that it does not choose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using Tasks = std::vector<v1::CompileTask>;

class CoordinatorCompileTest : public CoordinatorWorkTest {
 protected:
  static constexpr int kLanes = 4;

  void Start(const std::vector<std::string>& workers, int64_t trials = 8, const v1::JobSpec* spec = nullptr) {
    for (const std::string& worker : workers) ASSERT_TRUE(h_.Register(worker, CudaDevice(), {}, kLanes).ok());
    uuid_ = h_.Submit(spec == nullptr ? ModelJob(trials) : *spec).value();
    MeasureAll(workers.front());
  }
  /// Whatever is proposed.
  int MeasureAll(const std::string& worker) {
    int measured = 0;
    for (v1::Lease lease = h_.LeaseOne(worker); !lease.token().empty(); lease = h_.LeaseOne(worker), ++measured) {
      EXPECT_TRUE(Measure(worker, lease));
    }
    return measured;
  }
  bool Measure(const std::string& worker, const v1::Lease& lease) {
    const auto status = ReportCuda(worker, lease, 1000 + 10.0 * static_cast<double>(lease.candidate_id()));
    return status.ok() && status->canonical();
  }
  Tasks Ask(const std::string& worker, int most = 100, const std::string& request_id = "") {
    const auto response = h_.Lease(worker, 1, 0, request_id, most)->response;
    EXPECT_EQ(response.leases_size(), 0);
    return {response.compiles().begin(), response.compiles().end()};
  }
  void Compile(const std::string& worker, const Tasks& tasks, int64_t spill_bytes = 0) {
    std::vector<v1::CompileReport> reports;
    for (const v1::CompileTask& task : tasks) reports.push_back(CompiledReport(task.token(), spill_bytes));
    ASSERT_TRUE(h_.ReportCompiled(worker, reports).ok());
  }
  absl::Status Released(const std::string& worker, const v1::CompileTask& task) {
    v1::CompileReport report;
    report.set_token(task.token());
    report.set_released(true);
    return h_.ReportCompiled(worker, {report});
  }
  /// Until the job has ended: measures and compiles.
  void Finish(const std::string& worker) {
    for (int round = 0; round < 200 && h_.Job(uuid_).state() == v1::JOB_STATE_RUNNING; ++round) {
      MeasureAll(worker);
      if (const Tasks tasks = Ask(worker); !tasks.empty()) Compile(worker, tasks);
    }
  }
  int64_t Measured(const std::string& uuid) {
    int64_t measured = 0;
    for (const auto& [id, entry] : h_.storage().records) {
      measured += entry.record.job_uuid == uuid && entry.record.measurement.outcome == Outcome::kOk;
    }
    return measured;
  }
  std::vector<TuningRecord> Unchosen(const std::string& uuid) {
    std::vector<TuningRecord> unchosen;
    for (const auto& [id, entry] : h_.storage().records) {
      if (entry.record.job_uuid == uuid && entry.record.measurement.outcome == Outcome::kSkipped) {
        unchosen.push_back(entry.record);
      }
    }
    return unchosen;
  }
  /// Every schedule has one record, and the counts are those of the records.
  void ExpectWholeBooks(int64_t trials) {
    const v1::Job job = h_.Job(uuid_);
    EXPECT_EQ(job.state(), v1::JOB_STATE_DONE) << job.message();
    const auto unchosen = static_cast<int64_t>(Unchosen(uuid_).size());
    EXPECT_EQ(Measured(uuid_), trials);
    EXPECT_EQ(job.progress().proposed(), trials + unchosen);
    EXPECT_EQ(job.progress().done(), trials + unchosen);
    EXPECT_EQ(job.progress().planned(), job.spec().trials() == 0 ? job.space_size() : trials + unchosen);
    EXPECT_EQ(job.progress().outcomes().at("ok"), trials);
    const auto skipped = job.progress().outcomes().find("skipped");
    EXPECT_EQ(skipped == job.progress().outcomes().end() ? 0 : skipped->second, unchosen);
    std::set<std::string> schedules;
    for (const auto& [id, entry] : h_.storage().records) {
      EXPECT_TRUE(entry.record.canonical);
      if (entry.record.job_uuid == uuid_) {
        EXPECT_TRUE(schedules.insert(entry.record.schedule.Digest()).second);
      }
    }
    int64_t told = 0;
    for (const v1::JobEvent& event : h_.Events(uuid_)) told += event.has_record();
    EXPECT_EQ(told, trials + unchosen) << "watchers see each";
  }

  std::string uuid_;
};

TEST_F(CoordinatorCompileTest, ASearchChoosesByWhatCompilingTells) {
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

TEST_F(CoordinatorCompileTest, AJobMeasuresItsTrialsAndTheRestIsNotChosen) {
  Start({"gpu"}, 8);
  Finish("gpu");
  ExpectWholeBooks(8);
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

TEST_F(CoordinatorCompileTest, TasksAreForWorkersThatTakeThemAndNoMoreThanTheyTake) {
  Start({"gpu"});
  EXPECT_THAT(Ask("gpu", 0), IsEmpty());
  EXPECT_THAT(Ask("gpu", 3), SizeIs(3));
  EXPECT_THAT(Ask("gpu", 3), IsEmpty()) << "it has as many";
  EXPECT_THAT(Ask("gpu", 4), SizeIs(1));
}

TEST_F(CoordinatorCompileTest, AWaitingLeaseCallIsAnsweredByWhatWasChosen) {
  Start({"gpu"});
  const Tasks tasks = Ask("gpu");
  const auto waits = h_.Lease("gpu", 1, 20, "", kLanes);
  Compile("gpu", {tasks[0], tasks[1]});
  EXPECT_FALSE(waits->answered());
  Compile("gpu", {tasks[2], tasks[3]});
  ASSERT_TRUE(waits->answered());
  EXPECT_EQ(waits->response.leases_size(), 1);
  EXPECT_EQ(waits->response.compiles_size(), 0);
}

TEST_F(CoordinatorCompileTest, AWaitingLeaseCallIsAnsweredByTasksAlone) {
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

TEST_F(CoordinatorCompileTest, ARepeatedLeaseCallGetsTheSameTasks) {
  Start({"gpu"});
  const Tasks first = Ask("gpu", 3, "r"), again = Ask("gpu", 3, "r");
  ASSERT_THAT(first, SizeIs(3));
  ASSERT_THAT(again, SizeIs(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(first[i].token(), again[i].token());
  Compile("gpu", {first[0]});
  EXPECT_THAT(Ask("gpu", 3, "r"), SizeIs(2));
}

TEST_F(CoordinatorCompileTest, WhatDoesNotCompileIsNotMeasured) {
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
  ExpectWholeBooks(5);
  int refusals = 0;
  for (const TuningRecord& record : Unchosen(uuid_)) {
    if (!refused.contains(record.schedule.Text())) continue;
    ++refusals;
    EXPECT_EQ(record.measurement.message, "not chosen: it does not compile: ptxas: no");
    EXPECT_EQ(record.measurement.resources.registers, -1);
  }
  EXPECT_EQ(refusals, kLanes);
}

TEST_F(CoordinatorCompileTest, WhatAWorkerHandsBackAnotherGets) {
  Start({"a", "b"});
  const Tasks tasks = Ask("a", 1);
  ASSERT_THAT(tasks, SizeIs(1));
  ASSERT_TRUE(Released("a", tasks[0]).ok());
  EXPECT_EQ(Ask("b", 1).at(0).token(), tasks[0].token());
  ASSERT_TRUE(Released("a", tasks[0]).ok());
  EXPECT_THAT(Ask("a", 0), IsEmpty());
  EXPECT_NE(Ask("a", 1).at(0).token(), tasks[0].token()) << "b is at it";
}

TEST_F(CoordinatorCompileTest, WhatNobodyDoesIsDoneWithout) {
  Start({"gpu"}, 4);
  for (int round = 0; round < 3; ++round) {
    const Tasks tasks = Ask("gpu");
    ASSERT_THAT(tasks, SizeIs(kLanes)) << round;
    for (const v1::CompileTask& task : tasks) ASSERT_TRUE(Released("gpu", task).ok());
  }
  EXPECT_EQ(MeasureAll("gpu"), 1);
  EXPECT_THAT(Unchosen(uuid_), IsEmpty()) << "nothing was compiled";
  ExpectWholeBooks(4);
}

TEST_F(CoordinatorCompileTest, NonsenseIsForAnotherWorker) {
  Start({"a", "b"});
  const std::string token = Ask("a", 1).at(0).token();
  for (const int kind : {0, 1, 2, 3}) {
    v1::CompileReport nonsense = CompiledReport(token);
    if (kind == 0) nonsense.clear_result();
    if (kind == 1) nonsense.mutable_facts()->mutable_resources()->set_registers(-7);
    if (kind == 2) nonsense.mutable_facts()->mutable_resources()->set_registers(int64_t{1} << 62);
    if (kind == 3) nonsense.mutable_facts()->mutable_phases()->set_llvm_ms(-1);
    ASSERT_TRUE(h_.ReportCompiled("a", {nonsense}).ok()) << "there is nothing that it could do about it";
  }
  EXPECT_EQ(Ask("b", 1).at(0).token(), token);
}

TEST_F(CoordinatorCompileTest, TheWordOfAWorkerInQuarantineDoesNotCount) {
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

TEST_F(CoordinatorCompileTest, HeldWorkersGetNone) {
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

TEST_F(CoordinatorCompileTest, WhatACordonedWorkerHasStillCounts) {
  Start({"gpu"});
  const Tasks tasks = Ask("gpu");
  ASSERT_TRUE(h_.Hold("gpu", v1::WORKER_HOLD_CORDONED).ok());
  Compile("gpu", tasks);
  ASSERT_TRUE(h_.Hold("gpu", v1::WORKER_HOLD_NONE).ok());
  EXPECT_EQ(MeasureAll("gpu"), 1);
}

TEST_F(CoordinatorCompileTest, TasksOfASilentWorkerGoToAnotherAndThenTheSearchGoesOn) {
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
  ExpectWholeBooks(6);
}

TEST_F(CoordinatorCompileTest, ASearchWakesUpByItself) {
  Start({"gpu"}, 4);
  ASSERT_THAT(Ask("gpu"), SizeIs(kLanes));
  h_.Pass(seconds(50));
  const auto waits = h_.Lease("gpu", 1, 20);
  ASSERT_FALSE(waits->answered());
  EXPECT_EQ(h_.coordinator().NextDeadline(), h_.clock().Now() + seconds(10));
  h_.Pass(seconds(10));
  EXPECT_EQ(waits->response.leases_size(), 1);
}

TEST_F(CoordinatorCompileTest, APauseOfTheCoordinatorIsNoSilence) {
  Start({"gpu"}, 4);
  const Tasks tasks = Ask("gpu");
  h_.Pause(std::chrono::minutes(10));
  Compile("gpu", tasks);
  Finish("gpu");
  ExpectWholeBooks(4);
  EXPECT_THAT(Unchosen(uuid_), testing::Not(IsEmpty())) << "it was told";
}

TEST_F(CoordinatorCompileTest, AWorkerThatRegistersAgainHasNone) {
  Start({"gpu"});
  const Tasks tasks = Ask("gpu");
  ASSERT_TRUE(h_.Register("gpu", CudaDevice(), {}, kLanes).ok());
  EXPECT_THAT(Ask("gpu"), SizeIs(tasks.size()));
}

TEST_F(CoordinatorCompileTest, ATokenIsOfTheWorkersThatGotIt) {
  Start({"a", "thief"});
  const Tasks tasks = Ask("a", 1);
  Compile("thief", tasks);
  ASSERT_TRUE(Released("thief", tasks[0]).ok());
  h_.Pass(seconds(20));
  EXPECT_EQ(Ask("thief", 1).at(0).token(), tasks[0].token()) << "nobody has done it";
}

TEST_F(CoordinatorCompileTest, WhoChoosesWithoutHasNoTasks) {
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
      {"a rival", CudaDevice(),
       [](v1::JobSpec& spec) {
         for (int i = 0; i < 8; ++i) *spec.add_schedules() = FreeSchedule(i);
         *spec.mutable_rival() = FreeSchedule(9);
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

TEST_F(CoordinatorCompileTest, WorkersThatSayNothingOfTheirLanesHaveNoTasks) {
  ASSERT_TRUE(h_.Register("old", CudaDevice()).ok());
  uuid_ = h_.Submit(ModelJob(8)).value();
  EXPECT_EQ(MeasureAll("old"), 8);
  ExpectWholeBooks(8);
}

TEST_F(CoordinatorCompileTest, WhatTheLogKnowsIsNotCompiledAgain) {
  // Another job has timed them, with what compiling told.
  v1::JobSpec all = ModelJob(400);
  all.set_strategy("exhaustive");
  ASSERT_TRUE(h_.Register("gpu", CudaDevice(), {}, kLanes).ok());
  ASSERT_TRUE(h_.Submit(all).ok());
  for (v1::Lease lease = h_.LeaseOne("gpu"); !lease.token().empty(); lease = h_.LeaseOne("gpu")) {
    v1::CandidateReport report = OkReport(lease.token(), 1000);
    *report.mutable_device() = ToWire(CudaDevice());
    *report.mutable_measurement()->mutable_resources() = CompiledReport("").facts().resources();
    ASSERT_TRUE(h_.Report("gpu", report).ok());
  }
  v1::JobSpec again = ModelJob(8);
  again.set_remeasure(true);
  uuid_ = h_.Submit(again).value();
  EXPECT_EQ(MeasureAll("gpu"), 8) << "nothing was waited for";
  ExpectWholeBooks(8);
  EXPECT_THAT(Unchosen(uuid_), IsEmpty()) << "they have their records";
}

TEST_F(CoordinatorCompileTest, AJobAnsweredByTheLogWaitsForNobody) {
  Start({"gpu"}, 8);
  Finish("gpu");
  const std::string first = uuid_;
  uuid_ = h_.Submit(ModelJob(8)).value();
  Finish("gpu");
  EXPECT_EQ(h_.Job(uuid_).state(), v1::JOB_STATE_DONE);
  EXPECT_GE(h_.Job(uuid_).progress().from_log(), 3);
}

TEST_F(CoordinatorCompileTest, ACancelledJobKeepsWhatWasCompiled) {
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

TEST_F(CoordinatorCompileTest, TasksOfAJobThatHasEndedHoldNoLanes) {
  Start({"gpu"}, 0);
  ASSERT_THAT(Ask("gpu", kLanes), SizeIs(kLanes));
  v1::CancelJobRequest request;
  request.set_job_uuid(uuid_);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(request); }).ok());
  uuid_ = h_.Submit(ModelJob(8)).value();
  MeasureAll("gpu");
  EXPECT_THAT(Ask("gpu", kLanes), SizeIs(kLanes));
}

TEST_F(CoordinatorCompileTest, AFailedJobKeepsWhatWasCompiled) {
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

TEST_F(CoordinatorCompileTest, AJobThatIsOutOfTimeEndsThoughTasksAreOut) {
  v1::JobSpec spec = ModelJob(0);
  spec.set_seconds(10);
  Start({"gpu"}, 0, &spec);
  const Tasks tasks = Ask("gpu");
  ASSERT_THAT(tasks, SizeIs(kLanes));
  Compile("gpu", {tasks[0]});
  h_.Pass(seconds(10));
  ExpectWholeBooks(3);
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

TEST_F(CoordinatorCompileTest, ARestartForgetsTasksAndNoTrial) {
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

TEST_F(CoordinatorCompileTest, AnUndoneBatchForgetsTasksAndNoTrial) {
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

TEST_F(CoordinatorCompileTest, AJobThatLeavesItsDeviceLeavesItsTasks) {
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
