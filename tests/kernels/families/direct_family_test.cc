#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/families/registry.h"
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
  EXPECT_THAT(Reason("direct bx=16 by=16 tm=1 tn=1", "2147483647x1x1"), HasSubstr("rows of C"));
}

TEST_F(DirectFamilyTest, PlanCoversTheMatrixOnceInOneDimension) {
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("1001x37x513"), *ParseSchedule("direct bx=8 by=16 tm=4 tn=2"));
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].grid[0], 16u * 3u);
  EXPECT_EQ(plan.steps[0].grid[1], 1u);
  EXPECT_EQ(plan.steps[0].block[0], 8u);
  EXPECT_EQ(plan.steps[0].block[1], 16u);
  EXPECT_EQ(plan.steps[0].dynamic_shared_bytes, 0u);
}

}  // namespace
}  // namespace mmtune
