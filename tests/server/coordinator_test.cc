// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs: what they measure, when they end, what is told of them.
#include "server/coordinator/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

class CoordinatorTest : public testing::Test {
 protected:
  std::string StartJob(const v1::JobSpec& spec = FreeJob()) { return h_.StartJob(spec); }

  CoordinatorHarness h_;
};

TEST_F(CoordinatorTest, RunsAJobToItsEnd) {
  const std::string uuid = StartJob();
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
  EXPECT_EQ(h_.Job(uuid).space_size(), 12);
  EXPECT_EQ(h_.Drain(), 12);
  v1::Job job = h_.Job(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().done(), 12);
  EXPECT_EQ(job.progress().planned(), 12);
  EXPECT_EQ(job.progress().from_log(), 0);
  EXPECT_EQ(job.progress().outcomes().at("ok"), 12);
  EXPECT_DOUBLE_EQ(job.progress().best_gflops(), 2.0 * 64 * 32 * 16 / 1000);
  EXPECT_EQ(h_.storage().records.size(), 12u);
}

TEST_F(CoordinatorTest, OfManyJobsThatEndedTheLastOnesAreKept) {
  constexpr size_t kJobs = 100, kKept = 64;
  std::vector<std::string> uuids;
  for (size_t i = 0; i < kJobs; ++i) {
    uuids.push_back(StartJob(WideJob(2)));
    ASSERT_EQ(h_.Drain(), 2);
  }
  const v1::ServerInfo info = h_.coordinator().GetServerInfo();
  EXPECT_EQ(info.jobs_size(), static_cast<int>(kKept));
  EXPECT_EQ(info.leases_size(), 0);
  EXPECT_EQ(info.workers_size(), 1);
  EXPECT_EQ(h_.coordinator().QueuedCandidates(), 0);
  for (size_t i = 0; i < kJobs; ++i) {
    EXPECT_EQ(h_.feeds().Find(uuids[i]) != nullptr, i >= kJobs - kKept) << i;
  }
  EXPECT_EQ(h_.Events(uuids[kJobs - kKept]).size(), 1u);
}

TEST_F(CoordinatorTest, RestrictedJobMeasuresOnlyItsPartOfTheSpace) {
  v1::JobSpec spec = FreeJob();
  spec.clear_families();
  spec.add_only("free x=3 y=5,11");
  const std::string uuid = StartJob(spec);
  EXPECT_EQ(h_.Job(uuid).space_size(), 2);
  EXPECT_EQ(h_.Drain(), 2);
  std::set<std::string> measured;
  for (const auto& [id, kept] : h_.storage().records) measured.insert(kept.record.schedule.Text());
  EXPECT_THAT(measured, testing::ElementsAre("free x=3 y=11", "free x=3 y=5"));

  spec.set_only(0, "free x=4");
  const std::string none = StartJob(spec);
  EXPECT_EQ(h_.Job(none).state(), v1::JOB_STATE_FAILED);
  EXPECT_THAT(h_.Job(none).message(), HasSubstr("not searched with x=4"));
}

TEST_F(CoordinatorTest, JobAndItsLeasesHaveATraceId) {
  v1::JobSpec spec = FreeJob();
  spec.set_trace_id("0af7651916cd43dd8448eb211c80319c");
  const std::string uuid = StartJob(spec);
  EXPECT_EQ(h_.Job(uuid).spec().trace_id(), spec.trace_id());
  EXPECT_EQ(h_.LeaseOne("w").trace_id(), spec.trace_id());
  spec.set_trace_id("0af7");
  EXPECT_TRUE(absl::IsInvalidArgument(h_.Submit(spec).status()));

  // One that names none gets its own, also over a restart; the same request again is the same job.
  const std::string other = *h_.Submit(FreeJob(3), "request");
  const std::string made = h_.Job(other).spec().trace_id();
  EXPECT_NE(made, "");
  EXPECT_NE(made, h_.Job(uuid).spec().trace_id());
  EXPECT_EQ(*h_.Submit(FreeJob(3), "request"), other);
  h_.Restart();
  EXPECT_EQ(h_.Job(other).spec().trace_id(), made);
  EXPECT_EQ(*h_.Submit(FreeJob(3), "request"), other);
}

TEST_F(CoordinatorTest, TrialLimitEndsTheJob) {
  const std::string uuid = StartJob(FreeJob(5));
  EXPECT_EQ(h_.Job(uuid).progress().planned(), 5);
  EXPECT_EQ(h_.Drain(), 5);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
}

TEST_F(CoordinatorTest, JobMessageSaysWhyTheSearchEnded) {
  const std::string some = StartJob(FreeJob(5));
  h_.Drain();
  EXPECT_EQ(h_.Job(some).message(), "trials: 5");
  EXPECT_EQ(h_.storage().jobs.begin()->second.message, "trials: 5");
  v1::JobSpec all = FreeJob();
  all.set_remeasure(true);
  const std::string every = StartJob(all);
  h_.Drain();
  EXPECT_EQ(h_.Job(every).message(), "every valid schedule was tried");
  v1::JobSpec given = FreeJob();
  *given.add_schedules() = FreeSchedule(0);
  const std::string one = StartJob(given);
  h_.Drain();
  EXPECT_EQ(h_.Job(one).message(), "");
}

TEST_F(CoordinatorTest, BaselineLimitEndsTheJobAndDropsQueuedCandidates) {
  v1::JobSpec spec = FreeJob();
  spec.set_baseline_percent(100);
  const std::string uuid = StartJob(spec);
  std::shared_ptr<TestLeaseCall> leases = h_.Lease("w", 3);
  ASSERT_EQ(leases->response.leases_size(), 3);
  const auto report = [&](int lease, double ns) {
    v1::CandidateReport message = OkReport(leases->response.leases(lease).token(), ns);
    v1::Baseline* baseline = message.mutable_measurement()->mutable_conditions()->mutable_baseline();
    baseline->set_library("cuBLAS 13");
    baseline->set_median_ns(1000);
    baseline->set_low_ns(1000);
    baseline->set_high_ns(1000);
    ASSERT_TRUE(h_.Report("w", message).ok());
  };
  report(0, 1250);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
  report(1, 800);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING) << "one is leased";
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  report(2, 900);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).message(), "the best schedule has 125 % of the baseline's speed; the limit is 100 %");
  EXPECT_EQ(h_.Job(uuid).progress().done(), 3);
}

TEST_F(CoordinatorTest, PlateauEndsTheJob) {
  v1::JobSpec spec = FreeJob();
  spec.set_families(0, "tiled");
  spec.set_strategy("model");
  spec.set_plateau_percent(100);
  const std::string uuid = StartJob(spec);
  h_.Drain();
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("plateau: one more schedule is expected to gain"));
  EXPECT_LT(h_.Job(uuid).progress().done(), 20);
  EXPECT_GT(h_.Job(uuid).progress().done(), 8);
}

TEST_F(CoordinatorTest, TimeLimitStopsProposalsAndLetsLeasesFinish) {
  v1::JobSpec spec = FreeJob();
  spec.set_seconds(10);
  const std::string uuid = StartJob(spec);
  v1::Lease lease = h_.LeaseOne("w");
  h_.Pass(seconds(11));
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  EXPECT_TRUE(h_.ReportOk("w", lease)->canonical());
  v1::Job job = h_.Job(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().proposed(), 1);
  EXPECT_EQ(job.progress().done(), 1);
}

TEST_F(CoordinatorTest, TimeLimitEndsAnIdleJob) {
  v1::JobSpec spec = FreeJob();
  spec.set_seconds(10);
  const std::string uuid = StartJob(spec);
  h_.Pass(seconds(11));
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(uuid).progress().proposed(), 0);
}

TEST_F(CoordinatorTest, RecordsOfTheLogAreNotMeasuredAgain) {
  StartJob(FreeJob(8));
  ASSERT_EQ(h_.Drain(), 8);
  absl::StatusOr<std::string> again = h_.Submit(FreeJob());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(h_.Drain(), 4);
  v1::Job job = h_.Job(*again);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().from_log(), 8);
  EXPECT_EQ(job.progress().done(), 12);
  // All of it known: done at once.
  absl::StatusOr<std::string> third = h_.Submit(FreeJob());
  EXPECT_EQ(h_.Job(*third).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(*third).progress().from_log(), 12);
}

TEST_F(CoordinatorTest, TimesOfAnUnhealthyDeviceAreMeasuredAgain) {
  StartJob(FreeJob(3));
  for (v1::Lease lease = h_.LeaseOne("w"); !lease.token().empty(); lease = h_.LeaseOne("w")) {
    v1::CandidateReport report = OkReport(lease.token());
    report.mutable_measurement()->mutable_conditions()->mutable_health()->set_finding("HW slowdown");
    ASSERT_TRUE(h_.Report("w", report).ok());
  }
  h_.Pass(seconds(1));
  absl::StatusOr<std::string> again = h_.Submit(FreeJob(3));
  EXPECT_EQ(h_.Job(*again).progress().from_log(), 0);
  EXPECT_EQ(h_.Drain(), 3);
  absl::StatusOr<std::string> third = h_.Submit(FreeJob(3));
  EXPECT_EQ(h_.Job(*third).progress().from_log(), 3);
}

TEST_F(CoordinatorTest, LessPreciseTimesAreMeasuredAgain) {
  v1::JobSpec spec = FreeJob(3);
  spec.mutable_measure()->set_budget_seconds(1);
  StartJob(spec);
  for (v1::Lease lease = h_.LeaseOne("w"); !lease.token().empty(); lease = h_.LeaseOne("w")) {
    v1::CandidateReport report = OkReport(lease.token());
    v1::Conditions& conditions = *report.mutable_measurement()->mutable_conditions();
    conditions.set_ended(std::string(kEndedBudget));
    conditions.set_budget_seconds(1);
    ASSERT_TRUE(h_.Report("w", report).ok());
  }
  absl::StatusOr<std::string> as_long = h_.Submit(spec);
  EXPECT_EQ(h_.Job(*as_long).progress().from_log(), 3);
  spec.mutable_measure()->set_budget_seconds(2);
  absl::StatusOr<std::string> longer = h_.Submit(spec);
  EXPECT_EQ(h_.Job(*longer).progress().from_log(), 0);
  EXPECT_EQ(h_.Drain(), 3);
}

TEST_F(CoordinatorTest, RemeasureIgnoresRecordsOfTheLog) {
  StartJob(FreeJob(3));
  ASSERT_EQ(h_.Drain(), 3);
  v1::JobSpec spec = FreeJob(3);
  spec.set_remeasure(true);
  absl::StatusOr<std::string> again = h_.Submit(spec);
  EXPECT_EQ(h_.Drain(), 3);
  EXPECT_EQ(h_.Job(*again).progress().from_log(), 0);
}

TEST_F(CoordinatorTest, GivenSchedulesAreMeasuredAndInvalidOnesRejected) {
  v1::JobSpec spec = FreeJob();
  spec.clear_strategy();
  *spec.add_schedules() = FreeSchedule(3);
  *spec.add_schedules() = FreeSchedule(3);  // twice
  *spec.add_schedules() = FreeSchedule(7);
  v1::Schedule* bad = spec.add_schedules();
  bad->set_family("free");
  (*bad->mutable_params())["x"] = 99;
  (*bad->mutable_params())["y"] = 5;
  const std::string uuid = StartJob(spec);
  EXPECT_EQ(h_.Job(uuid).progress().planned(), 3);
  EXPECT_EQ(h_.Drain(), 2);
  v1::Job job = h_.Job(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(job.progress().outcomes().at("ok"), 2);
  EXPECT_EQ(job.progress().outcomes().at("rejected"), 1);
  RecordFilter filter;
  filter.outcome = Outcome::kRejected;
  std::vector<TuningRecord> rejected = *h_.log().Query(filter, 0, 10);
  ASSERT_EQ(rejected.size(), 1u);
  EXPECT_EQ(rejected[0].worker, "server");
  EXPECT_FALSE(rejected[0].measurement.message.empty());
  EXPECT_EQ(rejected[0].device.name, "simt-cpu");
  for (const auto& [token, attempt] : h_.storage().attempts) EXPECT_EQ(attempt.row.device_uuid, "device-0");
}

TEST_F(CoordinatorTest, TwoWorkersShareAJobAndMeasureEachCandidateOnce) {
  const std::string uuid = StartJob();
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  std::set<int64_t> candidates;
  for (int i = 0; i < 6; ++i) {
    v1::Lease a = h_.LeaseOne("w");
    v1::Lease b = h_.LeaseOne("v");
    candidates.insert({a.candidate_id(), b.candidate_id()});
    EXPECT_TRUE(h_.ReportOk("v", b).ok());
    EXPECT_TRUE(h_.ReportOk("w", a).ok());
  }
  EXPECT_EQ(candidates.size(), 12u);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
}

TEST_F(CoordinatorTest, JobWaitsForADeviceWithAMessage) {
  v1::JobSpec spec = FreeJob();
  spec.mutable_device()->set_device("cuda");
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  absl::StatusOr<std::string> uuid = h_.Submit(spec);
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_WAITING);
  EXPECT_THAT(h_.Job(*uuid).message(), HasSubstr("CUDA"));
  ASSERT_TRUE(h_.Register("gpu", CudaDevice()).ok());
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_RUNNING);
  EXPECT_EQ(h_.Job(*uuid).device().name(), "NVIDIA H200");
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  EXPECT_FALSE(h_.LeaseOne("gpu").token().empty());
}

TEST_F(CoordinatorTest, WaitingJobStartsWhenASilentWorkerReturns) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  h_.Lease("w");
  h_.Pass(seconds(31));
  absl::StatusOr<std::string> uuid = h_.Submit(FreeJob());
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_WAITING);
  // It does not know that it was missed, and does not register again.
  EXPECT_FALSE(h_.Heartbeat("w", {})->unknown_worker());
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_WAITING) << "it may be there for nothing";
  EXPECT_EQ(h_.Lease("w", 1, 20)->response.leases_size(), 1);
  EXPECT_EQ(h_.Job(*uuid).state(), v1::JOB_STATE_RUNNING);
}

TEST_F(CoordinatorTest, OperandsLargerThanTheDeviceFailTheJobWithBothSizes) {
  v1::JobSpec spec = FreeJob();
  spec.mutable_problem()->set_m(100000);
  spec.mutable_problem()->set_n(100000);
  const std::string uuid = StartJob(spec);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_FAILED);
  EXPECT_THAT(h_.Job(uuid).message(),
              testing::AllOf(HasSubstr("111.8 GiB with the worker's copies"), HasSubstr("8.0 GiB")));
}

TEST_F(CoordinatorTest, RepeatedSubmissionGetsTheSameJob) {
  absl::StatusOr<std::string> first = h_.Submit(FreeJob(), "id");
  absl::StatusOr<std::string> second = h_.Submit(FreeJob(), "id");
  EXPECT_EQ(*first, *second);
  EXPECT_TRUE(absl::IsAlreadyExists(h_.Submit(FreeJob(3), "id").status()));
  h_.Restart();
  EXPECT_EQ(*h_.Submit(FreeJob(), "id"), *first);
  EXPECT_TRUE(absl::IsAlreadyExists(h_.Submit(FreeJob(3), "id").status()));
  EXPECT_EQ(h_.storage().jobs.size(), 1u);
}

TEST_F(CoordinatorTest, CancellingKeepsRecordsAndEndsLeases) {
  const std::string uuid = StartJob();
  ASSERT_TRUE(h_.ReportOk("w", h_.LeaseOne("w")).ok());
  v1::Lease lease = h_.LeaseOne("w");
  v1::CancelJobRequest request;
  request.set_job_uuid(uuid);
  auto cancel = [&] { return h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(request); }); };
  EXPECT_EQ(cancel()->state(), v1::JOB_STATE_CANCELLED);
  EXPECT_EQ(cancel()->state(), v1::JOB_STATE_CANCELLED);
  EXPECT_TRUE(h_.LeaseOne("w").token().empty());
  EXPECT_THAT(h_.Heartbeat("w", {lease.token()})->cancel_tokens(), testing::ElementsAre(lease.token()));
  absl::StatusOr<v1::ReportStatus> late = h_.ReportOk("w", lease);
  EXPECT_FALSE(late->canonical());
  EXPECT_FALSE(late->unknown());
  EXPECT_EQ(h_.Job(uuid).progress().done(), 1);
}

TEST_F(CoordinatorTest, MessageSaysWhenTheLastWorkerLeavesAndReturns) {
  const std::string uuid = StartJob();
  h_.Pass(seconds(31));
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("no worker"));
  ASSERT_TRUE(h_.Register("v", SimtDevice()).ok());
  EXPECT_EQ(h_.Job(uuid).message(), "");
}

TEST_F(CoordinatorTest, EventsReportEachChangeInOrder) {
  const std::string uuid = StartJob(FreeJob(2));
  h_.Drain();
  std::vector<v1::JobEvent> events = h_.Events(uuid);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].state(), v1::JOB_STATE_RUNNING);
  EXPECT_TRUE(events[1].has_record());
  EXPECT_EQ(events[1].progress().done(), 1);
  EXPECT_TRUE(events[2].has_record());
  EXPECT_EQ(events[3].state(), v1::JOB_STATE_DONE);
  for (size_t i = 1; i < events.size(); ++i) EXPECT_EQ(events[i].seq(), events[i - 1].seq() + 1);
}

TEST_F(CoordinatorTest, ServerInfoShowsJobsWorkersAndLeases) {
  const std::string uuid = StartJob();
  h_.LeaseOne("w");
  v1::ServerInfo info = h_.coordinator().GetServerInfo();
  ASSERT_EQ(info.jobs_size(), 1);
  EXPECT_EQ(info.jobs(0).uuid(), uuid);
  ASSERT_EQ(info.workers_size(), 1);
  EXPECT_EQ(info.workers(0).worker_id(), "w");
  EXPECT_TRUE(info.workers(0).live());
  EXPECT_EQ(info.workers(0).device_indexes_size(), 1);
  ASSERT_EQ(info.leases_size(), 1);
  EXPECT_EQ(info.leases(0).worker_id(), "w");
  EXPECT_THAT(info.leases(0).schedule(), HasSubstr("free"));
  EXPECT_EQ(info.log_path(), "fake.log");
}

}  // namespace
}  // namespace mmtune
