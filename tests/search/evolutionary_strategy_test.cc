// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/evolutionary_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

Observation Measured(const Schedule& schedule) { return {schedule, Outcome::kOk, SyntheticMedianNs(schedule)}; }

// The best time after `trials` trials, measured four at a time.
double BestAfter(const char* strategy_name, const SearchSpace& space, uint64_t seed, int trials) {
  auto strategy = CreateStrategy(strategy_name, space, {seed, {}});
  double best = std::numeric_limits<double>::infinity();
  for (int done = 0; done < trials;) {
    std::vector<Schedule> proposals = (*strategy)->Propose(4);
    if (proposals.empty()) return best;
    done += static_cast<int>(proposals.size());
    for (const Schedule& schedule : proposals) {
      best = std::min(best, SyntheticMedianNs(schedule));
      (*strategy)->Observe({Measured(schedule)});
    }
  }
  return best;
}

TEST(EvolutionaryStrategy, BeatsRandomOnASyntheticLandscape) {
  auto space = MakeSpace({&LandscapeFamily()});
  ASSERT_GT(space->Count(), 10'000);
  double optimum = std::numeric_limits<double>::infinity();
  for (const Schedule& schedule : EnumerateAll(*space)) optimum = std::min(optimum, SyntheticMedianNs(schedule));
  constexpr int kSeeds = 60;
  const uint64_t first = TestSeed(0);
  for (int trials : {64, 128}) {
    double evolutionary = 0, random = 0;
    int wins = 0;
    for (uint64_t seed = first; seed < first + kSeeds; ++seed) {
      const double e = BestAfter("evolutionary", *space, seed, trials);
      const double r = BestAfter("random", *space, seed, trials);
      evolutionary += e / optimum / kSeeds;
      random += r / optimum / kSeeds;
      wins += e < r;
    }
    RecordProperty("evolutionary_over_optimum_" + std::to_string(trials), std::to_string(evolutionary));
    RecordProperty("random_over_optimum_" + std::to_string(trials), std::to_string(random));
    EXPECT_LT(evolutionary - 1, 0.8 * (random - 1)) << trials << " trials: " << evolutionary << " against " << random;
    EXPECT_GT(wins, kSeeds * 2 / 3) << trials << " trials";
  }
}

struct InFlight {
  Schedule schedule;
  int landings_seen = 0;
};

// As several workers do it: `in_flight` at a time, each landing at random, but none overtaken by more than six.
std::vector<std::string> RunWithArrivals(const SearchSpace& space, uint64_t arrival_seed, size_t in_flight) {
  auto strategy = CreateStrategy("evolutionary", space, {9, {}});
  std::mt19937_64 arrivals(arrival_seed);
  std::vector<std::string> texts;
  std::vector<InFlight> flying;  // The oldest first.
  while (texts.size() < 120) {
    while (flying.size() < in_flight) {
      std::vector<Schedule> next = (*strategy)->Propose(1);
      if (next.empty()) break;
      texts.push_back(next[0].Text());
      flying.push_back({next[0]});
    }
    if (flying.empty()) break;
    auto landing = flying.begin() + (flying[0].landings_seen >= 6 ? 0 : arrivals() % flying.size());
    (*strategy)->Observe({Measured(landing->schedule)});
    flying.erase(landing);
    for (InFlight& other : flying) ++other.landings_seen;
  }
  texts.resize(std::min<size_t>(texts.size(), 120));
  return texts;
}

TEST(EvolutionaryStrategy, TheOrderOfArrivalWithinAGenerationChangesNothing) {
  auto space = MakeSpace({&LandscapeFamily()});
  auto run = [&space](uint64_t order) {
    auto strategy = CreateStrategy("evolutionary", *space, {9, {}});
    std::mt19937_64 arrivals(order);
    std::vector<std::string> texts;
    for (int generation = 0; generation < 15; ++generation) {
      std::vector<Schedule> proposals = (*strategy)->Propose(8);
      EXPECT_EQ(proposals.size(), 8u);
      for (const Schedule& schedule : proposals) texts.push_back(schedule.Text());
      std::shuffle(proposals.begin(), proposals.end(), arrivals);
      for (const Schedule& schedule : proposals) (*strategy)->Observe({Measured(schedule)});
    }
    return texts;
  };
  const std::vector<std::string> texts = run(1);
  EXPECT_EQ(texts.size(), 120u);
  const uint64_t seed = TestSeed(2);
  for (uint64_t order : {seed, seed + 1, seed + 2}) EXPECT_EQ(run(order), texts);
}

TEST(EvolutionaryStrategy, WorkersThatReportInAnyOrderAndAtAnyTimeChangeNothing) {
  auto space = MakeSpace({&LandscapeFamily()});
  const std::vector<std::string> alone = RunWithArrivals(*space, 1, 1);
  ASSERT_EQ(alone.size(), 120u);
  const uint64_t seed = TestSeed(1);
  for (uint64_t order : {seed, seed + 1, seed + 2}) {
    for (size_t in_flight : {2, 3, 4}) EXPECT_EQ(RunWithArrivals(*space, order, in_flight), alone) << in_flight;
  }
}

TEST(EvolutionaryStrategy, TheNextGenerationIsThereBeforeTheLastIsMeasured) {
  auto space = MakeSpace({&LandscapeFamily()});
  EvolutionaryStrategy strategy(*space, {1, {}});
  std::vector<Schedule> first = strategy.Propose(8);
  EXPECT_EQ(strategy.Propose(8).size(), 8u);
  EXPECT_TRUE(strategy.Propose(1).empty()) << "bred from the first generation, of which nothing is known";
  EXPECT_FALSE(strategy.Exhausted());
  for (const Schedule& schedule : first) strategy.Observe({Measured(schedule)});
  EXPECT_EQ(strategy.Propose(8).size(), 8u);
}

TEST(EvolutionaryStrategy, AStragglerDelaysNothingOnceHalfOfTheNextGenerationIsIn) {
  auto space = MakeSpace({&LandscapeFamily()});
  EvolutionaryStrategy strategy(*space, {1, {}});
  std::vector<Schedule> first = strategy.Propose(8), second = strategy.Propose(8);
  for (size_t i = 1; i < first.size(); ++i) strategy.Observe({Measured(first[i])});
  for (size_t i = 0; i < 3; ++i) strategy.Observe({Measured(second[i])});
  EXPECT_TRUE(strategy.Propose(8).empty());
  strategy.Observe({Measured(second[3])});
  EXPECT_EQ(strategy.Propose(8).size(), 8u);
}

TEST(EvolutionaryStrategy, AFailedScheduleIsNoParent) {
  // Large tiles fail, and their quick failure must not draw the search to them.
  auto space = MakeSpace({&LandscapeFamily()});
  auto share_of_failures = [&space](const char* name) {
    int failures = 0, all = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      auto strategy = CreateStrategy(name, *space, {seed, {}});
      for (int round = 0; round < 16; ++round) {
        for (const Schedule& schedule : (*strategy)->Propose(8)) {
          const bool fails = schedule.Get("bm") >= 128;
          Observation observation = Measured(schedule);
          if (fails) observation = {schedule, Outcome::kWrongResult, 1};
          (*strategy)->Observe({observation});
          failures += fails;
          ++all;
        }
      }
    }
    EXPECT_EQ(all, 20 * 16 * 8);
    return static_cast<double>(failures) / all;
  };
  EXPECT_LT(share_of_failures("evolutionary"), 0.6 * share_of_failures("random"));
}

TEST(EvolutionaryStrategy, MoreToBeginWithThanAGenerationAreAllOfTheFirst) {
  auto space = MakeSpace({&TiledFamily()});
  std::vector<Schedule> initial = EnumerateAll(*space);
  initial.resize(11);
  EvolutionaryStrategy strategy(*space, {1, initial});
  EXPECT_EQ(strategy.Propose(11), initial);
  EXPECT_EQ(strategy.Propose(100).size(), 8u) << "the generation bred beside the first";
}

}  // namespace
}  // namespace mmtune
