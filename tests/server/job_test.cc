// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/coordinator/job.h"
#include "tests/fake_clock.h"
#include "tests/search/fake_family.h"

namespace mmtune {
namespace {

class TuningJobTest : public testing::Test {
 protected:
  TuningJobTest() : job_(JobRow(), v1::JobSpec(), Spec(), clock_) {
    JobPlan plan;
    plan.strategy = CreateListStrategy(spec_.schedules);
    job_.SetTarget({});
    job_.Start(std::move(plan));
  }
  const JobSpec& Spec() {
    spec_.problem = {32, 32, 32};
    for (int64_t i = 0; i < 4; ++i) spec_.schedules.push_back({"direct", {{"t", i}}});
    return spec_;
  }

  FakeClock clock_;
  JobSpec spec_;
  TuningJob job_;
};

TEST_F(TuningJobTest, OneThatStartsOverHasDoneNothing) {
  EXPECT_EQ(job_.Propose(3).size(), 3u);
  TuningRecord record;
  record.schedule = spec_.schedules[0];
  job_.Observe(record, /*from_log=*/true);
  job_.ObserveUnmeasured(spec_.schedules[1]);
  clock_.Advance(std::chrono::seconds(5));
  const v1::JobProgress before = job_.Progress();
  EXPECT_EQ(before.elapsed_seconds(), 5);
  EXPECT_EQ(before.done(), 2);
  EXPECT_EQ(before.from_log(), 1);

  job_.StartOver();
  v1::JobProgress none;
  none.set_planned(4);
  EXPECT_EQ(job_.Progress().SerializeAsString(), none.SerializeAsString()) << job_.Progress().DebugString();
  EXPECT_FALSE(job_.started());
  EXPECT_FALSE(job_.target().has_value());
  EXPECT_EQ(job_.unmeasured_in_a_row(), 0);
  EXPECT_TRUE(job_.Propose(1).empty());
}

TEST_F(TuningJobTest, ARepetitionHasMeasuredNothing) {
  TuningRecord record;
  EXPECT_FALSE(job_.IsRepetition());
  record.schedule = spec_.schedules[0];
  job_.Observe(record, /*from_log=*/true);
  EXPECT_TRUE(job_.IsRepetition());
  // The log answers with nothing that was skipped: that it is skipped again is no measurement.
  record.schedule = spec_.schedules[1];
  record.measurement.outcome = Outcome::kSkipped;
  job_.Observe(record, /*from_log=*/false);
  EXPECT_TRUE(job_.IsRepetition());
  record.schedule = spec_.schedules[2];
  record.measurement.outcome = Outcome::kOk;
  job_.Observe(record, /*from_log=*/false);
  EXPECT_FALSE(job_.IsRepetition());
}

/// Proposes nothing; keeps what it observes.
class Listener : public Strategy {
 public:
  explicit Listener(std::vector<Observation>& heard) : heard_(heard) {}
  std::string_view name() const override { return "listener"; }
  std::vector<Schedule> Propose(int) override { return {}; }
  void Observe(const std::vector<Observation>& observations) override {
    heard_.insert(heard_.end(), observations.begin(), observations.end());
  }
  bool Exhausted() const override { return false; }

 private:
  std::vector<Observation>& heard_;
};

TEST_F(TuningJobTest, WhatCouldNotBeMeasuredIsToldToTheStrategyAsSayingNothing) {
  std::vector<Observation> heard;
  JobPlan plan;
  plan.strategy = std::make_unique<Listener>(heard);
  job_.Start(std::move(plan));
  job_.ObserveUnmeasured(spec_.schedules[1]);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].schedule, spec_.schedules[1]);
  EXPECT_EQ(heard[0].outcome, Outcome::kUnstable);
}

/// A search of many schedules, of which `job` has measured one in 1000 ns.
class SkippingJobTest : public testing::Test {
 protected:
  TuningJob Started(JobSpec spec) {
    spec.problem = {32, 32, 32};
    spec.limits.trials = 3;
    TuningJob job(JobRow(), v1::JobSpec(), spec, clock_);
    std::vector<Schedule> schedules;
    for (int64_t i = 0; i < 100; ++i) schedules.push_back({"direct", {{"t", i}}});
    JobPlan plan;
    plan.strategy = CreateListStrategy(schedules);
    job.SetTarget({});
    job.Start(std::move(plan));
    return job;
  }
  static void Observe(TuningJob& job, Outcome outcome, double ns) {
    const std::vector<Schedule> proposed = job.Propose(1);
    ASSERT_EQ(proposed.size(), 1u);
    TuningRecord record;
    record.problem = job.spec().problem;
    record.schedule = proposed[0];
    record.measurement.outcome = outcome;
    record.measurement.verification.performed = record.measurement.verification.passed = true;
    (outcome == Outcome::kOk ? record.measurement.timing.median_ns : record.measurement.timing.low_ns) = ns;
    job.Observe(record, /*from_log=*/false);
  }

  FakeClock clock_;
};

TEST_F(SkippingJobTest, NothingIsSkippedBeforeThereIsABest) {
  TuningJob job = Started({});
  EXPECT_EQ(job.skip_above_ns(), 0);
  Observe(job, Outcome::kCrashed, 0);
  EXPECT_EQ(job.skip_above_ns(), 0);
  Observe(job, Outcome::kOk, 1000);
  EXPECT_DOUBLE_EQ(job.skip_above_ns(), 1100);
}

TEST_F(SkippingJobTest, AJobThatWantsEveryTimeSkipsNothing) {
  std::vector<JobSpec> specs(5);
  specs[0].no_skip = true;
  specs[1].remeasure = true;
  specs[2].strategy = "exhaustive";
  specs[3].reference = Schedule{"direct", {{"t", 0}}};
  specs[4].schedules = {{"direct", {{"t", 0}}}};
  for (const JobSpec& spec : specs) {
    TuningJob job = Started(spec);
    Observe(job, Outcome::kOk, 1000);
    EXPECT_EQ(job.skip_above_ns(), 0);
  }
}

TEST_F(SkippingJobTest, WhatIsSkippedIsNoTrialUpToFourTimesAsManyAsThese) {
  TuningJob job = Started({});
  Observe(job, Outcome::kOk, 1000);
  for (int i = 0; i < 5; ++i) Observe(job, Outcome::kSkipped, 2000);
  EXPECT_FALSE(job.ProposingDone());
  EXPECT_EQ(job.Progress().planned(), 3 + 5);
  EXPECT_EQ(job.Progress().outcomes().at("skipped"), 5);
  EXPECT_EQ(job.Propose(10).size(), 2u) << "of three trials one was made";
  EXPECT_EQ(job.StopReason(), "trials: 3");
}

TEST_F(SkippingJobTest, AJobOfWhichAllIsSkippedEnds) {
  TuningJob job = Started({});
  for (int i = 0; i < 3 + 4 * 3; ++i) {
    EXPECT_FALSE(job.ProposingDone());
    Observe(job, Outcome::kSkipped, 2000);
  }
  EXPECT_TRUE(job.ProposingDone());
  EXPECT_EQ(job.Progress().planned(), 15);
  job.StartOver();
  EXPECT_EQ(job.Progress().planned(), 3);
}

TEST_F(SkippingJobTest, TheStrategyHearsTheLeastTime) {
  TuningJob job = Started({});
  std::vector<Observation> heard;
  JobPlan plan;
  plan.strategy = std::make_unique<Listener>(heard);
  job.Start(std::move(plan));
  TuningRecord record;
  record.measurement.outcome = Outcome::kSkipped;
  record.measurement.timing.low_ns = 2000;
  job.Observe(record, /*from_log=*/false);
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].outcome, Outcome::kSkipped);
  EXPECT_EQ(heard[0].median_ns, 2000);
  EXPECT_EQ(job.best_ns(), 0);
}

/// Wants two schedules compiled, and proposes those that compile.
class Chooser : public Strategy {
 public:
  explicit Chooser(std::vector<Observation>* heard = nullptr) : heard_(heard) {}
  std::string_view name() const override { return "chooser"; }
  std::vector<Schedule> Propose(int) override {
    ++asked;
    if (waits_ > 0 || named_ == 0) return {};
    return std::exchange(chosen_, {});
  }
  std::vector<Schedule> ToCompile() override {
    std::vector<Schedule> schedules;
    for (; named_ < 2; ++named_, ++waits_) schedules.push_back({"direct", {{"t", named_}}});
    return schedules;
  }
  void Compiled(const std::vector<CompiledFacts>& facts) override {
    --waits_;
    if (facts[0].end == CompiledFacts::End::kCompiled) chosen_.push_back(facts[0].schedule);
  }
  void Observe(const std::vector<Observation>& observations) override {
    if (heard_ != nullptr) heard_->insert(heard_->end(), observations.begin(), observations.end());
  }
  bool Exhausted() const override { return false; }

  int asked = 0;

 private:
  std::vector<Observation>* heard_;
  int64_t named_ = 0, waits_ = 0;
  std::vector<Schedule> chosen_;
};

class CompilingJobTest : public testing::Test {
 protected:
  CompilingJobTest() : job_(JobRow(), v1::JobSpec(), Spec(), clock_) {
    JobPlan plan;
    plan.strategy = std::make_unique<Chooser>(&heard_);
    chooser_ = static_cast<Chooser*>(plan.strategy.get());
    job_.SetTarget({});
    job_.Start(std::move(plan));
  }
  static JobSpec Spec() {
    JobSpec spec;
    spec.problem = {32, 32, 32};
    spec.limits.trials = 2;
    return spec;
  }
  static CompiledFacts Unknown(const Schedule& schedule) { return {schedule, CompiledFacts::End::kUnknown, {}}; }

  FakeClock clock_;
  std::vector<Observation> heard_;
  Chooser* chooser_ = nullptr;
  TuningJob job_;
};

TEST_F(CompilingJobTest, AJobIsNotDoneWhileSomethingIsCompiledForIt) {
  EXPECT_TRUE(job_.Propose(1).empty());
  const std::vector<Schedule> wanted = job_.ToCompile();
  ASSERT_EQ(wanted.size(), 2u);
  EXPECT_TRUE(job_.ToCompile().empty()) << "once";
  EXPECT_FALSE(job_.ProposingDone());
  const int asked = chooser_->asked;
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_EQ(chooser_->asked, asked) << "it would give up what it waits for";
  job_.TakeCompiled({wanted[0], CompiledFacts::End::kCompiled, {}});
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_FALSE(job_.ProposingDone());
  job_.TakeCompiled(Unknown(wanted[1]));
  EXPECT_EQ(job_.Propose(1).size(), 1u);
}

TEST_F(CompilingJobTest, AJobWhoseStrategyHasNothingMoreIsDone) {
  job_.Propose(1);
  for (const Schedule& schedule : job_.ToCompile()) job_.TakeCompiled(Unknown(schedule));
  EXPECT_FALSE(job_.ProposingDone()) << "it has to be asked";
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_TRUE(job_.ProposingDone());
}

TEST_F(CompilingJobTest, NothingIsCompiledForAJobThatHasItsTrials) {
  job_.Propose(1);
  const std::vector<Schedule> wanted = job_.ToCompile();
  for (const Schedule& schedule : wanted) job_.TakeCompiled({schedule, CompiledFacts::End::kCompiled, {}});
  EXPECT_EQ(job_.Propose(2).size(), 2u);
  EXPECT_TRUE(job_.ToCompile().empty());
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_TRUE(job_.ProposingDone());
}

TEST_F(CompilingJobTest, AJobThatStartsOverWaitsForNothing) {
  job_.Propose(1);
  const std::vector<Schedule> wanted = job_.ToCompile();
  job_.StartOver();
  job_.TakeCompiled(Unknown(wanted[0]));
  JobPlan plan;
  plan.strategy = CreateListStrategy({});
  job_.SetTarget({});
  job_.Start(std::move(plan));
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_TRUE(job_.ProposingDone());
}

TEST_F(CompilingJobTest, WhatWasNotChosenIsNoTrial) {
  for (int i = 0; i < 20; ++i) job_.ObserveUnchosen();
  const v1::JobProgress progress = job_.Progress();
  EXPECT_EQ(progress.proposed(), 20);
  EXPECT_EQ(progress.done(), 20);
  EXPECT_EQ(progress.planned(), 22);
  EXPECT_EQ(progress.outcomes().at("skipped"), 20);
  EXPECT_FALSE(job_.ProposingDone());
  EXPECT_TRUE(heard_.empty()) << "there is nothing to learn from it";
}

TEST_F(CompilingJobTest, TheStrategyHearsHowLongAScheduleTook) {
  TuningRecord record;
  record.measurement.timing.median_ns = 1000;
  record.measurement.phases = {1, 2, 4, 8, 16, 32, 64, 128};
  job_.Observe(record, /*from_log=*/false);
  ASSERT_EQ(heard_.size(), 1u);
  EXPECT_EQ(heard_[0].compile_ms, 1 + 2 + 4 + 8 + 16);
  EXPECT_EQ(heard_[0].device_ms, 32 + 64 + 128);
}

TEST(CompileAheadTest, IsForSearchesOnGpus) {
  const auto may = [](DeviceKind kind, const JobSpec& spec) {
    FakeClock clock;
    TuningJob job(JobRow(), v1::JobSpec(), spec, clock);
    JobTarget target;
    target.device.kind = kind;
    job.SetTarget(target);
    return job.MayCompileAhead();
  };
  EXPECT_TRUE(may(DeviceKind::kCuda, {}));
  EXPECT_FALSE(may(DeviceKind::kSimt, {}));
  JobSpec spec;
  spec.no_compile_ahead = true;
  EXPECT_FALSE(may(DeviceKind::kCuda, spec));
  spec = {};
  spec.reference = Schedule{"direct", {{"t", 0}}};
  EXPECT_FALSE(may(DeviceKind::kCuda, spec));
}

/// A job on a GPU that does 128 * 2 * 100 operations a clock, of which each has a time and a baseline of 1 ms.
class StoppingJobTest : public testing::Test {
 protected:
  std::string ReasonAfter(StopLimits limits, double ns) {
    JobSpec spec;
    spec.problem = {1024, 1024, 1024};
    spec.limits = limits;
    TuningJob job(JobRow(), v1::JobSpec(), spec, clock_);
    JobPlan plan;
    plan.strategy = CreateListStrategy({{"direct", {{"t", 0}}}, {"direct", {{"t", 1}}}});
    job.SetTarget({});
    job.Start(std::move(plan));
    TuningRecord record;
    record.problem = spec.problem;
    record.device = *ArchitectureLimits("sm_90");
    record.device.kind = DeviceKind::kCuda;
    record.device.multiprocessors = 100;
    record.device.clock_khz = 1000000;
    record.schedule = job.Propose(1).at(0);
    record.measurement.verification.performed = record.measurement.verification.passed = true;
    record.measurement.timing.median_ns = ns;
    record.measurement.conditions.baseline.name = "cuBLAS";
    record.measurement.conditions.baseline.median_ns = 1e6;
    job.Observe(record, /*from_log=*/false);
    EXPECT_EQ(job.ProposingDone(), job.WantsNoMore());
    return job.StopReason();
  }
  FakeClock clock_;
};

TEST_F(StoppingJobTest, TheSpeedThatWasWantedEndsIt) {
  EXPECT_EQ(ReasonAfter({.baseline_percent = 80}, 1.3e6), "");
  EXPECT_EQ(ReasonAfter({.baseline_percent = 80}, 1.25e6),
            "the best schedule has 80 % of the baseline's speed; the limit is 80 %");
  // 2 * 1024^3 operations at 25.6 TFLOPS take 83.9 us.
  EXPECT_EQ(ReasonAfter({.bound_percent = 50}, 0.2e6), "");
  EXPECT_THAT(ReasonAfter({.bound_percent = 50}, 0.15e6),
              testing::HasSubstr("% of the device's peak; the limit is 50 %"));
}

TEST(JobPlanTest, ASizeIsAnEstimateWhereNobodyCounts) {
  for (const auto& [strategy, estimated] : {std::pair("random", false), std::pair("model", true)}) {
    JobPlanRequest request;
    request.spec.problem = {64, 64, 64};
    request.spec.families = {&HugeFamily()};
    request.spec.strategy = strategy;
    JobPlan plan = *MakeJobPlan(request);
    const SpaceSize size = plan.space_size;
    EXPECT_GT(size.schedules, FamilySpace::kCounted);
    EXPECT_EQ(size.estimated, estimated) << strategy;
    FakeClock clock;
    TuningJob job(JobRow(), v1::JobSpec(), request.spec, clock);
    job.Start(std::move(plan));
    EXPECT_EQ(job.ToWire().space_size(), size.schedules);
    EXPECT_EQ(job.ToWire().space_size_estimated(), estimated);
  }
}

TEST(JobPlanTest, APartOfAPeakThatNobodyKnowsEndsNothingAndIsRefused) {
  JobPlanRequest request;
  request.spec.problem = {32, 32, 32};
  request.spec.limits.bound_percent = 80;
  request.device.kind = DeviceKind::kSimt;
  request.device.name = "the SIMT device";
  const absl::Status refused = MakeJobPlan(request).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      refused.message(),
      "no percent of the device's peak can end a search on the SIMT device, whose peak for 32x32x32 is not known: "
      "leave out --until-bound");
}

}  // namespace
}  // namespace mmtune
