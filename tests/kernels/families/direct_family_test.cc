// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/families/common/registry.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class DirectFamilyTest : public ::testing::Test {
 protected:
  std::string Reason(std::string_view text, std::string_view shape = "1024x1024x1024") {
    return std::string(family_.Validate(TestProblem(shape), *ParseSchedule(text), TestDevice("sm_75")).message());
  }

  const KernelFamily& family_ = **FindKernelFamily("direct");
};

TEST_F(DirectFamilyTest, AcceptsNaiveAndRegisterBlocked) {
  EXPECT_EQ(Reason("direct bx=16 by=16 tm=1 tn=1"), "");
  EXPECT_EQ(Reason("direct bx=16 by=16 tm=8 tn=8"), "");
}

TEST_F(DirectFamilyTest, RejectionsNameTheRule) {
  EXPECT_THAT(Reason("direct bx=8 by=1 tm=1 tn=1"), HasSubstr("at least one warp"));
  EXPECT_THAT(Reason("direct bx=64 by=32 tm=1 tn=1"), HasSubstr("more threads than the device"));
  EXPECT_THAT(Reason("direct bx=16 by=16 tm=16 tn=16"), HasSubstr("registers"));
  EXPECT_THAT(Reason("direct bx=16 by=16 tm=1"), HasSubstr("'tn' is missing"));
  EXPECT_THAT(Reason("direct bx=16 by=16 tm=1 tn=1", "2147483647x1x1"), HasSubstr("row indices of C"));
}

TEST_F(DirectFamilyTest, TakesEveryTypeAndLayoutButNoOtherWayToMultiply) {
  const Schedule schedule = *ParseSchedule("direct bx=16 by=16 tm=8 tn=8");
  for (MatmulProblem problem : InEveryType(TestProblem("64x48x80", 1, true, "bias"))) {
    problem.transpose_a = true;
    const std::string why(family_.Validate(problem, schedule, TestDevice("sm_75")).message());
    if (problem.math == MathMode::kIeee) {
      EXPECT_EQ(why, "") << problem.Text();
    } else {
      EXPECT_THAT(why, HasSubstr("the math mode is ieee"));
    }
  }
  MatmulProblem wide = TestProblem("16x128x32");
  wide.dtype = DataType::kBf16;
  wide.out = OutputType::kF32;
  EXPECT_EQ(DescribeSchedule(wide, schedule)->bytesMoved, 2 * (16 * 32 + 32 * 128) + 4 * 16 * 128);
}

TEST_F(DirectFamilyTest, PlanCoversTheMatrixOnceInOneDimension) {
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("1001x37x513"), *ParseSchedule("direct bx=8 by=16 tm=4 tn=2"));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].grid[0], 16u * 3u);
  EXPECT_EQ(plan.steps[0].grid[1], 1u);
  EXPECT_EQ(plan.steps[0].block[0], 8u);
  EXPECT_EQ(plan.steps[0].block[1], 16u);
  EXPECT_EQ(plan.steps[0].dynamic_shared_bytes, 0u);
  EXPECT_THAT(plan.steps[0].arguments, ::testing::ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC));
}

TEST_F(DirectFamilyTest, MatricesOfABatchFollowOneAnotherInTheGrid) {
  const Schedule schedule = *ParseSchedule("direct bx=8 by=16 tm=4 tn=2");
  const MatmulProblem problem = TestProblem("1001x37x513", 5);
  EXPECT_EQ(MakeLaunchPlan(problem, schedule)->steps[0].grid[0], 16u * 3u * 5u);
  EXPECT_EQ(DescribeSchedule(problem, schedule)->blocks, 16 * 3 * 5);
  const MatmulProblem many = TestProblem("1x1x1", int64_t{1} << 31);
  EXPECT_THAT(std::string(family_.Validate(many, schedule, TestDevice("sm_75")).message()),
              HasSubstr("block tiles of C are fewer than 2^31"));
}

TEST_F(DirectFamilyTest, TheKernelTakesWhatTheEpilogueReads) {
  const Schedule schedule = *ParseSchedule("direct bx=8 by=16 tm=4 tn=2");
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("64x64x64", 1, false, "add,bias,relu"), schedule);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_THAT(plan.steps[0].arguments, ::testing::ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC,
                                                              PlanBuffer::kBias, PlanBuffer::kAddend));
}

}  // namespace
}  // namespace mmtune
