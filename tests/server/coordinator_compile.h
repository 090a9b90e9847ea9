// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture for tests of compiling ahead: a job with the model strategy, and workers with a GPU that compile for it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "proto/wire/convert.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {

/// A coordinator with one job, in `uuid_`.
class CoordinatorCompileTest : public CoordinatorWorkTest {
 protected:
  using Tasks = std::vector<v1::CompileTask>;
  static constexpr int kLanes = 4;

  /// Registers the workers, submits the job, and measures what it proposes first.
  void Start(const std::vector<std::string>& workers, int64_t trials = 8, const v1::JobSpec* spec = nullptr) {
    for (const std::string& worker : workers) ASSERT_TRUE(h_.Register(worker, CudaDevice(), {}, kLanes).ok());
    uuid_ = h_.Submit(spec == nullptr ? ModelJob(trials) : *spec).value();
    MeasureAll(workers.front());
  }
  /// Leases and measures all proposed candidates. Returns their number.
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
  /// Makes a Lease call that must get no candidate, and returns its compile tasks.
  Tasks Ask(const std::string& worker, int most = 100, const std::string& request_id = "") {
    const auto response = h_.Lease(worker, 1, 0, request_id, most)->response;
    EXPECT_EQ(response.leases_size(), 0);
    return {response.compiles().begin(), response.compiles().end()};
  }
  /// Reports successful compilations of the tasks.
  void Compile(const std::string& worker, const Tasks& tasks, int64_t spill_bytes = 0) {
    std::vector<v1::CompileReport> reports;
    for (const v1::CompileTask& task : tasks) reports.push_back(CompiledReport(task.token(), spill_bytes));
    ASSERT_TRUE(h_.ReportCompiled(worker, reports).ok());
  }
  /// Reports that the worker hands back the task.
  absl::Status Released(const std::string& worker, const v1::CompileTask& task) {
    v1::CompileReport report;
    report.set_token(task.token());
    report.set_released(true);
    return h_.ReportCompiled(worker, {report});
  }
  /// Measures and compiles until the job has ended.
  void Finish(const std::string& worker) {
    for (int round = 0; round < 200 && h_.Job(uuid_).state() == v1::JOB_STATE_RUNNING; ++round) {
      MeasureAll(worker);
      if (const Tasks tasks = Ask(worker); !tasks.empty()) Compile(worker, tasks);
    }
  }
  /// Returns the number of ok records of the job.
  int64_t Measured(const std::string& uuid) {
    int64_t measured = 0;
    for (const auto& [id, entry] : h_.storage().records) {
      measured += entry.record.job_uuid == uuid && entry.record.measurement.outcome == Outcome::kOk;
    }
    return measured;
  }
  /// Returns the records of schedules that were compiled and not chosen.
  std::vector<TuningRecord> Unchosen(const std::string& uuid) {
    std::vector<TuningRecord> unchosen;
    for (const auto& [id, entry] : h_.storage().records) {
      if (entry.record.job_uuid == uuid && entry.record.measurement.outcome == Outcome::kSkipped) {
        unchosen.push_back(entry.record);
      }
    }
    return unchosen;
  }
  /// Expects that the job is done, every schedule has one record, and the job's counts match the records.
  void ExpectConsistentCounts(int64_t trials) {
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

}  // namespace mmtune
