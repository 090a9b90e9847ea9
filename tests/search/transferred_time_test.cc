// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/model/transferred_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/rng.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"

namespace mmtune {
namespace {

double Truth(const std::vector<double>& features) { return 0.5 * features[0] + std::sin(features[1]); }

std::vector<Experience> Some(size_t count, uint64_t seed = 1) {
  SearchRng rng(seed);
  std::vector<Experience> experiences(count);
  for (Experience& experience : experiences) {
    experience.features = {4 * UniformUnit(rng), 4 * UniformUnit(rng), 1};
    experience.surprise = Truth(experience.features);
  }
  return experiences;
}

TEST(TransferredTime, LearnsWhatWasMeasured) {
  const std::optional<TransferredTime> learnt = TransferredTime::Learn(Some(200), 3);
  ASSERT_TRUE(learnt.has_value());
  for (const Experience& unseen : Some(50, 2)) EXPECT_NEAR(learnt->At(unseen.features), unseen.surprise, 0.15);
}

TEST(TransferredTime, OfManyItLearnsFromAFewOfAllOfThem) {
  std::vector<Experience> many = Some(5000);
  // The first half says that nothing matters.
  for (size_t i = 0; i < many.size() / 2; ++i) many[i].surprise = 0;
  const std::optional<TransferredTime> learnt = TransferredTime::Learn(many, 3);
  ASSERT_TRUE(learnt.has_value());
  EXPECT_NEAR(learnt->At({3.5, 1.5, 1}), Truth({3.5, 1.5, 1}) / 2, 0.5);
}

TEST(TransferredTime, WhatWeighsLessCountsLess) {
  // Half of them say the truth, half of them the opposite.
  auto learnt = [](double weight_of_lies) {
    std::vector<Experience> both = Some(200), lies = Some(200);
    for (Experience& lie : lies) {
      lie.surprise *= -1;
      lie.weight = weight_of_lies;
    }
    both.insert(both.end(), lies.begin(), lies.end());
    return *TransferredTime::Learn(both, 3);
  };
  const std::vector<double> place = {3, 1.5, 1};
  EXPECT_NEAR(learnt(1).At(place), 0, 0.3);
  EXPECT_GT(learnt(0.1).At(place), 0.5 * Truth(place));
}

TEST(TransferredTime, TooFewOrOtherFeaturesTeachNothing) {
  EXPECT_FALSE(TransferredTime::Learn({}, 3).has_value());
  EXPECT_FALSE(TransferredTime::Learn(Some(15), 3).has_value());
  EXPECT_TRUE(TransferredTime::Learn(Some(16), 3).has_value());
  EXPECT_FALSE(TransferredTime::Learn(Some(100), 4).has_value());
}

TEST(TransferredTime, WhatIsTheSameEverywhereGivesNumbers) {
  std::vector<Experience> same = Some(20);
  for (Experience& experience : same) experience = {{1, 2, 3}, 0.25};
  const std::optional<TransferredTime> learnt = TransferredTime::Learn(same, 3);
  ASSERT_TRUE(learnt.has_value());
  EXPECT_NEAR(learnt->At({5, 6, 7}), 0.25, 1e-9);
}

TEST(Experiences, HowFastADeviceIsAsAWholeSaysNothing) {
  auto space = MakeSpace({&LandscapeFamily()});
  SearchRng rng(3);
  std::vector<TimedSchedule> measured, twice;
  for (int i = 0; i < 30; ++i) {
    Schedule schedule = space->Sample(rng);
    const double ns = SyntheticMedianNs(schedule);
    measured.push_back({schedule, ns});
    twice.push_back({schedule, 2 * ns});
  }
  const std::vector<Experience> a = ExperiencesOf(*space, measured), b = ExperiencesOf(*space, twice);
  ASSERT_EQ(a.size(), measured.size());
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].features, space->Features(measured[i].schedule));
    EXPECT_NEAR(a[i].surprise, b[i].surprise, 1e-5);
    sum += a[i].surprise;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  EXPECT_TRUE(ExperiencesOf(*space, {}).empty());
}

TEST(Experiences, OfOtherProblemsAreLaidOutAsTheSpaceIs) {
  auto space = MakeSpace({&FreeFamily(), &TiledFamily()});
  auto alone = MakeSpace({&TiledFamily()});
  SearchRng rng(5);
  std::vector<TimedSchedule> measured;
  for (int i = 0; i < 10; ++i) measured.push_back({alone->Sample(rng), 100.0 * (i + 1)});
  measured[3].schedule = {"unheard_of", {{"x", 1}}};
  measured[5].schedule = {"tiled", {{"bm", 3}}};
  const auto found = ExperiencesFrom(*space, {7, 8, 9}, DeviceInfo(), measured);
  ASSERT_EQ(found.size(), measured.size());
  double sum = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].has_value(), i != 3 && i != 5) << i;
    if (!found[i]) continue;
    EXPECT_EQ(found[i]->features, space->Features(measured[i].schedule));
    EXPECT_EQ(found[i]->weight, 1);
    sum += found[i]->surprise;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
}

}  // namespace
}  // namespace mmtune
