// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summation signature that the kernels of a dispatch table share.
#include "server/tune/commands/row_numerics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/strategies/kernel_selection.h"
#include "server/tune/commands/row_tables.h"
#include "server/tune/session/console.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

std::vector<MatmulProblem> Buckets(std::string_view shape, DataType type, int64_t to) {
  std::vector<MatmulProblem> buckets;
  for (const int64_t end : HalfOctaves(1, to)) {
    buckets.push_back(*ParseMatmulShape(shape, type));
    buckets.back().m = end;
  }
  return buckets;
}

TEST(RowNumerics, TheSignatureIsTheOneThatCostsLeast) {
  const DeviceInfo device = TestDevice("sm_90");
  for (const char* shape : {"1x4096x4096", "1x512x8192", "1x16384x1024"}) {
    const std::vector<MatmulProblem> buckets = Buckets(shape, DataType::kBf16, 2048);
    const std::vector<std::string> parts = PartsForRows(buckets[0], device);
    const absl::StatusOr<SharedSignature> shared = ChooseSharedSignature(buckets, parts, device);
    ASSERT_TRUE(shared.ok()) << shared.status();
    std::printf("%s M=1..2048: %s, %.2f %% slower\n", shape, shared->text.c_str(), 100 * shared->cost);
    EXPECT_GE(shared->cost, 0);
    EXPECT_LT(shared->cost, 0.2);
    EXPECT_EQ(ChooseSharedSignature(buckets, parts, device)->text, shared->text);
    for (const MatmulProblem& bucket : buckets) {
      const absl::StatusOr<ScheduleConstraint> rule =
          SummationRule("mma", bucket, device, {Numerics::Contract::kSameAs, shared->text});
      EXPECT_TRUE(rule.ok());
    }
    if (std::string_view(shape) != "1x512x8192") continue;
    // Few tiles and a long k: slices cost other buckets less than they gain here.
    const absl::StatusOr<SharedSignature> of_few = ChooseSharedSignature({buckets[0]}, parts, device);
    EXPECT_EQ(of_few->cost, 0);
  }
}

TEST(RowNumerics, EveryBucketCounts) {
  // Buckets of many rows at the odd positions: the fastest order of additions for one row is not theirs.
  const DeviceInfo device = TestDevice("sm_90");
  const MatmulProblem one_row = Buckets("1x4096x4096", DataType::kBf16, 1).front();
  MatmulProblem many_rows = one_row;
  many_rows.m = 2048;
  std::vector<MatmulProblem> buckets;
  for (int i = 0; i < 16; ++i) buckets.push_back(i % 2 == 0 || i == 15 ? one_row : many_rows);
  const std::vector<std::string> parts = PartsForRows(one_row, device);
  const absl::StatusOr<SharedSignature> of_one = ChooseSharedSignature({one_row}, parts, device);
  const absl::StatusOr<SharedSignature> of_both = ChooseSharedSignature(buckets, parts, device);
  ASSERT_TRUE(of_one.ok() && of_both.ok());
  EXPECT_EQ(of_one->cost, 0);
  EXPECT_GT(of_both->cost, 0);
}

TEST(RowNumerics, NoSignatureIsOneLine) {
  const DeviceInfo device = TestDevice("sm_90");
  const std::vector<MatmulProblem> buckets = Buckets("1x64x64", DataType::kF32, 8);
  EXPECT_THAT(std::string(ChooseSharedSignature(buckets, {"mma split_k=1 stream_k=1"}, device).status().message()),
              HasSubstr("no kernel family has a valid schedule"));
}

TEST(RowNumerics, BucketsOfAProductShareASignatureAndOthersKeepTheContract) {
  const DeviceInfo device = TestDevice("sm_90");
  ModelMatmul matmul;
  matmul.problem = TestProblem("512x256x512");
  matmul.calls = 1;
  matmul.schedule = ReferenceSchedule("bm=64 bn=64 tm=4 tn=4");
  matmul.rows_step = 1;
  std::vector<MatmulResult> rows = *BucketsOf(matmul, {1}, {0, 1, 4}, device);
  rows.push_back({.matmul = matmul});
  int notes = 0;
  const auto parts = [&](const MatmulResult& row) { return PartsForRows(row.matmul.problem, device); };
  const auto note = [&notes](std::string_view) { ++notes; };
  const auto numerics = *NumericsOfRows(*Numerics::Parse("batch-invariant"), rows, parts, device, note);
  ASSERT_EQ(numerics.size(), 5u);
  EXPECT_EQ(notes, 1);
  EXPECT_THAT(numerics[0].Text(), HasSubstr("same-as fma.f32 over k"));
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(numerics[i].Text(), numerics[0].Text());
  EXPECT_EQ(numerics[4].Text(), "batch-invariant");
  EXPECT_EQ(NumericsOfRows(*Numerics::Parse("deterministic"), rows, parts, device, note)->front().Text(),
            "deterministic");
}

TEST(RowNumerics, ProductWithoutDispatchTableIsAnErrorThatNamesIt) {
  const DeviceInfo device = TestDevice("sm_90");
  ModelMatmul matmul;
  matmul.problem = TestProblem("512x256x512");
  matmul.calls = 1;
  matmul.schedule = ReferenceSchedule("bm=64 bn=64 tm=4 tn=4");
  matmul.rows_step = 1;
  const std::vector<MatmulResult> rows = *BucketsOf(matmul, {1}, {0, 1, 4}, device);
  const Numerics asked = *Numerics::Parse("batch-invariant");
  const std::vector<Numerics> shared(rows.size(), *Numerics::Parse("same-as fma.f32 over k"));
  // The present schedule adds up in the same order, but the compiler may choose another one.
  const absl::Status status = CheckNumerics(asked, shared, rows, {}, device);
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kNoResult);
  EXPECT_EQ(
      status.message(),
      "no kernel for all rows of ?x256x512 that --numerics batch-invariant allows was measured, so that it has no "
      "dispatch table: give more --trials, or a narrower --dim");
  DispatchTable table;
  table.problem = matmul.Text();
  EXPECT_TRUE(CheckNumerics(asked, shared, rows, {table}, device).ok());
  EXPECT_TRUE(CheckNumerics({}, std::vector<Numerics>(rows.size()), rows, {}, device).ok());
}

}  // namespace
}  // namespace mmtune
