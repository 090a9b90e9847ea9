// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/kernel_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/worker/measure/fake_device.h"
#include "tests/worker/measure/random_values.h"

namespace mmtune {
namespace {

const MatmulProblem kProblem{16, 24, 32, DataType::kF32};
constexpr uint64_t kSeed = 5;

LaunchPlan PlanOf(bool with_memset) {
  LaunchPlan plan;
  plan.workspace_bytes = 4096;
  PlanStep memset;
  memset.kind = PlanStep::Kind::kMemset;
  memset.buffer = PlanBuffer::kWorkspace;
  if (with_memset) plan.steps.push_back(memset);
  PlanStep launch;
  launch.kernel = "kernel";
  launch.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kWorkspace};
  plan.steps.push_back(launch);
  return plan;
}

TimeOptions WithDefaults(TimeOptions options) {
  options.measure = options.measure.For(DeviceKind::kSimt);
  return options;
}

class KernelTimerTest : public testing::Test {
 protected:
  absl::StatusOr<Timing> Time(FakeDevice& device, const TimeOptions& options = {}, bool with_memset = false,
                              const MatmulProblem& problem = kProblem) {
    TimerSettings settings;
    settings.clock = &device.clock;
    auto module = device.LoadModule(ImageFormat::kSimtObject, "");
    auto timer = KernelTimer::Create(&device, PlanRun(&device, module->get(), PlanOf(with_memset)), problem,
                                     RandomOperandStream(problem, kSeed));
    if (!timer.ok()) return timer.status();
    for (int i = 0; i < judged_runs_; ++i) {
      if (absl::Status status = (*timer)->WarmUpOnce(); !status.ok()) return status;
    }
    absl::StatusOr<TimedRun> run = (*timer)->Time(WithDefaults(options), settings);
    if (!run.ok()) return run.status();
    conditions_ = run->conditions;
    return run->timing;
  }

  absl::Status CreateStatus(FakeDevice& device, const LaunchPlan& plan) {
    auto module = device.LoadModule(ImageFormat::kSimtObject, "");
    return KernelTimer::Create(&device, PlanRun(&device, module->get(), plan), kProblem,
                               RandomOperandStream(kProblem, kSeed))
        .status();
  }

  int judged_runs_ = 0;    // before Time()
  Conditions conditions_;  // of the last Time()
};

TEST_F(KernelTimerTest, SteadyKernelEndsWhenTheMedianIsKnown) {
  FakeDevice device([](int) { return 1e6; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_EQ(timing->median_ns, 1e6);
  EXPECT_EQ(timing->samples_ns.size(), 10u);
  EXPECT_EQ(timing->regime, "warm");
  EXPECT_EQ(timing->clock, "steady");
}

TEST_F(KernelTimerTest, NoisyKernelRunsUntilTheBudgetIsOut) {
  FakeDevice device([](int i) { return i % 2 == 0 ? 1e6 : 2e6; });
  TimeOptions options;
  options.measure.budget_seconds = 0.1;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_NEAR(static_cast<double>(timing->samples_ns.size()), 67, 2);
  EXPECT_GE(timing->low_ns, 1e6);
  EXPECT_LE(timing->high_ns, 2e6);
}

TEST_F(KernelTimerTest, WarmUpIsNotASample) {
  FakeDevice device([](int i) { return i < 3 ? 5e7 / (i + 1) : 1e6; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_THAT(timing->samples_ns, testing::Each(1e6));
}

TEST_F(KernelTimerTest, RunsThatWereJudgedAreTheWarmUp) {
  judged_runs_ = 2;
  FakeDevice device([](int) { return 3e7; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(static_cast<size_t>(device.launches), 2 + timing->samples_ns.size());
}

TEST_F(KernelTimerTest, JudgedRunsThatDisagreeAreFollowedByOthers) {
  judged_runs_ = 2;
  FakeDevice device([](int i) { return i == 0 ? 6e7 : 3e7; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(static_cast<size_t>(device.launches), 3 + timing->samples_ns.size());
}

TEST_F(KernelTimerTest, JudgedRunsCountForWhatAWarmUpMayTake) {
  judged_runs_ = 2;
  FakeDevice device([](int i) { return i == 0 ? 12e7 : 8e7; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(static_cast<size_t>(device.launches), 2 + timing->samples_ns.size());
}

TEST_F(KernelTimerTest, AWarmUpMayTakeAQuarterOfTheBudget) {
  TimeOptions options;
  options.measure.budget_seconds = 1;
  for (const auto& [run_ns, warm_ups] : {std::pair(12e7, 2), std::pair(13e7, 1)}) {
    FakeDevice device([run_ns](int) { return run_ns; });
    absl::StatusOr<Timing> timing = Time(device, options);
    ASSERT_TRUE(timing.ok());
    EXPECT_EQ(static_cast<size_t>(device.launches), static_cast<size_t>(warm_ups) + timing->samples_ns.size())
        << run_ns;
  }
}

TEST_F(KernelTimerTest, AShortKernelIsWarmedUpAgain) {
  judged_runs_ = 2;
  FakeDevice device([](int i) { return i < 2 ? 4e6 : 1e6; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(static_cast<size_t>(device.launches), 4 + timing->samples_ns.size());
}

TEST_F(KernelTimerTest, AJudgedRunIsNoSampleHoweverLong) {
  judged_runs_ = 2;
  FakeDevice device([](int i) { return i < 2 ? 3e9 : 2e9; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(device.launches, 3);
  EXPECT_THAT(timing->samples_ns, testing::ElementsAre(2e9));
}

TEST_F(KernelTimerTest, ShortKernelsAreBatchedAndReportedPerRun) {
  FakeDevice device([](int) { return 500.0; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->median_ns, 500);
  EXPECT_GE(device.launches, 40 * 10);
}

TEST_F(KernelTimerTest, OneRunLongerThanTheBudgetIsEnough) {
  FakeDevice device([](int) { return 3e9; });
  absl::StatusOr<Timing> timing = Time(device);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(device.launches, 1);
  EXPECT_THAT(timing->samples_ns, testing::ElementsAre(3e9));
}

TEST_F(KernelTimerTest, CheapKernelsGetFiveSamplesWhateverTheBudget) {
  FakeDevice device([](int i) { return i % 2 == 0 ? 19e6 : 20e6; });
  TimeOptions options;
  options.measure.budget_seconds = 0.1;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_GE(timing->samples_ns.size(), 5u);
}

TEST_F(KernelTimerTest, StopsWhenClearlySlowerThanTheIncumbent) {
  FakeDevice device([](int) { return 1e6; });
  TimeOptions options;
  options.incumbent_ns = 1e5;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->samples_ns.size(), 2u);
  EXPECT_EQ(timing->median_ns, 1e6);
}

TEST_F(KernelTimerTest, AnIntervalOverTheIncumbentIsEnough) {
  FakeDevice device([](int i) { return i % 2 == 0 ? 1.1e6 : 1.2e6; });
  TimeOptions options;
  options.incumbent_ns = 1e6;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->samples_ns.size(), 6u);
  EXPECT_EQ(conditions_.ended, "slower than the incumbent");
}

TEST_F(KernelTimerTest, OneThatMayBeAsFastAsTheIncumbentIsTimedInFull) {
  FakeDevice device([](int i) { return i % 2 == 0 ? 1e6 : 1.2e6; });
  TimeOptions options;
  options.incumbent_ns = 1e6;
  options.measure.budget_seconds = 0.05;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_GT(timing->samples_ns.size(), 40u);
  EXPECT_EQ(conditions_.ended, "budget");
}

TEST_F(KernelTimerTest, APrecisionAskedForEndsIt) {
  TimeOptions options;
  options.measure.precision = 0.2;
  FakeDevice device([](int i) { return i % 2 == 0 ? 1e6 : 1.2e6; });
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->samples_ns.size(), 10u);
  EXPECT_EQ(conditions_.ended, "precise");
}

TEST_F(KernelTimerTest, ColdOperandsAreOtherOnesEveryTime) {
  std::set<DevicePtr> used;
  FakeDevice device([](int) { return 1e6; });
  device.mutable_info().l2_bytes = 4096;
  device.kernel = [&](const std::vector<DevicePtr>& addresses) { used.insert(addresses[0]); };
  TimeOptions options;
  options.measure.regime = Regime::kCold;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->regime, "cold");
  EXPECT_GT(used.size(), 2u);
}

TEST_F(KernelTimerTest, EveryRunHasANameOfItsOwn) {
  FakeDevice device([](int) { return 1e6; });
  ASSERT_TRUE(Time(device).ok());
  const std::string first = conditions_.run;
  ASSERT_TRUE(Time(device).ok());
  EXPECT_NE(conditions_.run, first);
  EXPECT_EQ(conditions_.ended, "precise");
  EXPECT_FALSE(conditions_.delayed);
}

TEST_F(KernelTimerTest, NeverTakesMoreThanTheCap) {
  FakeDevice device([](int i) { return i / 300 % 2 == 0 ? 1e5 : 2e5; });  // 300 runs are the largest batch
  TimeOptions options;
  options.measure.budget_seconds = 100;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->samples_ns.size(), KernelTimer::kMaxSamples);
}

TEST_F(KernelTimerTest, ZeroesTheWorkspaceThePlanAsksForBeforeEveryRun) {
  FakeDevice device([](int) { return 1e6; });
  ASSERT_TRUE(Time(device, {}, /*with_memset=*/true).ok());
  EXPECT_EQ(device.fills.size(), static_cast<size_t>(device.launches));
  EXPECT_EQ(device.fills.front().second, 1024u);
}

TEST_F(KernelTimerTest, AKernelThatWritesToAnOperandIsFound) {
  for (int operand : {0, 1}) {
    FakeDevice device([](int) { return 1e6; });
    device.kernel = [operand](const std::vector<DevicePtr>& addresses) {
      reinterpret_cast<float*>(addresses[static_cast<size_t>(operand)])[7] += 1;
    };
    absl::StatusOr<Timing> timing = Time(device);
    EXPECT_TRUE(absl::IsDataLoss(timing.status())) << timing.status();
  }
}

TEST_F(KernelTimerTest, AWritePastTheEndWhileItIsTimedIsFound) {
  FakeDevice device([](int) { return 1e6; });
  device.kernel = [&device](const std::vector<DevicePtr>& addresses) {
    if (device.launches == 5) reinterpret_cast<float*>(addresses[2])[kProblem.ElementsC()] = 1;
  };
  absl::StatusOr<Timing> timing = Time(device);
  EXPECT_TRUE(absl::IsDataLoss(timing.status())) << timing.status();
  EXPECT_THAT(std::string(timing.status().message()), testing::HasSubstr("past the end of C"));
}

TEST_F(KernelTimerTest, BiasAndAddendAreBoundAndVerified) {
  MatmulProblem problem{16, 24, 32, DataType::kF32, 3};
  problem.epilogue = ParseEpilogue("bias,relu,add").value();
  LaunchPlan plan = PlanOf(false);
  plan.workspace_bytes = 0;
  plan.steps[0].arguments = {PlanBuffer::kA, PlanBuffer::kBias, PlanBuffer::kAddend, PlanBuffer::kC};
  FakeDevice device([](int) { return 1e6; });
  const RandomOperands operands = MakeRandomOperands(problem, kSeed);
  auto module = device.LoadModule(ImageFormat::kSimtObject, "");
  std::vector<float> bias, addend;
  device.kernel = [&](const std::vector<DevicePtr>& addresses) {
    const auto* first = reinterpret_cast<const float*>(addresses[1]);
    const auto* second = reinterpret_cast<const float*>(addresses[2]);
    bias.assign(first, first + problem.ElementsBias());
    addend.assign(second, second + problem.ElementsAddend());
  };
  auto time = [&]() -> absl::Status {
    auto timer = KernelTimer::Create(&device, PlanRun(&device, module->get(), plan), problem,
                                     RandomOperandStream(problem, kSeed));
    if (!timer.ok()) return timer.status();
    TimerSettings settings;
    settings.clock = &device.clock;
    return (*timer)->Time({}, settings).status();
  };
  ASSERT_TRUE(time().ok());
  EXPECT_EQ(bias, operands.bias);
  EXPECT_EQ(addend, operands.addend);
  for (auto [argument, name] : {std::pair(1, "bias"), std::pair(2, "addend")}) {
    device.kernel = [argument = argument](const std::vector<DevicePtr>& addresses) {
      reinterpret_cast<float*>(addresses[static_cast<size_t>(argument)])[23] += 1;
    };
    const absl::Status status = time();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(name));
  }
}

TEST(RandomOperandsTest, AreAsLargeAsWhatTheyAreAddedTo) {
  MatmulProblem problem{16, 24, 64, DataType::kF32, 3};
  problem.epilogue = ParseEpilogue("bias,add").value();
  const RandomOperands operands = MakeRandomOperands(problem, kSeed);
  for (const auto& [values, deviation] : {std::pair(&operands.a, 1.0), std::pair(&operands.b, 1.0),
                                          std::pair(&operands.bias, 8.0), std::pair(&operands.addend, 8.0)}) {
    double sum = 0, squares = 0;
    for (float x : *values) {
      sum += x;
      squares += double{x} * x;
    }
    const auto count = static_cast<double>(values->size());
    EXPECT_NEAR(sum / count / deviation, 0, 0.5);
    EXPECT_NEAR(std::sqrt(squares / count) / deviation, 1, 0.3);
  }
}

TEST(RandomOperandsTest, AnyPartOfTheStreamIsThatOfTheWhole) {
  MatmulProblem problem{100, 90, 100, DataType::kF32};
  problem.epilogue = ParseEpilogue("add").value();
  const RandomOperands whole = MakeRandomOperands(problem, kSeed);
  const RandomOperandStream stream(problem, kSeed);
  for (const auto& [input, values] :
       {std::pair(PlanBuffer::kA, &whole.a), std::pair(PlanBuffer::kAddend, &whole.addend)}) {
    for (int64_t first : {0, 1, 4095, 4096, 5000}) {
      std::vector<float> part(3500);
      stream.Values(input, first, 3500, part.data());
      EXPECT_TRUE(std::equal(part.begin(), part.end(), values->begin() + first)) << first;
    }
  }
  EXPECT_FALSE(std::equal(whole.a.begin(), whole.a.begin() + 100, whole.b.begin()));
  EXPECT_FALSE(std::equal(whole.a.begin(), whole.a.begin() + 100, whole.a.begin() + 4096));
}

TEST_F(KernelTimerTest, APlanThatTakesWhatTheProblemLacksIsRefused) {
  FakeDevice device([](int) { return 1e6; });
  LaunchPlan plan = PlanOf(false);
  plan.steps[0].arguments[3] = PlanBuffer::kBias;
  EXPECT_TRUE(absl::IsInvalidArgument(CreateStatus(device, plan)));
  EXPECT_EQ(device.live_allocations, 0);
}

TEST_F(KernelTimerTest, ALargeOperandIsVerifiedToItsEnd) {
  const MatmulProblem problem{2049, 1, 2049, DataType::kF32};  // more of A than is read back at a time
  FakeDevice device([](int) { return 1e6; });
  EXPECT_TRUE(Time(device, {}, false, problem).ok());
  device.kernel = [&problem](const std::vector<DevicePtr>& addresses) {
    reinterpret_cast<float*>(addresses[0])[problem.ElementsA() - 1] += 1;
  };
  absl::StatusOr<Timing> timing = Time(device, {}, false, problem);
  EXPECT_TRUE(absl::IsDataLoss(timing.status())) << timing.status();
}

TEST_F(KernelTimerTest, CIsPoisonedBeforeTheFirstRunAndEachOneThatIsJudged) {
  judged_runs_ = 2;
  FakeDevice device([](int) { return 3e7; });
  int poisoned = 0;
  device.kernel = [&](const std::vector<DevicePtr>& addresses) {
    float& last = reinterpret_cast<float*>(addresses[2])[kProblem.ElementsC() - 1];
    poisoned += std::isnan(last) ? 1 : 0;
    last = 1;
  };
  ASSERT_TRUE(Time(device).ok());
  EXPECT_EQ(poisoned, 2);
}

TEST_F(KernelTimerTest, ReleasesWhatItAllocated) {
  FakeDevice device([](int) { return 1e6; });
  ASSERT_TRUE(Time(device).ok());
  EXPECT_EQ(device.live_allocations, 0);
}

TEST_F(KernelTimerTest, AMissingKernelIsNotFound) {
  FakeDevice device([](int) { return 1e6; });
  LaunchPlan plan = PlanOf(false);
  plan.steps[0].kernel = "other";
  EXPECT_TRUE(absl::IsNotFound(CreateStatus(device, plan)));
  plan.steps.clear();
  EXPECT_TRUE(absl::IsInvalidArgument(CreateStatus(device, plan)));
}

}  // namespace
}  // namespace mmtune
