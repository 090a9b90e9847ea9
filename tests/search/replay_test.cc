// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/replay/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/replay/landscape.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

/// x and y from 0 to 9, but not all of them; the best is at 7, 2.
Landscape Valley() {
  Landscape landscape;
  landscape.name = "valley";
  for (int64_t x = 0; x < 10; ++x) {
    for (int64_t y = 0; y < 10; ++y) {
      if ((x * 7 + y * 3) % 5 == 1) continue;
      const auto away = static_cast<double>((x - 7) * (x - 7) + (y - 2) * (y - 2));
      landscape.points.push_back({{"f", {{"x", x}, {"y", y}}}, Outcome::kOk, 1000 + 100 * away});
    }
  }
  return landscape;
}

TEST(Replay, TheSpaceIsWhatWasRecorded) {
  const Landscape landscape = Valley();
  auto replay = Replay::Create(landscape);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_EQ((*replay)->space().Count(), static_cast<int64_t>(landscape.points.size()));
  for (const LandscapePoint& point : landscape.points) EXPECT_TRUE((*replay)->space().Contains(point.schedule));
  EXPECT_FALSE((*replay)->space().Contains({"f", {{"x", 0}, {"y", 2}}}));
  EXPECT_FALSE((*replay)->space().Contains({"f", {{"x", 0}}}));
  EXPECT_FALSE((*replay)->space().Contains({"g", {{"x", 7}, {"y", 2}}}));
}

TEST(Replay, ReachedNeverFallsAndEndsAtOneWhenAllWasTried) {
  const Landscape landscape = Valley();
  auto replay = Replay::Create(landscape);
  ASSERT_TRUE(replay.ok());
  ReplayOptions options;
  options.trials = 200;
  for (const char* strategy : {"exhaustive", "random", "evolutionary", "model"}) {
    auto run = (*replay)->Run(strategy, 3, options);
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_EQ(run->reached.size(), landscape.points.size()) << strategy;
    for (size_t i = 1; i < run->reached.size(); ++i) EXPECT_GE(run->reached[i], run->reached[i - 1]);
    EXPECT_EQ(run->reached.back(), 1) << strategy;
  }
}

TEST(Replay, TheFirstTrialOfTheExhaustiveOneIsTheFirstPoint) {
  const Landscape landscape = Valley();
  auto replay = Replay::Create(landscape);
  ASSERT_TRUE(replay.ok());
  auto summary = (*replay)->Summarize("exhaustive", 3, {.trials = 200});
  ASSERT_TRUE(summary.ok());
  EXPECT_DOUBLE_EQ(summary->median[0], 1000 / landscape.points[0].time_ns);
  EXPECT_EQ(summary->median.size(), 200u);
  EXPECT_EQ(summary->median[199], 1) << "a space that is used up stays so";
  EXPECT_EQ(summary->TrialsTo(summary->median[0]), 1);
  EXPECT_EQ(summary->TrialsTo(1.1), 0);
}

TEST(Replay, PercentilesAreOfTheSeeds) {
  const Landscape landscape = Valley();
  auto replay = Replay::Create(landscape);
  ASSERT_TRUE(replay.ok());
  constexpr int64_t kSeeds = 21;
  auto summary = (*replay)->Summarize("random", kSeeds, {.trials = 4});
  ASSERT_TRUE(summary.ok());
  std::vector<double> last;
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    last.push_back((*replay)->Run("random", seed, {.trials = 4})->reached[3]);
  std::sort(last.begin(), last.end());
  EXPECT_DOUBLE_EQ(summary->median[3], last[10]);
  EXPECT_DOUBLE_EQ(summary->tenth[3], last[2]);
}

TEST(Replay, NoiseMisleadsAndFailuresAreNotFound) {
  const Landscape landscape = Valley();
  auto replay = Replay::Create(landscape);
  ASSERT_TRUE(replay.ok());
  const size_t all = landscape.points.size();
  // With noise, the one that looks best is not always the best.
  int misled = 0, found = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    misled += (*replay)->Run("random", seed, {.trials = 200, .noise = 0.2})->reached.back() < 1;
    found += (*replay)->Run("random", seed, {.trials = 200, .failures = 0.5})->reached.back() == 1;
  }
  EXPECT_GT(misled, 0);
  EXPECT_GT(found, 2) << "half of the time the best schedule does not fail";
  EXPECT_LT(found, 18);
  EXPECT_EQ((*replay)->Run("random", 1, {.trials = 200, .failures = 1})->reached, std::vector<double>(all, 0));
}

TEST(Replay, WhatALandscapeTeachesIsUsedAtOnce) {
  const Landscape landscape = Valley();
  Landscape slower = Valley();
  for (LandscapePoint& point : slower.points) point.time_ns *= 3;
  auto replay = Replay::Create(landscape), teacher = Replay::Create(slower);
  ASSERT_TRUE(replay.ok() && teacher.ok());
  ReplayOptions options{.trials = 4};
  auto cold = (*replay)->Summarize("model", 10, options);
  options.prior = {teacher->get()};
  ASSERT_TRUE((*teacher)->CheckCompatible(**replay).ok());
  auto taught = (*replay)->Summarize("model", 10, options);
  ASSERT_TRUE(cold.ok() && taught.ok());
  EXPECT_GT(taught->median[0], 0.7);
  EXPECT_GT(taught->median[0], cold->median[0] + 0.2);
}

TEST(Replay, WhatHasOtherParametersTeachesNothing) {
  const Landscape landscape = Valley();
  Landscape other = Valley();
  for (LandscapePoint& point : other.points)
    point.schedule.params = {{"x", point.schedule.Get("x")}, {"z", point.schedule.Get("y")}};
  auto replay = Replay::Create(landscape), teacher = Replay::Create(other);
  ASSERT_TRUE(replay.ok() && teacher.ok());
  EXPECT_THAT(std::string((*teacher)->CheckCompatible(**replay).message()), HasSubstr("differ from those of valley"));
}

TEST(Replay, LandscapesThatAreNoneAreRefused) {
  auto message = [](const Landscape& landscape) { return std::string(Replay::Create(landscape).status().message()); };
  Landscape landscape = Valley();
  landscape.points[3].time_ns = 0;
  EXPECT_THAT(message(landscape), HasSubstr("the time must be finite and above 0 for f x=0 y="));
  landscape = Valley();
  landscape.points[1] = landscape.points[0];
  EXPECT_THAT(message(landscape), HasSubstr("there are two results for one schedule: f x=0 y="));
  landscape = Valley();
  landscape.points.resize(1);
  EXPECT_EQ(message(landscape), "a search needs 2 or more schedules that ran, got 1");
  landscape = Valley();
  landscape.points[5].schedule.params.erase("y");
  EXPECT_THAT(message(landscape), HasSubstr("name different parameters"));
  EXPECT_FALSE((*Replay::Create(Valley()))->Run("psychic", 1, {}).ok());
}

}  // namespace
}  // namespace mmtune
