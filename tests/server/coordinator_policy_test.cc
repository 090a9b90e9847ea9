// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How jobs share workers: turns, weights, priorities, selectors, quotas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "absl/strings/str_cat.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

class CoordinatorPolicyTest : public CoordinatorWorkTest {
 protected:
  /// One lease, measured; the job it was for, "" for none.
  std::string WorkOnce(const std::string& worker = "w") {
    const v1::Lease lease = h_.LeaseOne(worker);
    if (lease.token().empty()) return "";
    EXPECT_TRUE(h_.ReportOk(worker, lease).ok());
    return lease.job_uuid();
  }
  v1::WorkerStatus Status(const std::string& worker) {
    const v1::ServerInfo info = h_.coordinator().GetServerInfo();
    for (const v1::WorkerStatus& status : info.workers()) {
      if (status.worker_id() == worker) return status;
    }
    return {};
  }
};

TEST_F(CoordinatorPolicyTest, SmallJobFinishesSoonBesideALargeOne) {
  const std::string large = StartJob(WideJob(10000));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(WorkOnce(), large);
  const std::string small = *h_.Submit(WideJob(20));
  int grants = 0;
  while (h_.Job(small).state() != v1::JOB_STATE_DONE) {
    ASSERT_NE(WorkOnce(), "");
    ASSERT_LT(++grants, 1000);
  }
  EXPECT_LE(grants, 2 * 20);
  EXPECT_EQ(h_.Job(large).progress().done(), 100 + grants - 20);
}

TEST_F(CoordinatorPolicyTest, JobsShareTheLeasesOfOneCall) {
  const std::string first = StartJob(WideJob(1000));
  const std::string second = *h_.Submit(WideJob(1000));
  std::map<std::string, int> leases;
  const auto call = h_.Lease("w", 10);
  for (const v1::Lease& lease : call->response.leases()) ++leases[lease.job_uuid()];
  EXPECT_EQ(leases[first], 5);
  EXPECT_EQ(leases[second], 5);
}

TEST_F(CoordinatorPolicyTest, LeasesAreSharedByWeight) {
  const std::string light = StartJob(WideJob(10000));
  v1::JobSpec spec = WideJob(10000);
  spec.set_weight(3);
  ASSERT_TRUE(h_.Submit(spec).ok());
  int of_light = 0;
  for (int grants = 1; grants <= 200; ++grants) {
    of_light += WorkOnce() == light;
    ASSERT_LE(std::abs(of_light - grants / 4.0), 1) << grants;
  }
  EXPECT_GT(of_light, 0);
}

TEST_F(CoordinatorPolicyTest, HigherPriorityGetsLeasesFirst) {
  const std::string ordinary = StartJob(WideJob(10000));
  v1::JobSpec spec = FreeJob();
  spec.set_priority(7);
  const std::string urgent = *h_.Submit(spec);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(WorkOnce(), urgent);
  EXPECT_EQ(h_.Job(urgent).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(WorkOnce(), ordinary);
}

TEST_F(CoordinatorPolicyTest, OrderOfLeasesIsDeterministic) {
  const auto run = [] {
    CoordinatorHarness harness;
    harness.StartJob(WideJob(1000));
    for (int weight : {2, 5}) {
      v1::JobSpec spec = WideJob(1000);
      spec.set_weight(weight);
      EXPECT_TRUE(harness.Submit(spec).ok());
    }
    std::string turns;
    for (int i = 0; i < 50; ++i) absl::StrAppend(&turns, harness.LeaseOne("w").job_uuid(), " ");
    return turns;
  };
  EXPECT_EQ(run(), run());
}

TEST_F(CoordinatorPolicyTest, JobGetsOnlySelectedWorkers) {
  ASSERT_TRUE(h_.Register("plain", SimtDevice()).ok());
  ASSERT_TRUE(h_.Register("racked", SimtDevice(), {{"rack", "7"}, {"zone", "a"}}).ok());
  v1::JobSpec spec = FreeJob();
  (*spec.mutable_select())["rack"] = "7";
  const std::string uuid = *h_.Submit(spec);
  EXPECT_EQ(WorkOnce("plain"), "");
  EXPECT_EQ(WorkOnce("racked"), uuid);
  EXPECT_EQ(Status("racked").labels().at("zone"), "a");
  EXPECT_TRUE(Status("plain").labels().empty());
}

/// A plain worker, one with a label, and jobs that each have work for both or for the labelled one alone.
class TwoWorkersPolicyTest : public CoordinatorPolicyTest {
 protected:
  TwoWorkersPolicyTest() {
    EXPECT_TRUE(h_.Register("plain", SimtDevice()).ok());
    EXPECT_TRUE(h_.Register("racked", SimtDevice(), {{"rack", "7"}}).ok());
    v1::JobSpec spec = WideJob(10000);
    (*spec.mutable_select())["rack"] = "7";
    racked_ = *h_.Submit(spec);
    wide_ = *h_.Submit(WideJob(10000));
  }
  std::map<std::string, int> Work(const std::string& worker, int leases) {
    std::map<std::string, int> counts;
    for (int i = 0; i < leases; ++i) ++counts[WorkOnce(worker)];
    return counts;
  }
  std::string racked_, wide_;
};

TEST_F(TwoWorkersPolicyTest, NewJobDoesNotStarveAJobOnMoreWorkers) {
  WorkOnce("racked");
  EXPECT_EQ(Work("plain", 150)[wide_], 150);
  const std::string late = *h_.Submit(WideJob(10000));
  for (int i = 0; i < 3; ++i) WorkOnce("racked");
  std::map<std::string, int> counts = Work("plain", 200);
  EXPECT_GE(counts[wide_], (200 - 64) / 2);
  EXPECT_GE(counts[late], 68);
}

TEST_F(TwoWorkersPolicyTest, JobAccumulatesLittleCreditWithoutWorkers) {
  Work("racked", 4);
  ASSERT_TRUE(h_.Hold("racked", v1::WORKER_HOLD_CORDONED).ok());
  EXPECT_EQ(Work("plain", 150)[wide_], 150);
  ASSERT_TRUE(h_.Hold("racked", v1::WORKER_HOLD_NONE).ok());
  std::map<std::string, int> counts = Work("racked", 200);
  EXPECT_GE(counts[wide_], (200 - 65) / 2);
  EXPECT_GE(counts[racked_], 68);
}

TEST_F(CoordinatorPolicyTest, JobGetsOnlyDevicesOfItsClass) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  v1::JobSpec spec = FreeJob();
  spec.set_device_class("simt:sm_90");
  const std::string other = *h_.Submit(spec);
  EXPECT_EQ(WorkOnce(), "");
  spec.set_device_class("simt:sm_80:simt-cpu");
  EXPECT_EQ(WorkOnce(), "") << other;
  const std::string fitting = *h_.Submit(spec);
  EXPECT_EQ(WorkOnce(), fitting);
}

TEST_F(CoordinatorPolicyTest, JobWithoutMatchingWorkerWaitsWithAMessage) {
  ASSERT_TRUE(h_.Register("w", SimtDevice(), {{"rack", "8"}}).ok());
  v1::JobSpec spec = FreeJob();
  (*spec.mutable_select())["rack"] = "7";
  spec.set_device_class("simt");
  const std::string uuid = *h_.Submit(spec);
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_WAITING);
  EXPECT_THAT(h_.Job(uuid).message(),
              AllOf(HasSubstr("no registered worker matches"), HasSubstr("--select rack=7 and --device-class simt")));
  EXPECT_EQ(h_.Events(uuid).back().message(), h_.Job(uuid).message());
  ASSERT_TRUE(h_.Register("v", SimtDevice(), {{"rack", "7"}}).ok());
  EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_RUNNING);
  EXPECT_EQ(WorkOnce("v"), uuid);
}

TEST_F(CoordinatorPolicyTest, JobMatchedOnlyByHeldWorkersSaysSo) {
  ASSERT_TRUE(h_.Register("w", SimtDevice(), {{"rack", "7"}}).ok());
  ASSERT_TRUE(h_.Hold("w", v1::WORKER_HOLD_CORDONED).ok());
  v1::JobSpec spec = FreeJob();
  (*spec.mutable_select())["rack"] = "7";
  const std::string uuid = *h_.Submit(spec);
  EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("registered workers match --select rack=7, but none is at work"));
}

TEST_F(CoordinatorPolicyTest, SelectorsSurviveARestart) {
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  v1::JobSpec spec = FreeJob();
  (*spec.mutable_select())["rack"] = "7";
  ASSERT_TRUE(h_.Submit(spec).ok());
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(WorkOnce(), "");
}

TEST_F(CoordinatorPolicyTest, InvalidWorkerLabelsAreRefused) {
  const absl::Status bad = h_.Register("w", SimtDevice(), {{"rack!", "7"}});
  EXPECT_TRUE(absl::IsInvalidArgument(bad));
  EXPECT_THAT(std::string(bad.message()), AllOf(HasSubstr("labels"), HasSubstr("rack!")));
  Labels many;
  for (int i = 0; i < 17; ++i) many[absl::StrCat("l", i)] = "";
  EXPECT_THAT(std::string(h_.Register("w", SimtDevice(), many).message()), HasSubstr("17 labels"));
}

CoordinatorOptions WithQuota(ClientQuota quota) {
  CoordinatorOptions options;
  options.quota = quota;
  return options;
}

v1::JobSpec JobOf(const std::string& owner, int64_t trials = 0) {
  v1::JobSpec spec = FreeJob(trials);
  spec.set_owner(owner);
  spec.set_remeasure(true);
  return spec;
}

TEST(CoordinatorQuotaTest, LimitsUnfinishedJobsPerClient) {
  CoordinatorHarness harness(WithQuota({.jobs = 2}));
  const std::string first = *harness.Submit(JobOf("alice"), "1");
  ASSERT_TRUE(harness.Submit(JobOf("alice"), "2").ok());
  const absl::Status third = harness.Submit(JobOf("alice")).status();
  EXPECT_TRUE(absl::IsResourceExhausted(third));
  EXPECT_EQ(
      third.message(),
      "alice has 2 unfinished jobs, but this server allows 2 for each client (--max-jobs-per-client): wait, or cancel "
      "some (tune jobs)");
  EXPECT_EQ(*harness.Submit(JobOf("alice"), "1"), first) << "a repeated call is no new job";
  EXPECT_TRUE(harness.Submit(JobOf("bob")).ok());
  EXPECT_TRUE(harness.Submit(JobOf("")).ok());
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(first);
  ASSERT_TRUE(harness.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  EXPECT_TRUE(harness.Submit(JobOf("alice")).ok());
}

TEST(CoordinatorQuotaTest, ListsUnfinishedJobsByOwner) {
  CoordinatorHarness harness;
  std::vector<std::string> of_alice;
  for (int i = 0; i < 150; ++i) of_alice.push_back(*harness.Submit(JobOf("alice")));
  const std::string of_bob = *harness.Submit(JobOf("bob"));
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(of_alice[3]);
  ASSERT_TRUE(harness.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  v1::ListJobsRequest request;
  EXPECT_EQ(harness.coordinator().ListJobs(request)->jobs_size(), 150);
  EXPECT_EQ(harness.coordinator().ListJobs(request)->jobs(0).uuid(), of_bob);
  request.set_owner("alice");
  EXPECT_EQ(harness.coordinator().ListJobs(request)->jobs_size(), 149);
  EXPECT_EQ(harness.coordinator().ListJobs(request)->jobs(148).uuid(), of_alice[0]);
  request.set_owner("");
  EXPECT_EQ(harness.coordinator().ListJobs(request)->jobs_size(), 0) << "of clients without a certificate";
}

/// A job that no worker matches.
v1::JobSpec UnmatchedJob(double seconds = 0) {
  v1::JobSpec spec = FreeJob(0);
  (*spec.mutable_select())["rack"] = "9";
  spec.set_seconds(seconds);
  return spec;
}

TEST(CoordinatorWaitTest, WaitingForADeviceEndsAtTheServersLimit) {
  CoordinatorOptions options;
  options.max_wait = seconds(3600);
  CoordinatorHarness harness(options);
  const std::string uuid = *harness.Submit(UnmatchedJob());
  EXPECT_EQ(harness.coordinator().NextDeadline(), harness.clock().Now() + seconds(3600));
  harness.Pass(seconds(3599));
  EXPECT_EQ(harness.Job(uuid).state(), v1::JOB_STATE_WAITING);
  harness.Pass(seconds(1));
  EXPECT_EQ(harness.Job(uuid).state(), v1::JOB_STATE_FAILED);
  EXPECT_THAT(harness.Job(uuid).message(),
              AllOf(HasSubstr("given up after waiting for 3600 s: "), HasSubstr("--select rack=9")));
  EXPECT_EQ(harness.coordinator().NextDeadline(), std::nullopt);
}

TEST(CoordinatorWaitTest, WaitingForADeviceEndsAtTheJobsTimeLimit) {
  CoordinatorHarness harness;
  const std::string brief = *harness.Submit(UnmatchedJob(5)), longer = *harness.Submit(UnmatchedJob(100));
  const std::string patient = *harness.Submit(UnmatchedJob());
  harness.Pass(seconds(59));
  EXPECT_EQ(harness.Job(brief).state(), v1::JOB_STATE_WAITING) << "a worker may be about to come";
  harness.Pass(seconds(1));
  EXPECT_EQ(harness.Job(brief).state(), v1::JOB_STATE_FAILED);
  harness.Pass(seconds(40));
  EXPECT_EQ(harness.Job(longer).state(), v1::JOB_STATE_FAILED);
  harness.Pass(std::chrono::hours(1000));
  EXPECT_EQ(harness.Job(patient).state(), v1::JOB_STATE_WAITING);
}

TEST(CoordinatorWaitTest, RunningJobIsNotEndedByTheWaitLimit) {
  CoordinatorOptions options;
  options.max_wait = seconds(60);
  CoordinatorHarness harness(options);
  const std::string uuid = harness.StartJob(FreeJob(0));
  harness.Pass(seconds(61));
  EXPECT_EQ(harness.Job(uuid).state(), v1::JOB_STATE_RUNNING);
}

TEST(CoordinatorWaitTest, WaitingJobIsUnchangedByWorkersThatDoNotMatch) {
  CoordinatorHarness harness;
  const std::string uuid = *harness.Submit(UnmatchedJob());
  ASSERT_TRUE(harness.Register("w", SimtDevice()).ok());
  const size_t before = harness.Events(uuid).size();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(harness.Register(absl::StrCat("w", i), SimtDevice()).ok());
  EXPECT_EQ(harness.Events(uuid).size(), before);
}

TEST(CoordinatorQuotaTest, LimitsTrialsPerJob) {
  CoordinatorHarness harness(WithQuota({.trials = 2}));
  EXPECT_TRUE(harness.Submit(JobOf("", 2)).ok());
  EXPECT_THAT(std::string(harness.Submit(JobOf("", 3)).status().message()),
              AllOf(HasSubstr("asks for 3 trials"), HasSubstr("--max-trials-per-job")));
  EXPECT_TRUE(absl::IsResourceExhausted(harness.Submit(JobOf("", 0)).status()));
  v1::JobSpec listed = JobOf("", 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(harness.Submit(listed).ok(), i == 1 || i == 2) << i << " schedules";
    *listed.add_schedules() = FreeSchedule(i);
  }
  EXPECT_TRUE(absl::IsResourceExhausted(harness.Submit(listed).status()));
}

TEST(CoordinatorQuotaTest, LimitsLeasesPerClient) {
  CoordinatorHarness harness(WithQuota({.candidates = 3}));
  ASSERT_TRUE(harness.Register("w", SimtDevice()).ok());
  for (int job = 0; job < 2; ++job) ASSERT_TRUE(harness.Submit(JobOf("alice")).ok());
  const auto leases = harness.Lease("w", 10)->response.leases();
  ASSERT_EQ(leases.size(), 3);
  EXPECT_EQ(harness.Lease("w", 10)->response.leases_size(), 0);
  const std::string of_bob = *harness.Submit(JobOf("bob"));
  const auto bobs = harness.Lease("w", 10)->response.leases();
  EXPECT_EQ(bobs.size(), 3);
  for (const v1::Lease& lease : bobs) EXPECT_EQ(lease.job_uuid(), of_bob);
  const auto waiting = harness.Lease("w", 10, /*wait=*/20);
  EXPECT_FALSE(waiting->answered());
  ASSERT_TRUE(harness.ReportOk("w", leases[0]).ok());
  ASSERT_TRUE(waiting->answered());
  EXPECT_EQ(waiting->response.leases_size(), 1);
}

}  // namespace
}  // namespace mmtune
