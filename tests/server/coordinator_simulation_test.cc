#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/server/simulated_world.h"

namespace mmtune {
namespace {

/// MMTUNE_SIMULATION_SEEDS asks for more than the usual few thousand.
uint64_t Seeds() {
  const char* text = std::getenv("MMTUNE_SIMULATION_SEEDS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 3000;
}

TEST(CoordinatorSimulation, KeepsEveryPromiseUnderFaults) {
  int restarts = 0, undone = 0, late = 0;
  for (uint64_t seed = 1; seed <= Seeds(); ++seed) {
    SimulatedWorld world(seed);
    for (int step = 0; step < 150 && world.broken().empty(); ++step) world.Step();
    if (world.broken().empty()) world.Settle();
    ASSERT_THAT(world.broken(), testing::IsEmpty());
    restarts += world.restarts();
    undone += world.undone();
    late += world.late();
  }
  // The faults did happen.
  EXPECT_GT(restarts, 100);
  EXPECT_GT(undone, 100);
  EXPECT_GT(late, 1000);
}

/// MMTUNE_SIMULATION_SEED runs one seed again, to look into what it broke.
TEST(CoordinatorSimulation, KeepsEveryPromiseForOneSeed) {
  const char* text = std::getenv("MMTUNE_SIMULATION_SEED");
  SimulatedWorld world(text != nullptr ? std::strtoull(text, nullptr, 10) : 14119);
  for (int step = 0; step < 150 && world.broken().empty(); ++step) world.Step();
  if (world.broken().empty()) world.Settle();
  EXPECT_THAT(world.broken(), testing::IsEmpty());
}

TEST(CoordinatorSimulation, NoticesAcknowledgementsWithoutDurability) {
  int noticed = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SimulatedWorld world(seed, /*lying_disk=*/true);
    for (int step = 0; step < 150 && world.broken().empty(); ++step) world.Step();
    noticed += !world.broken().empty();
  }
  EXPECT_GT(noticed, 40);
}

}  // namespace
}  // namespace mmtune
