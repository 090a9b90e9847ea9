// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/perf_model/time_model.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class FmaFamilyTest : public ::testing::Test {
 protected:
  /// Why the changed reference schedule is rejected; empty when it is valid.
  std::string Reason(std::string_view changes, std::string_view shape = "1024x1024x1024",
                     std::string_view arch = "sm_90") {
    return ReasonFor(TestProblem(shape), changes, arch);
  }

  std::string ReasonFor(const MatmulProblem& problem, std::string_view changes = "", std::string_view arch = "sm_90") {
    absl::Status status = family_.Validate(problem, ReferenceSchedule(changes), TestDevice(arch));
    EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  }

  const KernelFamily& family_ = **FindKernelFamily("fma");
};

TEST_F(FmaFamilyTest, ReferenceScheduleIsValid) { EXPECT_EQ(Reason(""), ""); }

TEST_F(FmaFamilyTest, RejectionsNameTheRule) {
  EXPECT_THAT(Reason("bm=144"), HasSubstr("warp tile divides the block tile"));
  EXPECT_THAT(Reason("tm=24"), HasSubstr("tm divides bm"));
  EXPECT_THAT(Reason("lm=3"), HasSubstr("lm divides 32"));
  EXPECT_THAT(Reason("bk=6 unroll_k=6"), HasSubstr("4*slice_k divides bk"));
  EXPECT_THAT(Reason("pad_a=2"), HasSubstr("pad_a is a multiple of 4"));
  EXPECT_THAT(Reason("stages=1"), HasSubstr("stages is at least 2 with async=1"));
  EXPECT_THAT(Reason("async=0"), HasSubstr("1 or 2 with async=0"));
  EXPECT_THAT(Reason("tn=12"), HasSubstr("tn divides bn"));
  EXPECT_THAT(Reason("tm=16 tn=16"), HasSubstr("thread tile fits the registers"));
  EXPECT_THAT(Reason("min_blocks=4"), HasSubstr("registers"));
  EXPECT_THAT(Reason("unroll_k=12"), HasSubstr("unroll_k"));
  EXPECT_THAT(Reason("bk=64 unroll_k=16 stages=5"), HasSubstr("shared memory of a block"));
  EXPECT_THAT(Reason("bm=32 bn=32 tm=1 tn=1 lm=4 bk=4 unroll_k=4 min_blocks=4"),
              HasSubstr("threads of a multiprocessor"));
  EXPECT_THAT(Reason("bm=32 bn=32 min_blocks=1"), HasSubstr("at least one warp"));
}

TEST_F(FmaFamilyTest, FragmentsReadAheadAreOfAKMajorTileWithoutAnInnerLoop) {
  EXPECT_EQ(Reason("fragments=2 kmajor_a=1"), "");
  EXPECT_EQ(Reason("fragments=2 kmajor_a=1 async=0 stages=1 min_blocks=1"), "");
  EXPECT_THAT(Reason("fragments=2"), HasSubstr("fragments=2 needs a k-major A"));
  EXPECT_THAT(Reason("fragments=2 kmajor_a=1 unroll_k=8"), HasSubstr("unroll_k=bk"));
  // They are registers, too: 128 sums and twice 24 beside the addresses.
  const auto registers = [](std::string_view changes) {
    return DescribeSchedule(TestProblem("1024x1024x1024"), ReferenceSchedule(changes))->registers;
  };
  EXPECT_EQ(registers("kmajor_a=1 tn=16 fragments=2"), 128 + 2 * (8 + 16) + 22);
  EXPECT_EQ(registers("kmajor_a=1 tn=16"), 128 + (8 + 16) + 22);
}

// ptxas makes it of 128 registers without a spill.
TEST_F(FmaFamilyTest, TwoBlocksOfLongTilesAreResident) {
  EXPECT_EQ(Reason("bk=32 unroll_k=16 stages=2 min_blocks=2"), "");
}

// Slices of k are as many threads more. Each reads and multiplies its part of a tile, and their sums pass through
// shared memory, which may take more of it than the tiles.
TEST_F(FmaFamilyTest, SlicesShareTheTilesOfABlock) {
  const auto sliced = [](std::string_view changes) {
    Schedule schedule =
        ReferenceSchedule("bm=32 bn=64 bk=32 unroll_k=8 slice_k=4 tm=4 tn=4 min_blocks=1 kmajor_a=1 fragments=2");
    const Schedule changed = *ParseSchedule("fma " + std::string(changes));
    for (const auto& [name, value] : changed.params) schedule.params[name] = value;
    return schedule;
  };
  const auto reason = [&](std::string_view changes) {
    return std::string(family_.Validate(TestProblem("64x64x4096"), sliced(changes), TestDevice("sm_90")).message());
  };
  EXPECT_EQ(reason("tm=4"), "");
  EXPECT_THAT(reason("slice_k=3"), HasSubstr("slice_k is 1, 2 or 4"));
  EXPECT_THAT(reason("bm=64 bn=128"), HasSubstr("with all slices of k"));
  EXPECT_THAT(reason("tm=2 tn=4"), HasSubstr("slice_k divides the vectors"));
  EXPECT_THAT(reason("bk=24"), HasSubstr("4*slice_k divides bk"));
  EXPECT_THAT(reason("unroll_k=16 fragments=1"), HasSubstr("divides bk/slice_k"));
  EXPECT_THAT(reason("unroll_k=4"), HasSubstr("unroll_k=bk/slice_k"));
  EXPECT_THAT(reason("bm=128 bn=128 tm=8 tn=8 bk=16 unroll_k=4 stages=2"),
              HasSubstr("stages fit the shared memory of a block"));
  const auto of = [&](std::string_view changes) {
    return *DescribeSchedule(TestProblem("64x64x4096"), sliced(changes));
  };
  const ScheduleGeometry four = of("tm=4"), whole = of("slice_k=1 unroll_k=32");
  EXPECT_EQ(four.threads, 4 * whole.threads);
  EXPECT_EQ(four.blocks, whole.blocks);
  EXPECT_EQ(four.loop.multiplyAdds * 4, whole.loop.multiplyAdds);
  EXPECT_EQ(four.loop.bytes, whole.loop.bytes);
  EXPECT_GT(four.loop.tiles, whole.loop.tiles);
  EXPECT_EQ(four.labels.threadTile, "4x4/4slices");
  EXPECT_EQ(whole.labels.threadTile, "4x4");
  // Three stages of 32 k values of 32 rows, padded by 4, and 64 columns; of 16, the sums of four slices are more.
  EXPECT_EQ(four.sharedBytes, 4 * 3 * 32 * (36 + 64));
  EXPECT_EQ(of("bk=16 unroll_k=4").sharedBytes, 4 * 4 * 32 * 64);
}

TEST_F(FmaFamilyTest, StreamKSharesKStepsEvenly) {
  EXPECT_EQ(Reason("stream_k=128 reduction=3 min_blocks=1"), "");
  EXPECT_THAT(Reason("stream_k=128"), HasSubstr("reduction is 0 exactly if no blocks share tiles"));
  EXPECT_THAT(Reason("stream_k=128 reduction=2"), HasSubstr("stream-k needs reduction=3"));
  EXPECT_THAT(Reason("stream_k=128 split_k=2 reduction=3"), HasSubstr("stream-k and split-k exclude each other"));
  EXPECT_THAT(Reason("stream_k=128 reduction=3", "128x128x112"), HasSubstr("enough k steps for two blocks"));
  EXPECT_EQ(Reason("split_k=2 reduction=3 min_blocks=1"), "");
  const ScheduleGeometry geometry =
      *DescribeSchedule(TestProblem("1024x1024x1024"), ReferenceSchedule("stream_k=128 reduction=3"));
  // 64 tiles of 64 k steps.
  EXPECT_EQ(geometry.blocks, 128);
  EXPECT_EQ(geometry.loop.steps, 32);
  // Half of a tile, and the beginning and end of another; three parts of 2^16 bytes, read 32 a clock.
  EXPECT_NEAR(geometry.loop.tiles, 1.5 + 3 * 65536 / 32 / 1500.0, 1e-9);
  EXPECT_EQ(geometry.minStepsPerBlock, 4);
  EXPECT_EQ(geometry.labels.splitK, "stream-128");
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("1024x1024x1024"), ReferenceSchedule("stream_k=100 reduction=3"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].kind, PlanStep::Kind::kMemset);
  EXPECT_EQ(plan.steps[0].bytes, 400);
  EXPECT_EQ(plan.steps[1].grid[0], 100u);
  EXPECT_EQ(plan.workspace_bytes, 400 + 4 * 2 * 100 * 128 * 128);
}

TEST_F(FmaFamilyTest, CpAsyncNeedsAmpere) {
  EXPECT_THAT(Reason("", "1024x1024x1024", "sm_75"), HasSubstr("cp.async needs sm_80"));
  EXPECT_EQ(Reason("", "1024x1024x1024", "sm_80"), "");
  EXPECT_EQ(Reason("async=0 stages=2 min_blocks=1", "1024x1024x1024", "sm_75"), "");
}

TEST_F(FmaFamilyTest, SplitsAndReductionGoTogether) {
  EXPECT_THAT(Reason("split_k=2"), HasSubstr("reduction is 0 exactly if"));
  EXPECT_THAT(Reason("reduction=1"), HasSubstr("reduction is 0 exactly if"));
  EXPECT_EQ(Reason("split_k=2 reduction=1"), "");
  EXPECT_EQ(Reason("split_k=2 reduction=2"), "");
  // 5 tiles of k in 4 splits of 2: the fourth would be empty.
  EXPECT_THAT(Reason("split_k=4 reduction=1", "1024x1024x80"), HasSubstr("every split of k has at least one k step"));
}

TEST_F(FmaFamilyTest, EquivalentSchedulesAreNotBothValid) {
  // One column of blocks, or fewer rows of blocks than a group: the order would be another name of one already there.
  EXPECT_THAT(Reason("group_m=4", "1024x128x1024"), HasSubstr("group_m"));
  EXPECT_THAT(Reason("group_m=16", "1024x1024x1024"), HasSubstr("group_m"));
  EXPECT_EQ(Reason("group_m=8"), "");
  // With one tile of k, a third stage is never used.
  EXPECT_THAT(Reason("stages=3", "1024x1024x16"), HasSubstr("stages is at most the number of k steps"));
  EXPECT_EQ(Reason("stages=2", "1024x1024x16"), "");
}

TEST_F(FmaFamilyTest, ParametersAreCheckedByName) {
  Schedule missing = ReferenceSchedule();
  missing.params.erase("bk");
  EXPECT_THAT(std::string(family_.Validate(TestProblem("64x64x64"), missing, TestDevice("sm_90")).message()),
              HasSubstr("'bk' is missing"));
  Schedule unknown = ReferenceSchedule("warp=1");
  EXPECT_THAT(std::string(family_.Validate(TestProblem("64x64x64"), unknown, TestDevice("sm_90")).message()),
              HasSubstr("unknown parameter 'warp'"));
  EXPECT_THAT(Reason("bm=0"), HasSubstr("bm=0 is out of range"));
  EXPECT_THAT(Reason("lm=64"), HasSubstr("lm=64 is out of range"));
}

TEST_F(FmaFamilyTest, ExtentsBeyondTheKernelsIndicesAreRejectedWithAReason) {
  EXPECT_THAT(Reason("", "2147483600x1x1"), HasSubstr("row indices of C"));
  EXPECT_THAT(Reason("", "1x2147483600x1"), HasSubstr("column indices of C"));
  EXPECT_THAT(Reason("stages=2", "1x1x2147483640"), HasSubstr("k indices fit 31 bits"));
  EXPECT_EQ(Reason("", "2147483000x1x64"), "");
  DeviceInfo small = TestDevice("sm_90");
  small.memory_bytes = 1 << 20;
  EXPECT_THAT(std::string(family_.Validate(TestProblem("1024x1024x1024"), ReferenceSchedule(), small).message()),
              HasSubstr("fit the device's memory"));
}

TEST_F(FmaFamilyTest, OffAxisValuesAreValidWhereTheRulesHold) {
  EXPECT_EQ(Reason("bm=192 bn=64 tm=6 tn=4 min_blocks=1"), "");
}

// Who chooses default schedules makes one tiling for all rules, and leaves out what shared memory takes where a
// schedule is too slow without it.
TEST_F(FmaFamilyTest, RulesAndGeometryInStepsAreThoseOfAll) {
  std::mt19937_64 rng(TestSeed(5));
  int valid = 0;
  for (const bool transpose : {false, true}) {
    const MatmulProblem problem = TestProblem("1001x130x2048", 1, transpose);
    const DeviceInfo device = TestDevice("sm_80");
    const std::vector<ScheduleParameter> parameters = family_.Parameters(problem, device);
    const std::vector<ScheduleConstraint> constraints = family_.Constraints(problem, device);
    const FmaRules rules = FmaRulesOf(problem, device);
    for (int i = 0; i < 20000; ++i) {
      std::vector<int64_t> values;
      for (const ScheduleParameter& parameter : parameters)
        values.push_back(parameter.values[rng() % parameter.values.size()]);
      const FmaSchedule schedule = FmaSchedule::FromValues(values.data(), values.size());
      const bool holds = std::ranges::all_of(constraints, [&](const auto& rule) { return rule.holds(values.data()); });
      ASSERT_EQ(rules.ValueRulesHold(schedule) && rules.TilingRulesHold(FmaTiling(problem, schedule)), holds)
          << schedule.ToSchedule().Text();
      if (!holds) continue;
      ++valid;
      const FmaTiling tiling(problem, schedule);
      ScheduleGeometry steps = GeometryOf(tiling, FmaLoopCostWithoutShared(tiling));
      const double before = PredictTime(problem, steps, device).total;
      AddSharedMemory(tiling, steps.loop);
      const double after = PredictTime(problem, steps, device).total;
      EXPECT_LE(before, after);
      EXPECT_EQ(after, family_.Predict(problem, schedule.ToSchedule(), device)->total);
    }
  }
  EXPECT_GT(valid, 20);
}

TEST_F(FmaFamilyTest, GeometryOfTheReference) {
  const ScheduleGeometry geometry = *DescribeSchedule(TestProblem("1024x1024x1024"), ReferenceSchedule());
  EXPECT_EQ(geometry.threads, 256);
  EXPECT_EQ(geometry.warps(), 8);
  EXPECT_EQ(geometry.sharedBytes, 55296);
  EXPECT_EQ(geometry.blocks, 64);
  // Sums, fragments of A (four k values) and B, addresses; nothing waits for its way into shared memory.
  EXPECT_EQ(geometry.registers, 8 * 8 + (4 * 8 + 8) + 22);
  EXPECT_EQ(geometry.tile.m, 128);
  EXPECT_EQ(geometry.tile.k, 16);
  EXPECT_EQ(geometry.labels.blockTile, "128x128x16");
  EXPECT_EQ(geometry.labels.stages, "3");
  EXPECT_EQ(geometry.waves(TestDevice("sm_90")), 0.5);  // of 128 multiprocessors
  // 8 tiles to a row and a column: A and B are read 8 times each, C is written once.
  EXPECT_EQ(geometry.bytesMoved, 4.0 * 1024 * 1024 * (8 + 8 + 1));
}

TEST_F(FmaFamilyTest, SplitsMovePartialSums) {
  const MatmulProblem problem = TestProblem("1024x1024x1024", 1, false, "bias,add");
  const auto moved = [](const MatmulProblem& of, std::string_view changes) {
    return DescribeSchedule(of, ReferenceSchedule(changes))->bytesMoved / 4 / 1024;
  };
  EXPECT_EQ(moved(TestProblem("1024x1024x1024"), "split_k=4 reduction=1"), 1024 * (16 + 4 + 4 + 1));
  EXPECT_EQ(moved(problem, "split_k=4 reduction=2"), 1024 * (16 + 4 + 4 + 1 + 1) + 1);
}

TEST_F(FmaFamilyTest, PlanOfAPlainSchedule) {
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("1000x1001x64"), ReferenceSchedule());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.workspace_bytes, 0);
  const PlanStep& step = plan.steps[0];
  EXPECT_EQ(step.kernel, "gemm_simt");
  EXPECT_EQ(step.grid[0], 8u * 8u);
  EXPECT_EQ(step.grid[2], 1u);
  EXPECT_EQ(step.block[0], 256u);
  EXPECT_EQ(step.dynamic_shared_bytes, 55296u);
  EXPECT_THAT(step.arguments, ::testing::ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC));
}

TEST_F(FmaFamilyTest, PlanOfAnAtomicReductionClearsFirst) {
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("1024x1024x1024"), ReferenceSchedule("split_k=4 reduction=1"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].kind, PlanStep::Kind::kMemset);
  EXPECT_EQ(plan.steps[0].buffer, PlanBuffer::kC);
  EXPECT_EQ(plan.steps[1].grid[2], 4u);
}

TEST_F(FmaFamilyTest, PlanOfAWorkspaceReductionSumsLast) {
  LaunchPlan plan = *MakeLaunchPlan(TestProblem("100x101x1024"), ReferenceSchedule("split_k=4 reduction=2"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.workspace_bytes, 4 * 4 * 100 * 101);
  EXPECT_EQ(plan.steps[0].arguments[2], PlanBuffer::kWorkspace);
  EXPECT_EQ(plan.steps[1].kernel, "reduce_splits");
  EXPECT_THAT(plan.steps[1].arguments, ::testing::ElementsAre(PlanBuffer::kWorkspace, PlanBuffer::kC));
  EXPECT_EQ(plan.steps[1].grid[0], (100u * 101u / 4 + 255) / 256);
}

TEST_F(FmaFamilyTest, MatricesOfABatchFollowOneAnotherInTheGrid) {
  const MatmulProblem problem = TestProblem("1000x1001x1024", 3);
  LaunchPlan plan = *MakeLaunchPlan(problem, ReferenceSchedule("split_k=4 reduction=2"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].grid[0], 3u * 8u * 8u);
  EXPECT_EQ(plan.steps[0].grid[1], 1u);
  EXPECT_EQ(plan.steps[0].grid[2], 4u);
  EXPECT_EQ(plan.workspace_bytes, int64_t{4} * 4 * 3 * 1000 * 1001);
  EXPECT_EQ(plan.steps[1].grid[0], (3u * 1000u * 1001u / 4 + 255) / 256);
  EXPECT_EQ(DescribeSchedule(problem, ReferenceSchedule())->blocks, 3 * 8 * 8);
  // A batch fills the device as well as splits do.
  EXPECT_EQ(ReasonFor(TestProblem("1024x1024x1024", 8), "split_k=4 reduction=2"), "");
  EXPECT_THAT(ReasonFor(TestProblem("1024x1024x1024", 9), "split_k=4 reduction=2"),
              HasSubstr("with split-k there are at most 16 blocks"));
  EXPECT_EQ(ReasonFor(TestProblem("1x1x64", (int64_t{1} << 31) - 1)), "");
  EXPECT_THAT(ReasonFor(TestProblem("1x1x64", int64_t{1} << 31)), HasSubstr("block tiles of C are fewer than 2^31"));
}

TEST_F(FmaFamilyTest, AnEpilogueTakesWholeSums) {
  for (std::string_view epilogue : {"bias", "relu", "add", "scale:2"}) {
    const MatmulProblem problem = TestProblem("1024x1024x1024", 1, false, epilogue);
    EXPECT_EQ(ReasonFor(problem), "");
    EXPECT_EQ(ReasonFor(problem, "split_k=2 reduction=2"), "");
    const std::string reason = ReasonFor(problem, "split_k=2 reduction=1");
    EXPECT_THAT(reason, HasSubstr("reduction=1 (atomics) needs a C of f32 without an epilogue"));
    EXPECT_THAT(reason, HasSubstr("epilogue=" + std::string(epilogue)));
    for (const ScheduleParameter& parameter : family_.Parameters(problem, TestDevice("sm_90"))) {
      if (parameter.name == "reduction") {
        EXPECT_THAT(parameter.values, ::testing::ElementsAre(0, 2, 3));
      }
    }
  }
}

TEST_F(FmaFamilyTest, TheKernelThatAppliesTheEpilogueTakesItsOperands) {
  using ::testing::ElementsAre;
  const MatmulProblem problem = TestProblem("100x101x1024", 1, false, "add,relu,bias");
  LaunchPlan plan = *MakeLaunchPlan(problem, ReferenceSchedule());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_THAT(plan.steps[0].arguments,
              ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kC, PlanBuffer::kBias, PlanBuffer::kAddend));
  plan = *MakeLaunchPlan(problem, ReferenceSchedule("split_k=4 reduction=2"));
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_THAT(plan.steps[0].arguments, ElementsAre(PlanBuffer::kA, PlanBuffer::kB, PlanBuffer::kWorkspace));
  EXPECT_THAT(plan.steps[1].arguments,
              ElementsAre(PlanBuffer::kWorkspace, PlanBuffer::kC, PlanBuffer::kBias, PlanBuffer::kAddend));
  // 101 columns: vectors of the bias may not reach into the next row, so each is one float; those of C alone are four.
  EXPECT_EQ(plan.steps[1].grid[0], (100u * 101u + 255) / 256);
  plan = *MakeLaunchPlan(TestProblem("100x101x1024", 1, false, "add"), ReferenceSchedule("split_k=4 reduction=2"));
  EXPECT_EQ(plan.steps[1].grid[0], (100u * 101u / 4 + 255) / 256);
}

TEST_F(FmaFamilyTest, ATransposedBIsCopiedAlongK) {
  const MatmulProblem problem = TestProblem("1024x1024x1024", 1, true);
  EXPECT_EQ(ReasonFor(problem), "");
  // 256 threads do not share rows of 3 chunks; a plain B has rows of 32 chunks then.
  EXPECT_THAT(ReasonFor(problem, "bk=12 unroll_k=12"), HasSubstr("a row of B's tile"));
  EXPECT_THAT(ReasonFor(TestProblem("1024x1024x1024"), "bk=12 unroll_k=12"), HasSubstr("a row of A's tile"));
  // cp.async writes single floats of a column: 128 * 64 of them for 32 threads are too many, through registers not.
  constexpr char kFew[] = "bm=32 bn=128 tm=8 tn=16 bk=64 unroll_k=16 min_blocks=1 stages=2";
  EXPECT_THAT(ReasonFor(problem, kFew), HasSubstr("at most 64 chunks of B's tile"));
  EXPECT_THAT(ReasonFor(problem, std::string(kFew) + " async=0"), ::testing::Not(HasSubstr("pieces of B's tile")));
  EXPECT_EQ(ReasonFor(TestProblem("1024x1024x1024"), kFew), "");
}

TEST_F(FmaFamilyTest, ATransposedAIsCopiedAsItLies) {
  MatmulProblem problem = TestProblem("1024x1024x1024");
  problem.transpose_a = true;
  EXPECT_EQ(ReasonFor(problem, "kmajor_a=1"), "");
  // Into a k-major tile whole vectors along m, whatever bk is; else single floats, as a plain A into a k-major one.
  EXPECT_EQ(ReasonFor(problem, "kmajor_a=1 bk=12 unroll_k=12"), "");
  constexpr char kFew[] = "bm=128 bn=32 tm=16 tn=8 lm=8 bk=64 unroll_k=16 min_blocks=1 stages=2";
  EXPECT_EQ(ReasonFor(problem, std::string(kFew) + " kmajor_a=1"), "");
  EXPECT_THAT(ReasonFor(problem, kFew), HasSubstr("at most 64 chunks of A's tile"));
  EXPECT_THAT(ReasonFor(TestProblem("1024x1024x1024"), std::string(kFew) + " kmajor_a=1"),
              HasSubstr("at most 64 chunks of A's tile"));
  for (const auto& [name, schedule] : LadderSchedules(problem, TestDevice("sm_90")))
    if (schedule.family == "fma") {
      EXPECT_EQ(schedule.Get("kmajor_a"), 1);
    }
  EXPECT_EQ(DefaultSchedule(problem, TestDevice("sm_90"))->Get("kmajor_a"), 1);
}

TEST_F(FmaFamilyTest, PaddingOfBIsAnAxisWhereItsTileIsTransposed) {
  auto axis = [&](const MatmulProblem& problem, DeviceKind kind) {
    for (const ScheduleParameter& parameter : family_.Parameters(problem, TestDevice("sm_80", kind)))
      if (parameter.name == "pad_b") return parameter.values;
    return std::vector<int64_t>{};
  };
  const MatmulProblem plain = TestProblem("1024x1024x1024"), transposed = TestProblem("1024x1024x1024", 1, true);
  EXPECT_EQ(axis(plain, DeviceKind::kCuda), (std::vector<int64_t>{0}));
  EXPECT_EQ(axis(transposed, DeviceKind::kCuda), (std::vector<int64_t>{0, 4}));
  EXPECT_EQ(axis(transposed, DeviceKind::kSimt), (std::vector<int64_t>{0}));
}

/// True if one of many random schedules of the axes is valid.
bool SomeScheduleIsValid(const KernelFamily& family, const MatmulProblem& problem, const DeviceInfo& device,
                         std::mt19937_64& rng) {
  const std::vector<ScheduleParameter> parameters = family.Parameters(problem, device);
  for (int round = 0; round < 200000; ++round) {
    Schedule schedule;
    schedule.family = "fma";
    for (const ScheduleParameter& parameter : parameters)
      schedule.params[parameter.name] = parameter.values[rng() % parameter.values.size()];
    if (family.Validate(problem, schedule, device).ok()) return true;
  }
  return false;
}

TEST_F(FmaFamilyTest, EveryShapeHasAValidSchedule) {
  std::mt19937_64 rng(TestSeed(11));
  for (DeviceKind kind : {DeviceKind::kCuda, DeviceKind::kSimt}) {
    for (std::string_view arch : {"sm_75", "sm_90"}) {
      const DeviceInfo device = TestDevice(arch, kind);
      for (std::string_view shape : {"1x1x1", "1x4096x64", "4096x1x64", "7x5x3", "1001x37x513", "2x2x100000"})
        for (const MatmulProblem& problem : {TestProblem(shape), TestProblem(shape, 3, true, "bias,relu")})
          EXPECT_TRUE(SomeScheduleIsValid(family_, problem, device, rng)) << problem.Text() << " on " << arch;
    }
  }
}

TEST_F(FmaFamilyTest, SimtDeviceHasNoAxesForWhatItCannotShow) {
  DeviceInfo device = TestDevice("sm_80", DeviceKind::kSimt);
  for (const ScheduleParameter& parameter : family_.Parameters(TestProblem("1024x1024x1024"), device)) {
    if (parameter.name == "min_blocks" || parameter.name == "group_m") {
      EXPECT_EQ(parameter.values, std::vector<int64_t>{1}) << parameter.name;
    }
  }
}

}  // namespace
}  // namespace mmtune
