// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/prior_observations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "search/space/rng.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"

namespace mmtune {
namespace {

TEST(PriorObservations, IgnoresTheSpeedOfTheDeviceAsAWhole) {
  auto space = MakeSpace({&LandscapeFamily()});
  SearchRng rng(3);
  std::vector<TimedSchedule> measured, twice;
  for (int i = 0; i < 30; ++i) {
    Schedule schedule = space->Sample(rng);
    const double ns = SyntheticMedianNs(schedule);
    measured.push_back({schedule, ns});
    twice.push_back({schedule, 2 * ns});
  }
  const std::vector<PriorObservation> a = ObservationsOf(*space, measured), b = ObservationsOf(*space, twice);
  ASSERT_EQ(a.size(), measured.size());
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].features, space->Features(measured[i].schedule));
    EXPECT_NEAR(a[i].residual, b[i].residual, 1e-5);
    sum += a[i].residual;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  EXPECT_TRUE(ObservationsOf(*space, {}).empty());
}

TEST(PriorObservations, HasFeaturesLaidOutAsTheSpaceHasThem) {
  auto space = MakeSpace({&FreeFamily(), &TiledFamily()});
  auto alone = MakeSpace({&TiledFamily()});
  SearchRng rng(5);
  std::vector<TimedSchedule> measured;
  for (int i = 0; i < 10; ++i) measured.push_back({alone->Sample(rng), 100.0 * (i + 1)});
  measured[3].schedule = {"unheard_of", {{"x", 1}}};
  measured[5].schedule = {"tiled", {{"bm", 3}}};
  const auto found = ObservationsFrom(*space, {7, 8, 9}, DeviceInfo(), measured);
  ASSERT_EQ(found.size(), measured.size());
  double sum = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].has_value(), i != 3 && i != 5) << i;
    if (!found[i]) continue;
    EXPECT_EQ(found[i]->features, space->Features(measured[i].schedule));
    EXPECT_EQ(found[i]->weight, 1);
    sum += found[i]->residual;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
}

double Truth(const std::vector<double>& features) { return 0.5 * features[0] + std::sin(features[1]); }

std::vector<PriorObservation> Some(size_t count, uint64_t seed = 1) {
  SearchRng rng(seed);
  std::vector<PriorObservation> prior_observations(count);
  for (PriorObservation& prior : prior_observations) {
    prior.features = {4 * UniformUnit(rng), 4 * UniformUnit(rng), 1};
    prior.residual = Truth(prior.features);
  }
  return prior_observations;
}

std::vector<std::vector<double>> FeaturesOf(const std::vector<PriorObservation>& prior_observations) {
  std::vector<std::vector<double>> features;
  for (const PriorObservation& prior : prior_observations) features.push_back(prior.features);
  return features;
}

TEST(PredictResiduals, LearnsWhatWasMeasured) {
  const std::vector<PriorObservation> unseen = Some(100, 2);
  const std::vector<double> expected = PredictResiduals(Some(400), FeaturesOf(unseen));
  double error = 0, spread = 0;
  for (size_t i = 0; i < unseen.size(); ++i) {
    error += std::abs(expected[i] - unseen[i].residual);
    spread += std::abs(unseen[i].residual - 1);
  }
  EXPECT_LT(error, 0.35 * spread);
}

TEST(PredictResiduals, MeansOfSourcesAreDetermined) {
  // The second source knows only what is slow, so that its own mean says that these are average.
  std::vector<PriorObservation> all = Some(100), slow;
  for (const PriorObservation& prior : Some(400, 3)) {
    if (prior.residual > 1.8) slow.push_back(prior);
  }
  ASSERT_GE(slow.size(), 20u);
  double mean = 0;
  for (const PriorObservation& prior : slow) mean += prior.residual / static_cast<double>(slow.size());
  for (PriorObservation& prior : slow) {
    prior.residual -= mean;
    prior.source = 1;
    all.push_back(prior);
  }
  const std::vector<PriorObservation> unseen = Some(100, 2);
  const std::vector<double> expected = PredictResiduals(all, FeaturesOf(unseen));
  const auto error = [&](const std::vector<double>& predicted) {
    double sum = 0, level = 0;
    for (size_t i = 0; i < unseen.size(); ++i) level += (predicted[i] - unseen[i].residual) / 100;
    for (size_t i = 0; i < unseen.size(); ++i) sum += std::abs(predicted[i] - unseen[i].residual - level);
    return sum;
  };
  for (PriorObservation& prior : all) prior.source = 0;
  EXPECT_LT(error(expected), 0.7 * error(PredictResiduals(all, FeaturesOf(unseen))));
}

TEST(PredictResiduals, TheSameSeedAndExperiencesGiveTheSame) {
  const std::vector<std::vector<double>> unseen = FeaturesOf(Some(50, 2));
  EXPECT_EQ(PredictResiduals(Some(300), unseen), PredictResiduals(Some(300), unseen));
}

TEST(PredictResiduals, OfManyItLearnsFromAllOfThem) {
  std::vector<PriorObservation> many = Some(5000);
  // The first half says that nothing matters.
  for (size_t i = 0; i < many.size() / 2; ++i) many[i].residual = 0;
  EXPECT_NEAR(PredictResiduals(many, {{3.5, 1.5, 1}})[0], Truth({3.5, 1.5, 1}) / 2, 0.5);
}

TEST(PredictResiduals, WhatWeighsLessCountsLess) {
  // Half of them say the truth, half of them the opposite.
  auto learned = [](double weight_of_lies) {
    std::vector<PriorObservation> both = Some(200), lies = Some(200);
    for (PriorObservation& lie : lies) {
      lie.residual *= -1;
      lie.weight = weight_of_lies;
    }
    both.insert(both.end(), lies.begin(), lies.end());
    return PredictResiduals(both, {{3, 1.5, 1}})[0];
  };
  EXPECT_NEAR(learned(1), 0, 0.5);
  EXPECT_GT(learned(0.1), 0.5 * Truth({3, 1.5, 1}));
}

TEST(PredictResiduals, WhatIsTheSameEverywhereGivesNumbers) {
  std::vector<PriorObservation> same = Some(kMinPriorObservations);
  for (PriorObservation& prior : same) prior = {{1, 2, 3}, 0.25};
  EXPECT_NEAR(PredictResiduals(same, {{5, 6, 7}})[0], 0.25, 1e-3);
}

TEST(PredictResiduals, TooFewOrOtherFeaturesTeachNothing) {
  auto count = [](const std::vector<PriorObservation>& prior_observations,
                  const std::vector<std::vector<double>>& features) {
    return PredictResiduals(prior_observations, features).size();
  };
  EXPECT_EQ(count({}, {{1, 2, 3}}), 0u);
  EXPECT_EQ(count(Some(kMinPriorObservations - 1), {{1, 2, 3}}), 0u);
  EXPECT_EQ(count(Some(kMinPriorObservations), {{1, 2, 3}}), 1u);
  EXPECT_EQ(count(Some(100), {{1, 2, 3, 4}}), 0u);
  EXPECT_EQ(count(Some(100), {}), 0u);
}

TEST(PriorObservations, SomeOfManyTimesAreSpacedEvenly) {
  std::vector<TimedSchedule> timed;
  for (int i = 0; i < 10; ++i) timed.push_back({Schedule{"f", {}}, static_cast<double>(i)});
  std::vector<double> some;
  for (const TimedSchedule& each : EvenlySpaced(timed, 4)) some.push_back(each.time_ns);
  EXPECT_EQ(some, (std::vector<double>{0, 2, 5, 7}));
  EXPECT_EQ(EvenlySpaced(timed, 20).size(), 10u);
  EXPECT_TRUE(EvenlySpaced({}, 4).empty());
}

}  // namespace
}  // namespace mmtune
