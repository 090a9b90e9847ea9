// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "proto/wire/deterministic_bytes.h"
#include "server/coordinator/job.h"
#include "tests/fake_clock.h"
#include "tests/search/fake_family.h"
#include "tests/server/coordinator_harness.h"

namespace mmtune {
namespace {

std::vector<const KernelFamily*> Known() {
  static const FakeFamily direct("direct", {{"t", {1}}}, {}, /*searched=*/false);
  return {&direct, &FreeFamily()};
}

TEST(JobSpecTest, AcceptsAValidJob) {
  v1::JobSpec message = FreeJob(7);
  message.set_seconds(1.5);
  message.set_strategy("model");
  message.set_plateau_percent(1);
  message.set_baseline_percent(95);
  message.set_bound_percent(80);
  absl::StatusOr<JobSpec> spec = ParseJobSpec(message, Known());
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->problem.ShapeText(), "64x32x16");
  EXPECT_EQ(spec->limits.trials, 7);
  EXPECT_EQ(spec->limits.seconds, 1.5);
  EXPECT_EQ(spec->limits.plateau_percent, 1);
  EXPECT_EQ(spec->limits.baseline_percent, 95);
  EXPECT_EQ(spec->limits.bound_percent, 80);
}

TEST(JobSpecTest, ClearLimitsRemovesAllLimits) {
  v1::JobSpec message = FreeJob(7);
  const v1::JobSpec unlimited = FreeJob();
  message.set_seconds(1.5);
  message.set_plateau_percent(1);
  message.set_baseline_percent(95);
  message.set_bound_percent(80);
  ClearLimits(message);
  EXPECT_EQ(DeterministicBytes(message), DeterministicBytes(unlimited));
}

TEST(JobSpecTest, SearchesDefaultFamilies) {
  v1::JobSpec message = FreeJob();
  message.clear_families();
  EXPECT_THAT(ParseJobSpec(message, Known())->families, testing::ElementsAre(&FreeFamily()));
  message.add_families("direct");
  EXPECT_EQ(ParseJobSpec(message, Known())->families[0]->name(), "direct");
}

void SetOnly(v1::JobSpec& spec, const std::vector<std::string>& parts) {
  spec.clear_families();
  spec.mutable_only()->Assign(parts.begin(), parts.end());
}

TEST(JobSpecTest, OnlySelectsFamiliesAndTheirParts) {
  v1::JobSpec message = FreeJob();
  SetOnly(message, {"direct", "free x=2,1"});
  const absl::StatusOr<JobSpec> spec = ParseJobSpec(message, Known());
  ASSERT_TRUE(spec.ok()) << spec.status();
  ASSERT_EQ(spec->families.size(), 2u);
  EXPECT_EQ(spec->families[0]->name(), "direct");
  EXPECT_EQ(spec->families[1], &FreeFamily());
  EXPECT_TRUE(spec->only[0].values.empty());
  EXPECT_THAT(spec->only[1].values.at("x"), testing::ElementsAre(1, 2));
}

TEST(JobSpecTest, RefusesInvalidFieldsByName) {
  struct Case {
    std::function<void(v1::JobSpec&)> spoil;
    const char* says;
  };
  const Case cases[] = {
      {[](v1::JobSpec& s) { s.clear_problem(); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_m(0); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_k(-3); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_n(std::numeric_limits<int64_t>::max()); }, "problem"},
      {[](v1::JobSpec& s) { s.mutable_problem()->set_dtype("f7"); }, "f7"},
      {[](v1::JobSpec& s) { s.mutable_device()->set_device("tpu"); }, "tpu"},
      {[](v1::JobSpec& s) { s.mutable_device()->set_arch("sm_1"); }, "sm_1"},
      {[](v1::JobSpec& s) { s.set_strategy("magic"); }, "magic"},
      {[](v1::JobSpec& s) { s.clear_strategy(); }, "strategy"},
      {[](v1::JobSpec& s) { s.set_trials(-1); }, "trials"},
      {[](v1::JobSpec& s) { s.set_seconds(-1); }, "seconds"},
      {[](v1::JobSpec& s) { s.set_seconds(std::numeric_limits<double>::quiet_NaN()); }, "seconds"},
      {[](v1::JobSpec& s) { s.set_plateau_percent(-1); }, "plateau_percent is -1"},
      {[](v1::JobSpec& s) { s.set_plateau_percent(1); }, "plateau_percent needs a strategy"},
      {[](v1::JobSpec& s) { s.set_baseline_percent(1001); }, "baseline_percent is 1001"},
      {[](v1::JobSpec& s) { s.set_bound_percent(100.5); }, "bound_percent is 100.5"},
      {[](v1::JobSpec& s) { s.set_bound_percent(std::numeric_limits<double>::quiet_NaN()); }, "bound_percent"},
      {[](v1::JobSpec& s) {
         s.set_baseline_percent(100);
         s.mutable_measure()->set_baseline(false);
       },
       "baseline_percent needs a baseline"},
      {[](v1::JobSpec& s) { s.mutable_measure()->set_budget_seconds(1e9); }, "measure: budget_seconds"},
      {[](v1::JobSpec& s) { s.add_families("nobody"); }, "nobody"},
      {[](v1::JobSpec& s) { s.add_only("free x=1"); }, "spec.only and spec.families exclude each other"},
      {[](v1::JobSpec& s) { s.set_numerics("fast"); }, "spec.numerics: 'fast' is no numerics contract"},
      {[](v1::JobSpec& s) { SetOnly(s, {"free x=one"}); }, "spec.only: 'one' is not a value of x"},
      {[](v1::JobSpec& s) { SetOnly(s, {"nobody x=1"}); }, "unknown kernel family 'nobody'"},
      {[](v1::JobSpec& s) { SetOnly(s, {"free x=1", "free x=2"}); }, "spec.only names family free twice"},
      {[](v1::JobSpec& s) { s.add_schedules()->set_family("two words"); }, "schedules[0]"},
  };
  for (const Case& c : cases) {
    v1::JobSpec message = FreeJob();
    c.spoil(message);
    absl::Status status = ParseJobSpec(message, Known()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << c.says;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.says));
  }
}

TEST(JobSpecTest, UsesDefaultMeasureOptions) {
  v1::JobSpec message = FreeJob();
  EXPECT_EQ(*MeasureOf(message), MeasureOptions());
  EXPECT_TRUE(WantsVerification(message));
  message.mutable_measure()->set_precision(0.02);
  EXPECT_EQ(ParseJobSpec(message, Known())->measure.precision, 0.02);
  EXPECT_TRUE(WantsVerification(message));
  message.mutable_measure()->set_verification(false);
  EXPECT_FALSE(WantsVerification(message));
}

TEST(JobSpecTest, SerializesMapsInOneOrder) {
  v1::JobSpec a = FreeJob(), b = FreeJob();
  v1::Schedule* sa = a.add_schedules();
  v1::Schedule* sb = b.add_schedules();
  for (int i = 0; i < 50; ++i) (*sa->mutable_params())["p" + std::to_string(i)] = i;
  for (int i = 49; i >= 0; --i) (*sb->mutable_params())["p" + std::to_string(i)] = i;
  EXPECT_EQ(DeterministicBytes(a), DeterministicBytes(b));
}

}  // namespace

namespace {

TEST(JobStateTest, WireStatesMatchLogStates) {
  for (const JobState state : {JobState::kWaiting, JobState::kRunning, JobState::kDone, JobState::kCancelled,
                               JobState::kFailed, JobState::kInterrupted}) {
    EXPECT_EQ(JobStateName(ToWire(state)), JobStateName(state));
    EXPECT_EQ(IsFinal(ToWire(state)), IsFinal(state));
    EXPECT_EQ(v1::JobState_Name(ToWire(state)).substr(10), absl::AsciiStrToUpper(std::string(JobStateName(state))));
  }
}

TEST(JobStateTest, UnknownWireStateIsNotFinal) {
  for (const int value : {0, 99}) {
    EXPECT_EQ(JobStateName(static_cast<v1::JobState>(value)), "unknown");
    EXPECT_FALSE(IsFinal(static_cast<v1::JobState>(value)));
  }
}

}  // namespace

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

TEST_F(TuningJobTest, StartOverResetsTheProgress) {
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

TEST_F(TuningJobTest, IsRepetitionIfAllResultsCameFromTheLog) {
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

TEST_F(TuningJobTest, StrategyObservesUnmeasuredCandidatesAsUnstable) {
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

TEST_F(SkippingJobTest, SkipsNothingBeforeThereIsABest) {
  TuningJob job = Started({});
  EXPECT_EQ(job.skip_above_ns(), 0);
  Observe(job, Outcome::kCrashed, 0);
  EXPECT_EQ(job.skip_above_ns(), 0);
  Observe(job, Outcome::kOk, 1000);
  EXPECT_DOUBLE_EQ(job.skip_above_ns(), 1100);
}

TEST_F(SkippingJobTest, JobsThatWantEveryTimeSkipNothing) {
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

TEST_F(SkippingJobTest, UpToFourSkippedSchedulesPerTrialAreFree) {
  TuningJob job = Started({});
  Observe(job, Outcome::kOk, 1000);
  for (int i = 0; i < 5; ++i) Observe(job, Outcome::kSkipped, 2000);
  EXPECT_FALSE(job.ProposingDone());
  EXPECT_EQ(job.Progress().planned(), 3 + 5);
  EXPECT_EQ(job.Progress().outcomes().at("skipped"), 5);
  EXPECT_EQ(job.Propose(10).size(), 2u) << "of three trials one was made";
  EXPECT_EQ(job.StopReason(), "trials: 3");
}

TEST_F(SkippingJobTest, JobEndsIfEverythingIsSkipped) {
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

TEST_F(SkippingJobTest, StrategyObservesTheLowerBoundOfSkippedSchedules) {
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

TEST_F(CompilingJobTest, JobIsNotDoneWhileTasksAreOpen) {
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

TEST_F(CompilingJobTest, JobIsDoneWhenItsStrategyIsExhausted) {
  job_.Propose(1);
  for (const Schedule& schedule : job_.ToCompile()) job_.TakeCompiled(Unknown(schedule));
  EXPECT_FALSE(job_.ProposingDone()) << "it has to be asked";
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_TRUE(job_.ProposingDone());
}

TEST_F(CompilingJobTest, NothingIsCompiledAfterTheTrialLimit) {
  job_.Propose(1);
  const std::vector<Schedule> wanted = job_.ToCompile();
  for (const Schedule& schedule : wanted) job_.TakeCompiled({schedule, CompiledFacts::End::kCompiled, {}});
  EXPECT_EQ(job_.Propose(2).size(), 2u);
  EXPECT_TRUE(job_.ToCompile().empty());
  EXPECT_TRUE(job_.Propose(1).empty());
  EXPECT_TRUE(job_.ProposingDone());
}

TEST_F(CompilingJobTest, StartOverForgetsOpenTasks) {
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

TEST_F(CompilingJobTest, UnchosenScheduleIsNoTrial) {
  for (int i = 0; i < 20; ++i) job_.ObserveUnchosen();
  const v1::JobProgress progress = job_.Progress();
  EXPECT_EQ(progress.proposed(), 20);
  EXPECT_EQ(progress.done(), 20);
  EXPECT_EQ(progress.planned(), 22);
  EXPECT_EQ(progress.outcomes().at("skipped"), 20);
  EXPECT_FALSE(job_.ProposingDone());
  EXPECT_TRUE(heard_.empty()) << "there is nothing to learn from it";
}

TEST_F(CompilingJobTest, StrategyObservesCompileAndDeviceTimes) {
  TuningRecord record;
  record.measurement.timing.median_ns = 1000;
  record.measurement.phases = {1, 2, 4, 8, 16, /*verify_ms=*/256, 32, 64, 128};
  job_.Observe(record, /*from_log=*/false);
  ASSERT_EQ(heard_.size(), 1u);
  EXPECT_EQ(heard_[0].compile_ms, 1 + 2 + 4 + 8 + 16);
  EXPECT_EQ(heard_[0].device_ms, 32 + 64 + 128);
}

TEST(ModelPartTest, SecondsOfTrialIncludeVerification) {
  FakeClock clock;
  JobSpec spec;
  spec.model.emplace();
  TuningJob job(JobRow(), v1::JobSpec(), spec, clock);
  TuningRecord record;
  record.measurement.phases.emit_ms = 1000;
  record.measurement.phases.verify_ms = 2000;
  record.measurement.phases.timing_ms = 4000;
  job.Observe(record, /*from_log=*/false);
  EXPECT_EQ(job.ToMatmulProgress(/*running=*/0).trial_seconds, 7);
}

TEST(CompileAheadTest, IsAllowedOnlyForSearchesOnGpus) {
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
    EXPECT_EQ(job.ProposingDone(), job.ReachedHardLimit());
    return job.StopReason();
  }
  FakeClock clock_;
};

TEST_F(StoppingJobTest, BoundLimitEndsTheSearch) {
  EXPECT_EQ(ReasonAfter({.baseline_percent = 80}, 1.3e6), "");
  EXPECT_EQ(ReasonAfter({.baseline_percent = 80}, 1.25e6),
            "the best schedule has 80 % of the baseline's speed; the limit is 80 %");
  // 2 * 1024^3 operations at 25.6 TFLOPS take 83.9 us.
  EXPECT_EQ(ReasonAfter({.bound_percent = 50}, 0.2e6), "");
  EXPECT_THAT(ReasonAfter({.bound_percent = 50}, 0.15e6),
              testing::HasSubstr("% of the device's peak; the limit is 50 %"));
}

TEST(JobPlanTest, SpaceSizeIsEstimatedUnlessTheStrategyCounts) {
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

/// Returns the request of a search of all families that are searched by default, on a GPU.
JobPlanRequest ModelSearch(std::string_view shape, DataType dtype, std::string_view arch) {
  JobPlanRequest request;
  request.spec.problem = *ParseMatmulShape(shape, dtype);
  request.spec.families = SearchedFamilies(request.spec.problem, KernelFamilies());
  request.spec.strategy = "model";
  request.device = *ArchitectureLimits(arch);
  request.device.kind = DeviceKind::kCuda;
  request.device.multiprocessors = 132;
  return request;
}

// It is nearly the fastest of the space by the time model, which few random samples are.
TEST(JobPlanTest, SearchesBeginWithTheDefaultSchedule) {
  for (const JobPlanRequest& request :
       {ModelSearch("4096x4096x4096", DataType::kBf16, "sm_80"), ModelSearch("512x512x8192", DataType::kF32, "sm_80"),
        ModelSearch("4096x4096x4096", DataType::kBf16, "sm_90")}) {
    EXPECT_EQ(MakeJobPlan(request)->strategy->Propose(1).at(0).Text(),
              DefaultSchedule(request.spec.problem, request.device)->Text());
  }
}

/// Returns the first 16 proposals of a search whose times are those that the model predicts.
std::vector<Schedule> FirstOf(const JobPlanRequest& request) {
  const JobPlan plan = *MakeJobPlan(request);
  std::vector<Schedule> first;
  while (first.size() < 16) {
    const std::vector<Schedule> proposals = plan.strategy->Propose(1);
    if (proposals.empty()) break;
    first.push_back(proposals.front());
    plan.strategy->Observe({{first.back(), Outcome::kOk, 1e9 * plan.space->Predict(first.back())->total}});
  }
  return first;
}

/// Returns "128x256x64 stages=4 cluster=2x1" of each schedule.
std::vector<std::string> ConfigurationsOf(const MatmulProblem& problem, const std::vector<Schedule>& schedules) {
  std::vector<std::string> configurations;
  for (const Schedule& schedule : schedules) {
    const ScheduleGeometry geometry = *DescribeSchedule(problem, schedule);
    configurations.push_back(absl::StrCat(geometry.tile.m, "x", geometry.tile.n, "x", geometry.tile.k, " stages=",
                                          geometry.stages, " cluster=", geometry.clusterM, "x", geometry.clusterN));
  }
  return configurations;
}

// Random samples of a large space would miss the schedules that NVIDIA's libraries choose: those of nvMatmulHeuristics
// for H100, the best one or two of each problem.
TEST(JobPlanTest, SearchesOnHopperBeginWithTheChoicesOfLibraries) {
  const struct {
    const char* shape;
    DataType dtype;
    std::vector<std::string> choices;
  } kProblems[] = {
      {"4096x4096x4096", DataType::kBf16, {"128x256x64 stages=4 cluster=2x1", "256x128x64 stages=4 cluster=1x2"}},
      {"8192x8192x8192", DataType::kBf16, {"128x256x64 stages=4 cluster=2x1", "256x128x64 stages=4 cluster=1x2"}},
      {"1024x1024x1024", DataType::kBf16, {"64x128x128 stages=4 cluster=2x1"}},
      {"16x16384x16384", DataType::kBf16, {"64x128x64 stages=8 cluster=1x2"}},
      {"4096x2112x7168", DataType::kBf16, {"128x192x64 stages=5 cluster=4x1"}},
      {"4096x4096x4096", DataType::kS8, {"256x128x128"}},  // what they choose for fp8
  };
  for (const auto& [shape, dtype, choices] : kProblems) {
    JobPlanRequest request = ModelSearch(shape, dtype, "sm_90");
    request.spec.problem.transpose_b = dtype == DataType::kS8;
    const std::vector<std::string> first = ConfigurationsOf(request.spec.problem, FirstOf(request));
    for (const std::string& choice : choices)
      EXPECT_THAT(first, testing::Contains(testing::StartsWith(choice))) << shape;
  }
  const JobPlanRequest request = ModelSearch("4096x4096x4096", DataType::kBf16, "sm_90");
  JobPlanRequest named = request;
  named.device.arch = "sm_90a";
  const std::vector<Schedule> first = FirstOf(request);
  EXPECT_EQ(FirstOf(named), first);
  EXPECT_EQ(first.front(), *DefaultSchedule(request.spec.problem, request.device));
  // The fastest published kernel: tensor copies to C, tiles along a Hilbert curve, 128 blocks.
  const auto has = [&first](const std::map<std::string, int64_t>& parameters) {
    return std::ranges::any_of(first, [&parameters](const Schedule& schedule) {
      return std::ranges::all_of(parameters, [&](const auto& one) { return schedule.Get(one.first) == one.second; });
    });
  };
  EXPECT_TRUE(has({{"consumers", 2},
                   {"mi", 1},
                   {"bn", 256},
                   {"stages", 4},
                   {"cluster_m", 2},
                   {"epi_buffers", 2},
                   {"raster", 2},
                   {"blocks", 128}}));
  EXPECT_TRUE(has({{"mode", 1}, {"epi_columns", 32}, {"epi_buffers", 2}}));
}

TEST(JobPlanTest, SearchesOnlySchedulesWithTheNumerics) {
  JobPlanRequest request;
  request.device = *ArchitectureLimits("sm_80");
  request.device.kind = DeviceKind::kCuda;
  request.device.multiprocessors = 108;
  request.spec.problem = *ParseMatmulShape("256x256x512", DataType::kF32);
  request.spec.families = {*FindKernelFamily("fma")};
  request.spec.strategy = "model";
  request.spec.numerics = *Numerics::Parse("same-as fma.f32 over k; parts of 256 k, added in order");
  JobPlan plan = *MakeJobPlan(request);
  for (const Schedule& schedule : plan.strategy->Propose(16)) {
    EXPECT_TRUE(HasNumerics(request.spec.problem, schedule, request.device, request.spec.numerics)) << schedule.Text();
    EXPECT_EQ(schedule.Get("split_k"), 2);
  }
  request.spec.numerics = *Numerics::Parse("same-as mma.m16n8k16.f16@sm_80 over k");
  const absl::Status refused = MakeJobPlan(request).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(refused.message(),
            "no kernel family has a valid schedule for 256x256x512 on sm_80; fma: sums as --numerics asks: same-as "
            "mma.m16n8k16.f16@sm_80 over k");
}

TEST(JobPlanTest, RefusesABoundLimitIfThePeakIsUnknown) {
  JobPlanRequest request;
  request.spec.problem = {32, 32, 32};
  request.spec.limits.bound_percent = 80;
  request.device.kind = DeviceKind::kSimt;
  request.device.name = "the SIMT device";
  const absl::Status refused = MakeJobPlan(request).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      refused.message(),
      "--until-bound cannot end a search on the SIMT device, because its peak throughput for 32x32x32 is not known: "
      "leave it out");
}

}  // namespace
}  // namespace mmtune
