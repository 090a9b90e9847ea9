// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "search/space/rng.h"
#include "server/coordinator/job_plan.h"
#include "tests/ok_measurement.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"
#include "tests/server/coordinator_harness.h"
#include "tests/server/fake_tuning_log.h"

namespace mmtune {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const MatmulProblem kOwnProblem = {64, 32, 16};

/// That many of the tiled family, all different.
std::vector<Schedule> Drawn(int count, uint64_t seed) {
  SearchRng rng(seed);
  std::vector<Schedule> schedules = EnumerateAll(*MakeSpace({&TiledFamily()}));
  Shuffle(schedules, rng);
  schedules.resize(static_cast<size_t>(count));
  return schedules;
}

class LogExperienceTest : public testing::Test {
 protected:
  /// Records of schedules Drawn(), one a minute.
  void Fill(const MatmulProblem& problem, const DeviceInfo& device, int count, const Toolchain& toolchain,
            uint64_t seed = 1, double factor = 1) {
    for (const Schedule& schedule : Drawn(count, seed)) {
      TuningRecord record;
      record.uuid = absl::StrCat("r", ++records_);
      record.problem = problem;
      record.device = device;
      record.toolchain = toolchain;
      record.schedule = schedule;
      record.measurement = OkMeasurement(factor * SyntheticMedianNs(record.schedule));
      record.unix_millis = 60'000 * records_;
      ASSERT_TRUE(log_.InsertRecord("", record).ok());
    }
  }
  std::vector<PriorObservation> Learned(WarmStartTarget learner) {
    absl::StatusOr<std::vector<PriorObservation>> learned = ReadPriorObservations(log_, learner, *space_);
    EXPECT_TRUE(learned.ok()) << learned.status();
    return learned.ok() ? *std::move(learned) : std::vector<PriorObservation>();
  }
  std::vector<PriorObservation> Learned() { return Learned(learner_); }

  FakeLogStorage storage_;
  FakeTuningLog log_{storage_};
  int records_ = 0;
  const std::unique_ptr<SearchSpace> space_ = MakeSpace({&TiledFamily()});
  WarmStartTarget learner_{kOwnProblem, SimtDevice(), TestToolchain(), {}};
};

DeviceInfo OtherDevice() {
  DeviceInfo device = SimtDevice();
  device.name = "another";
  return device;
}

Toolchain OlderToolchain() { return {"0.0.9", "21.0", "none", "free=1"}; }

TEST_F(LogExperienceTest, ReadsOtherProblemsAndDevicesButNotTheJobsOwn) {
  Fill(kOwnProblem, SimtDevice(), 100, TestToolchain());
  EXPECT_THAT(Learned(), IsEmpty());
  Fill({64, 64, 64}, SimtDevice(), 20, TestToolchain(), 2);
  EXPECT_THAT(Learned(), SizeIs(20));
  Fill(kOwnProblem, OtherDevice(), 20, TestToolchain(), 3);
  EXPECT_THAT(Learned(), SizeIs(40));
  Fill(kOwnProblem, SimtDevice(), 20, OlderToolchain(), 4);
  EXPECT_THAT(Learned(), SizeIs(60));
}

TEST_F(LogExperienceTest, ReadsTheNearestSourcesFirst) {
  const MatmulProblem near{64, 32, 32}, far{512, 512, 512}, half{64, 32, 16, DataType::kF16};
  Fill(half, OtherDevice(), 20, TestToolchain(), 1);
  Fill(far, SimtDevice(), 20, TestToolchain(), 2);
  Fill(half, SimtDevice(), 20, TestToolchain(), 3);
  Fill(kOwnProblem, OtherDevice(), 20, TestToolchain(), 4);
  Fill(near, SimtDevice(), 20, TestToolchain(), 5);
  const std::vector<PriorObservation> learned = Learned();
  ASSERT_THAT(learned, SizeIs(100));
  size_t at = 0;
  for (uint64_t seed : {4, 5, 2, 3, 1}) {
    // The same source alone gives the same part of the list.
    std::vector<TimedSchedule> measured;
    for (const Schedule& schedule : Drawn(20, seed)) measured.push_back({schedule, SyntheticMedianNs(schedule)});
    std::sort(measured.begin(), measured.end(),
              [](const TimedSchedule& a, const TimedSchedule& b) { return a.time_ns < b.time_ns; });
    const std::vector<PriorObservation> alone = ObservationsOf(*space_, measured);
    for (const PriorObservation& prior : alone) {
      EXPECT_NEAR(learned[at].residual, prior.residual, 1e-9) << seed;
      ++at;
    }
  }
}

TEST_F(LogExperienceTest, FilterExcludesTimes) {
  Fill({64, 64, 64}, SimtDevice(), 20, TestToolchain());
  WarmStartTarget other = learner_;
  other.times.regime = Regime::kCold;
  EXPECT_THAT(Learned(other), IsEmpty());
  other = learner_;
  other.times.kind = DeviceKind::kCuda;
  EXPECT_THAT(Learned(other), IsEmpty());
  other = learner_;
  other.times.before_unix_millis = 60'000 * 18;
  EXPECT_THAT(Learned(other), SizeIs(17)) << "only what is older";
}

TEST_F(LogExperienceTest, IgnoresTooFewRecords) {
  for (int k = 1; k <= 5; ++k) Fill({8, 8, k}, SimtDevice(), static_cast<int>(kFewestOfSource) - 1, TestToolchain(), k);
  EXPECT_THAT(Learned(), IsEmpty());
  Fill({64, 64, 64}, SimtDevice(), 15, TestToolchain(), 9);
  EXPECT_THAT(Learned(), IsEmpty());
  Fill({64, 64, 65}, SimtDevice(), static_cast<int>(kFewestOfSource), TestToolchain(), 10);
  EXPECT_THAT(Learned(), SizeIs(15 + kFewestOfSource));
}

TEST_F(LogExperienceTest, LimitsTheNumberOfObservations) {
  std::vector<Schedule> all = EnumerateAll(*space_);
  for (int k = 1; k <= 6; ++k) {
    for (const Schedule& schedule : all) {
      TuningRecord record;
      record.uuid = absl::StrCat("r", ++records_);
      record.problem = {64, 32, 16 << k};
      record.device = SimtDevice();
      record.toolchain = TestToolchain();
      record.schedule = schedule;
      record.measurement = OkMeasurement(SyntheticMedianNs(schedule));
      storage_.records[records_] = {record, 0};
    }
  }
  FakeTuningLog log(storage_);
  const absl::StatusOr<std::vector<PriorObservation>> learned = ReadPriorObservations(log, learner_, *space_);
  ASSERT_TRUE(learned.ok());
  EXPECT_THAT(*learned, SizeIs(kMaxPriorObservations));
  // The first are kMostOfSource of 808, from the fastest to the slowest.
  const std::vector<PriorObservation>& e = *learned;
  EXPECT_TRUE(
      std::is_sorted(e.begin(), e.begin() + kMostOfSource,
                     [](const PriorObservation& a, const PriorObservation& b) { return a.residual < b.residual; }));
  EXPECT_GT(e[kMostOfSource - 1].residual, e[kMostOfSource].residual) << "the next source begins";
}

TEST_F(LogExperienceTest, StopsReadingIfTheNearestSourcesAreUnusable) {
  Fill({64, 32, 512}, SimtDevice(), 20, TestToolchain());  // the farthest
  const size_t too_many = kMostRead / kMostOfSource;
  for (size_t source = 1; source <= too_many; ++source) {
    FakeTuningLog log(storage_);
    const absl::StatusOr<std::vector<PriorObservation>> learned = ReadPriorObservations(log, learner_, *space_);
    ASSERT_TRUE(learned.ok());
    EXPECT_THAT(*learned, SizeIs(20)) << "with " << source - 1 << " sources of unknown schedules";
    for (size_t i = 0; i < kMostOfSource; ++i) {
      TuningRecord record;
      record.uuid = absl::StrCat("r", ++records_);
      record.problem = {64, 32, 16 + static_cast<int64_t>(source)};
      record.device = SimtDevice();
      record.toolchain = TestToolchain();
      record.schedule = {"unheard_of", {{"x", static_cast<int64_t>(i) + 1}}};
      record.measurement = OkMeasurement(100'000);
      storage_.records[records_] = {record, 0};
    }
  }
  FakeTuningLog log(storage_);
  const absl::StatusOr<std::vector<PriorObservation>> learned = ReadPriorObservations(log, learner_, *space_);
  ASSERT_TRUE(learned.ok());
  EXPECT_THAT(*learned, IsEmpty());
}

TEST_F(LogExperienceTest, WeighsNewerToolchainsMore) {
  const Toolchain oldest = {"0.0.1", "20.0", "none", "free=1"};
  Fill({64, 64, 64}, SimtDevice(), 20, oldest, 1);
  Fill({64, 64, 128}, SimtDevice(), 20, OlderToolchain(), 2);
  Fill({64, 64, 256}, SimtDevice(), 20, TestToolchain(), 3);
  std::map<double, int> weights;
  for (const PriorObservation& prior : Learned()) ++weights[prior.weight];
  EXPECT_EQ(weights, (std::map<double, int>{{1, 20}, {1.0 / 2, 20}, {1.0 / 3, 20}}));
}

TEST_F(LogExperienceTest, UsesTheNewestRecordOfASchedule) {
  Fill({64, 64, 64}, SimtDevice(), 20, OlderToolchain(), 1, 1);
  Fill({64, 64, 64}, SimtDevice(), 20, TestToolchain(), 1, 2);
  const std::vector<PriorObservation> learned = Learned();
  EXPECT_THAT(learned, SizeIs(20));
  for (const PriorObservation& prior : learned) EXPECT_EQ(prior.weight, 1);
}

TEST_F(LogExperienceTest, IgnoresSchedulesOutsideTheSpace) {
  Fill({64, 64, 64}, SimtDevice(), 20, TestToolchain());
  for (int i = 0; i < 2; ++i) {
    TuningRecord record;
    record.uuid = absl::StrCat("odd", i);
    record.problem = {64, 64, 64};
    record.device = SimtDevice();
    record.toolchain = TestToolchain();
    record.schedule = i == 0 ? Schedule{"unheard_of", {{"x", 1}}} : Schedule{"tiled", {{"bm", 3}}};
    record.measurement = OkMeasurement(100'000);
    ASSERT_TRUE(log_.InsertRecord("", record).ok());
  }
  EXPECT_THAT(Learned(), SizeIs(20));
}

TEST_F(LogExperienceTest, ReturnsErrorsOfTheLog) {
  Fill({64, 64, 64}, SimtDevice(), 20, TestToolchain());
  for (int call = 1; call <= 2; ++call) {
    log_.FailAfter(call);
    EXPECT_FALSE(ReadPriorObservations(log_, learner_, *space_).ok()) << call;
    log_.Rollback();
  }
}

}  // namespace
}  // namespace mmtune
