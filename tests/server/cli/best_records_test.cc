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
  EXPECT_FALSE(best.Holds({"simt", {{"bm", 1}}}));
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
  EXPECT_EQ(Order(top), (std::vector<int64_t>{4, 3, 1, 2, 5}));
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

}  // namespace
}  // namespace mmtune
