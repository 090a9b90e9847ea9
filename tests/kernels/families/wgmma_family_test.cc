// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/wgmma/wgmma_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/families/common/verification_shapes.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MatmulProblem ProblemOf(std::string_view shape, DataType type = DataType::kBf16) {
  MatmulProblem problem = TestProblem(shape);
  problem.dtype = type;
  return problem;
}

/// The reference schedule with some parameters changed: "stages=2 bn=96".
Schedule Wgmma(std::string_view changes = "") {
  Schedule schedule = *ParseSchedule(
      "wgmma bk=64 blocks=0 bn=256 consumers=2 cluster_m=1 cluster_n=1 epi_buffers=0 epi_columns=0 group_m=1 "
      "in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=1 mode=0 reduction=0 split_k=1 stages=4");
  if (changes.empty()) return schedule;
  const Schedule changed = *ParseSchedule("wgmma " + std::string(changes));
  for (const auto& [name, value] : changed.params) schedule.params[name] = value;
  return schedule;
}

/// Why the changed reference schedule is rejected; empty when it is valid.
std::string Reason(std::string_view changes, const MatmulProblem& problem = ProblemOf("4096x4096x4096"),
                   std::string_view arch = "sm_90") {
  const absl::Status status = ValidateSchedule(problem, Wgmma(changes), TestDevice(arch));
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(WgmmaFamilyTest, NeedsSm90) {
  EXPECT_EQ(Reason(""), "");
  for (const char* arch : {"sm_80", "sm_89", "sm_100", "sm_120"})
    EXPECT_THAT(Reason("", ProblemOf("4096x4096x4096"), arch), HasSubstr("wgmma needs sm_90a"));
  EXPECT_EQ((*FindKernelFamily("wgmma"))->Architecture(TestDevice("sm_90")), "sm_90a");
}

TEST(WgmmaFamilyTest, RefusesTypesAndLayoutsByName) {
  EXPECT_THAT(Reason("", ProblemOf("4096x4096x4096", DataType::kF32)), HasSubstr("f32 with math mode tf32"));
  EXPECT_THAT(Reason("", ProblemOf("4096x4096x4096", DataType::kF64)), HasSubstr("elements are f16, bf16, s8, or f32"));
  MatmulProblem tf32 = ProblemOf("4096x4096x4096", DataType::kF32);
  tf32.math = MathMode::kTf32;
  EXPECT_THAT(Reason("bk=32", tf32), HasSubstr("wgmma of tf32 needs rows along k"));
  tf32.transpose_b = true;
  EXPECT_EQ(Reason("bk=32", tf32), "");
  tf32.transpose_a = true;
  EXPECT_THAT(Reason("bk=32", tf32), HasSubstr("needs rows along k"));
}

TEST(WgmmaFamilyTest, BytesHaveRowsAlongKAndColumnsBy16) {
  MatmulProblem s8 = ProblemOf("4096x4096x4096", DataType::kS8);
  EXPECT_THAT(Reason("bk=128", s8), HasSubstr("wgmma of s8 needs rows along k"));
  EXPECT_EQ(DefaultSchedule(s8, TestDevice("sm_90"))->family, "mma");
  s8.transpose_b = true;
  EXPECT_EQ(Reason("bk=128", s8), "");
  EXPECT_EQ(Reason("bk=256 stages=2", s8), "");
  EXPECT_THAT(Reason("bk=64", s8), HasSubstr("bk is 128 or 256 bytes"));
  EXPECT_THAT(Reason("bk=128 bn=248", s8), HasSubstr("bn is a multiple of 16"));
  MatmulProblem unaligned = s8;
  unaligned.k = 4104;
  EXPECT_THAT(Reason("bk=128", unaligned), HasSubstr("rows of A and B are a multiple of 16 bytes"));
  EXPECT_EQ(DefaultSchedule(s8, TestDevice("sm_90"))->family, "wgmma");
  const auto axes =
      (*FindKernelFamily("wgmma"))->Parameters(ProblemOf("64x40x512", DataType::kS8), TestDevice("sm_90"));
  EXPECT_THAT(std::ranges::find(axes, "bn", &ScheduleParameter::name)->values, ElementsAre(16, 32, 48));
  // Their sums are exact, however many blocks add them.
  EXPECT_EQ(SummationOf(s8, Wgmma("bk=128 split_k=4 reduction=2"), TestDevice("sm_90"))->Text(), "exact integers");
}

// Bytes are without a sign in tensor maps, which does not matter, and sums are s32.
TEST(WgmmaFamilyTest, PlansMapsOfBytesAndTheirSums) {
  MatmulProblem s8 = ProblemOf("1000x1048x208", DataType::kS8);
  s8.transpose_b = true;
  const LaunchPlan plan = *MakeLaunchPlan(s8, Wgmma("bk=128 bn=128 stages=2 epi_columns=32 epi_buffers=1"));
  const auto& arguments = plan.steps.front().arguments;
  ASSERT_TRUE(arguments[0].map && arguments[1].map && arguments[2].map);
  EXPECT_EQ(arguments[0].map->data_type, kTensorMapU8);
  EXPECT_THAT(arguments[0].map->box, ElementsAre(128, 128));
  EXPECT_EQ(arguments[1].map->data_type, kTensorMapU8);
  EXPECT_EQ(arguments[2].map->data_type, kTensorMapS32);
  EXPECT_THAT(arguments[2].map->strides_bytes, ElementsAre(4192));
  EXPECT_THAT(arguments[2].map->box, ElementsAre(32, 64));
}

TEST(WgmmaFamilyTest, RowsOfOperandsAreMultiplesOf16Bytes) {
  EXPECT_THAT(Reason("", ProblemOf("4096x4100x4096")), HasSubstr("rows of A and B are a multiple of 16 bytes"));
  EXPECT_THAT(Reason("", ProblemOf("4096x4096x4100")), HasSubstr("rows of A and B are a multiple of 16 bytes"));
  EXPECT_EQ(Reason("", ProblemOf("4099x4096x4096")), "");
  // Rows of C may have any length.
  MatmulProblem transposed = ProblemOf("4099x4099x4096");
  transposed.transpose_b = true;
  EXPECT_EQ(Reason("", transposed), "");
}

TEST(WgmmaFamilyTest, SmallProblemsLimitClustersAndStages) {
  EXPECT_THAT(Reason("cluster_m=2", ProblemOf("128x4096x4096")),
              HasSubstr("a cluster has a block within C in each row"));
  EXPECT_THAT(Reason("cluster_n=2", ProblemOf("4096x256x4096")),
              HasSubstr("a cluster has a block within C in each row"));
  EXPECT_EQ(Reason("cluster_n=2", ProblemOf("4096x264x4096")), "") << "the second block has eight columns";
  // One k step, of which a quarter has values.
  EXPECT_THAT(Reason("", ProblemOf("4096x4096x16")), HasSubstr("stages is at most the number of k steps"));
  EXPECT_EQ(Reason("stages=2", ProblemOf("4096x4096x16")), "");
}

TEST(WgmmaFamilyTest, RefusesClustersThatDoNotFitTheDevice) {
  const MatmulProblem problem = ProblemOf("4096x4096x4096");
  DeviceInfo device = TestDevice("sm_90");
  const auto reason = [&](std::string_view changes) {
    return std::string(ValidateSchedule(problem, Wgmma(changes), device).message());
  };
  // Unknown, as for a compilation without a device: assumed to fit.
  EXPECT_EQ(reason("cluster_m=4"), "");
  device.active_clusters_of_2 = 64;
  EXPECT_EQ(reason("cluster_m=2"), "");
  EXPECT_THAT(reason("cluster_m=4"), HasSubstr("a cluster fits the device, which runs none of 4 blocks"));
  EXPECT_THAT(reason("cluster_m=2 cluster_n=2"), HasSubstr("which runs none of 4 blocks"));
  device.active_clusters_of_4 = 30;
  EXPECT_EQ(reason("cluster_m=4"), "");
}

TEST(WgmmaFamilyTest, ResourcesAreLimited) {
  // 4 stages of (128 + 256) rows of 128 bytes, barriers and a word.
  const ScheduleGeometry geometry = *DescribeSchedule(ProblemOf("4096x4096x4096"), Wgmma());
  EXPECT_EQ(geometry.sharedBytes, 4 * 49152 + 4 * 16 + 16);
  EXPECT_EQ(geometry.registers, 168);
  EXPECT_EQ(geometry.threads, 384);
  EXPECT_THAT(geometry.labels.roles, HasSubstr("2 consumers of 64x256; ring of 4 stages of 49152 B; 40 and 232"));
  EXPECT_THAT(Reason("stages=5"), HasSubstr("stages fit the shared memory"));
  EXPECT_THAT(Reason("mi=2"), HasSubstr("accumulators fit the registers of a consumer"));
  EXPECT_EQ(Reason("mi=2 bn=128"), "");
  EXPECT_THAT(Reason("consumers=3"), HasSubstr("accumulators fit the registers"));
  EXPECT_EQ(Reason("consumers=3 mi=2 bn=120 stages=3"), "");
  EXPECT_THAT(Reason("bk=32"), HasSubstr("bk is 128 or 256 bytes"));
  EXPECT_THAT(Reason("bn=100"), HasSubstr("bn is a multiple of 8"));
  EXPECT_THAT(Reason("blocks=512"), HasSubstr("blocks is 0, or a multiple of a cluster"));
  EXPECT_THAT(Reason("split_k=2"), HasSubstr("reduction is 0 exactly if no blocks share tiles"));
}

TEST(WgmmaFamilyTest, PingPongNeedsTwoConsumersAndPersistentBlocks) {
  EXPECT_EQ(Reason("mode=1 blocks=128"), "");
  EXPECT_THAT(Reason("mode=1"), HasSubstr("needs persistent blocks"));
  EXPECT_THAT(Reason("mode=1 blocks=128 consumers=1"), HasSubstr("ping-pong) needs consumers=2"));
  const ScheduleGeometry geometry = *DescribeSchedule(ProblemOf("4096x4096x4096"), Wgmma("mode=1 blocks=128"));
  EXPECT_EQ(geometry.tile.m, 64);
  EXPECT_EQ(geometry.threads, 384);
  EXPECT_THAT(geometry.labels.roles, HasSubstr("2 consumers of 64x256 with a tile each"));
}

TEST(WgmmaFamilyTest, TensorCopiesStoreWholePartsOfAlignedRows) {
  EXPECT_EQ(Reason("stages=3 epi_columns=64 epi_buffers=2"), "");
  MatmulProblem wide = ProblemOf("4096x4096x4096");
  wide.out = OutputType::kF32;
  EXPECT_THAT(Reason("epi_columns=64 epi_buffers=2", wide), HasSubstr("stages and rows to store fit"));
  EXPECT_THAT(Reason("stages=3 epi_columns=16"), HasSubstr("epi_columns=16 needs epi_buffers > 0"));
  EXPECT_THAT(Reason("stages=3 epi_buffers=1"), HasSubstr("epi_columns > 0 that divide bn"));
  EXPECT_THAT(Reason("bn=112 epi_columns=32 epi_buffers=1"), HasSubstr("epi_columns > 0 that divide bn"));
  EXPECT_EQ(Reason("bn=112 epi_columns=16 epi_buffers=1"), "");
  EXPECT_THAT(Reason("bn=64 epi_columns=64 epi_buffers=2"), HasSubstr("at most the parts of a consumer's tile"));
  MatmulProblem ragged = ProblemOf("4099x4099x4096");
  ragged.transpose_b = true;
  EXPECT_THAT(Reason("stages=3 epi_columns=64 epi_buffers=1", ragged), HasSubstr("rows of C, or of the workspace"));
  EXPECT_THAT(
      DescribeSchedule(ProblemOf("4096x4096x4096"), Wgmma("stages=3 epi_columns=64 epi_buffers=2"))->labels.roles,
      HasSubstr("2 buffers of 64x64 a consumer for tensor copies to C"));
}

// Matrices of a batch, and partial sums of each split of each matrix, are a dimension of their own.
TEST(WgmmaFamilyTest, PlansMapsOfWhatTensorCopiesStore) {
  MatmulProblem problem = ProblemOf("1000x1048x200");
  problem.batch = 3;
  LaunchPlan plan = *MakeLaunchPlan(problem, Wgmma("stages=3 epi_columns=32 epi_buffers=1"));
  const PlanArgument* c = &plan.steps.front().arguments[2];
  ASSERT_TRUE(c->map.has_value());
  EXPECT_EQ(c->buffer, PlanBuffer::kC);
  EXPECT_THAT(c->map->extents, ElementsAre(1048, 1000, 3));
  EXPECT_THAT(c->map->strides_bytes, ElementsAre(2096, 2096000));
  EXPECT_THAT(c->map->box, ElementsAre(32, 64, 1));
  EXPECT_EQ(c->map->swizzle, kSwizzle64);
  plan = *MakeLaunchPlan(problem, Wgmma("stages=2 epi_columns=64 epi_buffers=1 split_k=2 reduction=2"));
  c = &plan.steps.front().arguments[2];
  ASSERT_TRUE(c->map.has_value());
  EXPECT_EQ(c->buffer, PlanBuffer::kWorkspace);
  EXPECT_EQ(c->map->data_type, kTensorMapF32);
  EXPECT_THAT(c->map->extents, ElementsAre(1048, 1000, 6));
  EXPECT_THAT(c->map->box, ElementsAre(32, 64, 1));
  EXPECT_EQ(c->map->swizzle, kSwizzle128);
}

// A schedule that is described need not be valid: here its blocks do not make a cluster.
TEST(WgmmaFamilyTest, DescribesBlocksFewerThanACluster) {
  EXPECT_EQ(DescribeSchedule(ProblemOf("4096x4096x4096"), Wgmma("blocks=1 cluster_m=4"))->blocks, 4);
}

TEST(WgmmaFamilyTest, PlansMapsOfWholeMatricesAndPersistentBlocks) {
  MatmulProblem problem = ProblemOf("1000x1048x200");
  problem.batch = 3;
  const LaunchPlan plan = *MakeLaunchPlan(problem, Wgmma("blocks=7"));
  ASSERT_EQ(plan.steps.size(), 1u);
  const PlanStep& step = plan.steps.front();
  EXPECT_EQ(step.grid[0], 7u);
  ASSERT_TRUE(step.arguments[0].map && step.arguments[1].map);
  const TiledTensorMap &a = *step.arguments[0].map, &b = *step.arguments[1].map;
  EXPECT_THAT(a.extents, ElementsAre(200, 1000, 3));
  EXPECT_THAT(a.strides_bytes, ElementsAre(400, 400000));
  EXPECT_THAT(a.box, ElementsAre(64, 128, 1));
  // B is stored with a row for each k: boxes of 64 columns and all k of a stage.
  EXPECT_THAT(b.extents, ElementsAre(1048, 200, 3));
  EXPECT_THAT(b.box, ElementsAre(64, 64, 1));
  EXPECT_EQ(a.swizzle, kSwizzle128);
  EXPECT_EQ(a.data_type, kTensorMapBf16);
  // A tensor copy has at most 256 rows.
  const LaunchPlan tall = *MakeLaunchPlan(ProblemOf("1024x1024x1024"), Wgmma("consumers=3 mi=2 bn=96"));
  EXPECT_THAT(tall.steps.front().arguments[0].map->box, ElementsAre(64, 192));
}

TEST(WgmmaFamilyTest, AnAddendByTensorCopiesNeedsBuffers) {
  MatmulProblem problem = ProblemOf("4096x4096x4096");
  const char* schedule = "stages=3 epi_columns=32 epi_buffers=2 addend=1";
  EXPECT_THAT(Reason(schedule, problem), HasSubstr("addend=1 (by tensor copies) needs an addend"));
  problem.epilogue = *ParseEpilogue("bias,add");
  EXPECT_EQ(Reason(schedule, problem), "");
  EXPECT_THAT(Reason("addend=1", problem), HasSubstr("epi_buffers > 0 and reduction=0"));
  EXPECT_THAT(Reason(absl::StrCat(schedule, " split_k=2 reduction=2"), problem), HasSubstr("and reduction=0"));
  const LaunchPlan plan = *MakeLaunchPlan(problem, Wgmma(schedule));
  ASSERT_EQ(plan.steps.front().arguments.size(), 5u);
  const PlanArgument &bias = plan.steps.front().arguments[3], &addend = plan.steps.front().arguments[4];
  EXPECT_FALSE(bias.map.has_value());
  EXPECT_EQ(addend.buffer, PlanBuffer::kAddend);
  ASSERT_TRUE(addend.map.has_value());
  EXPECT_THAT(addend.map->box, ElementsAre(32, 64));
  // A barrier for each buffer of each consumer.
  EXPECT_EQ(DescribeSchedule(problem, Wgmma(schedule))->sharedBytes,
            DescribeSchedule(problem, Wgmma("stages=3 epi_columns=32 epi_buffers=2"))->sharedBytes + 4 * 8);
  EXPECT_THAT(DescribeSchedule(problem, Wgmma(schedule))->labels.roles, HasSubstr("copies to C, and from the addend"));
}

TEST(WgmmaFamilyTest, PlansThePromotionOfOperands) {
  const LaunchPlan plan = *MakeLaunchPlan(ProblemOf("1024x1024x1024"), Wgmma("l2_promotion=3 stages=2"));
  EXPECT_EQ(plan.steps.front().arguments[0].map->l2_promotion, 3);
  EXPECT_EQ(plan.steps.front().arguments[1].map->l2_promotion, 3);
}

// 64 MiB of operands do not fit the L2 of an H100, 4 MiB do.
TEST(WgmmaFamilyTest, SearchesWhatL2KeepsWhereItMisses) {
  const auto count = [](std::string_view shape, std::string_view axis) {
    const auto axes = (*FindKernelFamily("wgmma"))->Parameters(ProblemOf(shape), TestDevice("sm_90"));
    return std::ranges::find(axes, axis, &ScheduleParameter::name)->values.size();
  };
  for (const char* axis : {"l2_promotion", "hint_a", "hint_b"}) {
    EXPECT_EQ(count("4096x4096x4096", axis), 3u) << axis;
    EXPECT_EQ(count("1024x1024x1024", axis), 1u) << axis;
  }
}

TEST(WgmmaFamilyTest, NamesAtMost16FirstSchedulesAndAllAreValid) {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 132;
  for (const char* shape : {"4096x4096x4096", "1024x1024x1024", "16x16384x16384", "4096x2112x7168", "64x64x64"}) {
    const MatmulProblem problem = ProblemOf(shape);
    const FamilyBase& family = **FindKernelFamily("wgmma");
    const std::vector<Schedule> first = family.FirstSchedules(problem, device);
    EXPECT_LE(first.size(), 16u) << shape;
    ASSERT_FALSE(first.empty()) << shape;
    EXPECT_EQ(first.front(), family.DefaultSchedules(problem, device).front().front()) << shape;
    for (const Schedule& schedule : first) EXPECT_EQ(ValidateSchedule(problem, schedule, device), absl::OkStatus());
  }
  EXPECT_TRUE((*FindKernelFamily("wgmma"))->FirstSchedules(ProblemOf("64x64x64"), TestDevice("sm_80")).empty());
}

TEST(WgmmaFamilyTest, SomeDefaultOfALargeProblemHasAClusterAndGroups) {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 132;
  const auto lists = (*FindKernelFamily("wgmma"))->DefaultSchedules(ProblemOf("4096x4096x4096"), device);
  ASSERT_EQ(lists.size(), 1u);
  EXPECT_TRUE(std::ranges::any_of(lists.front(), [](const Schedule& schedule) {
    return schedule.Get("cluster_m") * schedule.Get("cluster_n") > 1 && schedule.Get("group_m") > 1;
  }));
}

TEST(WgmmaFamilyTest, NumbersOfBlocksFillTheDeviceOrItsRounds) {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 132;
  const auto blocks = [&device](std::string_view shape) {
    const auto axes = (*FindKernelFamily("wgmma"))->Parameters(ProblemOf(shape), device);
    return std::ranges::find(axes, "blocks", &ScheduleParameter::name)->values;
  };
  // 512 tiles of 128x256 are four rounds of 128 blocks, 704 of 128x192 six of 118, 1024 of 128x128 eight of 128.
  EXPECT_THAT(blocks("4096x4096x4096"), ElementsAre(0, 120, 128, 132));
  EXPECT_THAT(blocks("128x256x4096"), ElementsAre(0, 120, 132));
}

TEST(WgmmaFamilyTest, IsTheDefaultOfHopperAlone) {
  const MatmulProblem problem = ProblemOf("4096x4096x4096");
  EXPECT_EQ(DefaultSchedule(problem, TestDevice("sm_90"))->family, "wgmma");
  EXPECT_EQ(DefaultSchedule(problem, TestDevice("sm_90"), {}, {}, PortableFamilies(TestDevice("sm_90")))->family,
            "mma");
  EXPECT_EQ(DefaultSchedule(problem, TestDevice("sm_80"))->family, "mma");
  EXPECT_EQ(DefaultSchedule(ProblemOf("4096x4100x4096"), TestDevice("sm_90"))->family, "mma");
}

TEST(WgmmaFamilyTest, SpaceIsLarge) {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 132;
  const auto space = SearchSpace::Create(ProblemOf("4096x4096x4096"), device, {*FindKernelFamily("wgmma")});
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_GE((*space)->Size().schedules, 100000);
}

TEST(WgmmaFamilyTest, RastersNeedRowsAndColumnsOfClusters) {
  EXPECT_EQ(Reason("raster=1 group_m=8"), "");
  EXPECT_EQ(Reason("raster=2 group_m=8"), "");
  EXPECT_THAT(Reason("raster=1", ProblemOf("128x4096x4096")), HasSubstr("raster > 0 needs at least two rows"));
  EXPECT_THAT(Reason("raster=2", ProblemOf("4096x256x4096")), HasSubstr("raster > 0 needs at least two rows"));
  for (const char* group : {"1", "2", "6"})
    EXPECT_THAT(Reason(absl::StrCat("raster=2 group_m=", group)), HasSubstr("needs group_m of 4, 8"));
  // 4096 columns are 16 tiles, 8192 rows 64.
  EXPECT_THAT(Reason("raster=1 group_m=32", ProblemOf("8192x4096x4096")), HasSubstr("raster=1 as many columns"));
  EXPECT_EQ(Reason("group_m=32", ProblemOf("8192x4096x4096")), "");
  EXPECT_THAT(Reason("raster=2 group_m=16 cluster_n=2", ProblemOf("8192x4096x4096")),
              HasSubstr("raster=2 as many of both"));
}

TEST(WgmmaFamilyTest, DescribesWhatARasterTraversesTogether) {
  const auto group = [](std::string_view changes) {
    const ScheduleGeometry geometry = *DescribeSchedule(ProblemOf("4096x4096x4096"), Wgmma(changes));
    return std::pair(geometry.groupM, geometry.groupN);
  };
  EXPECT_THAT(group("group_m=8"), ::testing::Pair(8, 0));
  EXPECT_THAT(group("raster=1 group_m=8"), ::testing::Pair(1, 8));
  EXPECT_THAT(group("raster=2 group_m=8"), ::testing::Pair(8, 8));
}

// Groups of 16 rows or columns would need 32 tiles to be verified. Smaller groups stay as they are.
TEST(WgmmaFamilyTest, IsVerifiedWithSmallGroups) {
  const MatmulProblem problem = ProblemOf("4096x4096x4096");
  for (const char* raster : {"", " raster=1"}) {
    const auto verified = [&](const char* group) {
      return (*FindKernelFamily("wgmma"))->VerificationSchedule(problem, Wgmma(absl::StrCat(group, raster)));
    };
    EXPECT_EQ(verified("group_m=2").Get("group_m"), 2);
    const Schedule schedule = verified("group_m=16");
    EXPECT_EQ(schedule.Get("group_m"), 4);
    std::string why;
    const auto shapes = VerificationShapes(problem, schedule, TestDevice("sm_90"), &why);
    ASSERT_EQ(shapes.size(), 2u) << why;
    for (const MatmulProblem& shape : shapes) {
      EXPECT_EQ(DescribeSchedule(shape, schedule)->blocks, 8);
      EXPECT_TRUE(ValidateSchedule(shape, schedule, TestDevice("sm_90")).ok());
    }
  }
}

// A curve through a square of 16 tiles, in both shapes, whatever the square of the schedule is.
TEST(WgmmaFamilyTest, VerifiesACurveThroughASmallSquare) {
  const MatmulProblem problem = ProblemOf("4096x4096x4096");
  const Schedule schedule = (*FindKernelFamily("wgmma"))->VerificationSchedule(problem, Wgmma("raster=2 group_m=16"));
  EXPECT_EQ(schedule.Get("group_m"), 4);
  std::string why;
  const auto shapes = VerificationShapes(problem, schedule, TestDevice("sm_90"), &why);
  ASSERT_EQ(shapes.size(), 2u) << why;
  for (const MatmulProblem& shape : shapes) {
    EXPECT_EQ(DescribeSchedule(shape, schedule)->blocks, 16);
    EXPECT_TRUE(ValidateSchedule(shape, schedule, TestDevice("sm_90")).ok());
  }
}

// Each phase of the ring flips twice, and two clusters have at least five tiles.
TEST(WgmmaFamilyTest, IsVerifiedWithFewBlocks) {
  const MatmulProblem problem = ProblemOf("4096x4096x4096");
  const FamilyBase& family = **FindKernelFamily("wgmma");
  const Schedule schedule = family.VerificationSchedule(problem, Wgmma("blocks=128"));
  EXPECT_EQ(schedule.Get("blocks"), 2);
  EXPECT_EQ(family.VerificationSchedule(problem, Wgmma("blocks=128 cluster_n=2")).Get("blocks"), 4);
  EXPECT_EQ(family.VerificationSchedule(problem, Wgmma()), Wgmma());
  std::string why;
  const auto shapes = VerificationShapes(problem, schedule, TestDevice("sm_90"), &why);
  ASSERT_EQ(shapes.size(), 2u) << why;
  for (const MatmulProblem& shape : shapes) {
    EXPECT_GE(DescribeSchedule(shape, Wgmma())->blocks, 5);
    EXPECT_TRUE(ValidateSchedule(shape, schedule, TestDevice("sm_90")).ok());
    EXPECT_GT(shape.k, 64 * 4);
  }
}

// Rows of B have to be aligned, so that a tile of 8 columns cannot have fewer. Rows and k are ragged all the same.
TEST(WgmmaFamilyTest, NarrowTilesAreVerifiedWithRaggedRows) {
  for (const char* changes : {"bn=8", "bn=8 cluster_n=2"}) {
    std::string why;
    const auto shapes = VerificationShapes(ProblemOf("4096x4096x4096"), Wgmma(changes), TestDevice("sm_90"), &why);
    ASSERT_EQ(shapes.size(), 2u) << changes;
    EXPECT_EQ(shapes[1].n, shapes[0].n) << changes;
    EXPECT_NE(shapes[1].m % 128, 0) << changes;
    EXPECT_NE(shapes[1].k % 64, 0) << changes;
  }
}

}  // namespace
}  // namespace mmtune
