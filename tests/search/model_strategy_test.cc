// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/model_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
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

/// Proposals until `trials` are measured, four at a time. Those with large tiles have this outcome.
std::vector<Schedule> SearchWithFailures(const char* name, uint64_t seed, size_t trials, Outcome outcome) {
  auto space = MakeSpace({&LandscapeFamily()});
  auto strategy = CreateStrategy(name, *space, {seed, {}});
  std::vector<Schedule> all;
  while (all.size() < trials) {
    std::vector<Schedule> proposals = (*strategy)->Propose(4);
    if (proposals.empty()) break;
    for (const Schedule& schedule : proposals) {
      Observation observation = Measured(schedule);
      if (schedule.Get("bm") >= 128) observation = {schedule, outcome, 0};
      (*strategy)->Observe({observation});
      all.push_back(schedule);
    }
  }
  return all;
}

TEST(ModelStrategy, AFailedScheduleSaysSomethingOfItsNeighboursAndAnUnmeasuredOneNothing) {
  auto share_of_failures = [](const char* name, Outcome outcome) {
    double failures = 0, all = 0;
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const std::vector<Schedule> schedules = SearchWithFailures(name, seed, 48, outcome);
      // What is learned shows in the second half.
      for (size_t i = schedules.size() / 2; i < schedules.size(); ++i) {
        failures += schedules[i].Get("bm") >= 128;
        ++all;
      }
    }
    return failures / all;
  };
  const double failed = share_of_failures("model", Outcome::kCompileFailed);
  EXPECT_LT(failed, 0.8 * share_of_failures("random", Outcome::kCompileFailed));
  EXPECT_GT(share_of_failures("model", Outcome::kUnstable), 1.5 * failed);
}

// Of what is skipped only a bound is known, below the real time: it is learned from, and nothing is bred from it.
TEST(ModelStrategy, WhatWasSkippedDoesNotKeepItFromTheBest) {
  auto space = MakeSpace({&LandscapeFamily()});
  const auto best_of = [&](bool skips) {
    ModelStrategy strategy(*space, {11});
    double best = std::numeric_limits<double>::infinity();
    int skipped = 0;
    for (int trial = 0; trial < 48; ++trial) {
      for (const Schedule& schedule : strategy.Propose(1)) {
        Observation observation = Measured(schedule);
        if (skips && observation.median_ns > 1.1 * best) {
          ++skipped;
          observation.outcome = Outcome::kSkipped;
          observation.median_ns = 1.1 * best;
        }
        if (observation.outcome == Outcome::kOk) best = std::min(best, observation.median_ns);
        strategy.Observe({observation});
      }
    }
    EXPECT_EQ(skipped > 0, skips);
    return best;
  };
  EXPECT_LE(best_of(true), 1.05 * best_of(false));
}

/// A job on `workers` devices, on which each schedule takes as long as `shuffle` makes it.
struct SimulatedJob {
  std::vector<std::string> proposed;
  size_t idle = 0;  ///< Times at which a worker had nothing to do.
};

SimulatedJob Simulate(int workers, SearchRng& shuffle, size_t trials) {
  auto space = MakeSpace({&LandscapeFamily()});
  ModelStrategy strategy(*space, {11, {}, workers});
  SimulatedJob job;
  std::vector<Schedule> running;
  while (job.proposed.size() < trials) {
    const int free = workers - static_cast<int>(running.size());
    const std::vector<Schedule> proposals = strategy.Propose(free);
    job.idle += static_cast<size_t>(free) - proposals.size();
    for (const Schedule& schedule : proposals) {
      job.proposed.push_back(schedule.Text());
      running.push_back(schedule);
    }
    EXPECT_FALSE(running.empty());
    if (running.empty()) break;
    const auto done = static_cast<ptrdiff_t>(UniformBelow(shuffle, running.size()));
    Observation observation = Measured(running[static_cast<size_t>(done)]);
    if (observation.schedule.Get("bm") >= 256) observation.outcome = Outcome::kLaunchFailed;
    strategy.Observe({observation});
    running.erase(running.begin() + done);
  }
  job.proposed.resize(trials);
  return job;
}

TEST(ModelStrategy, HowMuchTooSlowAScheduleIsMakesNoDifference) {
  // Trial 12 spills, say. Without this a search would be as sure of all others as of those that it has measured.
  const auto proposals_with = [](double times_slower) {
    auto space = MakeSpace({&LandscapeFamily()});
    auto strategy = CreateStrategy("model", *space, {3, {}});
    std::vector<Schedule> all;
    for (size_t trial = 0; trial < 32; ++trial) {
      const std::vector<Schedule> next = (*strategy)->Propose(1);
      if (next.empty()) break;
      Observation observation = Measured(next.front());
      if (trial == 12) observation.median_ns *= times_slower;
      (*strategy)->Observe({observation});
      all.push_back(next.front());
    }
    return all;
  };
  const std::vector<Schedule> all = proposals_with(20);
  EXPECT_EQ(all.size(), 32u);
  EXPECT_EQ(all, proposals_with(2000));
}

TEST(ModelStrategy, ResultsInAnyOrderGiveTheSameProposals) {
  for (int workers : {1, 2, 4}) {
    SearchRng shuffle(TestSeed(4));
    const std::vector<std::string> proposed = Simulate(workers, shuffle, 48).proposed;
    for (int again = 0; again < 4; ++again) {
      EXPECT_EQ(Simulate(workers, shuffle, 48).proposed, proposed) << workers << " workers, order " << again;
    }
  }
}

TEST(ModelStrategy, EveryWorkerIsKeptBusy) {
  for (int workers : {1, 2, 4, 16}) {
    SearchRng shuffle(TestSeed(5));
    // Whichever of those that run ends next: some take many times as long as others.
    const double share = static_cast<double>(Simulate(workers, shuffle, 64).idle) / (64.0 * workers);
    EXPECT_LT(share, 0.2) << workers << " workers";
    auto space = MakeSpace({&LandscapeFamily()});
    EXPECT_GE(ModelStrategy(*space, {1, {}, workers}).Propose(100).size(), static_cast<size_t>(workers));
  }
}

TEST(ModelStrategy, LostObservationsDoNotEndTheSearch) {
  auto space = MakeSpace({&LandscapeFamily()});
  for (uint64_t seed = 0; seed < 6; ++seed) {
    ModelStrategy strategy(*space, {seed, {}});
    SearchRng losses(TestSeed(2) + seed);
    size_t proposed = 0;
    for (int call = 0; call < 2000 && proposed < 60; ++call) {
      for (const Schedule& schedule : strategy.Propose(4)) {
        if (++proposed > 1 && UniformUnit(losses) < 0.7) strategy.Observe({Measured(schedule)});
      }
    }
    EXPECT_GE(proposed, 60u) << "seed " << seed;
  }
}

TEST(ModelStrategy, WhoeverAsksAgainInVainGetsOneMore) {
  auto space = MakeSpace({&LandscapeFamily()});
  ModelStrategy strategy(*space, {1, {}});
  for (const Schedule& schedule : strategy.Propose(3)) strategy.Observe({Measured(schedule)});
  const std::vector<Schedule> first = strategy.Propose(4);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_TRUE(strategy.Propose(4).empty());
  EXPECT_EQ(strategy.Propose(4).size(), 1u);
  EXPECT_TRUE(strategy.Propose(4).empty());
}

TEST(ModelStrategy, SchedulesGivenCountForTheStart) {
  auto space = MakeSpace({&LandscapeFamily()});
  SearchRng rng(TestSeed(3));
  for (size_t given : {0, 1, 2, 3, 5}) {
    std::vector<Schedule> initial;
    while (initial.size() < given) {
      Schedule schedule = space->Sample(rng);
      if (std::find(initial.begin(), initial.end(), schedule) == initial.end()) initial.push_back(std::move(schedule));
    }
    EXPECT_EQ(ModelStrategy(*space, {1, initial}).Propose(10).size(), std::max<size_t>(given, 3));
  }
}

TEST(ModelStrategy, TheProcessStaysSmallWhenAllFail) {
  auto space = MakeSpace({&LandscapeFamily()});
  ModelStrategy strategy(*space, {5, {}});
  size_t most = 0;
  for (int trials = 0; trials < 3000;) {
    const std::vector<Schedule> proposals = strategy.Propose(8);
    ASSERT_FALSE(proposals.empty());
    for (const Schedule& schedule : proposals) strategy.Observe({{schedule, Outcome::kCompileFailed, 0}});
    trials += static_cast<int>(proposals.size());
    most = std::max(most, strategy.process_size());
  }
  EXPECT_LE(most, 200u);
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

TEST(ModelStrategy, TheGainExpectedIsAShareAndFallsAsTheSearchGoesOn) {
  auto space = MakeSpace({&LandscapeFamily()});
  double first = 0, last = 0;  // Over all seeds: a single search may learn late that more is to be had.
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    auto strategy = *CreateStrategy("model", *space, {seed, {}});
    std::vector<double> gains;
    for (int trial = 0; trial < 96; ++trial) {
      const std::vector<Schedule> proposed = strategy->Propose(1);
      ASSERT_EQ(proposed.size(), 1u);
      strategy->Observe({{proposed[0], Outcome::kOk, SyntheticMedianNs(proposed[0])}});
      const std::optional<double> gain = strategy->ExpectedGain();
      // The start, and then eight proposals of the process.
      EXPECT_EQ(gain.has_value(), trial >= 10) << trial;
      if (!gain) continue;
      EXPECT_GE(*gain, 0);
      EXPECT_LE(*gain, 1);
      gains.push_back(*gain);
    }
    first += gains.front();
    last += gains.back();
  }
  EXPECT_LT(last, first / 2);
}

/// Returns the logarithm of the best time after 6 trials of a search. If `learns`, it gets times of 100 schedules of a
/// device that is half as fast.
double LogOfBest(uint64_t seed, bool learns) {
  const auto space = MakeSpace({&LandscapeFamily()});
  StrategyOptions options;
  options.seed = seed;
  const auto strategy = *CreateStrategy("model", *space, options);
  SearchRng rng(seed + 1000);
  std::vector<TimedSchedule> measured;
  for (int i = 0; i < 100; ++i) {
    const Schedule schedule = space->Sample(rng);
    measured.push_back({schedule, 2 * SyntheticMedianNs(schedule)});
  }
  if (learns) strategy->Learn(ObservationsOf(*space, measured));
  double best = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 6; ++trial) {
    const std::vector<Schedule> proposed = strategy->Propose(1);
    strategy->Observe({Measured(proposed.at(0))});
    best = std::min(best, SyntheticMedianNs(proposed.at(0)));
  }
  return std::log(best);
}

TEST(ModelStrategy, TimesOfSimilarProblemsShortenTheSearch) {
  double alone = 0, learned = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    alone += LogOfBest(seed, false) / 10;
    learned += LogOfBest(seed, true) / 10;
  }
  EXPECT_LT(learned, alone - 0.1);
}

TEST(ModelStrategy, SuggestedScheduleIsProposedNextAndOnce) {
  const auto space = MakeSpace({&LandscapeFamily()});
  const auto strategy = *CreateStrategy("model", *space, StrategyOptions());
  SearchRng rng(5);
  const Schedule early = space->Sample(rng), late = space->Sample(rng);
  strategy->Suggest({"unheard_of", {{"x", 1}}});
  strategy->Suggest(early);
  std::vector<Schedule> proposed;
  for (int i = 0; i < 30; ++i) {
    if (i == 10) strategy->Suggest(late);
    if (i == 20) strategy->Suggest(early);
    const std::vector<Schedule> next = strategy->Propose(1);
    ASSERT_EQ(next.size(), 1u);
    proposed.push_back(next[0]);
    strategy->Observe({Measured(next[0])});
  }
  EXPECT_EQ(proposed[0].Text(), early.Text());
  EXPECT_EQ(proposed[10].Text(), late.Text());
  std::set<std::string> distinct;
  for (const Schedule& schedule : proposed) distinct.insert(schedule.Text());
  EXPECT_EQ(distinct.size(), proposed.size());
}

TEST(ModelStrategy, TheOthersExpectNothing) {
  auto space = MakeSpace({&LandscapeFamily()});
  for (const std::string& name : StrategyNames()) {
    auto strategy = *CreateStrategy(name, *space, {1, {}});
    for (int trial = 0; trial < 12; ++trial) {
      const std::vector<Schedule> proposed = strategy->Propose(1);
      ASSERT_EQ(proposed.size(), 1u) << name;
      strategy->Observe({{proposed[0], Outcome::kOk, SyntheticMedianNs(proposed[0])}});
    }
    EXPECT_EQ(strategy->ExpectedGain().has_value(), PredictsGain(name)) << name;
  }
}

}  // namespace
}  // namespace mmtune
