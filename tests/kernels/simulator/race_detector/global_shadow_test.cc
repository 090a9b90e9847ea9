// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/race_detector/global_shadow.h"

#include <gtest/gtest.h>

#include <array>

namespace mmtune::simt {
namespace {

class GlobalShadowTest : public testing::Test {
 protected:
  static constexpr uint32_t kThreads = 200;

  void SetUp() override { clocks_.BeginBlock(0, kThreads); }

  GlobalProblem Access(GlobalShadow& shadow, uint32_t thread, AccessKind kind) {
    const GlobalShadow::Region* region = shadow.Find(memory_.data(), 4);
    return shadow.Access(region, {thread, 0}, memory_.data(), 4, kind);
  }

  VectorClocks clocks_;
  std::array<uint32_t, 4> memory_ = {};
  const Variable variable_ = {"memory", memory_.data(), sizeof(memory_), 0};
};

/// Far more readers than a list has before it is pruned.
TEST_F(GlobalShadowTest, EveryReaderIsRemembered) {
  for (uint32_t silent = 0; silent < kThreads - 1; ++silent) {
    GlobalShadow shadow(clocks_);
    ASSERT_TRUE(shadow.Add(variable_).ok());
    clocks_.BeginBlock(silent, kThreads);
    shadow.BeginEpoch();
    SyncClock known;
    for (uint32_t thread = 0; thread < kThreads; ++thread) {
      Access(shadow, thread, AccessKind::kRead);
      if (thread != silent) clocks_.Release(thread, known);
    }
    clocks_.Acquire(kThreads - 1, known);
    const GlobalProblem problem = Access(shadow, kThreads - 1, AccessKind::kWrite);
    EXPECT_EQ(problem.kind, "global-race") << silent;
    EXPECT_EQ(problem.other.thread(), silent);
  }
}

TEST_F(GlobalShadowTest, KeepsRecordedAccessesAtItsLimit) {
  GlobalShadow shadow(clocks_, /*max_earlier=*/3);
  ASSERT_TRUE(shadow.Add(variable_).ok());
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    EXPECT_EQ(Access(shadow, thread, AccessKind::kRead).kind, "");
  }
  SyncClock known;
  for (uint32_t thread = 1; thread < kThreads; ++thread) clocks_.Release(thread, known);
  clocks_.Acquire(kThreads - 1, known);
  const GlobalProblem problem = Access(shadow, kThreads - 1, AccessKind::kWrite);
  EXPECT_EQ(problem.kind, "global-race");
  EXPECT_EQ(problem.other.thread(), 0u);
}

TEST_F(GlobalShadowTest, RegionsEndWhereTheyEnd) {
  GlobalShadow shadow(clocks_);
  const Variable variables[] = {
      {"third", &memory_[2], 4, 0}, {"first", memory_.data(), 4, 0}, {"empty", &memory_[1], 0, 0}};
  for (const Variable& variable : variables) ASSERT_TRUE(shadow.Add(variable).ok());
  EXPECT_STREQ(shadow.Find(&memory_[0], 4)->variable->name, "first");
  EXPECT_EQ(shadow.Find(&memory_[0], 8), nullptr);
  EXPECT_EQ(shadow.Find(&memory_[1], 4), nullptr);
  EXPECT_EQ(shadow.Find(&memory_[2], 4)->begin, reinterpret_cast<const char*>(&memory_[2]));
  EXPECT_EQ(shadow.Find(&memory_[3], 4), nullptr);
  EXPECT_EQ(shadow.Find(memory_.data() - 1, 4), nullptr);
}

}  // namespace
}  // namespace mmtune::simt
