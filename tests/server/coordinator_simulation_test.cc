// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/server/simulated_world.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

TEST(CoordinatorSimulation, KeepsAllInvariantsUnderFaults) {
  const uint64_t first = TestSeed(1), count = TestCount(3000, 100000);
  uint64_t restarts = 0, undone = 0, late = 0, in_time = 0, pauses = 0, held = 0, asked = 0, compiled = 0, unchosen = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(absl::StrCat("MMTUNE_TEST_SEED=", seed, " MMTUNE_TEST_COUNT=1"));
    SimulatedWorld world(seed);
    for (int step = 0; step < 150 && world.broken().empty(); ++step) world.Step();
    if (world.broken().empty()) world.Settle();
    ASSERT_THAT(world.broken(), testing::IsEmpty());
    restarts += world.restarts();
    undone += world.undone();
    late += world.late();
    in_time += world.in_time();
    pauses += world.pauses();
    held += world.held();
    asked += world.asked();
    compiled += world.compiled();
    unchosen += world.unchosen();
  }
  // The faults did happen.
  EXPECT_GE(restarts, count / 30);
  EXPECT_GE(undone, count / 30);
  EXPECT_GE(late, count / 3);
  EXPECT_GE(in_time, count / 100);
  EXPECT_GE(pauses, count / 3);
  EXPECT_GE(held, count / 3);
  EXPECT_GE(asked, count / 3);
  EXPECT_GE(compiled, count / 3);
  EXPECT_GE(unchosen, count / 3);
}

/// It broke a promise once.
TEST(CoordinatorSimulation, KeepsAllInvariantsForOneSeed) {
  SimulatedWorld world(14119);
  for (int step = 0; step < 150 && world.broken().empty(); ++step) world.Step();
  if (world.broken().empty()) world.Settle();
  EXPECT_THAT(world.broken(), testing::IsEmpty());
}

TEST(CoordinatorSimulation, DetectsAcknowledgementsWithoutDurability) {
  int noticed = 0;
  const uint64_t first = TestSeed(1);
  for (uint64_t seed = first; seed < first + 50; ++seed) {
    SimulatedWorld world(seed, /*drops_commits=*/true);
    for (int step = 0; step < 150 && world.broken().empty(); ++step) world.Step();
    noticed += !world.broken().empty();
  }
  EXPECT_GT(noticed, 40);
}

}  // namespace
}  // namespace mmtune
