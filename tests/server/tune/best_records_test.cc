// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/best_records.h"

#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

TuningRecord Record(int64_t bm, double ns) {
  TuningRecord record = OkRecord(ns);
  record.schedule.params["bm"] = bm;
  return record;
}

TuningRecord Compared(TuningRecord record, const Schedule& reference, double ratio) {
  record.measurement.conditions.comparison = Comparison{reference, ratio, ratio, ratio, {ratio}, {ratio}, {1}};
  return record;
}

std::vector<int64_t> Order(const std::vector<TuningRecord>& records) {
  std::vector<int64_t> order;
  for (const TuningRecord& record : records) order.push_back(record.schedule.params.at("bm"));
  return order;
}

using Orders = std::vector<int64_t>;

TEST(BestRecordsTest, RanksWhatWasAdded) {
  BestRecords best;
  for (int bm = 0; bm < 5; ++bm) best.Add(Record(bm, 1000.0 * (5 - bm)));
  EXPECT_EQ(Order(best.Top(3)), (Orders{4, 3, 2}));
  EXPECT_EQ(best.size(), 5u);
  EXPECT_EQ(best.schedules().size(), 5u);
  EXPECT_TRUE(best.Holds(Record(1, 1).schedule));
  EXPECT_FALSE(best.Holds(Record(7, 1).schedule));
  best.Add(Record(4, 8000));
  EXPECT_EQ(Order(best.Top(3)), (Orders{3, 2, 1})) << "its one lucky record is not its time";
}

TEST(BestRecordsTest, TheLogsRankingComesFirst) {
  BestRecords best;
  for (int bm = 1; bm <= 4; ++bm) best.Add(Record(bm, 1000.0 * bm));
  RankedRecord third{Record(3, 9000), std::nullopt, 9000, 9000}, stranger{Record(7, 1), std::nullopt, 1, 1};
  RankedRecord first{Record(1, 9500), Comparison{Record(3, 1).schedule, 1.1, 1, 1.2, {1.1}, {}, {}}, 9900, 9900};
  best.SetRanking({stranger, third, first});
  EXPECT_EQ(Order(best.Top(9)), (Orders{3, 1, 2, 4})) << "what the log did not say comes last";
  EXPECT_EQ(best.Top(2)[1].measurement.timing.median_ns, 9500);
  EXPECT_EQ(best.Top(2)[1].measurement.conditions.comparison->ratio, 1.1);
  EXPECT_EQ(best.Shown(2)[1].measurement.timing.median_ns, 9900);
}

TEST(BestRecordsTest, TheTimesShownAreInTheOrderOfTheRanking) {
  const auto compared = [](int64_t bm, double ratio, const Schedule& reference) {
    TuningRecord record = Record(bm, 1000 * ratio);
    record.measurement.conditions.comparison = Comparison{reference, ratio, 0.98, 1.02, {ratio}, {ratio}, {1}};
    return record;
  };
  BestRecords best;
  const TuningRecord reference = Record(1, 1000);
  best.Add(reference);
  // Both are as fast as the reference; the larger tile is ranked last of them, although its time is the shortest.
  TuningRecord faster = compared(2, 0.995, reference.schedule), slower = compared(3, 1.005, reference.schedule);
  faster.measurement.resources.shared_bytes = 99999;
  best.Add(faster);
  best.Add(slower);
  const std::vector<TuningRecord> shown = best.Shown(9);
  EXPECT_EQ(Order(shown).back(), 2);
  for (const TuningRecord& record : shown) EXPECT_NEAR(record.measurement.timing.median_ns, 1000, 1e-6);
  EXPECT_NEAR(best.Ranked()[2].ranked_ns, 995, 1e-6) << "its own time is the one of the ranking";
}

TEST(BestRecordsTest, WhatIsNotVerifiedIsLeftOutAndCounted) {
  const auto unverified = [](TuningRecord record) {
    record.measurement.verification = {};
    record.measurement.verification.reason = "no valid small shape";
    return record;
  };
  BestRecords best, all(/*allow_unverified=*/true);
  for (const TuningRecord& record : {unverified(Record(1, 500)), Record(2, 1000), unverified(Record(2, 600))}) {
    best.Add(record);
    all.Add(record);
  }
  EXPECT_EQ(Order(best.Top(9)), (Orders{2}));
  EXPECT_EQ(best.verified(), 1u);
  EXPECT_EQ(best.unverified_left_out(), 1u);
  EXPECT_EQ(Order(all.Top(9)), (Orders{1, 2}));
  EXPECT_EQ(all.Top(9)[1].measurement.timing.median_ns, 1000) << "of a schedule, the verified record speaks";
  EXPECT_EQ(all.verified(), 1u);
  EXPECT_EQ(all.unverified_left_out(), 0u);
}

TEST(BestRecordsTest, TheReferenceIsTheOneThatMostWereComparedWith) {
  BestRecords best;
  const TuningRecord first = Record(1, 1000), known = Record(2, 1010);
  for (const TuningRecord& record : {first, known, Record(3, 1020)}) best.Add(record);
  EXPECT_EQ(KnownReference(best.Ranked()), first.schedule);
  best.Add(Compared(Record(3, 1020), known.schedule, 1.1));
  EXPECT_EQ(KnownReference(best.Ranked()), known.schedule);
  EXPECT_TRUE(best.comparisons().empty());
  best.SetReference(known.schedule);
  EXPECT_EQ(best.comparisons().size(), 1u);
}

TEST(BestRecordsTest, TakesOnlyValidResults) {
  BestRecords best;
  TuningRecord wrong = OkRecord(1);
  wrong.measurement.outcome = Outcome::kWrongResult;
  best.Add(wrong);
  best.Add(OkRecord(0));
  EXPECT_TRUE(best.Top(9).empty());
}

}  // namespace
}  // namespace mmtune
