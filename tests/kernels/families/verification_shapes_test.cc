// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/fma/fma_schedule.h"
#include "search/space/search_space.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

DeviceInfo Device(const char* arch) {
  DeviceInfo info = ArchitectureLimits(arch).value();
  info.arch = arch;
  info.multiprocessors = 108;
  return info;
}

std::vector<MatmulProblem> Shapes(const MatmulProblem& problem, const std::string& schedule) {
  std::string why;
  return VerificationShapes(problem, ParseSchedule(schedule).value(), Device("sm_80"), &why);
}

constexpr char kPlain[] =
    "fma async=1 bk=16 bm=64 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=4 tn=4 unroll_k=4";

TEST(VerificationShapesTest, TwoByTwoBlocksAndTwoStepsMoreThanStages) {
  const std::vector<MatmulProblem> shapes = Shapes({4096, 4096, 4096}, kPlain);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].ShapeText(), "128x64x80");
  const MatmulProblem& ragged = shapes[1];
  EXPECT_GT(ragged.m, 64);
  EXPECT_LT(ragged.m, 128);
  EXPECT_GT(ragged.n, 32);
  EXPECT_LT(ragged.n, 64);
  EXPECT_GT(ragged.k, 64);
  EXPECT_LT(ragged.k, 80);
  // Rows are aligned as the problem's are.
  EXPECT_EQ(ragged.n % 8, 0);
  EXPECT_EQ(ragged.k % 8, 0);
  const std::vector<MatmulProblem> unaligned = Shapes({4096, 4095, 4095}, kPlain);
  EXPECT_EQ(unaligned[1].n % 8, 7);
  EXPECT_EQ(unaligned[1].k % 8, 7);
}

// Tiles that are larger than the matrix are verified as such, others where they overlap.
TEST(VerificationShapesTest, AnExtentBelowATileStaysWhatItIs) {
  const std::vector<MatmulProblem> shapes = Shapes({50, 4096, 4096}, kPlain);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].m, 128);
  EXPECT_EQ(shapes[1].m, 50);
  EXPECT_GT(shapes[1].n, 32);
}

// Also where blocks need more tiles, or a longer k, to share one.
TEST(VerificationShapesTest, AnExtentBelowATileStaysWhatItIsWithStreamK) {
  for (const char* stages : {"stages=2", "stages=3", "stages=5"}) {
    const std::string text = absl::StrReplaceAll(
        kPlain, {{"reduction=0", "reduction=3"}, {"stream_k=1", "stream_k=128"}, {"stages=3", stages}});
    const Schedule schedule = ParseSchedule(text).value();
    for (const MatmulProblem& problem : {MatmulProblem{4095, 20, 4096}, MatmulProblem{50, 4095, 4096},
                                         MatmulProblem{50, 20, 4096}, MatmulProblem{50, 20, 4095, DataType::kF32, 3}}) {
      SCOPED_TRACE(problem.Text() + " " + text);
      const std::vector<MatmulProblem> shapes = Shapes(problem, text);
      ASSERT_EQ(shapes.size(), 2u);
      const FmaTiling tiling(problem, FmaSchedule::FromSchedule(schedule));
      const FmaTiling verified(shapes[1], tiling.schedule);
      EXPECT_EQ(verified.a.ExceedsMatrix(), tiling.a.ExceedsMatrix()) << shapes[1].Text();
      EXPECT_EQ(verified.b.ExceedsMatrix(), tiling.b.ExceedsMatrix()) << shapes[1].Text();
      EXPECT_EQ(verified.a.Overlaps(), tiling.a.Overlaps()) << shapes[1].Text();
      EXPECT_EQ(verified.b.Overlaps(), tiling.b.Overlaps()) << shapes[1].Text();
      EXPECT_NE(verified.grid.Tiles() % verified.grid.blocks(), 0) << shapes[1].Text();
      EXPECT_NE(shapes[1].k % 16, 0);
      EXPECT_EQ(shapes[1].k % 8, problem.k % 8);
    }
  }
}

TEST(VerificationShapesTest, TheKindOfTheProblemStays) {
  const MatmulProblem problem{10, 10, 10, DataType::kF32, 16, true, ParseEpilogue("bias").value()};
  for (const MatmulProblem& shape : Shapes(problem, kPlain)) {
    EXPECT_EQ(shape.batch, 2);
    EXPECT_TRUE(shape.transpose_b);
    EXPECT_EQ(shape.epilogue, problem.epilogue);
  }
}

TEST(VerificationShapesTest, WhatIsInvalidEverywhereHasNone) {
  std::string why;
  Schedule schedule = ParseSchedule(kPlain).value();
  schedule.params["tm"] = 3;
  EXPECT_TRUE(VerificationShapes({64, 64, 64}, schedule, Device("sm_80"), &why).empty());
  EXPECT_THAT(why, testing::HasSubstr("tm"));
  schedule.family = "nosuch";
  EXPECT_TRUE(VerificationShapes({64, 64, 64}, schedule, Device("sm_80"), &why).empty());
}

// Every schedule that a search may propose can be verified at small shapes.
TEST(VerificationShapesTest, EveryScheduleOfTheSpaceHasSmallShapes) {
  const DeviceInfo device = Device("sm_80");
  for (const char* epilogue : {"", "bias,relu"}) {
    const MatmulProblem problem{4096, 4096, 4096, DataType::kF32, 1, false, ParseEpilogue(epilogue).value()};
    auto space = SearchSpace::Create(problem, device, KernelFamilies());
    ASSERT_TRUE(space.ok()) << space.status();
    SearchRng rng(TestSeed(5));
    for (int i = 0; i < 300; ++i) {
      const Schedule schedule = (*space)->Sample(rng);
      std::string why;
      const std::vector<MatmulProblem> shapes = VerificationShapes(problem, schedule, device, &why);
      ASSERT_FALSE(shapes.empty()) << schedule.Text() << ": " << why;
      const BlockTile tile = DescribeSchedule(problem, schedule)->tile;
      for (const MatmulProblem& shape : shapes) {
        EXPECT_TRUE(ValidateSchedule(shape, schedule, device).ok());
        EXPECT_GT(shape.m, tile.m) << schedule.Text();
        EXPECT_GT(shape.n, tile.n) << schedule.Text();
        EXPECT_LE(shape.Flops(), 1.1e9) << schedule.Text() << " " << shape.ShapeText();
      }
    }
  }
}

}  // namespace
}  // namespace mmtune
