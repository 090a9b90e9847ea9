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
