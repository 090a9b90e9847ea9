// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/space/search_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "tests/search/fake_family.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> Texts(const std::vector<Schedule>& schedules) {
  std::vector<std::string> texts;
  for (const Schedule& schedule : schedules) texts.push_back(schedule.Text());
  return texts;
}

std::vector<std::string> BruteForceTexts(const std::vector<const FakeFamily*>& families) {
  std::vector<std::string> texts;
  for (const FakeFamily* family : families) {
    for (const Schedule& schedule : family->BruteForce()) texts.push_back(schedule.Text());
  }
  return texts;
}

TEST(SearchSpaceCreate, RefusesAProblemWithoutAnyValidSchedule) {
  DeviceInfo device;
  device.arch = "sm_75";
  auto space = SearchSpace::Create({8, 8, 8, DataType::kF32}, device, {&EmptyFamily()});
  EXPECT_EQ(space.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(space.status().message()), HasSubstr("8x8x8 on sm_75; empty: never"));
  EXPECT_EQ(SearchSpace::Create({8, 8, 8, DataType::kF32}, device, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SearchSpaceCreate, TheRefusalNamesTheRuleOfEachFamilyThatNoScheduleGetsPast) {
  FakeFamily fact("fact", {{"x", {1, 2}}}, {{"device", 0, [](const int64_t*) { return false; }}});
  FakeFamily pair("pair", {{"x", {1, 2}}, {"y", {1, 2, 3}}},
                  {{"odd", 1, [](const int64_t* v) { return v[0] % 2 == 1; }},
                   {"larger", 2, [](const int64_t* v) { return v[1] > v[0]; }},
                   {"even", 2, [](const int64_t* v) { return (v[0] + v[1]) % 2 == 0; }},
                   {"small", 2, [](const int64_t* v) { return v[0] + v[1] < 4; }}});
  FakeFamily bare("bare", {{"x", {}}}, {});
  const auto space = SearchSpace::Create({8, 8, 8, DataType::kF32}, {}, {&fact, &pair, &bare});
  EXPECT_THAT(std::string(space.status().message()), HasSubstr("; fact: device; pair: small; bare: no value of x"));
}

TEST(SearchSpaceCreate, ARuleAboutTheProblemItselfEmptiesItsFamily) {
  FakeFamily refusing("refusing", {{"x", {1, 2}}}, {{"not this problem", 0, [](const int64_t*) { return false; }}});
  FakeFamily agreeing("agreeing", {{"x", {1, 2}}}, {{"this problem", 0, [](const int64_t*) { return true; }}});
  auto space = MakeSpace({&refusing, &agreeing});
  EXPECT_THAT(Texts(EnumerateAll(*space)), ElementsAre("agreeing x=1", "agreeing x=2"));
  EXPECT_EQ(space->Count(), 2);
}

TEST(SearchSpaceCreate, RefusesAFamilyGivenTwice) {
  auto space = SearchSpace::Create({}, {}, {&FreeFamily(), &FreeFamily()});
  EXPECT_EQ(space.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SearchSpaceCreate, ReportsFamiliesThatBreakTheirContract) {
  FakeFamily descending("descending", {{"x", {2, 1}}}, {});
  FakeFamily overreaching("overreaching", {{"x", {1}}}, {{"reads two", 2, [](const int64_t*) { return true; }}});
  std::vector<ScheduleParameter> axes;
  for (int i = 0; i < 63; ++i) axes.push_back({absl::StrCat("x", i), {0, 1}});
  FakeFamily endless("endless", axes, {});
  for (const FakeFamily* family : {&descending, &overreaching, &endless}) {
    auto space = SearchSpace::Create({}, {}, {family});
    EXPECT_EQ(space.status().code(), absl::StatusCode::kInternal) << family->name();
    EXPECT_THAT(std::string(space.status().message()), HasSubstr(std::string(family->name())));
  }
}

TEST(SearchSpaceCreate, AFamilyWithoutParametersHasOneSchedule) {
  FakeFamily constant("constant", {}, {});
  auto space = MakeSpace({&constant});
  EXPECT_EQ(space->Count(), 1);
  EXPECT_THAT(Texts(EnumerateAll(*space)), ElementsAre("constant"));
  SearchRng rng(TestSeed(1));
  EXPECT_EQ(space->Sample(rng).Text(), "constant");
  EXPECT_EQ(space->Mutate(Schedule{"constant", {}}, rng).Text(), "constant");
}

TEST(SearchSpaceSample, FamiliesOfOneScheduleHaveTheirShares) {
  FakeFamily first("first", {}, {}), second("second", {}, {}), third("third", {}, {});
  auto space = MakeSpace({&first, &second, &third});
  std::map<std::string, int> hits;
  SearchRng rng(TestSeed(7));
  for (int i = 0; i < 300; ++i) ++hits[space->Sample(rng).Text()];
  for (const char* family : {"first", "second", "third"}) EXPECT_NEAR(hits[family], 100, 50) << family;
}

TEST(SearchSpaceCreate, AnAxisWithoutValuesLeavesNoSchedule) {
  FakeFamily hollow("hollow", {{"x", {1, 2}}, {"y", {}}}, {{"on x", 1, [](const int64_t*) { return true; }}});
  EXPECT_FALSE(SearchSpace::Create({}, {}, {&hollow}).ok());
  EXPECT_EQ(MakeSpace({&hollow, &FreeFamily()})->Count(), 12);
}

class SearchSpaceOf : public ::testing::TestWithParam<std::vector<const FakeFamily*>> {
 protected:
  static std::unique_ptr<SearchSpace> Make() { return MakeSpace({GetParam().begin(), GetParam().end()}); }
};

TEST_P(SearchSpaceOf, CountsWhatBruteForceCounts) {
  EXPECT_EQ(Make()->Count(), static_cast<int64_t>(BruteForceTexts(GetParam()).size()));
}

TEST_P(SearchSpaceOf, EnumeratesAllInLexicographicOrder) {
  EXPECT_EQ(Texts(EnumerateAll(*Make())), BruteForceTexts(GetParam()));
}

TEST_P(SearchSpaceOf, NumbersInTheOrderOfEnumeration) {
  auto space = Make();
  std::vector<Schedule> all = EnumerateAll(*space);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(space->At(static_cast<int64_t>(i)).Text(), all[i].Text()) << "number " << i;
  }
}

TEST_P(SearchSpaceOf, ContainsExactlyItsSchedules) {
  auto space = Make();
  for (const Schedule& schedule : EnumerateAll(*space)) {
    ASSERT_TRUE(space->Contains(schedule));
    Schedule off_grid = schedule;
    off_grid.params.begin()->second = 1000;
    EXPECT_FALSE(space->Contains(off_grid));
    Schedule extra = schedule;
    extra.params["extra"] = 1;
    EXPECT_FALSE(space->Contains(extra));
    Schedule renamed = schedule;
    renamed.params.erase(renamed.params.begin());
    renamed.params["other"] = 1;
    EXPECT_FALSE(space->Contains(renamed));
    Schedule foreign = schedule;
    foreign.family = "foreign";
    EXPECT_FALSE(space->Contains(foreign));
  }
}

// Pearson's statistic over all schedules, against its 99.99% quantile (Wilson and Hilferty's approximation). The seed
// is fixed, so the test either always passes or always fails.
TEST_P(SearchSpaceOf, SamplesUniformly) {
  auto space = Make();
  std::map<std::string, int64_t> hits;
  for (const Schedule& schedule : EnumerateAll(*space)) hits[schedule.Text()] = 0;
  constexpr int64_t kPerSchedule = 50;
  const int64_t draws = kPerSchedule * static_cast<int64_t>(hits.size());
  SearchRng rng(TestSeed(20240607));
  for (int64_t i = 0; i < draws; ++i) {
    auto it = hits.find(space->Sample(rng).Text());
    ASSERT_NE(it, hits.end());
    ++it->second;
  }
  double chi_square = 0;
  for (const auto& [text, count] : hits) {
    const auto off = static_cast<double>(count - kPerSchedule);
    chi_square += off * off / kPerSchedule;
  }
  const auto freedom = static_cast<double>(hits.size() - 1);
  const double spread = std::sqrt(2 / (9 * freedom));
  EXPECT_LT(chi_square, freedom * std::pow(1 - 2 / (9 * freedom) + 3.719 * spread, 3));
  EXPECT_GT(chi_square, freedom * std::pow(1 - 2 / (9 * freedom) - 3.719 * spread, 3)) << "too even to be random";
}

TEST_P(SearchSpaceOf, MutatesToAnotherValidScheduleInOneParameterWherePossible) {
  auto space = Make();
  std::vector<Schedule> all = EnumerateAll(*space);
  SearchRng rng(TestSeed(3));
  auto distance = [](const Schedule& a, const Schedule& b) {
    int different = 0;
    for (const auto& [name, value] : a.params) different += b.Get(name) != value;
    return different;
  };
  for (size_t i = 0; i < all.size(); i += 7) {
    int nearest = 100;
    for (const Schedule& other : all) {
      if (other.family == all[i].family && other != all[i]) nearest = std::min(nearest, distance(all[i], other));
    }
    for (int repeat = 0; repeat < 5; ++repeat) {
      Schedule mutant = space->Mutate(all[i], rng);
      ASSERT_TRUE(space->Contains(mutant)) << mutant.Text();
      ASSERT_EQ(mutant.family, all[i].family);
      if (nearest <= 2) {
        ASSERT_EQ(distance(all[i], mutant), nearest) << all[i].Text() << " -> " << mutant.Text();
      } else {
        ASSERT_NE(mutant, all[i]);
      }
    }
  }
}

TEST_P(SearchSpaceOf, CrossesIntoValidSchedulesOfTheParentsValues) {
  auto space = Make();
  SearchRng rng(TestSeed(5));
  int children = 0;
  for (int i = 0; i < 200; ++i) {
    Schedule a = space->Sample(rng), b = space->Sample(rng);
    std::optional<Schedule> child = space->Crossover(a, b, rng);
    if (a.family != b.family) {
      EXPECT_FALSE(child.has_value());
    }
    if (!child) continue;
    ++children;
    ASSERT_TRUE(space->Contains(*child)) << child->Text();
    for (const auto& [name, value] : child->params) {
      EXPECT_TRUE(value == a.Get(name) || value == b.Get(name)) << child->Text();
    }
  }
  EXPECT_GT(children, 0);
}

INSTANTIATE_TEST_SUITE_P(FakeFamilies, SearchSpaceOf,
                         ::testing::Values(std::vector{&TiledFamily()}, std::vector{&FreeFamily()},
                                           std::vector{&RareFamily()},
                                           std::vector{&TiledFamily(), &EmptyFamily(), &FreeFamily()},
                                           std::vector{&RareFamily(), &FreeFamily()}),
                         [](const auto& info) {
                           std::string name;
                           for (const FakeFamily* family : info.param) name += std::string(family->name());
                           return name;
                         });

TEST(SearchSpaceFakes, TheFakesAreWhatTheirNamesSay) {
  EXPECT_GT(TiledFamily().BruteForce().size(), 300u);
  EXPECT_THAT(FreeFamily().BruteForce(), SizeIs(12));
  EXPECT_GT(RareFamily().BruteForce().size(), 20u);
  EXPECT_LT(RareFamily().BruteForce().size(), 60u);
  EXPECT_THAT(EmptyFamily().BruteForce(), SizeIs(0));
}

TEST(SearchSpaceMutate, LeavesAnIsolatedScheduleByAsManyParametersAsItTakes) {
  SearchRng rng(TestSeed(11));
  for (const char* other : {"0001", "0011", "0111", "1111"}) {
    FakeFamily family = PointsFamily("points", {"0000", other});
    auto space = MakeSpace({&family});
    ASSERT_EQ(space->Count(), 2);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(space->Mutate(space->At(0), rng), space->At(1)) << other;
  }
}

TEST(SearchSpaceNeighbours, AreAllThatDifferInOneParameter) {
  for (const FakeFamily* family : {&TiledFamily(), &FreeFamily()}) {
    auto space = MakeSpace({family});
    const std::vector<Schedule> all = EnumerateAll(*space);
    for (size_t i = 0; i < all.size(); i += 37) {
      std::set<std::string> expected, found;
      for (const Schedule& other : all) {
        int different = 0;
        for (const auto& [name, value] : all[i].params) different += other.Get(name) != value;
        if (different == 1) expected.insert(other.Text());
      }
      for (const Schedule& neighbour : space->Neighbours(all[i])) EXPECT_TRUE(found.insert(neighbour.Text()).second);
      EXPECT_EQ(found, expected) << all[i].Text();
    }
  }
  EXPECT_TRUE(MakeSpace({&FreeFamily()})->Neighbours({"unheard_of", {}}).empty());
}

/// 300 points of 32^12, as a recorded landscape has them: a rule a parameter, which counts how often it is asked.
class ScatteredFamily {
 public:
  ScatteredFamily() {
    SearchRng rng(TestSeed(17));
    std::vector<ScheduleParameter> axes;
    for (int axis = 0; axis < kAxes; ++axis) {
      axes.push_back({absl::StrCat("p", 10 + axis), {}});
      for (int value = 0; value < 32; ++value) axes.back().values.push_back(value);
    }
    for (int i = 0; i < 300; ++i) {
      std::vector<int64_t> point;
      for (int axis = 0; axis < kAxes; ++axis) {
        point.push_back(static_cast<int64_t>(UniformBelow(rng, 32)));
        beginnings_.insert(point);
      }
    }
    std::vector<ScheduleConstraint> rules;
    for (size_t depth = 1; depth <= kAxes; ++depth) {
      rules.push_back({"recorded", depth, [this, depth](const int64_t* values) {
                         ++asked_;
                         return beginnings_.count({values, values + depth}) > 0;
                       }});
    }
    family_ = std::make_unique<FakeFamily>("scattered", std::move(axes), std::move(rules));
  }

  const FakeFamily& family() const { return *family_; }
  /// Since the last time.
  int64_t TakeAsked() { return std::exchange(asked_, 0); }

 private:
  static constexpr int kAxes = 12;
  std::set<std::vector<int64_t>> beginnings_;
  int64_t asked_ = 0;
  std::unique_ptr<FakeFamily> family_;
};

TEST(SearchSpaceScattered, FewPointsOfAVastGridAreNotLookedForEverywhere) {
  ScatteredFamily scattered;
  auto space = MakeSpace({&scattered.family()});
  EXPECT_EQ(space->Count(), 300);
  SearchRng rng(TestSeed(3));
  space->Sample(rng);  // The first one makes what the others are drawn from.
  scattered.TakeAsked();
  std::set<std::string> sampled;
  for (int i = 0; i < 1000; ++i) sampled.insert(space->Sample(rng).Text());
  EXPECT_GT(sampled.size(), 250u);
  EXPECT_EQ(scattered.TakeAsked(), 0) << "samples are numbers";
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(space->Contains(space->Mutate(space->At(i), rng)));
  EXPECT_LT(scattered.TakeAsked(), 10 * 16000);
  EXPECT_TRUE(space->Neighbours(space->At(0)).empty());
  EXPECT_LT(scattered.TakeAsked(), 500);
}

TEST(SearchSpaceMutate, ReturnsTheScheduleWhenItsFamilyHasNoOther) {
  FakeFamily lonely = PointsFamily("lonely", {"0110"});
  auto space = MakeSpace({&lonely, &FreeFamily()});
  SearchRng rng(TestSeed(1));
  EXPECT_EQ(space->Mutate(space->At(0), rng), space->At(0));
}

TEST(SearchSpaceMutate, SamplesInsteadOfAScheduleTheSpaceDoesNotContain) {
  auto space = MakeSpace({&FreeFamily()});
  SearchRng rng(TestSeed(1));
  EXPECT_TRUE(space->Contains(space->Mutate(Schedule{"unheard_of", {{"z", 1}}}, rng)));
}

TEST(SearchSpaceMutate, ReachesEveryValueOfEveryAxis) {
  auto space = MakeSpace({&FreeFamily()});
  SearchRng rng(TestSeed(1));
  std::set<std::string> reached;
  for (int i = 0; i < 500; ++i) reached.insert(space->Mutate(space->At(0), rng).Text());
  EXPECT_THAT(reached, ElementsAre("free x=1 y=11", "free x=1 y=7", "free x=1 y=9", "free x=2 y=5", "free x=3 y=5"));
}

TEST(SearchSpaceContains, NeitherFewerNorOtherParameters) {
  FakeFamily family("grid", {{"x", {1, 2}}, {"z", {1, 4}}}, {});
  auto space = MakeSpace({&family});
  EXPECT_TRUE(space->Contains({"grid", {{"x", 2}, {"z", 1}}}));
  for (const Schedule& other : {Schedule{"grid", {{"x", 2}}}, Schedule{"grid", {{"x", 2}, {"y", 1}}},
                                Schedule{"grid", {{"x", 2}, {"y", 1}, {"z", 1}}}}) {
    EXPECT_FALSE(space->Contains(other)) << other.Text();
  }
}

TEST(SearchSpaceCrossover, GivesUpWhenTheParentsHaveNoValidChild) {
  // Nearly all mixtures of these two are invalid, so a parent comes back or nothing does.
  FakeFamily family = PointsFamily("points", {"0000", "1111"});
  auto space = MakeSpace({&family, &FreeFamily()});
  SearchRng rng(TestSeed(1));
  for (int i = 0; i < 100; ++i) {
    std::optional<Schedule> child = space->Crossover(space->At(0), space->At(1), rng);
    if (child) {
      EXPECT_TRUE(*child == space->At(0) || *child == space->At(1));
    }
  }
  EXPECT_EQ(space->Crossover(space->At(0), space->At(5), rng), std::nullopt) << "parents of two families";
  EXPECT_EQ(space->Crossover(space->At(0), Schedule{"points", {}}, rng), std::nullopt) << "a parent not in the space";
}

TEST(SearchSpaceHuge, ABillionSchedulesAreCountedNumberedAndSampledAtOnce) {
  int64_t evaluations = 0;
  FakeFamily counting("counting", HugeFamily().Parameters({}, {}), {{"diagonal", 2, [&evaluations](const int64_t* v) {
                                                                       ++evaluations;
                                                                       return v[0] == v[1];
                                                                     }}});
  auto space = MakeSpace({&counting});
  EXPECT_EQ(space->Count(), 1'000'000'000);
  EXPECT_EQ(space->At(0).Text(), "counting p0=1 p1=1 p2=1 p3=1 p4=1 p5=1 p6=1 p7=1 p8=1 p9=1");
  EXPECT_EQ(space->At(123'456'789).Text(), "counting p0=2 p1=2 p2=3 p3=4 p4=5 p5=6 p6=7 p7=8 p8=9 p9=10");
  EXPECT_EQ(space->At(999'999'999).Text(), "counting p0=10 p1=10 p2=10 p3=10 p4=10 p5=10 p6=10 p7=10 p8=10 p9=10");
  SearchRng rng(TestSeed(1));
  EXPECT_TRUE(space->Contains(space->Sample(rng)));
  EXPECT_LT(evaluations, 2000) << "each of the 100 choices of the bound axes once or a few times, and nothing else";
}

TEST(SearchSpaceIndex, StaysExactWhenThereAreMoreChoicesThanLandmarks) {
  // 10^5 valid choices of the bound axes: the landmarks are thinned out twice.
  std::vector<int64_t> values;
  for (int64_t v = 0; v < 400; ++v) values.push_back(v);
  FakeFamily family("wide", {{"x", values}, {"y", values}, {"z", {1, 2}}},
                    {{"even", 2, [](const int64_t* v) { return (v[0] * 7 + v[1] * 3) % 8 < 5; }}});
  auto space = MakeSpace({&family});
  EXPECT_EQ(space->Count(), 200'000);
  auto walk = space->Enumerate();
  for (int64_t i = 0; i < 200'000; ++i) {
    Schedule expected = *walk->Next();
    if (i % 997 == 0 || i > 199'990) {
      ASSERT_EQ(space->At(i), expected) << i;
    }
  }
  EXPECT_FALSE(walk->Next().has_value());
}

TEST(SearchSpaceThreads, CountsTheSameFromManyThreads) {
  auto space = MakeSpace({&RareFamily(), &TiledFamily()});
  const auto expected = static_cast<int64_t>(BruteForceTexts({&RareFamily(), &TiledFamily()}).size());
  std::vector<int64_t> counts(8);
  std::vector<std::thread> threads;
  const uint64_t seed = TestSeed(1);
  for (int64_t& count : counts) {
    threads.emplace_back([&space, &count, seed] {
      SearchRng rng(seed);
      space->Sample(rng);
      count = space->Count();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(counts, ::testing::Each(expected));
}

TEST(SearchSpaceDeterminism, OneSeedGivesOneStreamOfSamples) {
  auto space = MakeSpace({&TiledFamily(), &RareFamily()});
  SearchRng rng(42);
  std::string text;
  Schedule schedule = space->Sample(rng);
  for (int i = 0; i < 100; ++i) {
    schedule = i % 2 == 0 ? space->Sample(rng) : space->Mutate(schedule, rng);
    text += schedule.Text() + "\n";
  }
  EXPECT_EQ(Sha256Hex(text), "78415ce12e8122da1a1065f2417499fa42b9b57f934bea07bc9e2afe7fd79ea2") << text;
}

// Of 300^4 points one in 600 is valid. A walk over all of them would ask a rule 27 million times.
TEST(SearchSpaceOfFewValidPoints, IsSampledAndEstimatedWithoutAWalk) {
  std::vector<int64_t> values;
  for (int64_t v = 0; v < 300; ++v) values.push_back(v);
  int64_t evaluations = 0;
  FakeFamily family("few", {{"x", values}, {"y", values}, {"z", values}, {"w", values}},
                    {{"diagonal", 2, [&](const int64_t* v) { return ++evaluations, v[0] == v[1]; }},
                     {"even", 4, [&](const int64_t* v) { return ++evaluations, (v[2] + v[3]) % 2 == 0; }}});
  auto space = MakeSpace({&family});
  SearchRng rng(TestSeed(1));
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    const Schedule schedule = space->Sample(rng);
    ASSERT_TRUE(space->Contains(schedule)) << schedule.Text();
    sum += static_cast<double>(schedule.Get("x"));
  }
  EXPECT_NEAR(sum / 1000, 149.5, 15);
  EXPECT_NEAR(static_cast<double>(space->Size().schedules), 13.5e6, 1e6);
  EXPECT_TRUE(space->HasMoreThan(5000));
  EXPECT_LT(evaluations, 400'000);
}

TEST(SearchSpaceSize, IsExactOfWhatIsCounted) {
  for (const FakeFamily* family : {&TiledFamily(), &RareFamily(), &FreeFamily()}) {
    auto space = MakeSpace({family});
    const int64_t count = space->Count();
    EXPECT_EQ(space->Size(), (SpaceSize{count, false})) << family->name();
    EXPECT_TRUE(space->HasMoreThan(count - 1));
    EXPECT_FALSE(space->HasMoreThan(count));
  }
  const SpaceSize huge = MakeSpace({&HugeFamily()})->Size();
  EXPECT_NEAR(static_cast<double>(huge.schedules), 1e9, 0.1e9);
  EXPECT_TRUE(huge.estimated);
}

}  // namespace
}  // namespace mmtune
