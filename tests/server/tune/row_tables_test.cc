// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buckets of a matmul whose rows are known at run time only, and the dispatch tables over them.
#include "server/tune/commands/row_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/families/common/registry.h"
#include "proto/wire/convert.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Schedule kPlain = ReferenceSchedule("bm=64 bn=64 tm=4 tn=4");
/// Eight rows of blocks of 16 rows: valid from 113 rows on.
const Schedule kGrouped = ReferenceSchedule("bm=16 bn=64 tm=2 tn=4 group_m=8");
/// Its blocks share tiles, so that it needs the sizes when it is compiled.
const Schedule kSplit = ReferenceSchedule("bm=64 bn=64 tm=4 tn=4 split_k=2 reduction=2");

ModelMatmul Matmul(int64_t step = 1) {
  ModelMatmul matmul;
  matmul.problem = TestProblem("512x512x512");
  matmul.calls = 2;
  matmul.schedule = kPlain;
  matmul.rows_step = step;
  return matmul;
}

std::vector<MatmulResult> Buckets(const ModelMatmul& matmul, int64_t from, int64_t to) {
  std::vector<MatmulResult> rows = *BucketsOf(matmul, {matmul.rows_step}, {0, from, to}, TestDevice("sm_80"));
  for (MatmulResult& row : rows) row.before_ns = static_cast<double>(10 * row.matmul.problem.m);
  return rows;
}

RankedRecord Ranked(const MatmulResult& row, const Schedule& schedule, double ns) {
  RankedRecord ranked;
  ranked.record = OkRecord(ns);
  ranked.record.problem = row.matmul.problem;
  ranked.record.schedule = schedule;
  ranked.record.measurement.code_digest = std::string(64, 'a');
  ranked.ranked_ns = ranked.place_ns = ns;
  return ranked;
}

TEST(RowTables, RangesThatMakeNoBucketsAreRefused) {
  const DimensionSizes sizes = *ParseDimensionSizes("1=2..300");
  EXPECT_EQ(sizes.dimension, 1);
  EXPECT_EQ(sizes.from, 2);
  EXPECT_EQ(sizes.to, 300);
  for (const char* text : {"", "0", "0=", "0=1", "0=1..", "0=..8", "=1..8", "1..8", "0=1...8", "0=1..8 9", "-1=1..8"}) {
    EXPECT_THAT(std::string(ParseDimensionSizes(text).status().message()), HasSubstr("is no range of sizes")) << text;
  }
  EXPECT_THAT(std::string(ParseDimensionSizes("0=0..8").status().message()), HasSubstr("begins below 1"));
  EXPECT_THAT(std::string(ParseDimensionSizes("0=9..8").status().message()), HasSubstr("ends before it begins"));
  EXPECT_THAT(std::string(ParseDimensionSizes("0=1..1048577").status().message()), HasSubstr("ends above 1048576"));
}

TEST(RowTables, OnlyOneDimensionMayVary) {
  ModelMatmuls model;
  model.matmuls = {Matmul()};
  model.open_dimensions = {"0"};
  EXPECT_TRUE(CheckDimension(model, {0, 1, 8}).ok());
  EXPECT_THAT(std::string(CheckDimension(model, {1, 1, 8}).message()), HasSubstr("are all constant"));
  model.open_dimensions = {"0", "1"};
  EXPECT_THAT(std::string(CheckDimension(model, {1, 1, 8}).message()), HasSubstr("dimensions 0 and 1 of"));
  model.open_dimensions = {"0"};
  model.matmuls[0].rows_step = 0;
  EXPECT_THAT(std::string(CheckDimension(model, {0, 1, 8}).message()), HasSubstr("no matmul of the model has rows"));
}

TEST(RowTables, BucketsFollowOneAnotherInMultiplesOfTheStep) {
  const std::vector<MatmulResult> rows = Buckets(Matmul(/*step=*/16), 2, 6);
  std::vector<int64_t> m;
  for (const MatmulResult& row : rows) m.push_back(row.matmul.problem.m);
  EXPECT_THAT(m, ElementsAre(32, 48, 64, 96));
  EXPECT_EQ(*rows[0].rows, (RowRange{32, 32}));
  EXPECT_EQ(*rows[1].rows, (RowRange{33, 48}));
  EXPECT_EQ(*rows[3].rows, (RowRange{65, 96}));
  EXPECT_EQ(rows[0].matmul.schedule, kPlain);
  ModelMatmul grouped = Matmul();
  grouped.schedule = kGrouped;  // Not valid for few rows, which get another one.
  const std::vector<MatmulResult> few = Buckets(grouped, 96, 128);
  EXPECT_NE(few[0].matmul.schedule, kGrouped);
  EXPECT_TRUE(ValidateSchedule(few[0].matmul.problem, few[0].matmul.schedule, TestDevice("sm_80")).ok());
  EXPECT_EQ(few[1].matmul.schedule, kGrouped);
  EXPECT_THAT(std::string(BucketsOf(Matmul(), {1 << 20}, {0, 1, 1 << 20}, TestDevice("sm_80")).status().message()),
              HasSubstr("?x512x512 cannot be tuned for "));
}

TEST(RowTables, BatchIsTunedForTheMiddleOfTheRange) {
  const DeviceInfo device = TestDevice("sm_80");
  ModelMatmul matmul = Matmul(/*step=*/0);
  matmul.problem.batch = 16;
  matmul.batch_step = 4;
  const absl::StatusOr<MatmulResult> row = RowOfBatch(matmul, {0, 1, 64}, {}, device);
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(row->matmul.problem.batch, 32);
  EXPECT_EQ(row->matmul.schedule, kPlain);
  EXPECT_FALSE(row->rows);
  // A problem that is tuned already has one entry in a spec.
  EXPECT_EQ(RowOfBatch(matmul, {0, 1, 64}, {*row}, device)->matmul.problem.batch, 36);
  matmul.batch_step = 1;
  EXPECT_EQ(RowOfBatch(matmul, {0, 1, 1}, {}, device)->matmul.problem.batch, 2) << "a batch of 1 is another kind";
  matmul.batch_step = 1 << 22;
  EXPECT_THAT(std::string(RowOfBatch(matmul, {0, 1, 64}, {}, device).status().message()),
              HasSubstr("512x512x512 batch=? cannot be tuned for 8 as its size"));
}

TEST(RowTables, ProductsThatDifferInTheirStepsHaveOneTable) {
  std::vector<ModelMatmul> matmuls = {Matmul(1), Matmul(16), Matmul(0)};
  matmuls[1].problem.m = 8192;
  matmuls[2].problem.k = 256;
  const std::vector<std::set<int64_t>> steps = JoinSteps(matmuls);
  ASSERT_EQ(matmuls.size(), 2u);
  EXPECT_EQ(*matmuls[0].calls, 4);
  EXPECT_THAT(steps, ElementsAre(ElementsAre(1, 16), testing::IsEmpty()));
  const DeviceInfo device = TestDevice("sm_80");
  const std::vector<MatmulResult> rows = *BucketsOf(matmuls[0], steps[0], {0, 8, 32}, device);
  std::vector<int64_t> m;
  for (const MatmulResult& row : rows) m.push_back(row.matmul.problem.m);
  EXPECT_THAT(m, ElementsAre(8, 12, 16, 24, 32, 128, 192, 256, 384, 512));
  EXPECT_EQ(*rows[5].rows, (RowRange{33, 128}));
  std::vector<std::vector<RankedRecord>> measured;
  for (size_t i = 0; i < rows.size(); ++i) measured.push_back({Ranked(rows[i], kPlain, 1)});
  TuningSpec spec;
  EXPECT_EQ(MakeTables(rows, measured, device, spec, [](std::string_view line) { ADD_FAILURE() << line; }).size(), 1u);
  EXPECT_TRUE(TuningSpecFromJson(TuningSpecToJson(spec)).ok());
  matmuls = {Matmul(1), Matmul(2)};
  matmuls[0].calls.reset();
  JoinSteps(matmuls);
  EXPECT_EQ(matmuls[0].calls, std::nullopt);
}

TEST(RowTables, EveryBucketHasAnEqualPartOfTheTime) {
  std::vector<MatmulResult> rows = Buckets(Matmul(), 1, 4);
  SetShares(rows);
  double sum = 0;
  for (const MatmulResult& row : rows) {
    EXPECT_NEAR(row.BeforeNs(), rows[0].BeforeNs(), 1e-9);
    sum += row.BeforeNs();
  }
  EXPECT_NEAR(sum, 2 * 10 * std::pow(1.0 * 2 * 3 * 4, 0.25), 1e-6);  // Two calls of the geometric mean.
}

TEST(RowTables, BucketIsSplitWhereTheRulesOfItsFastestKernelBeginToHold) {
  const DeviceInfo device = TestDevice("sm_80");
  const std::vector<MatmulResult> rows = Buckets(Matmul(), 64, 256);  // Buckets end at 64, 96, 128, 192 and 256.
  ASSERT_EQ(rows.size(), 5u);
  std::vector<std::vector<RankedRecord>> measured(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    measured[i] = {Ranked(rows[i], kSplit, 50), Ranked(rows[i], kPlain, 150)};
    if (i >= 2) measured[i].insert(measured[i].begin() + 1, Ranked(rows[i], kGrouped, 100));
  }
  EXPECT_EQ(FastestForRows(measured[0]), 1u);
  TuningSpec spec;
  const std::vector<DispatchTable> tables =
      MakeTables(rows, measured, device, spec, [](std::string_view line) { ADD_FAILURE() << line; });
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].problem, "?x512x512");
  EXPECT_EQ(tables[0].kernels, 2u);
  ASSERT_EQ(tables[0].buckets.size(), 6u);  // The third one in two parts.
  EXPECT_EQ(tables[0].buckets[2].rows, (RowRange{97, 112}));
  EXPECT_EQ(tables[0].buckets[2].schedule, kPlain);
  EXPECT_EQ(tables[0].buckets[2].Regret(), 0) << "of the kernels that are valid";
  EXPECT_EQ(tables[0].buckets[3].rows, (RowRange{113, 128}));
  ASSERT_EQ(spec.entries.size(), 2u);
  EXPECT_EQ(*spec.entries[0].rows, (RowRange{64, 112}));
  EXPECT_EQ(spec.entries[0].schedule, kPlain);
  EXPECT_EQ(*spec.entries[1].rows, (RowRange{113, 256}));
  EXPECT_EQ(spec.entries[1].schedule, kGrouped);
  EXPECT_EQ(spec.entries[1].digest, EntryDigest(spec.entries[1]));
  for (const TuningSpecEntry& entry : spec.entries) {
    EXPECT_TRUE(ValidateForRows(entry.problem, entry.schedule, device, entry.rows->from, entry.rows->to).ok());
  }
}

TEST(RowTables, BucketWithoutAKernelLeavesTheProductWithoutATable) {
  const std::vector<MatmulResult> rows = Buckets(Matmul(), 1, 2);
  TuningSpec spec;
  std::string notes;
  EXPECT_TRUE(
      MakeTables(rows, {{Ranked(rows[0], kPlain, 1)}, {}}, TestDevice("sm_80"), spec, [&](std::string_view line) {
        notes += line;
      }).empty());
  EXPECT_THAT(notes, HasSubstr("?x512x512 has no dispatch table"));
  EXPECT_TRUE(spec.entries.empty());
}

TEST(RowTables, WinnersAreMeasuredInBucketsNearTheirs) {
  const std::vector<MatmulResult> rows = Buckets(Matmul(), 1, 64);  // 12 buckets.
  std::vector<std::vector<RankedRecord>> measured(rows.size());
  const Schedule small = ReferenceSchedule("bm=16 bn=64 tm=2 tn=4");
  for (size_t i = 0; i < rows.size(); ++i) measured[i] = {Ranked(rows[i], i == 0 ? small : kPlain, 100)};
  measured[11] = {Ranked(rows[11], kGrouped, 100)};  // Not valid in any of these buckets.
  v1::JobSpec job;
  job.set_seconds(5);
  const std::vector<v1::JobSpec> jobs = NeighbourJobs(rows, measured, TestDevice("sm_80"), job);
  // That of the first bucket is new to four others, and the common one to the first and the last bucket.
  ASSERT_EQ(jobs.size(), 6u);
  EXPECT_EQ(jobs[0].problem().m(), 1);
  EXPECT_EQ(*FromWire(jobs[0].schedules(0)), kPlain);
  EXPECT_EQ(jobs[4].problem().m(), 6);
  EXPECT_EQ(*FromWire(jobs[4].schedules(0)), small);
  EXPECT_EQ(jobs[5].problem().m(), 64);
  EXPECT_EQ(jobs[4].seconds(), 0);
  // Where nothing was measured, the schedule that is used now is.
  const std::vector<v1::JobSpec> first = NeighbourJobs(Buckets(Matmul(), 5, 5), {{}}, TestDevice("sm_80"), job);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(*FromWire(first[0].schedules(0)), kPlain);
}

TEST(RowTables, OnlyKernelsThatTakeRowsAreSearched) {
  // For a single row, only the family for vectors would be searched.
  EXPECT_THAT(PartsForRows(TestProblem("1x512x512"), TestDevice("sm_80")),
              ElementsAre("fma split_k=1 stream_k=1", "mma split_k=1 stream_k=1"));
}

}  // namespace
}  // namespace mmtune
