// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/kernel_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/measure/fake_device.h"
#include "worker/measure/operand_sets.h"

namespace mmtune {
namespace {

const MatmulProblem kProblem{16, 16, 16, DataType::kF32};

class TimeAlternatelyTest : public testing::Test {
 protected:
  /// Launches of the first and of the second kernel take `ns` of the launch's number.
  absl::StatusOr<Compared> Ratio(FakeDevice::LaunchTime first, FakeDevice::LaunchTime second) {
    FakeDevice device([&](int i) { return addresses_.front() == first_a_ ? first(i) : second(i); });
    device.kernel = [&](const std::vector<DevicePtr>& addresses) {
      addresses_ = addresses;
      order_ += addresses[0] == first_a_ ? 'A' : 'B';
      if (harm_) reinterpret_cast<float*>(addresses[0])[3] += 1;
    };
    PlanStep launch;
    launch.kernel = "kernel";
    launch.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kA};
    plan_.steps = {launch};
    auto module = device.LoadModule(ImageFormat::kSimtObject, "");
    auto a = KernelTimer::Create(&device, PlanRun(&device, module->get(), plan_), kProblem,
                                 RandomOperandStream(kProblem, 1));
    auto b = KernelTimer::Create(&device, PlanRun(&device, module->get(), plan_), kProblem,
                                 RandomOperandStream(kProblem, 1));
    if (!a.ok() || !b.ok()) return absl::InternalError("no timer");
    first_a_ = (*a)->buffers().memories()[PlanBuffer::kA].address;
    TimerSettings settings;
    settings.clock = &device.clock;
    settings.warmed_up = [this] { order_ += '<'; };
    settings.sampled = [this] { order_ += '>'; };
    return TimeAlternately(**a, **b, {.measure = {.budget_seconds = 2}}, settings);
  }

  LaunchPlan plan_;
  DevicePtr first_a_ = 0;
  std::vector<DevicePtr> addresses_;
  std::string order_;
  bool harm_ = false;
};

TEST_F(TimeAlternatelyTest, GivesWhatTheFirstTakesOfTheSecond) {
  const auto ratio = Ratio([](int) { return 1.1e6; }, [](int) { return 1e6; });
  ASSERT_TRUE(ratio.ok()) << ratio.status();
  EXPECT_NEAR(ratio->ratio, 1.1, 1e-6);
  EXPECT_EQ(ratio->median_ns, 1.1e6);
  EXPECT_EQ(ratio->reference_median_ns, 1e6);
  EXPECT_THAT(order_, testing::ContainsRegex("<(ABBA){5,}>$"));
}

TEST_F(TimeAlternatelyTest, ASteadyDriftFallsOut) {
  const auto drifting = [](int i) { return 1e6 * (1 + 0.01 * i); };
  const auto ratio = Ratio(drifting, drifting);
  ASSERT_TRUE(ratio.ok());
  EXPECT_NEAR(ratio->ratio, 1, 1e-6);
}

TEST_F(TimeAlternatelyTest, OneTurnThatWasDisturbedDoesNotCount) {
  const auto ratio = Ratio([](int i) { return i == 20 ? 9e6 : 1e6; }, [](int) { return 1e6; });
  ASSERT_TRUE(ratio.ok());
  EXPECT_NEAR(ratio->ratio, 1, 1e-6);
}

TEST_F(TimeAlternatelyTest, DamageIsFound) {
  harm_ = true;
  EXPECT_TRUE(absl::IsDataLoss(Ratio([](int) { return 1e6; }, [](int) { return 1e6; }).status()));
}

}  // namespace
}  // namespace mmtune
