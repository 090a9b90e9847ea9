// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rungs of `tune ladder`: which schedules stand for naive, register-blocked and shared-memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/families/common/registry.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

std::string Rung(std::string_view name, const MatmulProblem& problem, const DeviceInfo& device = TestDevice("sm_80")) {
  for (const auto& [rung, schedule] : LadderSchedules(problem, device)) {
    if (rung == name) return schedule.Text();
  }
  return "";
}

TEST(LadderTest, SharedMemoryHasTheLargestTileThatTheProductFills) {
  const auto shared = [](std::string_view shape) { return Rung("shared-memory", TestProblem(shape)); };
  EXPECT_EQ(shared("64x64x64"),
            "fma async=0 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
            "reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 "
            "tm=4 tn=4 unroll_k=16");
  for (const char* thin : {"63x4096x64", "4096x63x64", "7x5x64"}) {
    EXPECT_EQ(shared(thin),
              "fma async=0 bk=16 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 "
              "pad_b=0 reduction=0 slice_k=1 "
              "split_k=1 stages=1 stream_k=1 tm=2 tn=2 unroll_k=16")
        << thin;
  }
  EXPECT_THAT(Rung("shared-memory", TestProblem("64x64x64", 1, true)), HasSubstr("pad_b=4"));
}

TEST(LadderTest, WhereSharedMemoryIsScarceTheStepsAreShort) {
  DeviceInfo device = TestDevice("sm_80");
  device.shared_bytes_per_block = 4096;
  EXPECT_EQ(Rung("shared-memory", TestProblem("64x64x64"), device),
            "fma async=0 bk=4 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
            "reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 "
            "tm=4 tn=4 unroll_k=4");
  device.shared_bytes_per_block = 2048;
  EXPECT_EQ(Rung("shared-memory", TestProblem("64x64x64"), device),
            "fma async=0 bk=4 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
            "reduction=0 slice_k=1 split_k=1 stages=1 stream_k=1 "
            "tm=2 tn=2 unroll_k=4");
}

// 16-bit types have no such kernel on CUDA cores: a warp has one instruction's tile, and what it reads is used once.
TEST(LadderTest, OfTensorCoresItsRungHasNoRegisterTile) {
  MatmulProblem problem = TestProblem("256x256x64");
  problem.dtype = DataType::kBf16;
  std::vector<std::string> names;
  for (const auto& [name, schedule] : LadderSchedules(problem, TestDevice("sm_80"))) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("naive", "register-blocked", "smem", "mma.sync", "pipelined"));
  EXPECT_EQ(Rung("smem", problem),
            "mma async=1 bk=32 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=1 "
            "stream_k=1 wm=16 wn=8");
  EXPECT_THAT(Rung("mma.sync", problem), HasSubstr("stages=1 stream_k=1 wm=64 wn=32"));
}

// Columns of two instructions of it are transposed together.
TEST(LadderTest, BytesWithAPlainBHaveThatRungToo) {
  for (const char* shape : {"256x256x64", "16x16x64"}) {
    MatmulProblem problem = TestProblem(shape);
    problem.dtype = DataType::kS8;
    EXPECT_THAT(Rung("smem", problem), HasSubstr("wm=16 wn=16")) << shape;
    problem.transpose_b = true;
    EXPECT_THAT(Rung("smem", problem), HasSubstr("wm=16 wn=8")) << shape;
  }
}

TEST(LadderTest, TheFirstValidOneStandsForItsRung) {
  EXPECT_EQ(Rung("naive", TestProblem("64x64x64")), "direct bx=16 by=16 tm=1 tn=1");
  EXPECT_EQ(Rung("register-blocked", TestProblem("64x64x64")), "direct bx=16 by=16 tm=8 tn=8");
  const MatmulProblem high = TestProblem("2147483640x1x1");  // 2^31 - 8 rows: a tile of 16 counts too far.
  EXPECT_EQ(Rung("naive", high), "direct bx=32 by=1 tm=1 tn=1");
  EXPECT_EQ(Rung("register-blocked", high), "");
  const MatmulProblem lower = TestProblem("2147483550x1x1");  // A tile of 128 rows counts too far, one of 64 does not.
  EXPECT_EQ(Rung("register-blocked", lower), "direct bx=16 by=16 tm=4 tn=4");
}

TEST(LadderTest, EachRungOfHopperAddsToTheOneBefore) {
  MatmulProblem problem = TestProblem("4096x4096x4096");
  problem.dtype = DataType::kBf16;
  std::vector<std::string> names;
  for (const auto& [name, schedule] : LadderSchedules(problem, TestDevice("sm_90"))) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("naive", "register-blocked", "smem", "mma.sync", "pipelined", "wgmma",
                                          "specialised", "persistent", "multicast", "hilbert"));
  const auto rung = [&problem](std::string_view name) { return Rung(name, problem, TestDevice("sm_90")); };
  EXPECT_EQ(rung("wgmma"),
            "wgmma addend=0 bk=64 blocks=0 bn=128 cluster_m=1 cluster_n=1 consumers=1 epi_buffers=0 epi_columns=32 "
            "group_m=1 hint_a=0 hint_b=0 in_flight=0 l2_promotion=2 mi=1 mode=0 raster=0 reduction=0 split_k=1 "
            "stages=2");
  EXPECT_EQ(rung("specialised"),
            "wgmma addend=0 bk=64 blocks=0 bn=256 cluster_m=1 cluster_n=1 consumers=2 epi_buffers=0 epi_columns=32 "
            "group_m=1 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=0 raster=0 reduction=0 split_k=1 "
            "stages=4");
  EXPECT_EQ(rung("persistent"),
            "wgmma addend=0 bk=64 blocks=128 bn=256 cluster_m=1 cluster_n=1 consumers=2 epi_buffers=0 epi_columns=32 "
            "group_m=8 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=0 raster=0 reduction=0 split_k=1 "
            "stages=4");
  EXPECT_EQ(rung("multicast"),
            "wgmma addend=0 bk=64 blocks=128 bn=256 cluster_m=2 cluster_n=1 consumers=2 epi_buffers=0 epi_columns=32 "
            "group_m=8 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=0 raster=0 reduction=0 split_k=1 "
            "stages=4");
  EXPECT_EQ(rung("hilbert"),
            "wgmma addend=0 bk=64 blocks=128 bn=256 cluster_m=2 cluster_n=1 consumers=2 epi_buffers=2 epi_columns=32 "
            "group_m=8 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=0 raster=2 reduction=0 split_k=1 "
            "stages=4");
}

TEST(LadderTest, SmallProblemsHaveSmallTilesOnTheRungsOfHopper) {
  MatmulProblem problem = TestProblem("512x512x256");
  problem.dtype = DataType::kBf16;
  const auto rung = [&problem](std::string_view name) { return Rung(name, problem, TestDevice("sm_90")); };
  // There are 8 tiles, so each of four blocks has two.
  EXPECT_THAT(rung("persistent"), HasSubstr("blocks=4 bn=256 cluster_m=1 cluster_n=1 consumers=2"));
  EXPECT_THAT(rung("multicast"), HasSubstr("blocks=4 bn=256 cluster_m=2 cluster_n=1 consumers=2"));
  // A curve needs four rows and four columns of clusters. Here they have 32 tiles.
  EXPECT_THAT(rung("hilbert"), HasSubstr("blocks=16 bn=128 cluster_m=2 cluster_n=1 consumers=1"));
  problem.m = 16;
  EXPECT_EQ(rung("multicast"), "");
}

}  // namespace
}  // namespace mmtune
