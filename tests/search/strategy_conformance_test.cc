// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every strategy promises (search/strategies/strategy.h), asked of every strategy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "proto/base/digest.h"
#include "search/space/proposal_set.h"
#include "search/strategies/strategy.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;

struct StrategyCase {
  std::string name;
  /// SHA-256 of the lines of the first 60 schedules proposed for seed 7 in the tiled space, times of the landscape.
  std::string golden;
  int compile_lanes = 0;  ///< Has schedules compiled before it chooses.
};

std::string NameOf(const ::testing::TestParamInfo<StrategyCase>& info) {
  return info.param.name + (info.param.compile_lanes > 0 ? "_compiling_ahead" : "");
}

class StrategyConformance : public ::testing::TestWithParam<StrategyCase> {
 protected:
  std::unique_ptr<Strategy> Make(const SearchSpace& space, uint64_t seed, std::vector<Schedule> initial = {}) {
    if (GetParam().name == "list") return CreateListStrategy(EnumerateAll(space));
    StrategyOptions options{seed, std::move(initial)};
    options.compile_lanes = GetParam().compile_lanes;
    auto strategy = CreateStrategy(GetParam().name, space, options);
    EXPECT_TRUE(strategy.ok()) << strategy.status();
    return *std::move(strategy);
  }
};

std::vector<Observation> ObserveAll(const std::vector<Schedule>& schedules) {
  std::vector<Observation> observations;
  for (const Schedule& schedule : schedules) {
    observations.push_back({schedule, Outcome::kOk, SyntheticMedianNs(schedule)});
  }
  return observations;
}

/// Proposals, once all is compiled that these wait for.
std::vector<Schedule> Ask(Strategy& strategy, int n) {
  while (true) {
    std::vector<Schedule> proposals = strategy.Propose(n);
    const std::vector<Schedule> wanted = strategy.ToCompile();
    for (const Schedule& schedule : wanted)
      strategy.Compiled({{schedule, CompiledFacts::End::kCompiled, {{64, 0}, 0.9}}});
    if (!proposals.empty() || wanted.empty()) return proposals;
  }
}

// Asks in batches of `batch` and answers each of them, until `limit` proposals or the end.
std::vector<std::string> Drive(Strategy& strategy, int batch, size_t limit) {
  std::vector<std::string> texts;
  while (texts.size() < limit && !strategy.Exhausted()) {
    std::vector<Schedule> proposals = Ask(strategy, std::min<int>(batch, static_cast<int>(limit - texts.size())));
    if (proposals.empty()) break;
    for (const Schedule& schedule : proposals) texts.push_back(schedule.Text());
    strategy.Observe(ObserveAll(proposals));
  }
  return texts;
}

std::string DigestOf(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return Sha256Hex(all);
}

std::set<std::string> TextSet(const SearchSpace& space) {
  std::set<std::string> texts;
  for (const Schedule& schedule : EnumerateAll(space)) texts.insert(schedule.Text());
  return texts;
}

TEST_P(StrategyConformance, BearsItsName) {
  auto space = MakeSpace({&FreeFamily()});
  EXPECT_EQ(Make(*space, 1)->name(), GetParam().name);
}

TEST_P(StrategyConformance, ExhaustsASpaceExactly) {
  for (const std::vector<const KernelFamily*>& families : std::vector<std::vector<const KernelFamily*>>{
           {&FreeFamily()}, {&TiledFamily()}, {&RareFamily()}, {&FreeFamily(), &RareFamily()}}) {
    for (int batch : {1, 5, 64}) {
      auto space = MakeSpace(families);
      auto strategy = Make(*space, 3);
      EXPECT_FALSE(strategy->Exhausted());
      std::vector<std::string> texts = Drive(*strategy, batch, 1 << 20);
      EXPECT_TRUE(strategy->Exhausted());
      EXPECT_TRUE(strategy->Propose(8).empty());
      EXPECT_EQ(texts.size(), static_cast<size_t>(space->Count())) << "something twice, or left out";
      EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()), TextSet(*space));
    }
  }
}

TEST_P(StrategyConformance, ProposesAtMostWhatIsAskedFor) {
  auto space = MakeSpace({&TiledFamily()});
  auto strategy = Make(*space, 3);
  EXPECT_TRUE(strategy->Propose(0).empty());
  EXPECT_TRUE(strategy->Propose(-1).empty());
  // Each batch is answered: some strategies wait for that.
  for (int n : {1, 2, 7, 100}) {
    size_t proposed = 0;
    while (proposed < static_cast<size_t>(n)) {
      const std::vector<Schedule> proposals = Ask(*strategy, n - static_cast<int>(proposed));
      ASSERT_FALSE(proposals.empty());
      ASSERT_LE(proposed += proposals.size(), static_cast<size_t>(n));
      strategy->Observe(ObserveAll(proposals));
    }
  }
}

TEST_P(StrategyConformance, ProposesTheSameForTheSameSeed) {
  auto space = MakeSpace({&TiledFamily()});
  std::vector<std::string> texts = Drive(*Make(*space, 7), 8, 60);
  ASSERT_EQ(texts.size(), 60u);
  EXPECT_EQ(DigestOf(texts), GetParam().golden);
  auto again = MakeSpace({&TiledFamily()});
  EXPECT_EQ(Drive(*Make(*again, 7), 8, 60), texts);
}

TEST_P(StrategyConformance, TheSizeOfTheBatchesChangesNothing) {
  auto space = MakeSpace({&TiledFamily()});
  std::vector<std::string> texts = Drive(*Make(*space, 7), 8, 60);
  for (int batch : {1, 3, 60}) EXPECT_EQ(Drive(*Make(*space, 7), batch, 60), texts) << batch;
}

TEST_P(StrategyConformance, SurvivesObservationsOfAllOutcomes) {
  auto space = MakeSpace({&TiledFamily()});
  auto strategy = Make(*space, 5);
  size_t proposed = 0;
  while (!strategy->Exhausted()) {
    std::vector<Schedule> proposals = Ask(*strategy, 16);
    ASSERT_FALSE(proposals.empty());
    std::vector<Observation> observations = ObserveAll(proposals);
    for (Observation& observation : observations) {
      observation.outcome = kAllOutcomes[proposed++ % std::size(kAllOutcomes)];
      // A failed candidate may come with a time; it must not be taken for a fast one.
      if (observation.outcome != Outcome::kOk) observation.median_ns = 1;
    }
    strategy->Observe(observations);
  }
  EXPECT_EQ(proposed, static_cast<size_t>(space->Count()));
}

TEST_P(StrategyConformance, IgnoresFactsOfWhatItDidNotWantCompiled) {
  auto space = MakeSpace({&TiledFamily()});
  std::vector<std::string> undisturbed = Drive(*Make(*space, 7), 8, 60);
  auto strategy = Make(*space, 7);
  using End = CompiledFacts::End;
  for (const Schedule& schedule : EnumerateAll(*space)) strategy->Compiled({{schedule, End::kFailed, {}}});
  EXPECT_TRUE(strategy->ToCompile().empty());
  EXPECT_EQ(Drive(*strategy, 8, 60), undisturbed);
}

TEST_P(StrategyConformance, SurvivesWhenEverythingFails) {
  auto space = MakeSpace({&TiledFamily()});
  auto strategy = Make(*space, 5);
  size_t proposed = 0;
  while (!strategy->Exhausted()) {
    std::vector<Schedule> proposals = Ask(*strategy, 16);
    ASSERT_FALSE(proposals.empty());
    for (const Schedule& schedule : proposals) strategy->Observe({{schedule, Outcome::kCrashed, 0}});
    proposed += proposals.size();
  }
  EXPECT_EQ(proposed, static_cast<size_t>(space->Count()));
}

TEST_P(StrategyConformance, IgnoresObservationsOfWhatItNeverProposedAndRepeatedOnes) {
  auto space = MakeSpace({&TiledFamily()});
  std::vector<std::string> undisturbed = Drive(*Make(*space, 7), 8, 60);
  auto strategy = Make(*space, 7);
  std::vector<std::string> texts;
  std::vector<Schedule> earlier;
  while (texts.size() < 60) {
    // What was observed already is said to be unbeatable, and so is something of which nobody asked.
    for (const Schedule& schedule : earlier) strategy->Observe({{schedule, Outcome::kOk, 1e-3}});
    strategy->Observe({{Schedule{"unheard_of", {{"x", 1}}}, Outcome::kOk, 1e-3}});
    strategy->Observe({{space->At(space->Count() - 1), Outcome::kOk, 1e-3}});
    std::vector<Schedule> proposals = Ask(*strategy, std::min(8, 60 - static_cast<int>(texts.size())));
    ASSERT_FALSE(proposals.empty());
    strategy->Observe(ObserveAll(proposals));
    for (const Schedule& schedule : proposals) texts.push_back(schedule.Text());
    earlier = proposals;
  }
  EXPECT_EQ(texts, undisturbed);
}

TEST_P(StrategyConformance, GoesOnWhenHalfOfTheObservationsNeverCome) {
  auto space = MakeSpace({&TiledFamily()});
  auto strategy = Make(*space, 5);
  std::set<std::string> texts;
  for (int rounds = 0; !strategy->Exhausted() && rounds < 1000; ++rounds) {
    std::vector<Schedule> proposals = strategy->Propose(8);
    for (size_t i = 0; i < proposals.size(); ++i) {
      ASSERT_TRUE(texts.insert(proposals[i].Text()).second);
      if (i % 2 == 0) strategy->Observe(ObserveAll({proposals[i]}));
    }
  }
  EXPECT_TRUE(strategy->Exhausted());
  EXPECT_EQ(texts, TextSet(*space));
}

TEST_P(StrategyConformance, AStrategyThatWaitsIsNotExhaustedAndGoesOnAfterwards) {
  auto space = MakeSpace({&TiledFamily()});
  auto strategy = Make(*space, 5);
  std::vector<Schedule> proposals = strategy->Propose(1 << 20);
  ASSERT_FALSE(proposals.empty());
  EXPECT_EQ(strategy->Exhausted(), proposals.size() == static_cast<size_t>(space->Count()));
  if (strategy->Exhausted()) return;
  EXPECT_TRUE(strategy->Propose(1).empty());
  strategy->Observe(ObserveAll(proposals));
  EXPECT_EQ(Ask(*strategy, 1).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    All, StrategyConformance,
    ::testing::Values(StrategyCase{"exhaustive", "5d14471dd2d2f380a625b5ca003a76de3dd63300c2a10feabe265f10e074f029"},
                      StrategyCase{"random", "f5ca8920860e6e90f9753d540c7e90210714b81c078debe71eb7281270bf4158"},
                      StrategyCase{"evolutionary", "c8d3c3a9c9aca2be99b36e52232112973ea5f862224c7be0630eff43f274d87b"},
                      // The golden of the model changes with its every constant: it tells that something did.
                      StrategyCase{"model", "ed4694f912c91a8263a6bc19229c0e8aa35d8175579555b2bc0444ccde2d3605"},
                      StrategyCase{"model", "ed4694f912c91a8263a6bc19229c0e8aa35d8175579555b2bc0444ccde2d3605", 4},
                      StrategyCase{"list", "5d14471dd2d2f380a625b5ca003a76de3dd63300c2a10feabe265f10e074f029"}),
    NameOf);

// What only the strategies made for a space promise.
class SpaceStrategyConformance : public StrategyConformance {};

TEST_P(SpaceStrategyConformance, MeasuresTheInitialSchedulesFirstInTheirOrder) {
  auto space = MakeSpace({&TiledFamily()});
  Schedule first = space->At(40), second = space->At(3), invalid = first;
  invalid.params["tm"] = 3;
  auto strategy = Make(*space, 1, {first, invalid, second, first});
  std::vector<Schedule> proposals = strategy->Propose(1);
  for (const Schedule& schedule : strategy->Propose(7)) proposals.push_back(schedule);
  ASSERT_GE(proposals.size(), 2u);
  EXPECT_EQ(proposals[0], first);
  EXPECT_EQ(proposals[1], second);
  strategy->Observe(ObserveAll(proposals));
  std::set<std::string> texts;
  for (const Schedule& schedule : proposals) texts.insert(schedule.Text());
  for (const std::string& text : Drive(*strategy, 16, 1 << 20)) EXPECT_TRUE(texts.insert(text).second) << text;
  EXPECT_EQ(texts, TextSet(*space));
}

TEST_P(SpaceStrategyConformance, AWholeSpaceOfInitialSchedulesLeavesNothing) {
  auto space = MakeSpace({&FreeFamily()});
  auto strategy = Make(*space, 1, EnumerateAll(*space));
  EXPECT_EQ(strategy->Propose(100).size(), 12u);
  EXPECT_TRUE(strategy->Exhausted());
}

TEST_P(SpaceStrategyConformance, ProposesFromAHugeSpaceAtOnce) {
  auto space = MakeSpace({&HugeFamily()});
  auto strategy = Make(*space, 1);
  std::vector<std::string> texts = Drive(*strategy, 16, 200);
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), 200u);
  EXPECT_FALSE(strategy->Exhausted());
}

INSTANTIATE_TEST_SUITE_P(All, SpaceStrategyConformance,
                         ::testing::Values(StrategyCase{"exhaustive", ""}, StrategyCase{"random", ""},
                                           StrategyCase{"evolutionary", ""}, StrategyCase{"model", ""},
                                           StrategyCase{"model", "", 4}),
                         NameOf);

TEST(Strategies, AnUnknownNameIsRefusedWithTheKnownOnes) {
  auto space = MakeSpace({&FreeFamily()});
  auto strategy = CreateStrategy("psychic", *space, {});
  EXPECT_EQ(strategy.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(strategy.status().message(), "unknown strategy 'psychic'; known: exhaustive, random, evolutionary, model");
  EXPECT_FALSE(CreateStrategy("", *space, {}).ok());
}

TEST(Strategies, EveryListedNameCanBeCreated) {
  auto space = MakeSpace({&FreeFamily()});
  EXPECT_THAT(StrategyNames(), ElementsAre("exhaustive", "random", "evolutionary", "model"));
  for (const std::string& name : StrategyNames()) EXPECT_TRUE(CreateStrategy(name, *space, {}).ok()) << name;
}

TEST(Strategies, TheSeededOnesFollowTheirSeed) {
  auto space = MakeSpace({&TiledFamily()});
  for (const char* name : {"random", "evolutionary", "model"}) {
    std::set<std::string> runs;
    for (uint64_t seed = 0; seed < 10; ++seed) {
      auto strategy = CreateStrategy(name, *space, {seed, {}});
      ASSERT_TRUE(strategy.ok());
      runs.insert(DigestOf(Drive(**strategy, 8, 24)));
    }
    EXPECT_EQ(runs.size(), 10u) << name;
  }
}

TEST(ProposalSet, TellsSchedulesApart) {
  ProposalSet set;
  for (const char* family : {"f", "g"}) {
    for (const char* other : {"y", "z"}) {
      for (int64_t i = 0; i < 100 * 100; ++i) {
        const Schedule schedule{family, {{"x", i / 100 - 50}, {other, i % 100}}};
        EXPECT_FALSE(set.Contains(schedule));
        EXPECT_TRUE(set.Insert(schedule));
        EXPECT_TRUE(set.Contains(schedule));
        EXPECT_FALSE(set.Insert(schedule));
      }
    }
  }
  EXPECT_EQ(set.size(), 40000u);
}

TEST(ListStrategy, ProposesTheListInOrderAndDuplicatesOnce) {
  Schedule a{"f", {{"x", 1}}}, b{"f", {{"x", 2}}};
  auto strategy = CreateListStrategy({b, a, b, a});
  EXPECT_THAT(strategy->Propose(10), ElementsAre(b, a));
  EXPECT_TRUE(strategy->Exhausted());
  EXPECT_TRUE(CreateListStrategy({})->Exhausted());
}

}  // namespace
}  // namespace mmtune
