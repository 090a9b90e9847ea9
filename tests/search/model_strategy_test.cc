// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/model/model_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "search/replay/replay.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

Observation Measured(const Schedule& schedule) { return {schedule, Outcome::kOk, SyntheticMedianNs(schedule)}; }

/// The synthetic landscape, recorded.
const Landscape& Recorded() {
  static const auto* landscape = [] {
    auto* all = new Landscape();
    all->name = "synthetic";
    all->problem = MatmulProblem{1024, 512, 256, DataType::kF32};
    all->device.arch = "sm_90";
    for (const Schedule& schedule : EnumerateAll(*MakeSpace({&LandscapeFamily()}))) {
      all->points.push_back({schedule, Outcome::kOk, SyntheticMedianNs(schedule)});
    }
    return all;
  }();
  return *landscape;
}

ReplaySummary Replayed(const std::string& strategy, int64_t seeds, const ReplayOptions& options) {
  auto replay = Replay::Create(Recorded());
  EXPECT_TRUE(replay.ok()) << replay.status();
  auto summary = (*replay)->Summarize(strategy, seeds, options);
  EXPECT_TRUE(summary.ok()) << summary.status();
  return *std::move(summary);
}

TEST(ModelStrategy, BeatsTheOthersWithFewTrials) {
  ReplayOptions options;
  options.trials = 48;
  const ReplaySummary model = Replayed("model", 5, options);
  for (const char* other : {"random", "evolutionary"}) {
    const ReplaySummary summary = Replayed(other, 5, options);
    for (size_t trials : {24, 48}) EXPECT_GT(model.median[trials - 1], summary.median[trials - 1]) << other << trials;
  }
}

TEST(ModelStrategy, NoiseAndFailuresCostLittle) {
  ReplayOptions options;
  options.trials = 48;
  const double undisturbed = Replayed("model", 5, options).median.back();
  options.noise = 0.02;
  options.failures = 0.1;
  const double disturbed = Replayed("model", 5, options).median.back();
  EXPECT_GT(disturbed, 0.75 * undisturbed) << "the best schedules fail in some seeds, too";
  EXPECT_GT(disturbed, Replayed("evolutionary", 5, options).median.back());
}

/// Proposals until `trials` are measured, four at a time. Those with large tiles fail.
std::vector<Schedule> SearchWithFailures(const char* name, uint64_t seed, size_t trials) {
  auto space = MakeSpace({&LandscapeFamily()});
  auto strategy = CreateStrategy(name, *space, {seed, {}});
  std::vector<Schedule> all;
  while (all.size() < trials) {
    std::vector<Schedule> proposals = (*strategy)->Propose(4);
    if (proposals.empty()) break;
    for (const Schedule& schedule : proposals) {
      Observation observation = Measured(schedule);
      if (schedule.Get("bm") >= 128) observation = {schedule, Outcome::kCompileFailed, 0};
      (*strategy)->Observe({observation});
      all.push_back(schedule);
    }
  }
  return all;
}

TEST(ModelStrategy, AFailedScheduleSaysSomethingOfItsNeighbours) {
  auto share_of_failures = [](const char* name) {
    double failures = 0, all = 0;
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const std::vector<Schedule> schedules = SearchWithFailures(name, seed, 48);
      // What is learnt shows in the second half.
      for (size_t i = schedules.size() / 2; i < schedules.size(); ++i) {
        failures += schedules[i].Get("bm") >= 128;
        ++all;
      }
    }
    return failures / all;
  };
  EXPECT_LT(share_of_failures("model"), 0.8 * share_of_failures("random"));
}

TEST(ModelStrategy, UpToFourAreMeasuredAtATimeAndTheOrderOfArrivalChangesNothing) {
  auto space = MakeSpace({&LandscapeFamily()});
  auto run = [&space](uint64_t order) {
    ModelStrategy strategy(*space, {9, {}});
    SearchRng arrivals(order);
    std::vector<std::string> texts;
    size_t most = 0;
    while (texts.size() < 60) {
      std::vector<Schedule> proposals = strategy.Propose(60 - static_cast<int>(texts.size()));
      most = std::max(most, proposals.size());
      if (proposals.empty()) break;
      for (const Schedule& schedule : proposals) texts.push_back(schedule.Text());
      if (order > 0) Shuffle(proposals, arrivals);
      std::vector<Observation> observations;
      for (const Schedule& schedule : proposals) observations.push_back(Measured(schedule));
      strategy.Observe(observations);
    }
    EXPECT_EQ(most, 4u);
    return texts;
  };
  const std::vector<std::string> in_order = run(0);
  EXPECT_EQ(in_order.size(), 60u);
  EXPECT_EQ(run(TestSeed(1)), in_order);
}

TEST(ModelStrategy, GoesOnFarBeyondWhatTheProcessHolds) {
  auto space = MakeSpace({&LandscapeFamily()});
  ModelStrategy strategy(*space, {3, {}});
  std::set<std::string> texts;
  double best = std::numeric_limits<double>::infinity();
  while (texts.size() < 400) {
    const std::vector<Schedule> proposals = strategy.Propose(8);
    ASSERT_FALSE(proposals.empty());
    for (const Schedule& schedule : proposals) {
      EXPECT_TRUE(texts.insert(schedule.Text()).second);
      best = std::min(best, SyntheticMedianNs(schedule));
      strategy.Observe({Measured(schedule)});
    }
  }
  EXPECT_LT(best, 1.05 * BestTimeNs(Recorded()));
}

}  // namespace
}  // namespace mmtune
