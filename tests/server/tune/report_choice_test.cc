// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which records of a long log a page has.
#include "server/tune/report/report_records.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"
#include "tests/server/tune/report_groups_of.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Record `number` of a job, slower the more its number is away from `fastest`.
TuningRecord Record(int64_t number, int64_t fastest = 700) {
  TuningRecord record = OkRecord(1e6 + 1e3 * static_cast<double>(std::abs(number - fastest)));
  record.id = number;
  record.job_uuid = absl::StrCat("job-", number % 2);
  record.schedule.params["group_m"] = number;
  record.measurement.timing.regime = "warm";
  return record;
}

std::vector<TuningRecord> Records(int64_t count, int64_t k = 64) {
  std::vector<TuningRecord> records;
  for (int64_t number = 1; number <= count; ++number) {
    records.push_back(Record(number));
    records.back().problem.k = k;
  }
  return records;
}

std::set<int64_t> Ids(const ReportGroup& group) {
  std::set<int64_t> ids;
  for (const TuningRecord& record : group.records) ids.insert(record.id);
  return ids;
}

TEST(ReportChoiceTest, TakesAllRecordsWhereThereIsRoom) {
  const ChosenRecords chosen = ChooseFrom(Records(1000), 1000);
  ASSERT_THAT(chosen.groups, SizeIs(1));
  EXPECT_THAT(chosen.groups[0].records, SizeIs(1000));
  EXPECT_TRUE(chosen.groups[0].IsWhole());
  EXPECT_EQ(chosen.LeftOutText(), "");
}

TEST(ReportChoiceTest, TakesTheFastestAndASampleOfMore) {
  std::vector<TuningRecord> records = Records(1000);
  records[9].measurement.outcome = Outcome::kCrashed;
  records[9].measurement.timing = {};
  const ChosenRecords chosen = ChooseFrom(records, 100);
  ASSERT_THAT(chosen.groups, SizeIs(1));
  const ReportGroup& group = chosen.groups[0];
  EXPECT_THAT(group.records, SizeIs(100));
  const std::set<int64_t> ids = Ids(group);
  for (int64_t number = 676; number <= 724; ++number) EXPECT_TRUE(ids.contains(number)) << number;
  EXPECT_TRUE(ids.contains(1000)) << "the newest";
  EXPECT_LT(*ids.begin(), 600) << "a sample of the slow ones, too";
  EXPECT_EQ(group.total, 1000);
  EXPECT_EQ(group.outcomes.at(Outcome::kOk), 999);
  EXPECT_EQ(group.outcomes.at(Outcome::kCrashed), 1);
  EXPECT_FALSE(group.IsWhole());
  EXPECT_THAT(chosen.LeftOutText(), HasSubstr("100 of 1,000 records are shown"));
  EXPECT_EQ(Ids(ChooseFrom(records, 100).groups[0]), ids);
}

TEST(ReportChoiceTest, CountsTrialsAndBestTimesOfRecordsThatAreNotShown) {
  const ReportGroup group = ChooseFrom(Records(1000), 50).groups.at(0);
  ASSERT_THAT(group.records, SizeIs(50));
  for (const TuningRecord& record : group.records) {
    const RecordFacts& facts = group.facts.at(record.id);
    EXPECT_EQ(facts.trial, (record.id + 1) / 2) << "of the job's own";
    const int64_t best = record.id <= 700 ? record.id : 700 + record.id % 2;
    EXPECT_EQ(facts.best_ns, Record(best).measurement.timing.median_ns);
    EXPECT_EQ(facts.samples, 3u);
    EXPECT_TRUE(record.measurement.timing.samples_ns.empty());
  }
}

TEST(ReportChoiceTest, TakesEveryRecordOfAChosenSchedule) {
  std::vector<TuningRecord> records = Records(1000);
  for (int i = 0; i < 5; ++i) {
    TuningRecord again = Record(700);
    again.id = 2000 + i;
    again.measurement.timing.median_ns = 9e6;
    records.push_back(again);
  }
  const std::set<int64_t> ids = Ids(ChooseFrom(records, 100).groups.at(0));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(ids.contains(2000 + i));
}

TEST(ReportChoiceTest, AScheduleWithManyRecordsDoesNotTakeAllRoom) {
  std::vector<TuningRecord> records = Records(100);
  for (int64_t id = 101; id <= 5000; ++id) {
    records.push_back(Record(50));
    records.back().id = id;
  }
  EXPECT_LE(ChooseFrom(records, 100).groups.at(0).records.size(), 200u);
}

TEST(ReportChoiceTest, AShortRankingIsWholeBesideALongOne) {
  std::vector<TuningRecord> records = Records(1000);
  for (TuningRecord& record : Records(20, /*k=*/32)) {
    record.id += 5000;
    records.push_back(record);
  }
  const ChosenRecords chosen = ChooseFrom(records, 100);
  ASSERT_THAT(chosen.groups, SizeIs(2));
  for (const ReportGroup& group : chosen.groups) {
    EXPECT_EQ(group.IsWhole(), group.problem.k == 32);
    EXPECT_THAT(group.records, SizeIs(group.problem.k == 32 ? 20 : 80));
  }
}

TEST(ReportChoiceTest, OfMoreRankingsThanRoomTheLongestAreShown) {
  std::vector<TuningRecord> records;
  for (int64_t k = 1; k <= 50; ++k) {
    for (TuningRecord& record : Records(k == 7 ? 3 : 2, k)) {
      record.id += 100 * k;
      records.push_back(record);
    }
  }
  const ChosenRecords chosen = ChooseFrom(records, 10);
  EXPECT_THAT(chosen.groups, SizeIs(10));
  EXPECT_EQ(chosen.groups_left_out, 40u);
  EXPECT_EQ(std::count_if(chosen.groups.begin(), chosen.groups.end(),
                          [](const ReportGroup& group) { return group.problem.k == 7; }),
            1);
  EXPECT_THAT(chosen.LeftOutText(), HasSubstr("40 rankings with few records are left out"));
}

TEST(ReportChoiceTest, TwoLogsGiveTheSameSample) {
  std::vector<TuningRecord> slower = Records(1000);
  for (TuningRecord& record : slower) {
    record.id += 10'000;
    record.measurement.timing.median_ns *= 2;
  }
  const auto schedules = [](const ChosenRecords& chosen) {
    std::set<std::string> texts;
    for (const TuningRecord& record : chosen.groups.at(0).records) texts.insert(record.schedule.Text());
    return texts;
  };
  EXPECT_EQ(schedules(ChooseFrom(Records(1000), 100)), schedules(ChooseFrom(slower, 100)));
}

}  // namespace
}  // namespace mmtune
