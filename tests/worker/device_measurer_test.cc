// The measurer that ships, in this process: it must find what is wrong with a kernel.
#include "worker/device_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/compiler.h"
#include "kernels/families/registry.h"

namespace mmtune {
namespace {

const MatmulProblem kProblem{64, 64, 64, DataType::kF32};

class DeviceMeasurerTest : public testing::Test {
 protected:
  DeviceMeasurerTest() {
    DeviceSelector simt = ParseDeviceSelector("simt").value();
    simt.arch = "sm_80";
    target_.device = OpenDevice(simt).value()->info();
    measurer_ = DeviceMeasurer::Create(simt).value();
    compiler_ = Compiler::Create().value();
  }
  CompiledKernel Compile(const MatmulProblem& problem) {
    return compiler_->Compile(problem, LadderSchedules(problem, target_.device).back().second, target_).value();
  }

  CompileTarget target_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<Measurer> measurer_;
};

TEST_F(DeviceMeasurerTest, MeasuresARightKernel) {
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
  absl::StatusOr<CheckReport> report = measurer_->Check();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed) << report->detail;
  absl::StatusOr<Timing> timing = measurer_->Time(0.02, 0);
  ASSERT_TRUE(timing.ok()) << timing.status();
  EXPECT_GT(timing->median_ns, 0);
}

TEST_F(DeviceMeasurerTest, AKernelOfAnotherProblemIsWrong) {
  // Sums half of K, and reads A by rows of half the length.
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(MatmulProblem{64, 64, 32, DataType::kF32})).ok());
  absl::StatusOr<CheckReport> report = measurer_->Check();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->passed);
  EXPECT_GE(report->wrong_row, 0);
  EXPECT_NE(report->expected, report->got);
}

TEST_F(DeviceMeasurerTest, ARightKernelPassesAfterAWrongOne) {
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(MatmulProblem{64, 64, 32, DataType::kF32})).ok());
  ASSERT_FALSE(measurer_->Check()->passed);
  ASSERT_TRUE(measurer_->Load(kProblem, Compile(kProblem)).ok());
  EXPECT_TRUE(measurer_->Check()->passed);
}

TEST_F(DeviceMeasurerTest, AnImageThatIsNoneIsAnError) {
  CompiledKernel kernel = Compile(kProblem);
  kernel.image = "no object";
  EXPECT_FALSE(measurer_->Load(kProblem, kernel).ok());
  EXPECT_FALSE(measurer_->Time(0.02, 0).ok());
}

}  // namespace
}  // namespace mmtune
