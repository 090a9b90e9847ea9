// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/cost_model/experience.h"

#include <gtest/gtest.h>

#include "search/space/rng.h"
#include "tests/search/fake_family.h"
#include "tests/search/synthetic_landscape.h"

namespace mmtune {
namespace {

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
