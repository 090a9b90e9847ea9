// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tier on a fake device whose kernel does what a test says.
#include "worker/measure/rounding_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/worker/measure/fake_device.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

const MatmulProblem kProblem{1500, 24, 8, DataType::kF32};  // C is read back in two panels
constexpr size_t kElementsC = 1500 * 24;

float* Floats(DevicePtr address) { return reinterpret_cast<float*>(address); }

class RoundingTierTest : public testing::Test {
 protected:
  RoundingTierTest() : device_([](int) { return 1.0; }), checker_(kProblem, 3) {
    PlanStep launch;
    launch.kernel = "kernel";
    launch.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kWorkspace};
    plan_.steps.push_back(launch);
    plan_.workspace_bytes = 1000;
  }

  /// Runs a right kernel that also does `mischief` with its arguments.
  CheckReport Check(std::function<void(const std::vector<DevicePtr>&)> mischief = nullptr) {
    device_.kernel = [mischief](const std::vector<DevicePtr>& arguments) {
      for (DevicePtr address : arguments) EXPECT_EQ(address % 4, 0u);
      const float *a = Floats(arguments[0]), *b = Floats(arguments[1]);
      float* c = Floats(arguments[2]);
      for (int64_t i = 0; i < kProblem.m; ++i) {
        for (int64_t j = 0; j < kProblem.n; ++j) {
          float sum = 0;
          for (int64_t k = 0; k < kProblem.k; ++k) sum += a[i * kProblem.k + k] * b[k * kProblem.n + j];
          c[i * kProblem.n + j] = sum;
        }
      }
      if (mischief) mischief(arguments);
    };
    auto module = device_.LoadModule(ImageFormat::kSimtObject, "");
    auto timer = KernelTimer::Create(&device_, PlanRun(&device_, module->get(), plan_), kProblem, checker_.operands());
    EXPECT_TRUE(timer.ok()) << timer.status();
    absl::StatusOr<CheckReport> report = CheckRounding(**timer, checker_);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : CheckReport();
  }

  FakeDevice device_;
  RoundingChecker checker_;
  LaunchPlan plan_;
};

TEST_F(RoundingTierTest, ARightKernelPassesAndIsDeterministic) {
  const CheckReport report = Check();
  EXPECT_TRUE(report.passed) << report.detail;
  EXPECT_EQ(report.deterministic, true);
  EXPECT_EQ(device_.launches, 2);
}

TEST_F(RoundingTierTest, AnUnwrittenElementIsFoundInEachRun) {
  for (int run : {0, 1}) {
    const int first = device_.launches;
    const CheckReport report = Check([&, run](const std::vector<DevicePtr>& arguments) {
      if (device_.launches == first + run) Floats(arguments[2])[7] = std::nanf("");
    });
    EXPECT_FALSE(report.passed) << run;
    EXPECT_EQ(report.wrong_col, 7);
  }
}

TEST_F(RoundingTierTest, TwoResultsWithinTheBoundAreNotDeterministic) {
  const CheckReport report = Check([&](const std::vector<DevicePtr>& arguments) {
    float& element = Floats(arguments[2])[kElementsC - 1];
    if (device_.launches % 2 == 1) element = std::nextafter(element, 100.0f);
  });
  EXPECT_TRUE(report.passed) << report.detail;
  EXPECT_EQ(report.deterministic, false);
}

TEST_F(RoundingTierTest, AWritePastTheEndIsFound) {
  const CheckReport report =
      Check([](const std::vector<DevicePtr>& arguments) { Floats(arguments[2])[kElementsC + 3] = 1; });
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.detail, HasSubstr("12 bytes past the end of C (144000 bytes)"));
}

TEST_F(RoundingTierTest, AWriteBehindABufferThatEndsInAPartOf256BytesIsFound) {
  const CheckReport report = Check([](const std::vector<DevicePtr>& arguments) { Floats(arguments[3])[1000 / 4] = 1; });
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.detail, HasSubstr("0 bytes past the end of the workspace"));
}

TEST_F(RoundingTierTest, AWriteBeforeTheBeginningIsFound) {
  const CheckReport report = Check([](const std::vector<DevicePtr>& arguments) { Floats(arguments[1])[-2] = 1; });
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.detail, HasSubstr("8 bytes before the beginning of B"));
}

TEST_F(RoundingTierTest, AChangedInputIsFound) {
  const CheckReport report = Check([&](const std::vector<DevicePtr>& arguments) {
    if (device_.launches % 2 == 1) Floats(arguments[0])[33] += 1;
  });
  EXPECT_FALSE(report.passed);
  EXPECT_THAT(report.detail, HasSubstr("changed A, its element 33"));
}

}  // namespace
}  // namespace mmtune
