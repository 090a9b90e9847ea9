// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs that learn from the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "tests/ok_measurement.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kTrials = 8;

/// The result of a job on a log.
struct Story {
  std::vector<std::string> proposed;
  v1::Job job;
};

v1::JobSpec TiledJob() {
  v1::JobSpec spec = FreeJob(kTrials);
  spec.set_families(0, "tiled");
  spec.set_strategy("model");
  return spec;
}

class CoordinatorLearningTest : public testing::Test {
 protected:
  void Import(CoordinatorHarness& h, const MatmulProblem& problem, const DeviceInfo& device, int count) {
    const std::unique_ptr<SearchSpace> space = MakeSpace({&TiledFamily()});
    SearchRng rng(7);
    for (int i = 0; i < count; ++i) {
      TuningRecord record;
      record.uuid = absl::StrCat("imported-", ++imported_);
      record.problem = problem;
      record.device = device;
      record.toolchain = TestToolchain();
      record.schedule = space->Sample(rng);
      record.measurement = OkMeasurement(SyntheticMedianNs(record.schedule));
      record.unix_millis = h.clock().UnixMillis();
      ASSERT_TRUE(h.log().InsertRecord("", record).ok());
    }
    h.clock().Advance(std::chrono::seconds(1));
  }

  /// A log with 100 records of another problem and as many of another device.
  void FillLog(CoordinatorHarness& h) {
    DeviceInfo other = SimtDevice();
    other.name = "another";
    Import(h, {128, 128, 128}, SimtDevice(), 100);
    Import(h, {64, 32, 16}, other, 100);
  }

  /// Measures `trials` of a job; of 0, all.
  static void Measure(CoordinatorHarness& h, Story& story, int trials = 0) {
    for (int i = 0; trials == 0 || i < trials; ++i) {
      const v1::Lease lease = h.LeaseOne("w");
      if (lease.token().empty()) break;
      const Schedule schedule = *FromWire(lease.schedule());
      story.proposed.push_back(schedule.Text());
      ASSERT_TRUE(h.ReportOk("w", lease, SyntheticMedianNs(schedule)).ok());
    }
  }
  static Story Run(CoordinatorHarness& h, const v1::JobSpec& spec = TiledJob()) {
    Story story;
    const std::string uuid = h.StartJob(spec);
    Measure(h, story);
    story.job = h.Job(uuid);
    EXPECT_EQ(story.job.state(), v1::JOB_STATE_DONE);
    EXPECT_EQ(story.proposed.size(), kTrials);
    return story;
  }

  int imported_ = 0;
};

TEST_F(CoordinatorLearningTest, PriorObservationsChooseTheFirstTrials) {
  CoordinatorHarness empty, full, again;
  FillLog(full);
  imported_ = 0;
  FillLog(again);
  const Story cold = Run(empty), learned = Run(full), same = Run(again);
  EXPECT_NE(learned.proposed.front(), cold.proposed.front());
  EXPECT_EQ(learned.proposed, same.proposed) << "the same seed and the same log";
  EXPECT_EQ(cold.job.prior_observations(), 0);
  EXPECT_GT(learned.job.prior_observations(), 150);
  EXPECT_THAT(learned.job.log_error(), IsEmpty());
}

TEST_F(CoordinatorLearningTest, ColdStartProposesAsWithAnEmptyLog) {
  CoordinatorHarness empty, full;
  FillLog(full);
  v1::JobSpec spec = TiledJob();
  spec.set_cold_start(true);
  const Story cold = Run(full, spec);
  EXPECT_EQ(cold.proposed, Run(empty).proposed);
  EXPECT_EQ(cold.job.prior_observations(), 0);
}

TEST_F(CoordinatorLearningTest, RepeatedJobIsAnsweredByItsOwnRecords) {
  CoordinatorHarness h;
  Run(h);
  h.clock().Advance(std::chrono::seconds(1));
  const std::string uuid = h.StartJob(TiledJob());
  EXPECT_EQ(h.Job(uuid).progress().from_log(), kTrials);
}

TEST_F(CoordinatorLearningTest, StrategiesWithoutPriorObservationsDoNotReadTheLog) {
  CoordinatorHarness h;
  FillLog(h);
  h.MakeUnreadable("a page is gone");
  v1::JobSpec spec = TiledJob();
  spec.set_strategy("random");
  const Story random = Run(h, spec);
  EXPECT_EQ(random.job.prior_observations(), 0);
  EXPECT_THAT(random.job.log_error(), IsEmpty());
}

TEST_F(CoordinatorLearningTest, UnreadableLogIsReportedAndTheJobContinues) {
  CoordinatorHarness empty, h;
  FillLog(h);
  h.MakeUnreadable("a page is gone");
  const Story story = Run(h);
  EXPECT_THAT(story.job.log_error(), HasSubstr("a page is gone"));
  EXPECT_EQ(story.proposed, Run(empty).proposed);
}

TEST_F(CoordinatorLearningTest, ResumedJobUsesOnlyRecordsFromBeforeItsSubmission) {
  CoordinatorHarness steady, restarted;
  FillLog(steady);
  imported_ = 0;
  FillLog(restarted);
  const int64_t learned = Run(steady).job.prior_observations();
  Story story;
  const std::string uuid = restarted.StartJob(TiledJob());
  Measure(restarted, story, 3);
  restarted.clock().Advance(std::chrono::seconds(1));
  Import(restarted, {256, 256, 256}, SimtDevice(), 100);
  restarted.Restart();
  ASSERT_TRUE(restarted.Register("w", SimtDevice()).ok());
  EXPECT_EQ(restarted.Job(uuid).prior_observations(), learned);
}

}  // namespace
}  // namespace mmtune
