// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose schedules are entries of a tuning spec: measured code, edited entries, other toolchains.
#include "kernels/tools/code_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A spec with one entry, and the kernel that was compiled from it.
class CodeCheckTest : public testing::Test {
 protected:
  CodeCheckTest() {
    own_ = {"0.1.0", "22.1.8", "ptxas 13.0", "fma=5"};
    target_ = ArchitectureLimits("sm_90").value();
    target_.kind = DeviceKind::kCuda;
    target_.name = "NVIDIA H100";
    TuningSpecEntry& entry = spec_.entries.emplace_back();
    entry.problem = MatmulProblem{64, 32, 16};
    entry.device = target_;
    entry.schedule = Schedule{"fma", {{"bm", 32}}};
    entry.code_digest = "measured";
    entry.toolchain = own_;
    ModelKernel& kernel = kernels_.emplace_back();
    kernel.format = ImageFormat::kCubin;
    kernel.code_digest = kernel.expected_digest = "measured";
    kernel.problem = "64x32x16";
    kernel.schedule = entry.schedule.Text();
    kernel.source = "spec";
  }

  std::string Error() { return std::string(CheckCode(options_, target_, spec_, own_, &kernels_).message()); }

  Toolchain own_;
  DeviceInfo target_;
  TuningSpec spec_;
  CompileOptions options_;
  std::vector<ModelKernel> kernels_;
};

TEST_F(CodeCheckTest, MeasuredCodeIsRightWhateverMadeIt) {
  EXPECT_EQ(Error(), "");
  spec_.entries[0].toolchain.mlir = "21.1.8";
  EXPECT_EQ(Error(), "");
}

TEST_F(CodeCheckTest, OtherCodeOfTheSameToolchainIsAnEditedEntry) {
  kernels_[0].code_digest = "other";
  EXPECT_THAT(Error(), AllOf(HasSubstr("64x32x16 makes other code (other)"), HasSubstr("edited")));
  kernels_[0].format = ImageFormat::kPtx;
  EXPECT_EQ(Error(), "");
  EXPECT_EQ(kernels_[0].why_other_code, "PTX, which was not measured");
}

TEST_F(CodeCheckTest, OtherCodeOfAnotherToolchainIsRefusedByName) {
  kernels_[0].code_digest = "other";
  spec_.entries[0].toolchain.mlir = "21.1.8";
  EXPECT_THAT(Error(),
              AllOf(HasSubstr("the schedule of 64x32x16 was verified as code of another toolchain (mlir 21.1.8, "
                              "here 22.1.8)"),
                    HasSubstr("--allow-unverified")));
  options_.allow_unverified = true;
  EXPECT_EQ(Error(), "");
  EXPECT_EQ(kernels_[0].why_other_code, "made by another toolchain");
}

TEST_F(CodeCheckTest, DispatchTableOfAnotherToolchainIsRefusedByName) {
  spec_.entries[0].rows = RowRange{1, 64};
  kernels_[0].rows = {{0, 64}};
  kernels_[0].problem = "?x32x16";
  kernels_[0].expected_digest.clear();
  EXPECT_EQ(Error(), "");
  spec_.entries[0].toolchain.families = "fma=4";
  EXPECT_THAT(Error(), HasSubstr("?x32x16 was verified as code of another toolchain (families fma=4, here fma=5)"));
}

TEST_F(CodeCheckTest, VersionsOfFamiliesThatTheScheduleDoesNotUseAreNotCompared) {
  own_.families = "direct=1 fma=5 wgmma=3";
  spec_.entries[0].toolchain.families = "direct=1 fma=5 wgmma=2";
  kernels_[0].expected_digest.clear();
  EXPECT_EQ(Error(), "");
  spec_.entries[0].toolchain.families = "direct=1 fma=4 wgmma=2";
  EXPECT_THAT(Error(), HasSubstr("another toolchain (families fma=4, here fma=5), and"));
}

TEST_F(CodeCheckTest, EntriesThatAllowOtherDeviceAssignedAreNotCompared) {
  kernels_[0].expected_digest.clear();
  spec_.entries[0].toolchain = {"0.1.0", "22.1.8", "llvm 22.1.8", "fma=5"};
  EXPECT_NE(Error(), "");
  spec_.entries[0].toolchain = {};
  EXPECT_EQ(Error(), "");
}

TEST_F(CodeCheckTest, EntriesOfOtherDevicesAndNearestSchedulesAreNotCompared) {
  kernels_[0].expected_digest.clear();
  spec_.entries[0].toolchain.mlir = "21.1.8";
  EXPECT_NE(Error(), "");
  kernels_[0].source = "nearest";
  EXPECT_EQ(Error(), "");
  kernels_[0].source = "spec";
  spec_.entries[0].device.name = "NVIDIA H200";
  EXPECT_EQ(Error(), "");
}

}  // namespace
}  // namespace mmtune
