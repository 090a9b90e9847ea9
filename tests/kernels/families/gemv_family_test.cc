// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/gemv/gemv_family.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Schedule Gemv(std::string_view changes = "") {
  Schedule schedule = *ParseSchedule("gemv lanes_k=32 pieces=4 reduction=0 split_k=1 unroll=2 warps_k=1 warps_out=4");
  const Schedule changed = *ParseSchedule("gemv " + std::string(changes.empty() ? "unroll=2" : changes));
  for (const auto& [name, value] : changed.params) schedule.params[name] = value;
  return schedule;
}

MatmulProblem Typed(std::string_view shape, DataType type, bool transpose_a = false, bool transpose_b = false) {
  MatmulProblem problem = TestProblem(shape, 1, transpose_b);
  problem.dtype = type;
  problem.transpose_a = transpose_a;
  return problem;
}

GemvTiling Tiling(const MatmulProblem& problem, std::string_view changes = "") {
  return GemvTiling(problem, GemvSchedule::FromSchedule(Gemv(changes)));
}

class GemvFamilyTest : public ::testing::Test {
 protected:
  std::string Reason(std::string_view changes, const MatmulProblem& problem = TestProblem("4096x1x4096")) {
    return std::string(family_.Validate(problem, Gemv(changes), TestDevice("sm_75")).message());
  }

  const FamilyBase& family_ = **FindKernelFamily("gemv");
};

TEST_F(GemvFamilyTest, TakesRowsAndColumnsOfEveryTypeOnEveryDevice) {
  for (std::string_view shape : {"4096x1x4096", "1x4096x4096"})
    for (const MatmulProblem& problem : InEveryType(TestProblem(shape, 2, true, "bias"))) {
      if (problem.math == MathMode::kIeee && problem.AccumulatorType() == DataType::kF32) {
        EXPECT_EQ(Reason("", problem), "") << problem.Text();
      } else {
        EXPECT_THAT(Reason("", problem), HasSubstr("math mode is ieee"));
      }
    }
  EXPECT_THAT(Reason("", TestProblem("2x2x64")), HasSubstr("C has one row or one column (m or n is 1)"));
}

TEST_F(GemvFamilyTest, RejectionsNameTheRule) {
  EXPECT_THAT(Reason("lanes_k=12"), HasSubstr("lanes_k divides 32"));
  EXPECT_THAT(Reason("", TestProblem("3x1x4096")), HasSubstr("no chunk of a thread is completely beyond the outputs"));
  EXPECT_THAT(Reason("", TestProblem("12x1x4096")), HasSubstr("no warp of a block is completely beyond the outputs"));
  EXPECT_THAT(Reason("", TestProblem("2147483640x1x4")), HasSubstr("output indices fit 31 bits"));
  EXPECT_THAT(Reason("warps_k=16"), HasSubstr("at most 1024 threads"));
  EXPECT_THAT(Reason("pieces=32 unroll=4"), HasSubstr("at most 64 chunks"));
  EXPECT_THAT(Reason("", TestProblem("4096x1x128")), HasSubstr("no warp and no chunk is completely beyond k"));
  EXPECT_THAT(Reason("pieces=32 unroll=2"), HasSubstr("estimated registers"));
  EXPECT_THAT(Reason("", TestProblem("16x1x2147483600")), HasSubstr("k indices fit 31 bits"));
  EXPECT_THAT(Reason("split_k=2"), HasSubstr("reduction is 0 exactly if"));
  EXPECT_THAT(Reason("split_k=32 reduction=2"), HasSubstr("every split of k has at least one k step"));
  EXPECT_THAT(Reason("split_k=16 reduction=2", TestProblem("4096x1x4096")),
              HasSubstr("with split-k there are at most 16 blocks"));
  EXPECT_THAT(Reason("split_k=2 reduction=1", TestProblem("4096x1x4096", 1, false, "relu")),
              HasSubstr("needs a C of f32"));
}

// The matrix is the operand that is not the vector; its chunks are 16 bytes of a row where that is aligned.
TEST_F(GemvFamilyTest, PiecesRunAlongTheRowsOfTheMatrix) {
  struct Want {
    MatmulProblem problem;
    bool rows_along_k;
    int64_t width;
  };
  const Want wants[] = {
      {Typed("4096x1x4096", DataType::kF32), true, 4},  {Typed("4096x1x4096", DataType::kBf16), true, 8},
      {Typed("4096x1x4097", DataType::kBf16), true, 1}, {Typed("4096x1x4097", DataType::kBf16, true), false, 8},
      {Typed("1x4094x4096", DataType::kF16), false, 2}, {Typed("1x4094x4096", DataType::kF16, false, true), true, 8},
      {Typed("1x1x4096", DataType::kF32), true, 4},     {Typed("1x1x4096", DataType::kF32, true, true), true, 4},
  };
  for (const Want& want : wants) {
    const GemvTiling tiling = Tiling(want.problem);
    EXPECT_EQ(tiling.rowsAlongK, want.rows_along_k) << want.problem.Text();
    EXPECT_EQ(tiling.width, want.width) << want.problem.Text();
  }
}

TEST_F(GemvFamilyTest, GeometryReadsTheMatrixOnce) {
  const ScheduleGeometry dots = *DescribeSchedule(TestProblem("4096x1x2048"), Gemv("warps_k=2"));
  EXPECT_EQ(dots.labels.blockTile, "16x1x512");
  EXPECT_EQ(dots.labels.threadTile, "4x8");
  EXPECT_EQ(dots.threads, 256);
  EXPECT_EQ(dots.sharedBytes, 16 * 4);
  EXPECT_EQ(dots.blocks, 256);
  EXPECT_EQ(dots.bytesMoved, 4.0 * (4096 * 2048 + 256 * 2048 + 4096));
  const ScheduleGeometry row =
      *DescribeSchedule(Typed("1x4096x2048", DataType::kF16), Gemv("lanes_k=1 pieces=1 warps_out=1 warps_k=8"));
  EXPECT_EQ(row.labels.blockTile, "1x256x16");
  EXPECT_EQ(row.labels.threadTile, "8x2");
  EXPECT_EQ(row.blocks, 16);
  EXPECT_EQ(row.sharedBytes, 7 * 256 * 4);
}

TEST_F(GemvFamilyTest, PlansOfSplits) {
  const LaunchPlan plan = *MakeLaunchPlan(TestProblem("100x1x4096", 3, false, "bias"), Gemv("split_k=4 reduction=2"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.workspace_bytes, 4 * 4 * 3 * 100);
  EXPECT_EQ(plan.steps[0].kernel, "gemv");
  EXPECT_EQ(plan.steps[0].grid[0], 3u * 7u);
  EXPECT_EQ(plan.steps[0].grid[2], 4u);
  EXPECT_EQ(plan.steps[0].block[0], 128u);
  EXPECT_THAT(plan.steps[1].arguments, ElementsAre(PlanBuffer::kWorkspace, PlanBuffer::kC, PlanBuffer::kBias));
}

// A column of C has one element of the bias for all its rows.
TEST_F(GemvFamilyTest, StoresAsManyElementsAsCAndTheBiasAllow) {
  const auto stored = [](MatmulProblem problem, OutputType out, std::string_view epilogue) {
    problem.out = out;
    problem.epilogue = *ParseEpilogue(epilogue);
    return Tiling(problem).storeC;
  };
  const MatmulProblem row = Typed("1x4096x64", DataType::kBf16), column = Typed("4096x1x64", DataType::kBf16, true);
  EXPECT_EQ(stored(row, OutputType::kSame, "bias"), 8);
  EXPECT_EQ(stored(row, OutputType::kF32, "bias"), 4);
  EXPECT_EQ(stored(column, OutputType::kSame, "add"), 8);
  EXPECT_EQ(stored(column, OutputType::kSame, "bias"), 1);
}

TEST_F(GemvFamilyTest, ProblemsOfOneRowOrColumnGetItByDefaultWithEnoughBlocks) {
  for (std::string_view shape :
       {"1x1x64", "256x1x64", "1x4096x64", "4096x1x64", "1x4096x4096", "4096x1x4096", "1x8x65536"})
    for (bool transposed : {false, true})
      for (DataType type : {DataType::kF32, DataType::kF16, DataType::kBf16}) {
        const MatmulProblem problem = Typed(shape, type, transposed, transposed);
        const Schedule schedule = *DefaultSchedule(problem, TestDevice("sm_80"));
        EXPECT_EQ(schedule.family, "gemv") << problem.Text();
        if (problem.k >= 4096) {
          EXPECT_GE(DescribeSchedule(problem, schedule)->blocks, 32) << problem.Text() << " " << schedule.Text();
        }
      }
  EXPECT_EQ(DefaultSchedule(TestProblem("2x4096x64"), TestDevice("sm_80"))->family, "fma");
}

TEST_F(GemvFamilyTest, DefaultsLoadWholeSectors) {
  for (std::string_view shape : {"1x4096x4096", "1x4096x11008", "1x2048x2048", "1x1001x4096", "1x4095x4096",
                                 "1x512x4096", "4096x1x4096", "4096x1x4095"})
    for (bool transposed : {false, true})
      for (DataType type : {DataType::kF32, DataType::kBf16})
        for (const char* arch : {"sm_80", "sm_90"}) {
          const MatmulProblem problem = Typed(shape, type, transposed, transposed);
          const Schedule schedule = *DefaultSchedule(problem, TestDevice(arch));
          EXPECT_GE(GemvTiling(problem, GemvSchedule::FromSchedule(schedule)).RunBytes(), kSectorBytes)
              << problem.Text() << " " << schedule.Text();
        }
}

TEST_F(GemvFamilyTest, PartsOfSectorsCostWholeOnes) {
  const MatmulProblem problem = Typed("1x4096x4096", DataType::kBf16);
  const auto bytes_an_output = [&](std::string_view changes) {
    const GemvTiling tiling = Tiling(problem, changes);
    return tiling.Cost().bytes / static_cast<double>(tiling.BlockOutputs() * tiling.grid.bk);
  };
  EXPECT_NEAR(bytes_an_output("lanes_k=32 pieces=1"), 4, 0.2);
  EXPECT_NEAR(bytes_an_output("lanes_k=16 pieces=1"), 2, 0.2);
  EXPECT_NEAR(bytes_an_output("lanes_k=1 pieces=1"), 2, 0.2);
}

TEST_F(GemvFamilyTest, IsMadeForWhatItsRulesTake) {
  const FamilyBase& gemv = **FindKernelFamily("gemv");
  for (std::string_view shape : {"1x4096x4096", "4096x1x4096", "64x64x64"})
    for (const MatmulProblem& problem : InEveryType(TestProblem(shape))) {
      const Schedule schedule = gemv.DefaultSchedules(TestProblem("1x4096x4096"), TestDevice("sm_80"))[0].back();
      const bool taken = gemv.Validate(problem, schedule, TestDevice("sm_80")).ok();
      EXPECT_EQ(gemv.IsSpecializedFor(problem), taken) << problem.Text();
      EXPECT_EQ(gemv.SearchedByDefault(problem), taken) << problem.Text();
    }
}

TEST_F(GemvFamilyTest, VerifiedWithOneRowOrColumnAndRowsAlignedAsThoseOfTheProblem) {
  for (const MatmulProblem& problem : {Typed("1x1001x4096", DataType::kBf16), Typed("1004x1x4092", DataType::kBf16)}) {
    std::string why;
    const auto shapes = VerificationShapes(problem, Gemv("pieces=2"), TestDevice("sm_80"), &why);
    ASSERT_FALSE(shapes.empty()) << why;
    for (const MatmulProblem& shape : shapes) {
      EXPECT_EQ(shape.m == 1, problem.m == 1);
      EXPECT_EQ(shape.n == 1, problem.n == 1);
    }
    EXPECT_EQ(Tiling(shapes.back()).width, Tiling(problem).width) << shapes.back().Text();
  }
}

TEST_F(GemvFamilyTest, AxesFollowTheRowsOfTheMatrix) {
  const auto axes = [&](const MatmulProblem& problem, const DeviceInfo& device) {
    std::string text;
    for (const ScheduleParameter& axis : family_.Parameters(problem, device))
      absl::StrAppend(&text, text.empty() ? "" : " ", axis.name, "=", absl::StrJoin(axis.values, ","));
    return text;
  };
  EXPECT_EQ(axes(TestProblem("4096x1x4096"), TestDevice("sm_90")),
            "lanes_k=8,16,32 pieces=1,2,4,8 warps_out=1,2,4,8 warps_k=1,2,4,8,16 unroll=1,2,4,8 "
            "split_k=1,2,4,8,16,32 reduction=0,1,2");
  EXPECT_EQ(axes(TestProblem("1x64x4096", 1, false, "relu"), TestDevice("sm_90", DeviceKind::kSimt)),
            "lanes_k=2,4,8 pieces=1,2 warps_out=1,2,4,8 warps_k=1,2,4,8,16 unroll=1,2,4,8 split_k=1,2,4 reduction=0,2");
}

}  // namespace
}  // namespace mmtune
