// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs that are part of a model: which of them gets the next lease, when all of them end, what they measure first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/server/coordinator_work.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

/// Returns the job as a part of a model.
v1::JobSpec PartOf(v1::JobSpec spec, const std::string& model, double calls, double time_ns, int64_t trials = 0) {
  spec.set_trials(0);
  spec.set_strategy("random");
  spec.mutable_model()->set_id(model);
  spec.mutable_model()->set_calls(calls);
  spec.mutable_model()->set_time_ns(time_ns);
  spec.mutable_model()->set_trials(trials);
  return spec;
}

/// Returns a job for the schedules of the family "wide", for a problem of this many rows.
v1::JobSpec Rows(int64_t rows) {
  v1::JobSpec spec = WideJob(0);
  spec.mutable_problem()->set_m(rows);
  return spec;
}

class CoordinatorModelTest : public CoordinatorWorkTest {
 protected:
  /// Measures one candidate with this time, and returns the job it was for; empty if there was none.
  std::string WorkOnce(double ns = 1000) {
    const v1::Lease lease = h_.LeaseOne("w");
    if (lease.token().empty()) return "";
    EXPECT_TRUE(h_.ReportOk("w", lease, ns).ok());
    return lease.job_uuid();
  }
};

TEST_F(CoordinatorModelTest, ProductThatWeighsMoreGetsMoreTrials) {
  const std::string hot = StartJob(PartOf(Rows(64), "a", 9, 1000));
  const std::string cold = *h_.Submit(PartOf(Rows(128), "a", 1, 1000));
  std::map<std::string, int> trials;
  for (int i = 0; i < 20; ++i) ++trials[WorkOnce()];
  // The expected gains of a prior fall with 1 / trials^1.5: 9^(2/3) trials of the hot product to one of the cold one.
  EXPECT_EQ(trials[hot], 16);
  EXPECT_EQ(trials[cold], 4);
}

TEST_F(CoordinatorModelTest, EstimatesAreScaledByWhatWasMeasured) {
  // The estimates are of another machine: a product that was measured is a thousand times as slow as expected.
  const std::string first = StartJob(PartOf(Rows(64), "a", 1, 1000));
  const std::string second = *h_.Submit(PartOf(Rows(128), "a", 1, 1000));
  std::map<std::string, int> trials;
  for (int i = 0; i < 4; ++i) ++trials[WorkOnce(1e6)];
  EXPECT_EQ(trials[first], 2);
  EXPECT_EQ(trials[second], 2);
}

TEST_F(CoordinatorModelTest, AllJobsEndWhenTheTrialsOfTheModelAreUsedUp) {
  const std::string first = StartJob(PartOf(Rows(64), "a", 1, 1000, /*trials=*/5));
  const std::string second = *h_.Submit(PartOf(Rows(128), "a", 1, 1000, /*trials=*/5));
  EXPECT_EQ(h_.Drain(), 5);
  for (const std::string& uuid : {first, second}) {
    EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
    EXPECT_EQ(h_.Job(uuid).message(), "5 trials of the model");
  }
  EXPECT_EQ(h_.Job(first).progress().done() + h_.Job(second).progress().done(), 5);
}

TEST_F(CoordinatorModelTest, WaitingJobEndsWithTheLastOneThatRan) {
  v1::JobSpec small = PartOf(FreeJob(), "a", 1, 1000, /*trials=*/4);
  small.clear_families();
  small.add_only("free x=1");  // Four schedules.
  v1::JobSpec waiting = PartOf(Rows(64), "a", 1, 1000, /*trials=*/4);
  waiting.set_device_class("cuda");
  StartJob(small);
  const std::string second = *h_.Submit(waiting);
  EXPECT_EQ(h_.Drain(), 4);
  h_.Pass(std::chrono::seconds(1));
  EXPECT_EQ(h_.Job(second).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(second).message(), "4 trials of the model");
}

TEST_F(CoordinatorModelTest, LeasesOfOneCallStayWithinTheTrialsOfTheModel) {
  StartJob(PartOf(Rows(64), "a", 1, 1000, /*trials=*/5));
  ASSERT_TRUE(h_.Submit(PartOf(Rows(128), "a", 1, 1000, /*trials=*/5)).ok());
  EXPECT_LE(h_.Lease("w", 10)->response.leases_size(), 5);
}

TEST_F(CoordinatorModelTest, AllJobsEndWhenFurtherTrialsGainTooLittle) {
  const std::string first = StartJob(PartOf(Rows(64), "a", 1, 1000));
  const std::string second = *h_.Submit(PartOf(Rows(128), "a", 1, 1000));
  // 0.25 / trials^1.5 of both products' times is less than 0.5 % of the model's time after 14 trials of each.
  EXPECT_EQ(h_.Drain(), 28);
  for (const std::string& uuid : {first, second}) {
    EXPECT_EQ(h_.Job(uuid).state(), v1::JOB_STATE_DONE);
    EXPECT_THAT(h_.Job(uuid).message(), HasSubstr("less than 0.5 % of the model's time"));
  }
}

TEST_F(CoordinatorModelTest, ModelCountsAsOneJobBesideOthers) {
  const std::string other = StartJob(WideJob(1000));
  for (int64_t rows : {64, 128, 192}) ASSERT_TRUE(h_.Submit(PartOf(Rows(rows), "a", 1, 1000)).ok());
  int of_other = 0;
  for (int i = 0; i < 40; ++i) of_other += WorkOnce() == other;
  EXPECT_NEAR(of_other, 20, 1);
}

TEST_F(CoordinatorModelTest, ModelsOfOneNameAndDifferentJobsDoNotMix) {
  const std::string first = StartJob(PartOf(Rows(64), "a", 1, 1000, /*trials=*/3));
  const std::string second = *h_.Submit(PartOf(Rows(128), "b", 1, 1000, /*trials=*/4));
  EXPECT_EQ(h_.Drain(), 7);
  EXPECT_EQ(h_.Job(first).progress().done(), 3);
  EXPECT_EQ(h_.Job(second).progress().done(), 4);
}

TEST_F(CoordinatorModelTest, ModelsOfOneNameAndDifferentOwnersDoNotMix) {
  v1::JobSpec of_alice = PartOf(Rows(64), "a", 1, 1000, /*trials=*/3);
  of_alice.set_owner("alice");
  v1::JobSpec of_bob = PartOf(Rows(128), "a", 1, 1000, /*trials=*/4);
  of_bob.set_owner("bob");
  const std::string first = StartJob(of_alice);
  const std::string second = *h_.Submit(of_bob);
  EXPECT_EQ(h_.Drain(), 7);
  EXPECT_EQ(h_.Job(first).progress().done(), 3);
  EXPECT_EQ(h_.Job(second).progress().done(), 4);
}

TEST_F(CoordinatorModelTest, PresentScheduleIsMeasuredFirst) {
  v1::JobSpec spec = PartOf(FreeJob(), "a", 1, 1000);
  *spec.mutable_model()->mutable_present() = FreeSchedule(7);
  StartJob(spec);
  EXPECT_EQ(FromWire(h_.LeaseOne("w").schedule())->Text(), FromWire(FreeSchedule(7))->Text());
}

TEST_F(CoordinatorModelTest, PresentScheduleMayBeOutsideOfTheSpace) {
  v1::JobSpec spec = PartOf(FreeJob(), "a", 1, 1000, /*trials=*/20);
  spec.clear_families();
  spec.add_only("free x=1");  // Four schedules.
  *spec.mutable_model()->mutable_present() = FreeSchedule(7);
  StartJob(spec);
  const v1::Lease lease = h_.LeaseOne("w");
  EXPECT_EQ(FromWire(lease.schedule())->Text(), FromWire(FreeSchedule(7))->Text());
  ASSERT_TRUE(h_.ReportOk("w", lease).ok());
  EXPECT_EQ(h_.Drain(), 4);
}

TEST_F(CoordinatorModelTest, NextModelContinuesWithWhatTheLogHas) {
  const std::string first = StartJob(PartOf(FreeJob(), "a", 1, 1000, /*trials=*/5));
  EXPECT_EQ(h_.Drain(), 5);
  h_.Pass(std::chrono::seconds(1));
  const std::string second = *h_.Submit(PartOf(FreeJob(), "b", 1, 1000, /*trials=*/8));
  EXPECT_EQ(h_.Drain(), 3);
  EXPECT_EQ(h_.Job(second).progress().from_log(), 5);
  EXPECT_EQ(h_.Job(second).progress().done(), 8);
}

/// Returns the job as one of this number of parts of a model.
v1::JobSpec OneOf(int64_t parts, v1::JobSpec spec) {
  spec.mutable_model()->set_parts(parts);
  return spec;
}

TEST_F(CoordinatorModelTest, PartWithManyTrialsOfTheLogAwaitsTheOthers) {
  StartJob(PartOf(Rows(64), "a", 1, 1000, /*trials=*/20));
  EXPECT_GE(h_.Drain(), 14);
  h_.Pass(std::chrono::seconds(1));
  const std::string first = *h_.Submit(OneOf(2, PartOf(Rows(64), "b", 1, 1000)));
  h_.Pass(std::chrono::seconds(1));
  EXPECT_EQ(WorkOnce(), "");
  EXPECT_EQ(h_.Job(first).state(), v1::JOB_STATE_RUNNING);
  const std::string second = *h_.Submit(OneOf(2, PartOf(Rows(128), "b", 1, 1000)));
  EXPECT_GE(h_.Drain(), 14);
  EXPECT_GE(h_.Job(second).progress().done(), 14);
  EXPECT_EQ(h_.Job(first).state(), v1::JOB_STATE_DONE);
  EXPECT_EQ(h_.Job(first).message(), h_.Job(second).message());
}

TEST_F(CoordinatorModelTest, PartsAreAwaitedForAMinute) {
  const std::string only = StartJob(OneOf(2, PartOf(Rows(64), "a", 1, 1000, /*trials=*/3)));
  h_.Pass(std::chrono::seconds(50));
  EXPECT_EQ(WorkOnce(), "");
  h_.Pass(std::chrono::seconds(11));
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Drain(), 3);
  EXPECT_EQ(h_.Job(only).message(), "3 trials of the model");
}

TEST_F(CoordinatorModelTest, RestartAwaitsNoParts) {
  const std::string first = StartJob(OneOf(2, PartOf(Rows(64), "a", 1, 1000, /*trials=*/4)));
  const std::string second = *h_.Submit(OneOf(2, PartOf(Rows(128), "a", 1, 1000, /*trials=*/4)));
  ASSERT_NE(WorkOnce(), "");
  v1::CancelJobRequest cancel;
  cancel.set_job_uuid(second);
  ASSERT_TRUE(h_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(cancel); }).ok());
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_GE(h_.Drain(), 3);
  EXPECT_EQ(h_.Job(first).message(), "4 trials of the model");
}

TEST_F(CoordinatorModelTest, RestartCountsTheTrialsOfPartsThatHadEnded) {
  v1::JobSpec small = PartOf(FreeJob(), "a", 10, 1000, /*trials=*/6);
  small.clear_families();
  small.add_only("free x=1");  // Four schedules.
  const std::string first = StartJob(OneOf(2, small));
  const std::string second = *h_.Submit(OneOf(2, PartOf(Rows(64), "a", 1, 1000, /*trials=*/6)));
  for (int i = 0; i < 5; ++i) ASSERT_NE(WorkOnce(), "");
  ASSERT_EQ(h_.Job(first).state(), v1::JOB_STATE_DONE);
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Drain(), 1);
  EXPECT_EQ(h_.Job(second).message(), "6 trials of the model");
}

TEST(CoordinatorModelQuotaTest, ModelCountsAsOneJobOfItsClient) {
  CoordinatorOptions options;
  options.quota.jobs = 2;
  CoordinatorHarness harness(options);
  for (int64_t rows : {64, 128, 192}) ASSERT_TRUE(harness.Submit(PartOf(Rows(rows), "a", 1, 1000)).ok());
  ASSERT_TRUE(harness.Submit(PartOf(Rows(64), "b", 1, 1000)).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(harness.Submit(PartOf(Rows(64), "c", 1, 1000)).status()));
  EXPECT_TRUE(absl::IsResourceExhausted(harness.Submit(WideJob(1)).status()));
  EXPECT_TRUE(harness.Submit(PartOf(Rows(128), "b", 1, 1000)).ok());
}

TEST_F(CoordinatorModelTest, RestartContinuesTheModel) {
  const std::string first = StartJob(PartOf(FreeJob(), "a", 1, 1000, /*trials=*/8));
  for (int i = 0; i < 3; ++i) ASSERT_EQ(WorkOnce(), first);
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  EXPECT_EQ(h_.Drain(), 5);
  EXPECT_EQ(h_.Job(first).message(), "8 trials of the model");
}

/// Returns a search that learns, for a problem of this many rows.
v1::JobSpec Learning(int64_t rows, double calls, int64_t trials) {
  v1::JobSpec spec = FreeJob();
  spec.set_families(0, "tiled");
  spec.mutable_problem()->set_m(rows);
  spec = PartOf(spec, "a", calls, 1000, trials);
  spec.set_strategy("model");
  return spec;
}

/// Measures all candidates, and returns the schedules of each job in their order. The fifth of the hot job is the
/// fastest one.
std::map<std::string, std::vector<std::string>> MeasureAll(CoordinatorHarness& h, const std::string& hot) {
  std::map<std::string, std::vector<std::string>> measured;
  for (v1::Lease lease = h.LeaseOne("w"); !lease.token().empty(); lease = h.LeaseOne("w")) {
    std::vector<std::string>& of_job = measured[lease.job_uuid()];
    of_job.push_back(FromWire(lease.schedule())->Text());
    const double ns = lease.job_uuid() == hot && of_job.size() == 5 ? 100 : 1000;
    EXPECT_TRUE(h.ReportOk("w", lease, ns).ok());
  }
  return measured;
}

TEST_F(CoordinatorModelTest, WinnerOfOneProblemIsMeasuredForItsNeighbour) {
  const std::string hot = StartJob(Learning(64, 30, /*trials=*/40));
  const std::string cold = *h_.Submit(Learning(128, 1, /*trials=*/40));
  auto measured = MeasureAll(h_, hot);
  ASSERT_GE(measured[hot].size(), 8u);
  // The first schedule of the cold job was proposed before there was a winner.
  ASSERT_GE(measured[cold].size(), 2u);
  EXPECT_EQ(measured[cold][1], measured[hot][4]);
  EXPECT_EQ(std::ranges::count(measured[cold], measured[hot][4]), 1);
}

// A suggestion of a job that has its results back already must not go before what this job must propose again.
TEST_F(CoordinatorModelTest, RestartRepeatsWhatWasMeasuredBeforeItLearns) {
  const std::string hot = StartJob(Learning(64, 30, /*trials=*/40));
  const std::string cold = *h_.Submit(Learning(128, 1, /*trials=*/40));
  std::map<std::string, int> measured;
  double ns = 2000;
  for (int i = 0; i < 14; ++i) {
    const v1::Lease lease = h_.LeaseOne("w");
    ASSERT_FALSE(lease.token().empty()) << i;
    ++measured[lease.job_uuid()];
    ASSERT_TRUE(h_.ReportOk("w", lease, ns -= 10).ok());  // Each is a new winner, which no neighbour has measured.
  }
  ASSERT_GE(measured[hot], 8);
  ASSERT_GE(measured[cold], 2);
  h_.Restart();
  ASSERT_TRUE(h_.Register("w", SimtDevice()).ok());
  for (const auto& [job, count] : measured) EXPECT_EQ(h_.Job(job).progress().done(), count);
}

TEST_F(CoordinatorModelTest, ColdStartTakesNothingFromOthersOfItsModel) {
  const std::string hot = StartJob(Learning(64, 30, /*trials=*/40));
  v1::JobSpec spec = Learning(128, 1, /*trials=*/40);
  spec.set_cold_start(true);
  const std::string cold = *h_.Submit(spec);
  auto measured = MeasureAll(h_, hot);
  ASSERT_GE(measured[hot].size(), 8u);
  ASSERT_GE(measured[cold].size(), 2u);
  EXPECT_NE(measured[cold][1], measured[hot][4]);
}

TEST_F(CoordinatorModelTest, WrongSharesAreRefused) {
  const auto refusal = [this](const v1::JobSpec& spec) { return std::string(h_.Submit(spec).status().message()); };
  EXPECT_THAT(refusal(PartOf(Rows(64), "", 1, 1000)), HasSubstr("spec.model.id has 0 bytes"));
  EXPECT_THAT(refusal(PartOf(Rows(64), std::string(65, 'x'), 1, 1000)), HasSubstr("spec.model.id has 65 bytes"));
  EXPECT_THAT(refusal(PartOf(Rows(64), "a", 0, 1000)), HasSubstr("spec.model has calls 0"));
  EXPECT_THAT(refusal(PartOf(Rows(64), "a", 1, -1)), HasSubstr("time_ns -1: give positive numbers"));
  EXPECT_THAT(refusal(PartOf(Rows(64), "a", 1, 1, -1)), HasSubstr("spec.model.trials is -1"));
  EXPECT_THAT(refusal(OneOf(1025, PartOf(Rows(64), "a", 1, 1))), HasSubstr("spec.model.parts is 1025"));
  v1::JobSpec listed = PartOf(FreeJob(), "a", 1, 1);
  *listed.add_schedules() = FreeSchedule(1);
  EXPECT_THAT(refusal(listed), HasSubstr("spec.model is for searches"));
}

}  // namespace
}  // namespace mmtune
