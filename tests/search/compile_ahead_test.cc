// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/compile_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "search/space/rng.h"
#include "search/strategies/model_strategy.h"
#include "tests/search/fake_family.h"

namespace mmtune {
namespace {

/// The tiled schedules. Its formula does not know what compiling shows: a third of them spill, and take 1.5 times as
/// long.
class SpillingFamily : public FakeFamily {
 public:
  SpillingFamily() : FakeFamily("spilling", TiledFamily().Parameters({}, {}), TiledFamily().Constraints({}, {})) {}

  static bool Spills(const Schedule& schedule) {
    uint64_t hash = 7;
    for (const auto& [name, value] : schedule.params) hash = hash * 31 + static_cast<uint64_t>(value);
    return hash % 3 == 0;
  }
  static KernelResources Compiled(const Schedule& schedule) {
    KernelResources resources;
    resources.threads = 128;
    resources.registers = Spills(schedule) ? 255 : 128;
    resources.spill_bytes = Spills(schedule) ? 400 : 0;
    return resources;
  }
  std::optional<PredictedTime> Predict(const MatmulProblem&, const Schedule& schedule,
                                       const DeviceInfo&) const override {
    PredictedTime time;
    time.total = 1;
    for (const auto& [name, value] : schedule.params) time.total *= 1 + 0.1 / static_cast<double>(value);
    return time;
  }
  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override {
    std::optional<PredictedTime> time = Predict(problem, schedule, device);
    // Its estimate is too low for all of them, too.
    time->total *= facts.resources.spill_bytes > 0 ? 1.8 : 1.2;
    return time;
  }
  static double Nanoseconds(const Schedule& schedule) {
    return 1e6 * SpillingFamily().Predict({}, schedule, {})->total * (Spills(schedule) ? 1.5 : 1);
  }
};

struct World {
  int compile_lanes = 4;
  int devices = 1;
  int batch = 1;
  double compile_ms = 100, device_ms = 1000;
  bool tells = true;       ///< Registers.
  bool refuses = false;    ///< Schedules that spill do not compile.
  size_t refused = 0;      ///< Nothing compiles until so many were to be.
  bool backwards = false;  ///< Facts come in the opposite order, one by one.
  bool lies = false;       ///< Reports spills for schedules that do not spill.
  bool answers = true;     ///< Compilations get results.
  int lost_rounds = 0;     ///< So many at first get no answer.
  uint64_t seed = 3;
};

struct Course {
  std::vector<Schedule> measured;
  std::vector<Schedule> compiled;
  double best = 1e300;

  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const Schedule& schedule : measured) texts.push_back(schedule.Text());
    return texts;
  }
  size_t CountSpilling() const { return std::count_if(measured.begin(), measured.end(), SpillingFamily::Spills); }
};

CompiledFacts FactsOf(const Schedule& schedule, const World& world) {
  CompiledFacts facts{schedule, CompiledFacts::End::kCompiled, {SpillingFamily::Compiled(schedule), 0}};
  if (!world.tells) facts.code.resources.registers = facts.code.resources.spill_bytes = -1;
  if (world.lies) facts.code.resources.spill_bytes = SpillingFamily::Spills(schedule) ? 0 : 400;
  if (world.refuses && SpillingFamily::Spills(schedule)) facts.end = CompiledFacts::End::kFailed;
  return facts;
}

Course Search(const World& world, size_t trials) {
  static const auto* const family = new SpillingFamily();
  static const auto* const space = MakeSpace({family}).release();
  StrategyOptions options;
  options.seed = world.seed;
  options.lanes = world.devices;
  options.compile_lanes = world.compile_lanes;
  ModelStrategy strategy(*space, options);
  Course course;
  int rounds = 0;
  for (int vain = 0; course.measured.size() < trials && vain < 3;) {
    const int left = static_cast<int>(trials - course.measured.size());
    const std::vector<Schedule> proposals = strategy.Propose(std::min(world.batch, left));
    std::vector<Schedule> wanted = strategy.ToCompile();
    const bool refused = course.compiled.size() < world.refused;
    course.compiled.insert(course.compiled.end(), wanted.begin(), wanted.end());
    if (world.backwards) std::reverse(wanted.begin(), wanted.end());
    for (const Schedule& schedule : wanted) {
      CompiledFacts facts = FactsOf(schedule, world);
      if (refused) facts.end = CompiledFacts::End::kFailed;
      if (world.answers && rounds >= world.lost_rounds) strategy.Compiled({facts});
    }
    for (const Schedule& schedule : proposals) {
      const double ns = SpillingFamily::Nanoseconds(schedule);
      course.best = std::min(course.best, ns);
      strategy.Observe({{schedule, Outcome::kOk, ns, world.compile_ms, world.device_ms}});
      course.measured.push_back(schedule);
    }
    rounds += !wanted.empty();
    vain = proposals.empty() && wanted.empty() ? vain + 1 : 0;
  }
  return course;
}

bool AllDiffer(const std::vector<Schedule>& schedules) {
  std::set<std::string> texts;
  for (const Schedule& schedule : schedules) texts.insert(schedule.Text());
  return texts.size() == schedules.size();
}

TEST(CompileAhead, WhatCompilesBadlyIsNotMeasured) {
  double with = 0, without = 0;
  size_t spilling_with = 0, spilling_without = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Course ahead = Search({.seed = seed}, 24), plain = Search({.compile_lanes = 0, .seed = seed}, 24);
    EXPECT_EQ(ahead.measured.size(), 24u);
    EXPECT_EQ(plain.compiled.size(), 0u);
    EXPECT_GT(ahead.compiled.size(), ahead.measured.size()) << "more are compiled than measured";
    EXPECT_TRUE(AllDiffer(ahead.compiled));
    EXPECT_TRUE(AllDiffer(ahead.measured));
    with += ahead.best;
    without += plain.best;
    spilling_with += ahead.CountSpilling();
    spilling_without += plain.CountSpilling();
  }
  EXPECT_LE(with, without);
  EXPECT_LT(spilling_with, spilling_without / 2) << "of " << spilling_without;
}

TEST(CompileAhead, MeasurementsSayHowFarToBelieveIt) {
  using ResidualSample = CompileAhead::ResidualSample;
  EXPECT_EQ(CompileAhead::DelayWeight({}), CompileAhead::kPrior);
  EXPECT_EQ(CompileAhead::DelayWeight({{0.3, 1}}), CompileAhead::kPrior) << "one says nothing of a slope";
  std::vector<ResidualSample> so, not_so, opposite;
  for (double delay : {-0.3, 0.3, -0.2, 0.2, -0.1, 0.1, 0.3, -0.3}) {
    so.push_back({delay, 5 + delay});
    not_so.push_back({delay, 5});
    opposite.push_back({delay, 5 - delay});
  }
  EXPECT_GT(CompileAhead::DelayWeight(so), 0.9);
  EXPECT_LT(CompileAhead::DelayWeight(so), 1);
  EXPECT_LT(CompileAhead::DelayWeight(not_so), 0.1);
  EXPECT_EQ(CompileAhead::DelayWeight(opposite), 0);
}

TEST(CompileAhead, WhatIsNotSoCostsLittle) {
  double lied_to = 0, without = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    lied_to += Search({.lies = true, .seed = seed}, 32).best;
    without += Search({.compile_lanes = 0, .seed = seed}, 32).best;
  }
  EXPECT_LT(lied_to, 1.08 * without) << lied_to / without;
}

TEST(CompileAhead, ProposalsDoNotDependOnWhenFactsCome) {
  const Course course = Search({}, 24);
  EXPECT_EQ(Search({.backwards = true}, 24).Texts(), course.Texts());
  EXPECT_EQ(Search({.batch = 3}, 24).Texts(), course.Texts());
  EXPECT_EQ(Search({.batch = 24}, 24).Texts(), course.Texts());
}

/// Like Search(), but outcomes and facts come one by one, in an order of their own; of the schedules, some fail, are
/// skipped or cannot be measured or compiled.
std::vector<std::string> SearchInDisorder(uint64_t order, size_t trials) {
  static const auto* const family = new SpillingFamily();
  static const auto* const space = MakeSpace({family}).release();
  StrategyOptions options;
  options.seed = 5;
  options.lanes = 2;
  options.compile_lanes = 3;
  ModelStrategy strategy(*space, options);
  SearchRng rng = MakeStream(order, 0);
  std::vector<std::string> proposed;
  std::vector<Schedule> measuring, compiling;
  const auto take = [&rng](std::vector<Schedule>& from) {
    const auto at = from.begin() + static_cast<ptrdiff_t>(UniformBelow(rng, from.size()));
    Schedule taken = *at;
    from.erase(at);
    return taken;
  };
  for (bool stalled = false; proposed.size() < trials;) {
    if (!stalled && UniformBelow(rng, 2) == 0) {
      const size_t most = std::min(1 + UniformBelow(rng, 3), trials - proposed.size());
      const std::vector<Schedule> next = strategy.Propose(static_cast<int>(most));
      for (const Schedule& schedule : next) proposed.push_back(schedule.Text());
      measuring.insert(measuring.end(), next.begin(), next.end());
      const std::vector<Schedule> wanted = strategy.ToCompile();
      compiling.insert(compiling.end(), wanted.begin(), wanted.end());
      stalled = next.empty();
    } else if (!compiling.empty() && (measuring.empty() || UniformBelow(rng, 2) == 0)) {
      CompiledFacts facts = FactsOf(take(compiling), {});
      const size_t kind = std::hash<std::string>()(facts.schedule.Text()) % 8;
      if (kind < 2) facts.end = kind == 0 ? CompiledFacts::End::kFailed : CompiledFacts::End::kUnknown;
      strategy.Compiled({facts});
      stalled = false;
    } else if (!measuring.empty()) {
      const Schedule schedule = take(measuring);
      constexpr Outcome kEnds[] = {Outcome::kOk, Outcome::kOk,      Outcome::kOk,      Outcome::kOk,
                                   Outcome::kOk, Outcome::kSkipped, Outcome::kCrashed, Outcome::kUnstable};
      const size_t kind = std::hash<std::string>()(schedule.Text()) / 8 % 8;
      strategy.Observe({{schedule, kEnds[kind], SpillingFamily::Nanoseconds(schedule), 100, 1000}});
      stalled = false;
    } else if (stalled) {
      ADD_FAILURE() << "it waits for nothing, after " << proposed.size();
      break;
    }
  }
  return proposed;
}

TEST(CompileAhead, ProposalsDoNotDependOnTheOrderOfOutcomesAndFacts) {
  const std::vector<std::string> proposed = SearchInDisorder(1, 60);
  EXPECT_EQ(std::set<std::string>(proposed.begin(), proposed.end()).size(), 60u);
  for (uint64_t order = 2; order < 12; ++order) EXPECT_EQ(SearchInDisorder(order, 60), proposed) << order;
}

TEST(CompileAhead, AsManyAreCompiledAsLanesHaveTimeFor) {
  const size_t many = Search({.compile_lanes = 4, .compile_ms = 100, .device_ms = 1000}, 24).compiled.size();
  const size_t some = Search({.compile_lanes = 1, .compile_ms = 100, .device_ms = 1000}, 24).compiled.size();
  EXPECT_GT(many, some);
  EXPECT_GT(some, 0u);
  // While a device is busy one lane does not compile another one.
  EXPECT_EQ(Search({.compile_lanes = 1, .compile_ms = 1000, .device_ms = 1000}, 24).compiled.size(), 0u);
  // Nobody knows how long it takes: as many as there are lanes.
  EXPECT_GT(Search({.compile_lanes = 4, .compile_ms = 0, .device_ms = 0}, 24).compiled.size(), 0u);
  EXPECT_EQ(Search({.compile_lanes = 1, .compile_ms = 0, .device_ms = 0}, 24).compiled.size(), 0u);
  // A worker may say what is finite alone, and not in a sum.
  EXPECT_GT(Search({.compile_lanes = 4, .compile_ms = 1e308, .device_ms = 1e308}, 24).compiled.size(), 0u);
}

TEST(CompileAhead, OneRoundServesSeveralDevices) {
  const World world{.compile_lanes = 4, .devices = 4};
  const Course course = Search(world, 24);
  EXPECT_EQ(course.measured.size(), 24u);
  EXPECT_GE(course.compiled.size(), static_cast<size_t>(CompileAhead::kMost * world.devices));
}

TEST(CompileAhead, WithoutRegistersItEndsAfterOneRound) {
  const Course course = Search({.tells = false}, 24);
  EXPECT_EQ(course.measured.size(), 24u);
  EXPECT_EQ(course.compiled.size(), static_cast<size_t>(CompileAhead::kMost));
}

TEST(CompileAhead, WhatDoesNotCompileIsLeftForTheEnd) {
  const Course course = Search({.refuses = true}, 24);
  EXPECT_EQ(course.measured.size(), 24u);
  std::map<std::string, bool> refused;
  for (const Schedule& schedule : course.compiled) refused[schedule.Text()] = SpillingFamily::Spills(schedule);
  for (const Schedule& schedule : course.measured) EXPECT_FALSE(refused[schedule.Text()]) << schedule.Text();
  // Of the whole space they are proposed, too: else nobody would know that it has ended.
  EXPECT_EQ(Search({.refuses = true}, 1 << 20).measured.size(), TiledFamily().BruteForce().size());
}

TEST(CompileAhead, ARoundOfWhichNothingCompilesIsNotTheLast) {
  const Course course = Search({.refused = 1}, 24);
  EXPECT_EQ(course.measured.size(), 24u);
  EXPECT_GT(course.compiled.size(), static_cast<size_t>(CompileAhead::kMost));
}

TEST(CompileAhead, FactsThatNeverComeAreDoneWithout) {
  const Course course = Search({.answers = false}, 24);
  EXPECT_EQ(course.measured.size(), 24u);
  EXPECT_GT(course.compiled.size(), static_cast<size_t>(CompileAhead::kMost)) << "one round may be lost";
  EXPECT_LE(course.compiled.size(), static_cast<size_t>(2 * CompileAhead::kMost)) << "after two nothing is asked for";
}

TEST(CompileAhead, OneLostRoundIsNotTheLast) {
  const Course course = Search({.lost_rounds = 1}, 24);
  EXPECT_EQ(course.measured.size(), 24u);
  EXPECT_GT(course.compiled.size(), static_cast<size_t>(2 * CompileAhead::kMost));
}

}  // namespace
}  // namespace mmtune
