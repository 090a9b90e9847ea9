// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/operand_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/worker/measure/fake_device.h"

namespace mmtune {
namespace {

const MatmulProblem kProblem{64, 64, 64, DataType::kF32};  // 48 KiB

TEST(ColdSetsTest, FlushTheCacheThreeTimesBeforeTheFirstIsUsedAgain) {
  EXPECT_EQ(ColdSets(10 << 20, 50 << 20, int64_t{80} << 30), 16u);
  EXPECT_EQ(ColdSets(7, 10, 0), 6u);
}

TEST(ColdSetsTest, AreTwoAtLeastAndAQuarterOfTheMemoryAtMost) {
  EXPECT_EQ(ColdSets(int64_t{1} << 30, 50 << 20, int64_t{80} << 30), 2u);
  EXPECT_EQ(ColdSets(int64_t{1} << 30, int64_t{50} << 30, int64_t{80} << 30), 20u);
  EXPECT_EQ(ColdSets(int64_t{1} << 30, int64_t{50} << 30, int64_t{1} << 30), 2u);
}

class OperandSetsTest : public testing::Test {
 protected:
  OperandSetsTest() {
    PlanStep launch;
    launch.kernel = "kernel";
    launch.arguments = {PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kA};
    plan_.steps.push_back(launch);
    module_ = device_.LoadModule(ImageFormat::kSimtObject, "").value();
    device_.mutable_info().l2_bytes = 64 << 10;
    device_.kernel = [this](const std::vector<DevicePtr>& addresses) { used_.push_back(addresses[0]); };
  }
  absl::StatusOr<OperandSets> Create() {
    return OperandSets::Create(&device_, PlanRun(&device_, module_.get(), plan_), kProblem,
                               RandomOperandStream(kProblem, 3));
  }

  FakeDevice device_{[](int) { return 1e3; }};
  LaunchPlan plan_;
  std::unique_ptr<DeviceModule> module_;
  std::vector<DevicePtr> used_;
};

TEST_F(OperandSetsTest, OneSetIsUsedAgainAndAgain) {
  auto sets = Create();
  ASSERT_TRUE(sets.ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(sets->EnqueueNext(0).ok());
  EXPECT_EQ(std::set<DevicePtr>(used_.begin(), used_.end()).size(), 1u);
}

TEST_F(OperandSetsTest, ColdOnesAreUsedInTurnAndHoldTheOperands) {
  auto sets = Create();
  ASSERT_TRUE(sets.ok());
  ASSERT_TRUE(sets->MakeCold().ok());
  EXPECT_EQ(sets->count(), 5u);  // 192 KiB in 4 of them
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(sets->EnqueueNext(0).ok());
  EXPECT_EQ(std::set<DevicePtr>(used_.begin(), used_.end()).size(), 5u);
  EXPECT_EQ(used_[0], used_[5]);
  EXPECT_EQ(*sets->Damage(), "");
}

TEST_F(OperandSetsTest, TwoPlansShareThemInTurn) {
  auto sets = Create();
  ASSERT_TRUE(sets.ok());
  auto others = sets->Share(PlanRun(&device_, module_.get(), plan_));
  ASSERT_TRUE(others.ok()) << others.status();
  ASSERT_TRUE(sets->EnqueueNext(0).ok());
  ASSERT_TRUE(others->EnqueueNext(0).ok());
  EXPECT_EQ(used_[0], used_[1]);
  ASSERT_TRUE(others->MakeCold().ok());
  EXPECT_EQ(sets->count(), 5u);
  used_.clear();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((i % 2 == 0 ? sets : others)->EnqueueNext(0).ok());
  EXPECT_EQ(std::set<DevicePtr>(used_.begin(), used_.end()).size(), 5u);
  reinterpret_cast<float*>(used_[3])[17] += 1;
  EXPECT_THAT(*others->Damage(), testing::HasSubstr("A"));
}

TEST_F(OperandSetsTest, APlanWithALargerWorkspaceCannotShare) {
  auto sets = Create();
  ASSERT_TRUE(sets.ok());
  plan_.workspace_bytes = 16;
  EXPECT_TRUE(absl::IsInvalidArgument(sets->Share(PlanRun(&device_, module_.get(), plan_)).status()));
}

TEST_F(OperandSetsTest, DamageOfAnySetIsFound) {
  auto sets = Create();
  ASSERT_TRUE(sets.ok());
  ASSERT_TRUE(sets->MakeCold().ok());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(sets->EnqueueNext(0).ok());
  reinterpret_cast<float*>(used_[3])[17] += 1;
  EXPECT_THAT(*sets->Damage(), testing::HasSubstr("A"));
}

TEST_F(OperandSetsTest, ADeviceWithLessMemoryHasFewerSets) {
  device_.most_allocations = 7;  // three a set
  {
    auto sets = Create();
    ASSERT_TRUE(sets.ok());
    ASSERT_TRUE(sets->MakeCold().ok());
    EXPECT_EQ(sets->count(), 2u);
  }
  device_.most_allocations = 3;
  auto sets = Create();
  ASSERT_TRUE(sets.ok());
  EXPECT_TRUE(absl::IsResourceExhausted(sets->MakeCold()));
}

}  // namespace
}  // namespace mmtune
