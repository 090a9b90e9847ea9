// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/schedule_text.h"

#include <set>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::ElementsAre;

TuningRecord RecordOf(Schedule schedule) {
  TuningRecord record = OkRecord(1e6);
  record.schedule = std::move(schedule);
  return record;
}

TEST(WordsOfTest, NamesTheTiles) {
  const ScheduleLabels words = WordsOf(OkRecord(1));
  EXPECT_EQ(words.blockTile, "64x32x16");
  EXPECT_EQ(words.threadTile, "8x4");
  EXPECT_EQ(words.stages, "3");
  EXPECT_EQ(words.splitK, "2");
}

TEST(WordsOfTest, ADirectScheduleHasNoKStep) {
  const ScheduleLabels words = WordsOf(RecordOf({"direct", {{"bx", 32}, {"by", 8}, {"tm", 4}, {"tn", 2}}}));
  EXPECT_EQ(words.blockTile, "32x64");
  EXPECT_EQ(words.threadTile, "4x2");
  EXPECT_EQ(words.stages, "-");
  EXPECT_EQ(words.splitK, "-");
}

TEST(WordsOfTest, WhatThisProgramDoesNotKnowIsNoError) {
  EXPECT_EQ(WordsOf(RecordOf({"future", {{"x", 1}}})).blockTile, "-");
  EXPECT_EQ(WordsOf(RecordOf({"fma", {{"bm", 64}, {"bn", 64}}})).blockTile, "-");
}

TEST(ScheduleSummaryTest, SaysWhatMattersMost) {
  TuningRecord record = OkRecord(1);
  EXPECT_EQ(ScheduleSummary(record.problem, record.schedule),
            "fma, block tile 64x32x16, thread tile 8x4, 3 stages, split-k 2");
  record.schedule.params["split_k"] = record.schedule.params["stages"] = 1;
  EXPECT_EQ(ScheduleSummary(record.problem, record.schedule), "fma, block tile 64x32x16, thread tile 8x4, 1 stage");
  EXPECT_EQ(ScheduleSummary(record.problem, {"future", {{"x", 1}}}), "future x=1");
}

TEST(DifferencesTest, AreParametersInTheOrderOfTheFamilyWithoutTheTile) {
  TuningRecord other = OkRecord(1);
  for (const char* name : {"bm", "bk", "stages", "lm"}) other.schedule.params[name] *= 2;
  EXPECT_THAT(DifferencesOf({OkRecord(1), other}), ElementsAre("lm=4 stages=3", "lm=8 stages=6"));
  TuningRecord third = OkRecord(1);
  third.schedule.params["stages"] = 2;
  EXPECT_THAT(DifferencesOf({OkRecord(1), other, third}), ElementsAre("lm=4 stages=3", "lm=8 stages=6", "stages=2"))
      << "what is as in the first row is not said again";
  EXPECT_THAT(DifferencesOf({OkRecord(1)}), ElementsAre(""));
  EXPECT_THAT(DifferencesOf({}), ElementsAre());
}

TEST(DifferencesTest, SeveralFamiliesAreNamedAndComparedWithinThemselves) {
  TuningRecord other = OkRecord(1);
  other.schedule.params["stages"] = 2;
  EXPECT_THAT(DifferencesOf({OkRecord(1), other, RecordOf({"direct", {{"bx", 32}, {"by", 8}, {"tm", 4}, {"tn", 2}}})}),
              ElementsAre("fma stages=3", "fma stages=2", "direct"));
}

TEST(DifferencesTest, AParameterThatOneRowLacksDiffersAndAnUnknownTileIsSpelled) {
  EXPECT_THAT(DifferencesOf({RecordOf({"future", {{"bm", 1}, {"bn", 1}, {"bk", 1}}}),
                             RecordOf({"future", {{"bm", 2}, {"bn", 1}, {"bk", 1}, {"x", 1}}})}),
              ElementsAre("bm=1", "bm=2 x=1"));
}

// Whatever differs, no two rows of a table look alike.
TEST(DifferencesTest, NoTwoSchedulesHaveTheSameTextAndTile) {
  std::vector<TuningRecord> records = {OkRecord(1)};
  for (const auto& [name, value] : OkRecord(1).schedule.params) {
    records.push_back(OkRecord(1));
    records.back().schedule.params[name] = value + 1;
  }
  const std::vector<std::string> texts = DifferencesOf(records);
  std::set<std::pair<std::string, std::string>> rows;
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_TRUE(rows.emplace(WordsOf(records[i]).blockTile, texts[i]).second) << texts[i];
  }
}

}  // namespace
}  // namespace mmtune
