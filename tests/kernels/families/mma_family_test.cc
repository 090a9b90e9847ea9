// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/mma/mma_schedule.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MatmulProblem Bf16Problem(std::string_view shape) {
  MatmulProblem problem = TestProblem(shape);
  problem.dtype = DataType::kBf16;
  return problem;
}

MatmulProblem Tf32Problem(std::string_view shape) {
  MatmulProblem problem = TestProblem(shape);
  problem.math = MathMode::kTf32;
  return problem;
}

/// The reference schedule with some parameters changed: "stages=2 prefetch=0".
Schedule Mma(std::string_view changes = "") {
  Schedule schedule = *ParseSchedule(
      "mma async=1 bk=32 bm=128 bn=128 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=4 "
      "stream_k=1 wm=64 wn=32");
  if (changes.empty()) return schedule;
  const Schedule changed = *ParseSchedule("mma " + std::string(changes));
  for (const auto& [name, value] : changed.params) schedule.params[name] = value;
  return schedule;
}

class MmaFamilyTest : public ::testing::Test {
 protected:
  /// Why the changed reference schedule is rejected; empty when it is valid.
  std::string Reason(std::string_view changes, const MatmulProblem& problem = Bf16Problem("1024x1024x1024"),
                     std::string_view arch = "sm_80") {
    const absl::Status status = family_.Validate(problem, Mma(changes), TestDevice(arch));
    EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  }

  const FamilyBase& family_ = **FindKernelFamily("mma");
};

TEST_F(MmaFamilyTest, TakesWhatTensorCoresMultiply) {
  MatmulProblem f16 = Bf16Problem("1024x1024x1024");
  f16.dtype = DataType::kF16;
  f16.out = OutputType::kF32;
  f16.transpose_a = true;
  EXPECT_EQ(Reason(""), "");
  EXPECT_EQ(Reason("", f16), "");
  MatmulProblem split = Tf32Problem("1024x1024x1024");
  EXPECT_EQ(Reason("", split), "");
  for (MathMode math : {MathMode::kTf32x3, MathMode::kBf16x6}) {
    split.math = math;
    EXPECT_EQ(Reason("bm=64 wm=32 bn=64", split), "");
    EXPECT_THAT(Reason("bm=64 wm=32 bn=64", split, "sm_75"), HasSubstr("needs sm_80 or newer"));
  }
  EXPECT_THAT(Reason("", TestProblem("1024x1024x1024")), HasSubstr("f32 with math mode tf32"));
  EXPECT_THAT(Reason("", Bf16Problem("1024x1024x1024"), "sm_75"), HasSubstr("needs sm_80 or newer"));
  // sm_75 has f16 alone, and no asynchronous copies.
  EXPECT_EQ(Reason("async=0 stages=2", f16, "sm_75"), "");
  EXPECT_THAT(Reason("stages=2", f16, "sm_75"), HasSubstr("async is 1 on sm_80 and newer, 0 on older architectures"));
  EXPECT_THAT(Reason("async=0", f16), HasSubstr("async is 1 on sm_80 and newer, 0 on older architectures"));
  for (DataType type : {DataType::kS8, DataType::kF64}) {
    MatmulProblem problem = TestProblem("1024x1024x1024");
    problem.dtype = type;
    const char* const kTile = type == DataType::kS8 ? "bk=64" : "bk=16 bm=64 wm=32";
    EXPECT_EQ(Reason(kTile, problem), "") << problem.Text();
    EXPECT_THAT(Reason(kTile, problem, "sm_75"), HasSubstr("needs sm_80 or newer"));
  }
}

// Two columns of B that neighbour one another are transposed together, and all rows of k in groups of 16.
TEST_F(MmaFamilyTest, BytesAreTransposedInGroups) {
  MatmulProblem bytes = TestProblem("1024x1024x1024"), transposed = TestProblem("1024x1024x1024", 1, true);
  bytes.dtype = transposed.dtype = DataType::kS8;
  const char* const kNarrow = "bk=64 bm=64 wm=16 wn=8 bn=32 stages=2";
  EXPECT_THAT(Reason(kNarrow, bytes), HasSubstr("wn is a multiple of 16"));
  EXPECT_EQ(Reason(kNarrow, transposed), "");
  // 96 threads copy 24 rows of 64 bytes at a time.
  EXPECT_THAT(Reason("bk=64 bm=96 wm=32 bn=64 wn=64 stages=2", bytes), HasSubstr("a power of two or a multiple of 16"));
  EXPECT_EQ(Reason("bk=64 bm=96 wm=32 bn=64 wn=64 stages=2", transposed), "");
  MatmulProblem column = TestProblem("4096x1x4096");
  column.dtype = DataType::kS8;
  EXPECT_GE(DefaultSchedule(column, TestDevice("sm_80"))->Get("wn"), 16);
}

TEST_F(MmaFamilyTest, DoublesNeedTwiceTheRegisters) {
  MatmulProblem doubles = TestProblem("1024x1024x1024");
  doubles.dtype = DataType::kF64;
  EXPECT_THAT(Reason("bk=16 wm=64 wn=64", doubles), HasSubstr("warp tile fits the registers"));
  const ScheduleGeometry geometry = *DescribeSchedule(doubles, Mma("bk=16 bm=64 wm=32 bn=64 wn=32"));
  EXPECT_EQ(geometry.sharedBytes, 4 * (64 + 64) * 16 * 8);
  EXPECT_GT(geometry.registers,
            DescribeSchedule(Tf32Problem("1024x1024x1024"), Mma("bk=16 bm=64 wm=32 bn=64 wn=32"))->registers);
  EXPECT_EQ(MakeLaunchPlan(doubles, Mma("bk=16 bm=64 wm=32 split_k=2 reduction=2"))->workspace_bytes,
            int64_t{8} * 2 * 1024 * 1024);
}

// Rows of 1000 f16 are aligned to 16 bytes, of 1002 to 4, of 1001 to 2: of A's tile, 8 KB by 256 threads.
TEST_F(MmaFamilyTest, NarrowCopiesTakeMoreRequests) {
  const auto cost = [](std::string_view shape) { return DescribeSchedule(Bf16Problem(shape), Mma())->loop; };
  const LoopCost wide = cost("1024x1024x1000"), words = cost("1024x1024x1002"), halves = cost("1024x1024x1001");
  // Four clocks for each of 32 lanes' requests: of 16 bytes, what it takes to write them.
  EXPECT_EQ(words.wavefronts - wide.wavefronts, (4 * 64 - 64));
  EXPECT_EQ(halves.wavefronts - wide.wavefronts, (4 * 128 + 64 - 64));
  // And rows begin within sectors: those of A's tile, of 64 bytes, which are short, too.
  EXPECT_EQ(wide.bytes, words.bytes);
  EXPECT_NEAR(wide.perByte * wide.bytes, 8192 * (96 / 64.0) * std::sqrt(2) + 8192, 1e-6) << "2000 is no multiple of 32";
  EXPECT_NEAR(cost("1024x1024x1024").perByte, (std::sqrt(2) + 1) / 2, 1e-12);
  EXPECT_EQ(DescribeSchedule(Bf16Problem("1024x1024x1024"), Mma("bk=64 stages=3"))->loop.perByte, 1);
}

TEST_F(MmaFamilyTest, OtherFamiliesTakeNothingElse) {
  const DeviceInfo device = TestDevice("sm_80");
  for (std::string_view name : {"direct", "fma"}) {
    const FamilyBase& family = **FindKernelFamily(name);
    const MatmulProblem tf32 = Tf32Problem("64x64x64"), bf16 = Bf16Problem("64x64x64");
    const Schedule schedule = family.DefaultSchedules(TestProblem("64x64x64"), device).back().back();
    EXPECT_THAT(std::string(family.Validate(tf32, schedule, device).message()), HasSubstr("the math mode is ieee"));
    EXPECT_EQ(family.Validate(bf16, schedule, device).ok(), name == "direct");
  }
}

TEST_F(MmaFamilyTest, WhatNoFamilyTakesEndsInOneLine) {
  const DeviceInfo device = TestDevice("sm_75");
  const MatmulProblem problem = Tf32Problem("64x64x64");
  const auto space = SearchSpace::Create(problem, device, KernelFamilies());
  EXPECT_EQ(std::string(space.status().message()),
            "no kernel family has a valid schedule for 64x64x64 tf32 on sm_75; "
            "direct: the math mode is ieee; "
            "fma: elements are f32 and the math mode is ieee; "
            "mma: mma.sync needs sm_80 or newer for these types (f16: sm_75); "
            "wgmma: wgmma needs sm_90a, a device of compute capability 9.0; "
            "gemv: C has one row or one column (m or n is 1)");
  EXPECT_EQ(std::string(DefaultSchedule(problem, device).status().message()),
            "no schedule of any family supports 64x64x64 tf32 on sm_75");
  EXPECT_TRUE(LadderSchedules(problem, device).empty());
}

TEST_F(MmaFamilyTest, WithoutTensorCoresOfItsTypesAProblemIsLeftToTheNaiveKernel) {
  const DeviceInfo device = TestDevice("sm_75");
  for (DataType type : {DataType::kS8, DataType::kF64}) {
    MatmulProblem problem = Bf16Problem("64x64x64");
    problem.dtype = type;
    EXPECT_EQ(DefaultSchedule(problem, device)->family, "direct");
  }
  EXPECT_EQ(DefaultSchedule(Bf16Problem("64x64x64"), device)->family, "direct");
  EXPECT_EQ(LadderSchedules(Bf16Problem("64x64x64"), device).size(), 2u);
}

TEST_F(MmaFamilyTest, RejectionsNameTheRule) {
  const MatmulProblem odd = Bf16Problem("1001x1001x1001");
  EXPECT_THAT(Reason("bm=120"), HasSubstr("bm is a multiple of 16"));
  EXPECT_THAT(Reason("bn=100"), HasSubstr("bn is a multiple of 8"));
  EXPECT_THAT(Reason("wm=48"), HasSubstr("wm is a multiple of 16 that divides bm"));
  EXPECT_THAT(Reason("wn=24"), HasSubstr("wn is a multiple of 8 that divides bn"));
  EXPECT_THAT(Reason("wm=16 wn=16"), HasSubstr("at most 512 threads"));
  EXPECT_THAT(Reason("wm=128 wn=64"), HasSubstr("warp tile fits the registers"));
  EXPECT_THAT(Reason("bk=24"), HasSubstr("an instruction's k divides bk"));
  EXPECT_THAT(Reason("bk=256 wm=64 wn=64", Tf32Problem("1024x1024x1024")), HasSubstr("at most 512 mma.sync"));
  EXPECT_THAT(Reason("bk=48 wm=32"), HasSubstr("divide the number of threads"));
  EXPECT_THAT(Reason("bn=64 bk=128 wm=64 wn=64", odd), HasSubstr("at most 64 chunks"));
  EXPECT_THAT(Reason("split_k=2"), HasSubstr("reduction is 0 exactly if"));
  EXPECT_THAT(Reason("split_k=2 reduction=1"), HasSubstr("needs a C of f32"));
  EXPECT_EQ(Reason("split_k=2 reduction=1", Tf32Problem("1024x1024x1024")), "");
  EXPECT_EQ(Reason("split_k=2 reduction=2"), "");
  EXPECT_THAT(Reason("split_k=4 reduction=2", Bf16Problem("4096x4096x4096")),
              HasSubstr("with split-k there are at most 16 blocks"));
  EXPECT_THAT(Reason("split_k=4 reduction=2", Bf16Problem("128x128x160")),
              HasSubstr("every split of k has at least one k step"));
  EXPECT_THAT(Reason("stages=4", Bf16Problem("128x128x64")), HasSubstr("stages is at most the number of k steps"));
  EXPECT_THAT(Reason("bk=128 stages=6"), HasSubstr("shared memory of a block"));
  EXPECT_THAT(Reason("stages=1"), HasSubstr("prefetch needs at least 2 stages"));
  EXPECT_THAT(Reason("bk=16"), HasSubstr("prefetch needs at least 2 stages, with at least 2 instructions"));
  EXPECT_EQ(Reason("stages=1 prefetch=0"), "");
  EXPECT_THAT(Reason("min_blocks=9"), HasSubstr("threads of a multiprocessor"));
  EXPECT_THAT(Reason("min_blocks=3"), HasSubstr("shared memory of a multiprocessor"));
  EXPECT_THAT(Reason("min_blocks=3 stages=2"), HasSubstr("estimated registers"));
  EXPECT_THAT(Reason("group_m=16"), HasSubstr("group_m > 1"));
  EXPECT_THAT(Reason("", Bf16Problem("2147483600x1x64")), HasSubstr("row indices of C"));
  EXPECT_THAT(Reason("", Bf16Problem("1x2147483600x64")), HasSubstr("column indices of C"));
}

// Split precision takes several instructions and more registers, and with bf16 terms a longer k.
TEST_F(MmaFamilyTest, PlanesCostInstructionsAndRegisters) {
  MatmulProblem tf32x3 = Tf32Problem("1024x1024x1024"), bf16x6 = tf32x3;
  tf32x3.math = MathMode::kTf32x3;
  bf16x6.math = MathMode::kBf16x6;
  const char* const kLong = "bk=128 bm=64 bn=64 wm=32 wn=16 stages=2";
  EXPECT_EQ(Reason(kLong, Tf32Problem("1024x1024x1024")), "");
  EXPECT_EQ(Reason(kLong, tf32x3), "");
  const char* const kLonger = "bk=128 bm=64 bn=64 wm=64 wn=32 stages=2";
  EXPECT_EQ(Reason(kLonger, Tf32Problem("1024x1024x1024")), "");
  EXPECT_THAT(Reason(kLonger, tf32x3), HasSubstr("at most 512 mma.sync"));
  EXPECT_THAT(Reason(kLonger, bf16x6), HasSubstr("at most 512 mma.sync"));
  const char* const kShort = "bk=8 prefetch=0 bm=64 bn=64 wm=32 wn=32";
  EXPECT_EQ(Reason(kShort, tf32x3), "");
  EXPECT_THAT(Reason(kShort, bf16x6), HasSubstr("an instruction's k divides bk"));
  const char* const kLarge = "wn=64 stages=3 prefetch=0";
  EXPECT_EQ(Reason(kLarge, Tf32Problem("1024x1024x1024")), "");
  EXPECT_THAT(Reason(kLarge, bf16x6), HasSubstr("estimated registers"));
  const auto registers = [](const MatmulProblem& problem) {
    return DescribeSchedule(problem, Mma("stages=3"))->registers;
  };
  EXPECT_LT(registers(Tf32Problem("1024x1024x1024")), registers(tf32x3));
  EXPECT_LT(registers(tf32x3), registers(bf16x6));
}

// ptxas splits terms of long loops ahead, and reads unconditional first tiles at once.
TEST_F(MmaFamilyTest, WhatIsReadAheadCostsRegisters) {
  MatmulProblem tf32x3 = Tf32Problem("1024x1024x1024");
  tf32x3.math = MathMode::kTf32x3;
  const std::string shared = "bm=32 bn=128 wm=32 wn=32 stages=2 prefetch=0 split_k=2 reduction=3";
  EXPECT_EQ(Reason(shared + " bk=32", tf32x3), "");
  EXPECT_THAT(Reason(shared + " bk=64", tf32x3), HasSubstr("estimated registers"));
  const std::string alone = "bm=64 bn=64 wm=32 wn=32 stages=3";
  EXPECT_EQ(Reason(alone + " bk=32", tf32x3), "");
  EXPECT_THAT(Reason(alone + " bk=64", tf32x3), HasSubstr("estimated registers"));
  // 64 narrow copies for each thread, with a condition each.
  const std::string copies = "bm=128 bn=32 bk=32 wm=64 wn=32 prefetch=0 stages=5 split_k=4 reduction=1";
  EXPECT_EQ(Reason(copies, Tf32Problem("1024x1024x1024")), "");
  EXPECT_THAT(Reason(copies, Tf32Problem("1001x37x513")), HasSubstr("estimated registers"));
  const MatmulProblem ragged = Bf16Problem("1001x37x513");
  const std::string tile = "bm=32 bn=32 bk=64 slice_k=2 wm=32 wn=16 min_blocks=3 prefetch=0";
  EXPECT_EQ(Reason(tile + " stages=3", ragged), "");
  EXPECT_THAT(Reason(tile + " stages=6", ragged), HasSubstr("estimated registers"));
  EXPECT_EQ(Reason(tile + " stages=6 split_k=2 reduction=2", ragged), "");
  // 512 threads of sm_75 that go from tile to tile.
  MatmulProblem f16 = Bf16Problem("4096x4096x512");
  f16.dtype = DataType::kF16;
  const std::string threads = "async=0 bk=16 wm=32 wn=32 prefetch=0 stages=3";
  EXPECT_EQ(Reason(threads, f16, "sm_75"), "");
  EXPECT_THAT(Reason(threads + " stream_k=128 reduction=3", f16, "sm_75"), HasSubstr("estimated registers"));
}

// One warp that copies all of a tile has as many addresses of shared memory as there are permutations.
TEST_F(MmaFamilyTest, PermutedAddressesCostRegisters) {
  const std::string large = "bn=128 bk=64 wm=32 wn=128 ";
  EXPECT_EQ(MmaTiling(Bf16Problem("1024x1024x1024"), MmaSchedule::FromSchedule(Mma(large + "bm=32 stages=3")))
                .PermutedAddresses(),
            2 + 4 + 4 + 4);
  EXPECT_THAT(Reason(large + "bm=32 stages=3"), HasSubstr("estimated registers"));
  EXPECT_EQ(Reason(large + "bm=64 stages=2"), "");
  // Half a chunk per row: the schedule is described, though it is not valid.
  MatmulProblem bytes = TestProblem("64x64x64");
  bytes.dtype = DataType::kS8;
  EXPECT_TRUE(DescribeSchedule(bytes, Mma("bn=8 wn=8 bk=32")).ok());
}

// Warps that share a warp tile.
TEST_F(MmaFamilyTest, SlicesOfKAreMoreWarps) {
  const MatmulProblem problem = Bf16Problem("1024x1024x1024");
  const char* const kSliced = "bm=64 bn=64 bk=64 stages=3 slice_k=2";
  EXPECT_EQ(Reason(kSliced), "");
  const ScheduleGeometry geometry = *DescribeSchedule(problem, Mma(kSliced));
  EXPECT_EQ(geometry.threads, 128);
  EXPECT_EQ(geometry.labels.threadTile, "64x32/2warps");
  // Finished rows of all warps are in shared memory at once.
  EXPECT_EQ(DescribeSchedule(problem, Mma("bm=64 bn=64 bk=32 stages=1 prefetch=0 slice_k=2"))->sharedBytes,
            4 * 16 * (32 + 8) * 4);
  EXPECT_THAT(Reason("bm=64 bn=64 bk=96 stages=2 slice_k=3"), HasSubstr("slice_k is 1, 2 or 4"));
  EXPECT_THAT(Reason("wm=32 bk=64 slice_k=2"), HasSubstr("at most 512 threads"));
  EXPECT_THAT(Reason("bm=64 bn=64 bk=32 slice_k=4 prefetch=0"), HasSubstr("an instruction's k divides bk"));
  EXPECT_THAT(Reason("bm=64 bn=64 bk=32 slice_k=2"), HasSubstr("prefetch needs at least 2 stages"));
}

TEST_F(MmaFamilyTest, RefusesAScheduleThatLacksAParameter) {
  Schedule schedule = Mma();
  schedule.params.erase("slice_k");
  EXPECT_FALSE(family_.Validate(Bf16Problem("1024x1024x1024"), schedule, TestDevice("sm_80")).ok());
}

TEST_F(MmaFamilyTest, GeometryOfTheReference) {
  const ScheduleGeometry geometry = *DescribeSchedule(Bf16Problem("1024x1024x1024"), Mma());
  EXPECT_EQ(geometry.threads, 256);
  EXPECT_EQ(geometry.sharedBytes, 4 * (128 + 128) * 32 * 2);
  EXPECT_EQ(geometry.blocks, 64);
  EXPECT_EQ(geometry.labels.blockTile, "128x128x32");
  EXPECT_EQ(geometry.labels.threadTile, "64x32/warp");
  // 8 tiles to a row and a column: A and B are read 8 times each, C is written once.
  EXPECT_EQ(geometry.bytesMoved, 2.0 * 1024 * 1024 * (8 + 8 + 1));
  // Finished rows need more shared memory than one small tile.
  EXPECT_EQ(DescribeSchedule(Bf16Problem("64x64x64"), Mma("bk=16 stages=1 prefetch=0"))->sharedBytes,
            8 * 16 * (32 + 8) * 4);
}

TEST_F(MmaFamilyTest, PlansOfSplits) {
  MatmulProblem problem = Bf16Problem("1000x1000x64");
  problem.epilogue = *ParseEpilogue("bias");
  const LaunchPlan plain = *MakeLaunchPlan(problem, Mma("stages=2"));
  ASSERT_EQ(plain.steps.size(), 1u);
  EXPECT_EQ(plain.steps[0].kernel, "gemm_mma");
  EXPECT_EQ(plain.steps[0].grid[0], 8u * 8u);
  EXPECT_THAT(plain.steps[0].arguments, ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kBias));
  const LaunchPlan split = *MakeLaunchPlan(problem, Mma("stages=2 split_k=2 reduction=2"));
  ASSERT_EQ(split.steps.size(), 2u);
  EXPECT_EQ(split.workspace_bytes, 4 * 2 * 1000 * 1000);
  EXPECT_EQ(split.steps[0].grid[2], 2u);
  EXPECT_EQ(split.steps[1].kernel, "reduce_splits");
  EXPECT_THAT(split.steps[1].arguments, ElementsAre(PlanBuffer::kWorkspace, PlanBuffer::kC, PlanBuffer::kBias));
}

// Stream-k has any number of blocks, each with as many k steps as any other, or one more.
TEST_F(MmaFamilyTest, StreamKSharesAllKStepsEvenly) {
  MatmulProblem problem = Bf16Problem("1000x1000x1000");
  problem.epilogue = *ParseEpilogue("bias");
  const char* const kStream = "stream_k=108 reduction=3";
  EXPECT_EQ(Reason(kStream, problem), "");
  EXPECT_THAT(Reason("stream_k=108", problem), HasSubstr("reduction is 0 exactly if no blocks share tiles"));
  EXPECT_THAT(Reason("stream_k=108 reduction=2", problem), HasSubstr("stream-k needs reduction=3"));
  EXPECT_THAT(Reason("reduction=3", problem), HasSubstr("reduction is 0 exactly if"));
  EXPECT_THAT(Reason("stream_k=108 split_k=2 reduction=3", problem), HasSubstr("exclude each other"));
  EXPECT_THAT(Reason("stream_k=2049 reduction=3", problem), HasSubstr("at most 16 blocks per multiprocessor"));
  EXPECT_THAT(Reason(kStream, Bf16Problem("128x128x224")), HasSubstr("enough k steps for two blocks"));
  EXPECT_THAT(Reason("stream_k=108 reduction=3 bm=16 bn=8 wm=16 wn=8 bk=16 stages=1 prefetch=0",
                     Bf16Problem("1000000x200000x64")),
              HasSubstr("fewer than 2^31"));

  const LaunchPlan plan = *MakeLaunchPlan(problem, Mma(kStream));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].kind, PlanStep::Kind::kMemset);
  EXPECT_EQ(plan.steps[0].buffer, PlanBuffer::kWorkspace);
  EXPECT_EQ(plan.steps[0].bytes, 108 * 4);
  // For each block the sums of two tiles.
  EXPECT_EQ(plan.workspace_bytes, 108 * 4 + 2 * 108 * 128 * 128 * 4);
  EXPECT_EQ(plan.steps[1].grid[0], 108u);
  EXPECT_EQ(plan.steps[1].grid[2], 1u);
  EXPECT_THAT(plan.steps[1].arguments,
              ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kBias, PlanBuffer::kWorkspace));
  const ScheduleGeometry geometry = *DescribeSchedule(problem, Mma(kStream));
  EXPECT_EQ(geometry.blocks, 108);
  EXPECT_EQ(geometry.labels.splitK, "stream-108");
  // 64 tiles of 32 steps: 18 for each.
  EXPECT_EQ(geometry.sharedK, 18 * 32);
  // And the sums of a tile's parts, which its last block reads at 32 bytes a clock, where a tile takes 1500 clocks.
  const double sums = 4.0 * 128 * 128 / 32 / 1500;
  EXPECT_NEAR(geometry.loop.tiles, 64.0 / 108 + 1 + (108.0 / 64 + 1) * sums, 1e-12);
  EXPECT_EQ(DescribeSchedule(problem, Mma())->loop.tiles, 1);
  EXPECT_EQ(DescribeSchedule(problem, Mma("split_k=4 reduction=2"))->loop.tiles, 1);
  EXPECT_NEAR(DescribeSchedule(problem, Mma("split_k=4 reduction=3"))->loop.tiles, 1 + 4 * sums, 1e-12);
  EXPECT_GT(geometry.bytesMoved, DescribeSchedule(problem, Mma())->bytesMoved);
  // No more blocks than have 4 steps each, and as many as there are stages.
  EXPECT_EQ(DescribeSchedule(Bf16Problem("128x128x1024"), Mma(kStream))->blocks, 8);
  EXPECT_EQ(DescribeSchedule(Bf16Problem("128x128x1024"), Mma("stream_k=108 reduction=3 bm=64 bn=64 stages=6"))->blocks,
            4 * 32 / 6);
}

TEST_F(MmaFamilyTest, OneMultiprocessorHasTwoBlocksOfStreamK) {
  DeviceInfo device = TestDevice("sm_80");
  for (const auto& [count, values] :
       std::map<int64_t, std::vector<int64_t>>{{1, {1, 2}}, {108, {1, 108, 216}}, {40000, {1, 40000}}, {100000, {1}}}) {
    device.multiprocessors = count;
    for (const ScheduleParameter& axis : family_.Parameters(Bf16Problem("4096x4096x4096"), device))
      if (axis.name == "stream_k") {
        EXPECT_EQ(axis.values, values);
      }
  }
}

// f64 is read one by one, in two wavefronts each; 8-bit words that are transposed are permuted.
TEST_F(MmaFamilyTest, FragmentsCostWhatTheirReadsDo) {
  const auto cost = [](DataType type, bool transpose_b, int bk) {
    MatmulProblem problem = Bf16Problem("4096x4096x4096");
    problem.dtype = type;
    problem.transpose_b = transpose_b;
    MmaSchedule s = MmaSchedule::FromSchedule(Mma("reduction=0 stages=2 prefetch=0"));
    s.bk = bk;
    return MmaTiling(problem, s).Cost();
  };
  const LoopCost plain = cost(DataType::kS8, false, 64), transposed = cost(DataType::kS8, true, 64);
  const MmaTiling tiling(Bf16Problem("4096x4096x4096"), MmaSchedule::FromSchedule(Mma("stages=2")));
  EXPECT_EQ(plain.instructions - transposed.instructions, 2 * 2 * tiling.columnsN);
  EXPECT_EQ(plain.wavefronts, transposed.wavefronts);
  // bk has as many bytes: half of the words, of twice the bytes, and a read for each.
  const LoopCost f64 = cost(DataType::kF64, true, 8), bf16 = cost(DataType::kBf16, true, 32);
  EXPECT_EQ(f64.wavefronts, bf16.wavefronts);
  const auto reads = [&](const LoopCost& of, int64_t each) {
    return of.instructions - static_cast<double>(each * 2 * tiling.rowsM * tiling.columnsN);
  };
  EXPECT_EQ(reads(f64, 2) - reads(bf16, 1), 2 * (2 * tiling.rowsM + tiling.columnsN) * (1 - 0.5));
}

TEST_F(MmaFamilyTest, SplitsAreSummedInOrderToo) {
  const LaunchPlan plan = *MakeLaunchPlan(Bf16Problem("1000x1000x64"), Mma("stages=2 split_k=2 reduction=3"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].bytes, 64 * 4);
  EXPECT_EQ(plan.workspace_bytes, 64 * 4 + 64 * 2 * 128 * 128 * 4);
  EXPECT_EQ(plan.steps[1].grid[0], 64u);
  EXPECT_EQ(plan.steps[1].grid[2], 2u);
}

// Tiles of three blocks, and blocks that have a whole tile between parts of others.
TEST_F(MmaFamilyTest, StreamKIsVerifiedWhereItsPathsMeet) {
  for (const int stream_k : {2, 4, 8, 16, 32, 64, 108})
    for (const int group_m : {1, 2, 4, 8, 16})
      for (const int64_t batch : {1, 2, 5}) {
        const Schedule schedule =
            Mma(absl::StrCat("reduction=3 bm=64 bn=64 stages=2 stream_k=", stream_k, " group_m=", group_m));
        MatmulProblem problem = Bf16Problem("4096x4096x4096");
        problem.batch = batch;
        std::string why;
        const auto shapes = VerificationShapes(problem, schedule, TestDevice("sm_80"), &why);
        SCOPED_TRACE(schedule.Text());
        ASSERT_EQ(shapes.size(), 2u) << why;
        for (const MatmulProblem& shape : shapes) {
          const int64_t tiles = CeilDiv(shape.m, 64) * CeilDiv(shape.n, 64) * shape.batch;
          EXPECT_NE(tiles % DescribeSchedule(shape, schedule)->blocks, 0) << shape.Text();
          EXPECT_EQ(shape.batch > 1, batch > 1);
          EXPECT_LE(shape.Flops(), 1.1e9) << shape.Text();
        }
      }
  for (std::string_view changes : {"stream_k=108 reduction=3", "stream_k=216 reduction=3 bm=64 bn=64 stages=6"}) {
    const Schedule schedule = Mma(changes);
    std::string why;
    const auto shapes = VerificationShapes(Bf16Problem("4096x4096x4096"), schedule, TestDevice("sm_80"), &why);
    ASSERT_EQ(shapes.size(), 2u) << why;
    int64_t most_parts = 0;
    bool whole_between_parts = false;
    for (const MatmulProblem& shape : shapes) {
      const ScheduleGeometry geometry = *DescribeSchedule(shape, schedule);
      const auto tiles_of = [](int64_t extent, int64_t by) { return (extent + by - 1) / by; };
      const int64_t steps = tiles_of(shape.k, geometry.tile.k);
      const int64_t tiles = tiles_of(shape.m, geometry.tile.m) * tiles_of(shape.n, geometry.tile.n);
      std::vector<int64_t> parts(tiles);
      int64_t end = 0;
      for (int64_t block = 0; block < geometry.blocks; ++block) {
        const int64_t begin = end;
        end += steps * tiles / geometry.blocks + (block < steps * tiles % geometry.blocks);
        for (int64_t tile = begin / steps; tile <= (end - 1) / steps; ++tile) ++parts[tile];
        whole_between_parts |= begin % steps == 0 && end - begin > steps;
      }
      EXPECT_EQ(end, steps * tiles);
      most_parts = std::max(most_parts, *std::max_element(parts.begin(), parts.end()));
    }
    EXPECT_GE(most_parts, 3);
    EXPECT_TRUE(whole_between_parts);
  }
}

TEST_F(MmaFamilyTest, VerifiedWithRowsAlignedAsThoseOfTheProblem) {
  for (std::string_view shape : {"4096x4096x4096", "1004x1004x1004", "1002x1002x1002", "1001x1001x1001"}) {
    const MatmulProblem problem = Bf16Problem(shape);
    std::string why;
    const auto shapes = VerificationShapes(problem, Mma("stages=2 wn=32"), TestDevice("sm_80"), &why);
    ASSERT_EQ(shapes.size(), 2u) << why;
    EXPECT_EQ(shapes[1].n % 8, problem.n % 8) << shapes[1].Text();
    EXPECT_EQ(shapes[1].k % 8, problem.k % 8) << shapes[1].Text();
    EXPECT_NE(shapes[1].n % 128, 0);
    EXPECT_NE(shapes[1].k % 32, 0);
  }
}

// 16 bytes are 16 elements there: rows of 72 are copied by 8 bytes.
TEST_F(MmaFamilyTest, BytesAreVerifiedWithRowsAlignedAsThoseOfTheProblem) {
  for (std::string_view shape : {"40x40x72", "48x40x64", "4096x4096x4104", "1004x1004x1004"}) {
    MatmulProblem problem = Bf16Problem(shape);
    problem.dtype = DataType::kS8;
    std::string why;
    const auto shapes =
        VerificationShapes(problem, Mma("stages=3 bm=32 bn=32 wm=16 wn=16 prefetch=0"), TestDevice("sm_80"), &why);
    ASSERT_EQ(shapes.size(), 2u) << why;
    EXPECT_EQ(shapes[1].m % 16, problem.m % 16) << shapes[1].Text();
    EXPECT_EQ(shapes[1].n % 16, problem.n % 16) << shapes[1].Text();
    EXPECT_EQ(shapes[1].k % 16, problem.k % 16) << shapes[1].Text();
  }
}

TEST_F(MmaFamilyTest, DefaultsSuitTheShape) {
  const auto schedule_of = [](std::string_view shape) {
    return *DefaultSchedule(Bf16Problem(shape), TestDevice("sm_80"));
  };
  EXPECT_GE(schedule_of("4096x4096x4096").Get("bm"), 128);
  EXPECT_EQ(schedule_of("2x2x64").Get("bm"), 16);
}

// Few rows or columns, as a language model has when it decodes: thin tiles, and enough blocks, with slices or splits of
// a long k, to keep device memory busy.
TEST_F(MmaFamilyTest, DefaultsOfSkinnyProductsFillTheDevice) {
  struct Skinny {
    std::string_view shape;
    int64_t blocks;
  };
  constexpr Skinny kProducts[] = {{"16x512x1024", 16}, {"8x4096x4096", 64}, {"4096x8x4096", 64}, {"16x4096x4096", 64},
                                  {"2x4096x64", 64},   {"4096x2x64", 64},   {"16x16x16384", 16}};
  for (DataType type : {DataType::kF16, DataType::kBf16})
    for (std::string_view arch : {"sm_80", "sm_86", "sm_90"})
      for (const Skinny& want : kProducts) {
        MatmulProblem problem = Bf16Problem(want.shape);
        problem.dtype = type;
        const DeviceInfo device = TestDevice(arch);
        const Schedule schedule = *DefaultSchedule(problem, device, {}, {}, PortableFamilies(device));
        SCOPED_TRACE(problem.Text() + " " + schedule.Text());
        EXPECT_EQ(schedule.family, "mma");
        // Where there is little to do, launching it takes as long with any tile.
        if (problem.k >= 256) {
          EXPECT_LE(problem.m <= 16 ? schedule.Get("bm") : schedule.Get("bn"), problem.n <= 8 ? 8 : 16);
        }
        EXPECT_GE(DescribeSchedule(problem, schedule)->blocks, want.blocks);
        // A split of a short k costs more than it brings.
        if (problem.k < 256) {
          EXPECT_EQ(schedule.Get("split_k"), 1);
        }
      }
  const Schedule few = *DefaultSchedule(Bf16Problem("64x64x16384"), TestDevice("sm_80"));
  EXPECT_GT(std::max(few.Get("split_k"), few.Get("stream_k")), 1);
}

// Whatever the type: no other number of blocks that share a tile would be faster by the model.
TEST_F(MmaFamilyTest, DefaultsOfSkinnyProductsShareALongKAsThatPays) {
  for (auto [arch, multiprocessors] :
       {std::pair("sm_75", 68), std::pair("sm_80", 108), std::pair("sm_86", 84), std::pair("sm_90", 132)}) {
    DeviceInfo device = TestDevice(arch);
    device.multiprocessors = multiprocessors;
    for (std::string_view shape :
         {"16x512x1024", "16x1024x1024", "16x512x4096", "16x1024x2048", "16x2048x2048", "16x4096x1024", "16x4096x4096",
          "5x1000x1025", "512x16x1024", "1024x8x4096", "4096x16x4096", "16x16x1024"})
      for (const MatmulProblem& problem : InEveryType(TestProblem(shape))) {
        if (problem.IsPlainF32()) continue;  // of CUDA cores
        if (device.arch == "sm_75" && problem.dtype != DataType::kF16) continue;
        const absl::StatusOr<Schedule> schedule = DefaultSchedule(problem, device, {}, {}, PortableFamilies(device));
        ASSERT_TRUE(schedule.ok()) << schedule.status();
        SCOPED_TRACE(problem.Text() + " " + schedule->Text());
        ASSERT_EQ(schedule->family, "mma");
        EXPECT_LE(std::min(schedule->Get("bm"), schedule->Get("bn")), 16);
        const double seconds = family_.Predict(problem, *schedule, device)->total;
        for (int64_t blocks : {1, 2, 4, 8, 16, multiprocessors}) {
          Schedule other = *schedule;
          const bool stream = blocks == multiprocessors;
          other.params["split_k"] = stream ? 1 : blocks;
          other.params["stream_k"] = stream ? blocks : 1;
          other.params["reduction"] = stream ? kOrderedReduction : blocks > 1 ? kWorkspaceReduction : kNoReduction;
          if (!family_.Validate(problem, other, device).ok()) continue;
          EXPECT_GE(family_.Predict(problem, other, device)->total, 0.98 * seconds) << other.Text();
        }
      }
  }
  // A k that is soon over.
  EXPECT_EQ(DefaultSchedule(Bf16Problem("16x64x512"), TestDevice("sm_80"))->Get("split_k"), 1);
}

// A last wave that is nearly empty is shared by all.
TEST_F(MmaFamilyTest, DefaultsFillTheLastWave) {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 132;
  const auto stream_of = [&](std::string_view shape) {
    return DefaultSchedule(Bf16Problem(shape), device, {}, {}, {&family_})->Get("stream_k");
  };
  // 144 tiles of 128x256, of 8192 values of k each.
  EXPECT_EQ(stream_of("1536x3072x8192"), 132);
  // Whole waves, and a k that is too short to be shared.
  EXPECT_EQ(stream_of("4224x4096x4096"), 1);
  EXPECT_EQ(stream_of("1536x3072x64"), 1);
}

TEST_F(MmaFamilyTest, AxesOfALargeProductAndOfASmallOne) {
  const auto axes = [&](const MatmulProblem& problem, const DeviceInfo& device) {
    std::string text;
    for (const ScheduleParameter& axis : family_.Parameters(problem, device))
      absl::StrAppend(&text, text.empty() ? "" : " ", axis.name, "=", absl::StrJoin(axis.values, ","));
    return text;
  };
  EXPECT_EQ(
      axes(Bf16Problem("4096x4096x4096"), TestDevice("sm_90")),
      "bm=32,64,128,256 bn=32,64,128,256 wm=32,64,128 wn=16,32,64,128 slice_k=1,2,4 bk=16,32,64,128 "
      "split_k=1,2,4,8,16 "
      "stream_k=1,128,256 reduction=0,2,3 async=1 stages=2,3,4,5,6 prefetch=0,1 min_blocks=1,2,3 group_m=1,4,8,16");
  EXPECT_EQ(axes(Tf32Problem("7x5x3"), TestDevice("sm_80", DeviceKind::kSimt)),
            "bm=16 bn=8 wm=16 wn=8 slice_k=1,2,4 bk=16 split_k=1,2,4 stream_k=1 reduction=0,1,2,3 async=1 stages=2,3 "
            "prefetch=0,1 min_blocks=1 group_m=1");
  MatmulProblem f16 = Bf16Problem("4096x4096x4096"), bytes = f16, doubles = f16;
  f16.dtype = DataType::kF16, bytes.dtype = DataType::kS8, doubles.dtype = DataType::kF64;
  EXPECT_THAT(axes(f16, TestDevice("sm_75")), HasSubstr(" async=0 "));
  EXPECT_THAT(axes(bytes, TestDevice("sm_90")), HasSubstr(" bk=32,64,128,256 "));
  EXPECT_THAT(axes(doubles, TestDevice("sm_90")), HasSubstr(" bk=8,16,32,64 "));
  EXPECT_THAT(axes(Tf32Problem("4096x4096x4096"), TestDevice("sm_90")), HasSubstr(" bk=16,32,64,128 "));
}

}  // namespace
}  // namespace mmtune
