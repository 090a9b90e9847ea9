// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "tests/server/simulated_cluster.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

constexpr int kSteps = 200;

TEST(ClusterSimulation, KeepsAllInvariantsUnderFaults) {
  const uint64_t first = TestSeed(1), count = TestCount(200, 50000);
  uint64_t kills = 0, stops = 0, failovers = 0, lost_answers = 0, takeovers = 0, fenced = 0, reports = 0;
  double simulated = 0;
  const auto began = std::chrono::steady_clock::now();
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(absl::StrCat("MMTUNE_TEST_SEED=", seed, " MMTUNE_TEST_COUNT=1"));
    SimulatedCluster cluster(seed);
    for (int step = 0; step < kSteps && cluster.broken().empty(); ++step) cluster.Step();
    if (cluster.broken().empty()) cluster.Settle();
    ASSERT_THAT(cluster.broken(), testing::IsEmpty());
    kills += static_cast<uint64_t>(cluster.kills());
    stops += static_cast<uint64_t>(cluster.stops());
    failovers += static_cast<uint64_t>(cluster.failovers());
    lost_answers += static_cast<uint64_t>(cluster.lost_answers());
    takeovers += static_cast<uint64_t>(cluster.takeovers());
    fenced += static_cast<uint64_t>(cluster.fenced());
    reports += static_cast<uint64_t>(cluster.reports());
    simulated += cluster.simulated_seconds();
  }
  const double real = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf(
      "%.0f s simulated in %.2f s (%.0f a second): %d kills, %d stops, %d failovers, %d take-overs, %d fenced\n",
      simulated, real, simulated / real, static_cast<int>(kills), static_cast<int>(stops), static_cast<int>(failovers),
      static_cast<int>(takeovers), static_cast<int>(fenced));
  // The faults did happen.
  EXPECT_GE(kills, count);
  EXPECT_GE(stops, count);
  EXPECT_GE(failovers, count);
  EXPECT_GE(lost_answers, count);
  EXPECT_GE(takeovers, count / 2);
  EXPECT_GE(fenced, count / 4);
  EXPECT_GE(reports, count);
}

/// Returns how many of 100 seeds notice a fault of the database or of how it is used.
int Noticed(SimulatedDatabase::Options options, std::string_view what) {
  int noticed = 0;
  const uint64_t first = TestSeed(1);
  for (uint64_t seed = first; seed < first + 100; ++seed) {
    SimulatedCluster cluster(seed, options);
    for (int step = 0; step < kSteps && cluster.broken().empty(); ++step) cluster.Step();
    for (const std::string& line : cluster.broken()) {
      if (line.find(what) == std::string::npos) continue;
      ++noticed;
      break;
    }
  }
  return noticed;
}

TEST(ClusterSimulation, DetectsWhatAnAsynchronousStandbyLoses) {
  EXPECT_GT(Noticed({.synchronous = false}, "is lost"), 25);
}

TEST(ClusterSimulation, DetectsWritesOfCoordinatorsThatOwnNothingAnyMore) {
  // The constraints of the tables refuse most of these writes.
  EXPECT_GT(Noticed({.fenced = false}, "wrote for job"), 0);
}

}  // namespace
}  // namespace mmtune
