// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/best_records.h"

#include "gtest/gtest.h"
#include "tests/server/cli/record_factory.h"

namespace mmtune {
namespace {

TEST(BestRecordsTest, RanksByTime) {
  BestRecords best;
  for (int i = 0; i < 5; ++i) {
    TuningRecord record = OkRecord(1000.0 * (5 - i));
    record.schedule.params["bm"] = i;
    best.Add(record);
  }
  const auto top = best.Top(3);
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0].measurement.timing.median_ns, 1000);
  EXPECT_EQ(top[2].measurement.timing.median_ns, 3000);
  EXPECT_EQ(best.size(), 5u);
}

TEST(BestRecordsTest, KeepsTheFastestOfASchedule) {
  BestRecords best;
  for (double ns : {2000.0, 1000.0, 3000.0}) best.Add(OkRecord(ns));
  ASSERT_EQ(best.Top(9).size(), 1u);
  EXPECT_EQ(best.Top(9)[0].measurement.timing.median_ns, 1000);
  EXPECT_TRUE(best.Holds(OkRecord(1).schedule));
  EXPECT_FALSE(best.Holds({"fma", {{"bm", 1}}}));
}

TuningRecord Finalist(int64_t bm, double ns, double spread) {
  TuningRecord record = OkRecord(ns);
  record.schedule.params["bm"] = bm;
  record.measurement.timing.low_ns = ns * (1 - spread);
  record.measurement.timing.high_ns = ns * (1 + spread);
  return record;
}

TuningRecord Compared(TuningRecord record, const Schedule& rival, double ratio, double half) {
  record.measurement.conditions.comparison = Comparison{rival, ratio, ratio - half, ratio + half, {ratio}, {}, {}};
  return record;
}

std::vector<int64_t> Order(const std::vector<TuningRecord>& records) {
  std::vector<int64_t> order;
  for (const TuningRecord& record : records) order.push_back(record.schedule.params.at("bm"));
  return order;
}

TEST(BestRecordsTest, RowsAreInTheOrderOfTheTimesTheyShow) {
  // Compared on a machine that had become three times as slow: their own times of then say nothing beside the others'.
  BestRecords best;
  const TuningRecord rival = Finalist(1, 1000, 0.02);
  for (const TuningRecord& record :
       {rival, Finalist(2, 1010, 0.02), Finalist(3, 1020, 0.02), Finalist(4, 1100, 0.02), Finalist(5, 2000, 0.02)}) {
    best.Add(record);
  }
  TuningRecord far = Compared(Finalist(2, 1010, 0.02), rival.schedule, 1.5, 0.1);
  TuningRecord near = Compared(Finalist(3, 1020, 0.02), rival.schedule, 1.04, 0.02);
  for (TuningRecord* record : {&far, &near}) {
    Comparison& comparison = *record->measurement.conditions.comparison;
    comparison.medians_ns = {3000 * comparison.ratio};
    comparison.rival_medians_ns = {3000};
    best.Add(*record);
  }
  best.SetRival(rival.schedule);
  const std::vector<TuningRecord> shown = best.Shown(9);
  EXPECT_EQ(Order(shown), (std::vector<int64_t>{1, 3, 4, 2, 5}));
  EXPECT_EQ(Order(best.Top(9)), Order(shown));
  std::vector<double> times;
  for (const TuningRecord& record : shown) times.push_back(record.measurement.timing.median_ns);
  EXPECT_EQ(times, (std::vector<double>{1000, 1040, 1100, 1500, 2000}));
  EXPECT_NEAR(shown[3].measurement.timing.low_ns, 1400, 1e-6);
  EXPECT_NEAR(shown[3].measurement.timing.high_ns, 1600, 1e-6);
  EXPECT_EQ(Order(best.Shown(2)), (std::vector<int64_t>{1, 3}));
}

TuningRecord Unproven(TuningRecord record) {
  record.measurement.proof = {};
  record.measurement.proof.reason = "no valid small shape";
  return record;
}

TEST(BestRecordsTest, WhatIsNotProvenIsLeftOutAndCounted) {
  const TuningRecord fast = Unproven(Finalist(1, 500, 0.02)), proven = Finalist(2, 1000, 0.02);
  const TuningRecord faster_run = Unproven(Finalist(2, 600, 0.02));
  BestRecords best, all(/*allow_unproven=*/true);
  for (const TuningRecord& record : {fast, proven, faster_run}) {
    best.Add(record);
    all.Add(record);
  }
  EXPECT_EQ(Order(best.Top(9)), (std::vector<int64_t>{2}));
  EXPECT_EQ(best.Top(9)[0].measurement.timing.median_ns, 1000);
  EXPECT_EQ(best.proven(), 1u);
  EXPECT_EQ(best.unproven_left_out(), 1u);
  EXPECT_EQ(Order(all.Top(9)), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(all.Top(9)[1].measurement.timing.median_ns, 1000) << "of a schedule, the proven record speaks";
  EXPECT_EQ(all.proven(), 1u);
  EXPECT_EQ(all.unproven_left_out(), 0u);
}

TEST(BestRecordsTest, FinalistsAreRankedByTheirComparisonWithTheRival) {
  BestRecords best;
  const TuningRecord rival = Finalist(1, 1000, 0.02);
  for (const TuningRecord& record :
       {rival, Finalist(2, 1010, 0.02), Finalist(3, 1020, 0.001), Finalist(4, 1030, 0.02), Finalist(5, 1040, 0.02)}) {
    best.Add(record);
  }
  EXPECT_EQ(Order(best.Top(9)), (std::vector<int64_t>{1, 2, 3, 4, 5}));
  best.SetRival(rival.schedule);
  best.Add(Compared(Finalist(2, 1200, 0.02), rival.schedule, 1.05, 0.01));   // slower
  best.Add(Compared(Finalist(3, 1200, 0.02), rival.schedule, 1.005, 0.02));  // as fast, and steadier than the rival
  best.Add(Compared(Finalist(4, 1200, 0.02), rival.schedule, 0.97, 0.01));   // faster
  const std::vector<TuningRecord> top = best.Top(9);
  EXPECT_EQ(Order(top), (std::vector<int64_t>{4, 3, 1, 5, 2}));
  EXPECT_EQ(top[1].measurement.timing.median_ns, 1020) << "the fastest run of a schedule is kept";
  EXPECT_TRUE(best.Compared(top[0].schedule, rival.schedule));
  EXPECT_FALSE(best.Compared(rival.schedule, rival.schedule));
}

TEST(BestRecordsTest, ATieThatIsWideIsRankedByItsRatio) {
  BestRecords best;
  const TuningRecord rival = Finalist(1, 1000, 0.02);
  best.Add(rival);
  best.Add(Compared(Finalist(2, 1010, 0.001), rival.schedule, 1.4, 0.5));
  best.Add(Compared(Finalist(3, 1010, 0.001), rival.schedule, 0.8, 0.5));
  best.SetRival(rival.schedule);
  EXPECT_EQ(Order(best.Top(9)), (std::vector<int64_t>{3, 1, 2}));
}

TEST(BestRecordsTest, TheRivalIsTheOneThatMostWereComparedWith) {
  BestRecords best;
  const TuningRecord first = Finalist(1, 1000, 0.02), known = Finalist(2, 1010, 0.02);
  for (const TuningRecord& record : {first, known, Finalist(3, 1020, 0.02)}) best.Add(record);
  EXPECT_EQ(best.KnownRival(best.Top(3)), first.schedule);
  best.Add(Compared(Finalist(3, 1020, 0.02), known.schedule, 1.1, 0.01));
  EXPECT_EQ(best.KnownRival(best.Top(3)), known.schedule);
  best.SetRival(known.schedule);
  EXPECT_EQ(best.comparisons().size(), 1u);
}

TEST(BestRecordsTest, AComparisonWithAnotherRivalSaysNothing) {
  BestRecords best;
  const TuningRecord rival = Finalist(1, 1000, 0.02);
  best.Add(rival);
  best.Add(Compared(Finalist(2, 1010, 0.02), Finalist(7, 1, 0).schedule, 0.5, 0.01));
  best.SetRival(rival.schedule);
  const std::vector<TuningRecord> top = best.Top(9);
  EXPECT_EQ(Order(top), (std::vector<int64_t>{1, 2}));
  EXPECT_FALSE(top[1].measurement.conditions.comparison.has_value());
}

TEST(BestRecordsTest, TakesOnlyValidResults) {
  BestRecords best;
  TuningRecord wrong = OkRecord(1);
  wrong.measurement.outcome = Outcome::kWrongResult;
  best.Add(wrong);
  best.Add(OkRecord(0));
  EXPECT_TRUE(best.Top(9).empty());
}

TEST(BestRecordsTest, OfTiedOnesASpreadSteadierByATenthOfAPercentComesFirst) {
  const TuningRecord rival = Finalist(1, 1000, 0.02);
  const auto first = [&rival](double spread_of_the_larger, double spread_of_the_smaller) {
    BestRecords best;
    best.SetRival(rival.schedule);
    best.Add(rival);
    TuningRecord larger = Compared(Finalist(2, 1000, spread_of_the_larger), rival.schedule, 1, 0.01);
    TuningRecord smaller = Compared(Finalist(3, 1000, spread_of_the_smaller), rival.schedule, 1, 0.01);
    larger.measurement.resources.shared_bytes = 2048;
    smaller.measurement.resources.shared_bytes = 1024;
    best.Add(larger);
    best.Add(smaller);
    return Order(best.Top(3))[0];
  };
  EXPECT_EQ(first(0.0096, 0.01053), 2) << "1.0 % and 1.1 %";
  EXPECT_EQ(first(0.0096, 0.0104), 3) << "1.0 % both: less shared memory";
}

}  // namespace
}  // namespace mmtune
