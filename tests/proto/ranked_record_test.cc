// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/ranked_record.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

/// The schedule is known by its `bm`.
TuningRecord Record(int64_t bm, double ns, double spread = 0.02) {
  static int made = 0;
  TuningRecord record = OkRecord(ns);
  record.uuid = "record-" + std::to_string(++made);
  record.unix_millis += made;
  record.schedule.params["bm"] = bm;
  record.measurement.timing.low_ns = ns * (1 - spread);
  record.measurement.timing.high_ns = ns * (1 + spread);
  return record;
}

TuningRecord Compared(TuningRecord record, int64_t reference, double ratio, double half = 0.001) {
  Schedule other = record.schedule;
  other.params["bm"] = reference;
  record.measurement.conditions.comparison = Comparison{other, ratio, ratio - half, ratio + half, {ratio}, {}, {}};
  return record;
}

TuningRecord Unverified(TuningRecord record) {
  record.measurement.verification = {};
  return record;
}

std::vector<int64_t> Order(const std::vector<RankedRecord>& ranked) {
  std::vector<int64_t> order;
  for (const RankedRecord& entry : ranked) order.push_back(entry.record.schedule.params.at("bm"));
  return order;
}

std::vector<double> Times(const std::vector<RankedRecord>& ranked) {
  std::vector<double> times;
  for (const RankedRecord& entry : ranked) times.push_back(entry.ranked_ns);
  return times;
}

using Orders = std::vector<int64_t>;
using Nanoseconds = std::vector<double>;

TEST(RankRecords, UsesTheUpperMedianOfAScheduleRecords) {
  const auto time_of = [](std::vector<double> times) {
    std::vector<TuningRecord> records;
    for (double ns : times) records.push_back(Record(1, ns));
    const std::vector<RankedRecord> ranked = RankRecords(records);
    EXPECT_EQ(ranked.size(), 1u);
    EXPECT_EQ(ranked[0].record.measurement.timing.median_ns, ranked[0].ranked_ns);
    return ranked[0].ranked_ns;
  };
  EXPECT_EQ(time_of({100}), 100);
  EXPECT_EQ(time_of({100, 200}), 200);
  EXPECT_EQ(time_of({300, 100, 200}), 200);
  EXPECT_EQ(time_of({100, 200, 300, 400}), 300);
  EXPECT_EQ(time_of({100, 100, 100, 300}), 100);
  EXPECT_EQ(Order(RankRecords({Record(1, 100), Record(1, 220), Record(1, 210), Record(2, 150)})), (Orders{2, 1}));
}

TEST(RankRecords, CountsRecordsThatShareARunOnce) {
  std::vector<TuningRecord> records = {Record(1, 100), Record(1, 100), Record(1, 100), Record(1, 300)};
  for (TuningRecord& record : records) record.measurement.conditions.run = "one";
  EXPECT_EQ(Times(RankRecords(records)), Nanoseconds{300});
  records[1].measurement.conditions.run = records[2].measurement.conditions.run = "other";
  EXPECT_EQ(Times(RankRecords(records)), Nanoseconds{100}) << "of 100, 100 and 300";
}

TEST(RankRecords, LeavesOutRecordsThatDoNotCount) {
  TuningRecord late = Record(1, 100), wrong = Record(2, 100), untimed = Record(3, 0);
  late.canonical = false;
  wrong.measurement.outcome = Outcome::kWrongResult;
  EXPECT_EQ(Order(RankRecords({late, wrong, untimed, Unverified(Record(4, 100)), Record(5, 200)})), (Orders{5}));
  const RankingRule all{.allow_unverified = true, .any_toolchain = false, .toolchain = ""};
  EXPECT_EQ(Order(RankRecords({late, Unverified(Record(4, 100)), Record(5, 200)}, all)), (Orders{4, 5}));
  EXPECT_EQ(Order(RankRecords({Record(4, 300), Unverified(Record(4, 100)), Record(5, 200)}, all)), (Orders{5, 4}))
      << "of a schedule, the verified record speaks";
  EXPECT_EQ(Order(RankVerifiedOrAll({Unverified(Record(4, 100)), Record(5, 200)})), (Orders{5}));
  EXPECT_EQ(Order(RankVerifiedOrAll({Unverified(Record(4, 100)), Unverified(Record(5, 200))})), (Orders{4, 5}));
}

TEST(RankRecords, RanksTheNewestRecordsToolchain) {
  TuningRecord old = Record(1, 100), newest = Record(2, 300), with_it = Record(3, 200);
  newest.toolchain.mlir = with_it.toolchain.mlir = "23";
  with_it.unix_millis = 1;
  const std::vector<TuningRecord> records = {old, newest, with_it};
  EXPECT_EQ(Order(RankRecords(records)), (Orders{3, 2}));
  EXPECT_EQ(Order(RankRecords(records, {false, /*any_toolchain=*/true, ""})), (Orders{1, 3, 2}));
  EXPECT_EQ(Order(RankRecords(records, {false, false, old.toolchain.Digest()})), (Orders{1}));
  EXPECT_EQ(Order(RankRecords(records, {false, false, std::string(64, '0')})), (Orders{}));
}

TEST(RankRecords, PlacesAScheduleByItsNewestComparison) {
  // The finalists were timed again by the comparisons, on a machine three times as slow, or in a quiet moment.
  const std::vector<TuningRecord> records = {Record(1, 1000),
                                             Record(2, 1010),
                                             Record(3, 1020),
                                             Record(4, 1100),
                                             Compared(Record(2, 3000), 1, 0.7),
                                             Compared(Record(2, 3000), 1, 1.5),
                                             Compared(Record(3, 500), 1, 1.04),
                                             Compared(Record(5, 900), 99, 0.5)};
  const std::vector<RankedRecord> ranked = RankRecords(records);
  EXPECT_EQ(Order(ranked), (Orders{5, 1, 3, 4, 2}));
  EXPECT_EQ(Times(ranked), (Nanoseconds{900, 1000, 1040, 1100, 1500}));
  EXPECT_FALSE(ranked[0].comparison.has_value()) << "the other schedule is not here";
  EXPECT_EQ(ranked[4].comparison->ratio, 1.5);
  const TuningRecord shown = AsRanked(ranked[4]);
  EXPECT_EQ(shown.measurement.timing.median_ns, 1500);
  EXPECT_NEAR(shown.measurement.timing.low_ns, 1499, 1e-6);
  EXPECT_EQ(shown.measurement.timing.samples_ns, (std::vector<double>{1500}));
  EXPECT_EQ(AsRanked(ranked[1]).measurement, ranked[1].record.measurement);
}

TEST(RankRecords, FollowsComparisonsAndBreaksCircles) {
  EXPECT_EQ(Times(RankRecords({Record(1, 1000), Compared(Record(2, 1000), 1, 1.5), Compared(Record(3, 1400), 2, 0.5)})),
            (Nanoseconds{750, 1000, 1500}));
  // 1 was compared with 2, and 2 with 1 later: the later one counts.
  EXPECT_EQ(Order(RankRecords({Compared(Record(1, 1000), 2, 0.5), Compared(Record(2, 1100), 1, 0.9)})), (Orders{2, 1}));
  EXPECT_EQ(Times(RankRecords({Compared(Record(1, 1000), 2, 0.5), Compared(Record(2, 1100), 1, 0.9)})),
            (Nanoseconds{900, 1000}));
}

TEST(RankRecords, IgnoresComparisonsFarFromAllOwnTimes) {
  for (double ratio : {1e-6, 0.2, 5.0, 1e6}) {
    EXPECT_EQ(Times(RankRecords({Record(1, 1000), Compared(Record(2, 1010), 1, ratio)})), (Nanoseconds{1000, 1010}))
        << ratio;
  }
  EXPECT_EQ(Times(RankRecords({Record(1, 1000), Compared(Record(2, 1010), 1, 0.3)})), (Nanoseconds{300, 1000}));
}

/// Returns these schedules in the order of their digests.
Orders ByDigest(Orders schedules) {
  std::sort(schedules.begin(), schedules.end(),
            [](int64_t a, int64_t b) { return Record(a, 1).schedule.Digest() < Record(b, 1).schedule.Digest(); });
  return schedules;
}

TEST(RankRecords, PutsTiesInTheOrderOfTheirDigests) {
  const std::vector<TuningRecord> records = {Record(1, 1000, 0.02),
                                             Compared(Record(2, 1010, 0.02), 1, 1.05, 0.01),
                                             Compared(Record(3, 1020, 0.001), 1, 1.005, 0.02),
                                             Compared(Record(4, 1030, 0.02), 1, 0.97, 0.01),
                                             Record(5, 1040, 0.02),
                                             Compared(Record(6, 1000, 0.0001), 1, 1.4, 0.5)};
  const Orders tied = ByDigest({1, 3});
  EXPECT_EQ(Order(RankRecords(records)), (Orders{4, tied[0], tied[1], 5, 2, 6}));
}

TEST(RankRecords, NoiseDoesNotChooseAmongTies) {
  const Orders expected = ByDigest({1, 2, 3});
  for (const double spread : {0.001, 0.02}) {
    for (const int64_t shared : {0, 4096}) {
      TuningRecord second = Compared(Record(2, 1000 * (1 - spread), spread), 1, 1 - spread / 4, 0.02);
      second.measurement.resources.shared_bytes = shared;
      TuningRecord third = Compared(Record(3, 1000 * (1 + spread), 0.03 - spread), 1, 1 + spread / 4, 0.02);
      EXPECT_EQ(Order(RankRecords({third, Record(1, 1000, 0.01), second})), expected);
    }
  }
}

TEST(RankRecords, IgnoresTheOrderOfRecords) {
  std::vector<TuningRecord> records = {Record(1, 1000),
                                       Record(1, 1100),
                                       Compared(Record(2, 1010), 1, 1.0005),
                                       Record(3, 1000),
                                       Unverified(Record(3, 900)),
                                       Compared(Record(1, 1020), 2, 0.9)};
  const std::vector<RankedRecord> ranked = RankRecords(records);
  std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.uuid < b.uuid; });
  do {
    const std::vector<RankedRecord> again = RankRecords(records);
    ASSERT_EQ(Order(again), Order(ranked));
    ASSERT_EQ(Times(again), Times(ranked));
  } while (std::next_permutation(records.begin(), records.end(),
                                 [](const auto& a, const auto& b) { return a.uuid < b.uuid; }));
}

}  // namespace
}  // namespace mmtune
