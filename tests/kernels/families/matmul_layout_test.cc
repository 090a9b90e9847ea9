// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The effect of leading dimensions and strides on copies, and which schedules can have them.
#include <gtest/gtest.h>

#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/families/gemv/gemv_family.h"
#include "kernels/families/mma/mma_schedule.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

MatmulProblem Batch(std::string_view shape, int64_t batch) {
  MatmulProblem problem = TestProblem(shape);
  problem.batch = batch;
  return problem;
}

TEST(MatmulLayoutTest, WhatIsDenseIsNoLayout) {
  MatmulProblem problem = Batch("64x48x32", 6);
  problem.transpose_a = true;
  MatmulLayout layout = DenseLayout(problem);
  EXPECT_EQ(layout.Text(), "lda=64 ldb=48 ldc=48 matrices=6 stride_a=2048 stride_b=1536 stride_c=3072");
  EXPECT_EQ(NormalizedLayout(problem, layout), MatmulLayout());
  EXPECT_EQ(MatmulLayout().Text(), "");

  // Counted by two numbers, and from an aligned place on.
  layout.matrices = {2, 3};
  layout.a = {64, {6144, 2048}, 4};
  layout.b = {48, {4608, 1536}, 0};
  layout.c = {48, {9216, 3072}, 16};
  EXPECT_FALSE(NormalizedLayout(problem, layout).any());
  MatmulLayout odd = layout;
  odd.a.alignment = 2;
  EXPECT_TRUE(NormalizedLayout(problem, odd).any());
  // C may be stored in 16 bits: four elements are no 16 bytes.
  odd = layout;
  odd.c.alignment = 4;
  EXPECT_TRUE(NormalizedLayout(problem, odd).any());
  odd = layout;
  odd.b.matrixStrides = {1536, 0};
  EXPECT_TRUE(NormalizedLayout(problem, odd).any());
}

TEST(MatmulLayoutTest, CopiesAreAsWideAsRowsStridesAndPlaceAllow) {
  const OperandLayout dense;
  EXPECT_EQ(RowAlignment(dense, 20), 20);
  EXPECT_EQ(RowAlignment({32, {}, 0}, 20), 4);
  EXPECT_EQ(RowAlignment({32, {}, 0}, 18), 2);  // Else the last chunk of a row would extend beyond it.
  EXPECT_EQ(RowAlignment({33, {}, 0}, 20), 1);
  EXPECT_EQ(RowAlignment({32, {}, 2}, 20), 2);
  EXPECT_EQ(RowAlignment({32, {640, 0}, 0}, 20), 4);
  EXPECT_EQ(RowAlignment({32, {641}, 0}, 20), 1);

  const MatmulProblem problem = TestProblem("64x64x32");
  const FmaSchedule schedule = FmaSchedule::FromSchedule(ReferenceSchedule("bm=64 bn=64 tm=4 tn=4 min_blocks=1"));
  MatmulLayout layout = DenseLayout(problem);
  layout.a.rowStride = 33;
  layout.b.rowStride = 66;
  layout.c.rowStride = 68;
  const FmaTiling tiling(problem, schedule, {}, layout);
  EXPECT_EQ(tiling.a.copyWidth, 1);
  EXPECT_EQ(tiling.b.copyWidth, 2);
  EXPECT_EQ(tiling.storeC, 4);
  EXPECT_EQ(tiling.rowStrideC, 68);
  const FmaTiling plain(problem, schedule);
  EXPECT_EQ(plain.a.copyWidth, 4);
  EXPECT_EQ(plain.rowStrideC, 64);
}

TEST(MatmulLayoutTest, ADenseCIsClearedAndSummed) {
  const DeviceInfo device = TestDevice("sm_90");
  const MatmulProblem problem = TestProblem("256x256x1024");
  MatmulLayout layout = DenseLayout(problem);
  layout.a.rowStride = 1028;
  for (const char* reduction : {"reduction=1 split_k=2", "reduction=2 split_k=2", "reduction=3 split_k=2"}) {
    const Schedule schedule = ReferenceSchedule(std::string(reduction) + " bm=64 bn=64 tm=4 tn=4 min_blocks=1");
    ASSERT_TRUE(ValidateSchedule(problem, schedule, device).ok()) << ValidateSchedule(problem, schedule, device);
    const bool ordered = schedule.Get("reduction") == 3;
    const std::string why = ordered ? "" : "sums of splits are added to a dense C";
    EXPECT_EQ(WhyLayoutUnsupported(problem, schedule, device, layout), "");
    MatmulLayout other = layout;
    other.c.rowStride = 260;
    EXPECT_EQ(WhyLayoutUnsupported(problem, schedule, device, other), why);
    // The kernel that sums stores 16 bytes at once.
    other = layout;
    other.c.alignment = 3;
    EXPECT_EQ(WhyLayoutUnsupported(problem, schedule, device, other), why);
  }
}

TEST(MatmulLayoutTest, SchedulesHaveToCopyNarrowerPieces) {
  const DeviceInfo device = TestDevice("sm_90");
  const MatmulProblem problem = TestProblem("1024x1024x1024");
  MatmulLayout layout = DenseLayout(problem);
  layout.a.rowStride = 2048;
  EXPECT_EQ(WhyLayoutUnsupported(problem, ReferenceSchedule(), device, layout), "");
  // 128 x 128 floats, one by one, by 128 threads.
  const Schedule deep = ReferenceSchedule("bk=128 unroll_k=16 bm=128 bn=32 tm=8 tn=4 stages=2 min_blocks=1");
  ASSERT_TRUE(ValidateSchedule(problem, deep, device).ok()) << ValidateSchedule(problem, deep, device);
  EXPECT_EQ(WhyLayoutUnsupported(problem, deep, device, layout), "");
  layout.a.rowStride = 2049;
  EXPECT_EQ(WhyLayoutUnsupported(problem, deep, device, layout), "a thread copies at most 64 chunks of A's tile");
  EXPECT_EQ(WhyLayoutUnsupported(problem, deep, device, {}), "");
  EXPECT_EQ(WhyLayoutUnsupported(problem, *ParseSchedule("direct bx=8 by=8 tm=2 tn=4"), device, layout),
            "kernels of direct support dense matrices only");
}

// The chunks of gemv are those of the dense problem, and so is its launch; they are loaded in parts.
TEST(MatmulLayoutTest, PiecesOfOneRowOrColumnAreLoadedInParts) {
  const Schedule schedule =
      *ParseSchedule("gemv lanes_k=8 pieces=1 reduction=0 split_k=1 unroll=1 warps_k=1 warps_out=1");
  auto tiling = [&](const MatmulProblem& problem, const MatmulLayout& layout) {
    const GemvTiling dense(problem, GemvSchedule::FromSchedule(schedule));
    const GemvTiling tiling(problem, GemvSchedule::FromSchedule(schedule), layout);
    EXPECT_EQ(tiling.width, dense.width);
    EXPECT_EQ(tiling.grid.blocks(), dense.grid.blocks());
    return tiling;
  };
  // A matrix of rows along k, times a column of a wider matrix, into another one.
  MatmulProblem problem = TestProblem("256x1x128");
  MatmulLayout layout = DenseLayout(problem);
  EXPECT_EQ(tiling(problem, layout).loadMatrix, 4);
  layout.a.rowStride = 130;
  layout.b.rowStride = 40;
  layout.c.rowStride = 3;
  const GemvTiling columns = tiling(problem, layout);
  EXPECT_EQ(columns.loadMatrix, 2);
  EXPECT_EQ(columns.rowStride, 130);
  EXPECT_EQ(columns.loadVector, 1);
  EXPECT_EQ(columns.vectorStride, 40);
  EXPECT_EQ(columns.strideC, 3);
  EXPECT_EQ(columns.storeC, 1);
  // A row at an odd place, times rows of columns.
  problem = Batch("1x256x128", 2);
  layout = DenseLayout(problem);
  layout.a.alignment = 1;
  layout.b.rowStride = 264;
  layout.c.matrixStrides = {258};
  const GemvTiling rows = tiling(problem, layout);
  EXPECT_EQ(rows.loadMatrix, 4);
  EXPECT_EQ(rows.loadVector, 1);
  EXPECT_EQ(rows.vectorStride, 1);
  EXPECT_EQ(rows.strideC, 1);
  EXPECT_EQ(rows.storeC, 2);
  // For one row, the vector is loaded in parts where the columns of B are rows.
  problem.transpose_b = true;
  layout = DenseLayout(problem);
  layout.a.matrixStrides = {130};
  EXPECT_EQ(tiling(problem, layout).loadVector, 2);

  const DeviceInfo device = TestDevice("sm_90");
  EXPECT_EQ(WhyLayoutUnsupported(problem, schedule, device, layout), "");
  const MatmulProblem one = TestProblem("1x1x128");
  layout = DenseLayout(one);
  layout.a.alignment = 1;
  EXPECT_EQ(WhyLayoutUnsupported(one, schedule, device, layout), "");
  layout.b.rowStride = 2;
  EXPECT_EQ(WhyLayoutUnsupported(one, schedule, device, layout), "the elements of B are not contiguous");
}

}  // namespace
}  // namespace mmtune
