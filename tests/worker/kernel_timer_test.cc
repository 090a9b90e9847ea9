#include "worker/kernel_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/worker/fake_device.h"

namespace mmtune {
namespace {

const MatmulProblem kProblem{16, 24, 32, DataType::kF32};

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

class KernelTimerTest : public testing::Test {
 protected:
  absl::StatusOr<Timing> Time(FakeDevice& device, TimingOptions options = {}, bool with_memset = false,
                              const MatmulProblem& problem = kProblem) {
    options.clock = &device.clock;
    auto timer = KernelTimer::Create(&device, problem);
    if (!timer.ok()) return timer.status();
    auto module = device.LoadModule(ImageFormat::kSimtObject, "");
    return (*timer)->Time(module->get(), PlanOf(with_memset), options);
  }
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
  TimingOptions options;
  options.budget_seconds = 0.1;
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
  TimingOptions options;
  options.budget_seconds = 0.1;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_GE(timing->samples_ns.size(), 5u);
}

TEST_F(KernelTimerTest, StopsWhenClearlySlowerThanTheIncumbent) {
  FakeDevice device([](int) { return 1e6; });
  TimingOptions options;
  options.incumbent_ns = 1e5;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->samples_ns.size(), 2u);
  EXPECT_EQ(timing->median_ns, 1e6);
}

TEST_F(KernelTimerTest, NeverTakesMoreThanTheCap) {
  FakeDevice device([](int i) { return i % 2 == 0 ? 1e5 : 2e5; });
  TimingOptions options;
  options.budget_seconds = 100;
  absl::StatusOr<Timing> timing = Time(device, options);
  ASSERT_TRUE(timing.ok());
  EXPECT_EQ(timing->samples_ns.size(), options.max_samples);
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

TEST_F(KernelTimerTest, BiasAndAddendAreRandomBoundAndVerified) {
  MatmulProblem problem{16, 24, 32, DataType::kF32, 3};
  problem.epilogue = ParseEpilogue("bias,relu,add").value();
  LaunchPlan plan = PlanOf(false);
  plan.workspace_bytes = 0;
  plan.steps[0].arguments = {PlanBuffer::kA, PlanBuffer::kBias, PlanBuffer::kAddend, PlanBuffer::kC};
  FakeDevice device([](int) { return 1e6; });
  auto timer = KernelTimer::Create(&device, problem);
  ASSERT_TRUE(timer.ok()) << timer.status();
  EXPECT_EQ((*timer)->device_bytes(), problem.OperandBytes());
  auto module = device.LoadModule(ImageFormat::kSimtObject, "");
  std::vector<float> bias, addend;
  device.kernel = [&](const std::vector<DevicePtr>& addresses) {
    const auto* first = reinterpret_cast<const float*>(addresses[1]);
    const auto* second = reinterpret_cast<const float*>(addresses[2]);
    bias.assign(first, first + problem.ElementsBias());
    addend.assign(second, second + problem.ElementsAddend());
  };
  TimingOptions options;
  options.clock = &device.clock;
  ASSERT_TRUE((*timer)->Time(module->get(), plan, options).ok());
  for (const std::vector<float>* operand : {&bias, &addend}) {
    EXPECT_THAT(*operand, testing::Each(testing::Truly([](float x) { return std::fabs(x) < 4; })));
    EXPECT_THAT(*operand, testing::Contains(testing::Gt(0.5f)));
    EXPECT_THAT(*operand, testing::Contains(testing::Lt(-0.5f)));
  }
  for (auto [argument, name] : {std::pair(1, "bias"), std::pair(2, "addend")}) {
    device.kernel = [argument = argument](const std::vector<DevicePtr>& addresses) {
      reinterpret_cast<float*>(addresses[static_cast<size_t>(argument)])[23] += 1;
    };
    const absl::Status status = (*timer)->Time(module->get(), plan, options).status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(name));
  }
}

TEST_F(KernelTimerTest, APlanThatTakesWhatTheProblemLacksIsRefused) {
  FakeDevice device([](int) { return 1e6; });
  auto timer = KernelTimer::Create(&device, kProblem);
  auto module = device.LoadModule(ImageFormat::kSimtObject, "");
  LaunchPlan plan = PlanOf(false);
  plan.steps[0].arguments[3] = PlanBuffer::kBias;
  EXPECT_TRUE(absl::IsInvalidArgument((*timer)->Time(module->get(), plan, {}).status()));
  EXPECT_EQ(device.launches, 0);
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

TEST_F(KernelTimerTest, OperandsAreRandomAndCIsPoisoned) {
  FakeDevice device([](int) { return 1e6; });
  std::vector<float> a, c;
  device.kernel = [&](const std::vector<DevicePtr>& addresses) {
    if (!a.empty()) return;
    const auto* first = reinterpret_cast<const float*>(addresses[0]);
    const auto* third = reinterpret_cast<const float*>(addresses[2]);
    a.assign(first, first + kProblem.ElementsA());
    c.assign(third, third + kProblem.ElementsC());
  };
  ASSERT_TRUE(Time(device).ok());
  double sum = 0, squares = 0;
  for (float x : a) {
    sum += x;
    squares += double{x} * x;
  }
  EXPECT_NEAR(sum / static_cast<double>(a.size()), 0, 0.2);
  EXPECT_NEAR(squares / static_cast<double>(a.size()), 1, 0.2);
  EXPECT_THAT(c, testing::Each(testing::NanSensitiveFloatEq(std::nanf(""))));
}

TEST_F(KernelTimerTest, ReleasesWhatItAllocated) {
  FakeDevice device([](int) { return 1e6; });
  ASSERT_TRUE(Time(device).ok());
  EXPECT_EQ(device.live_allocations, 0);
}

TEST_F(KernelTimerTest, AMissingKernelIsNotFound) {
  FakeDevice device([](int) { return 1e6; });
  auto timer = KernelTimer::Create(&device, kProblem);
  auto module = device.LoadModule(ImageFormat::kSimtObject, "");
  LaunchPlan plan = PlanOf(false);
  plan.steps[0].kernel = "other";
  EXPECT_TRUE(absl::IsNotFound((*timer)->Time(module->get(), plan, {}).status()));
  plan.steps.clear();
  EXPECT_TRUE(absl::IsInvalidArgument((*timer)->Time(module->get(), plan, {}).status()));
}

}  // namespace
}  // namespace mmtune
