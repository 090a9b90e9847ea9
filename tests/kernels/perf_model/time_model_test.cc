// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's formulas, at numbers computed by hand.
#include "kernels/perf_model/time_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/families/common/registry.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/warp_request.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

constexpr double kMicro = 1e-6;

/// An H100 of 100 multiprocessors at 1 GHz.
DeviceInfo Gpu() {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 100;
  device.clock_khz = 1000000;
  return device;
}

/// The geometry of 128 x 128 tiles by 256 threads of 8 x 8, ten steps of 16.
ScheduleGeometry Tiles(int64_t blocks) {
  ScheduleGeometry geometry;
  geometry.tile = {128, 128, 16};
  geometry.threads = 256;
  geometry.registers = 128;
  geometry.blocks = blocks;
  geometry.loop.steps = 10;
  geometry.loop.multiplyAdds = 32 * 64 * 16;
  geometry.loop.instructions = 1126;
  geometry.loop.exposed = 400;
  return geometry;
}

// Two blocks of 8 warps are resident: 4 warps for each scheduler, 4504 clocks a step, and 100 exposed.
TEST(TimeModelTest, FullRoundsTakeWhatTheirStepsTake) {
  const PredictedTime time = PredictTime(TestProblem("2560x2560x160"), Tiles(400), Gpu());
  EXPECT_NEAR(time.waves, 2, 1e-12);
  EXPECT_NEAR(time.issue, 90.08 * kMicro, 1e-12);
  EXPECT_NEAR(time.multiply, 81.92 * kMicro, 1e-12);
  EXPECT_NEAR(time.latency, 5 * kMicro, 1e-12);
  EXPECT_NEAR(time.tail, 0, 1e-12);
  // A and B once, and C, at 100 / 132 of an H100's rate.
  EXPECT_NEAR(time.dram, 29491200 / (3350e9 * 100 / 132), 1e-12);
  EXPECT_NEAR(time.others, 2 * kMicro, 1e-12);
  EXPECT_NEAR(time.total, 97.08 * kMicro, 0.02 * kMicro);
}

TEST(TimeModelTest, AWaveThatIsNotFullTakesLongerThanItsShare) {
  const PredictedTime time = PredictTime(TestProblem("2560x2560x160"), Tiles(410), Gpu());
  // A fifth block on some: 10 * (2252 + 200) + 1500 clocks more than two rounds; its share would be 2.05 rounds.
  EXPECT_NEAR(time.tail, (95.08 + 26.02 - 2.05 * 47.54) * kMicro, 1e-10);
  EXPECT_GT(time.total, 121 * kMicro);
}

// 4096 clocks of multiply-adds a step, of which the machine code makes 4551, whatever the formula thinks of issue and
// exposed; and of one block alone as much less than by the formula, 2452 to 4604.
TEST(TimeModelTest, MachineCodeTakesThePlaceOfTheFormulaForTheLoop) {
  ScheduleGeometry tiles = Tiles(400);
  tiles.loop.peakFraction = 0.9;
  EXPECT_NEAR(PredictTime(TestProblem("2560x2560x160"), tiles, Gpu()).total, (94.02 + 2) * kMicro, 0.02 * kMicro);
  tiles.blocks = 410;
  EXPECT_NEAR(PredictTime(TestProblem("2560x2560x160"), tiles, Gpu()).total, (94.02 + 25.74 + 2) * kMicro,
              0.02 * kMicro);
  // The times outside of a multiprocessor stay.
  tiles.blocks = 400;
  tiles.loop.bytes = 1e6;
  const double with = PredictTime(TestProblem("2560x2560x160"), tiles, Gpu()).total;
  tiles.loop.peakFraction = 0;
  EXPECT_NEAR(with, PredictTime(TestProblem("2560x2560x160"), tiles, Gpu()).total, 5e-3 * with);
}

TEST(TimeModelTest, WhatCompilingToldTakesThePlaceOfEstimates) {
  const ScheduleGeometry tiles = Tiles(400);
  KernelResources real;
  EXPECT_EQ(WithCompiledResources(tiles, real).registers, tiles.registers) << "it was not compiled";
  real.threads = 256;
  EXPECT_EQ(WithCompiledResources(tiles, real).registers, tiles.registers) << "of PTX they are not known";
  real.registers = 168;
  real.shared_bytes = 4096;
  real.spill_bytes = 40;
  const ScheduleGeometry compiled = WithCompiledResources(tiles, real);
  EXPECT_EQ(compiled.registers, 168);
  EXPECT_EQ(compiled.sharedBytes, 4096);
  EXPECT_EQ(compiled.loop.instructions, tiles.loop.instructions + 10);
  EXPECT_EQ(compiled.loop.wavefronts, tiles.loop.wavefronts + 80);
  EXPECT_EQ(compiled.loop.peakFraction, 0);
  EXPECT_EQ(WithCodeFacts(tiles, {real, 0.8}).loop.peakFraction, 0.8);
  EXPECT_EQ(WithCodeFacts(tiles, {real, 0}).loop.peakFraction, 0);
}

// Another 1500 clocks in each of two rounds, for each tile more.
// An L40S multiplies two f64 where it multiplies 128 f32, and integers at half of that rate.
TEST(TimeModelTest, ProductsOutsideTensorCoresAreOfTheTypeOfSums) {
  MatmulProblem problem = TestProblem("256x256x256");
  const auto rate = [&](DataType type, bool tensor_cores) {
    problem.dtype = type;
    return MultiplyAddsPerClock(problem, tensor_cores, TestDevice("sm_89"));
  };
  EXPECT_EQ(rate(DataType::kF32, false), 128);
  EXPECT_EQ(rate(DataType::kBf16, false), 128);
  EXPECT_EQ(rate(DataType::kS8, false), 64);
  EXPECT_EQ(rate(DataType::kF64, false), 2);
  EXPECT_EQ(rate(DataType::kS8, true), 1024);
  EXPECT_EQ(rate(DataType::kBf16, true), 512);
  ScheduleGeometry geometry = Tiles(400);
  problem.dtype = DataType::kF32;
  const double f32 = PredictTime(problem, geometry, TestDevice("sm_89")).multiply;
  problem.dtype = DataType::kF64;
  EXPECT_NEAR(PredictTime(problem, geometry, TestDevice("sm_89")).multiply, 64 * f32, 1e-9);
}

TEST(TimeModelTest, EveryTileOfABlockBeginsAndEnds) {
  ScheduleGeometry geometry = Tiles(400);
  const double one = PredictTime(TestProblem("2560x2560x160"), geometry, Gpu()).latency;
  geometry.loop.tiles = 3.5;
  EXPECT_NEAR(PredictTime(TestProblem("2560x2560x160"), geometry, Gpu()).latency, one + 2 * 2.5 * 1.5 * kMicro, 1e-12);
}

TEST(TimeModelTest, FewWarpsLeaveSchedulersIdle) {
  ScheduleGeometry geometry = Tiles(100);
  geometry.threads = 32;
  geometry.loop.exposed = 0;
  const PredictedTime one = PredictTime(TestProblem("2560x2560x160"), geometry, Gpu());
  geometry.threads = 128;
  const PredictedTime four = PredictTime(TestProblem("2560x2560x160"), geometry, Gpu());
  EXPECT_NEAR(one.issue, four.issue, 1e-12);
}

TEST(TimeModelTest, EveryUnitCanBeTheBound) {
  const MatmulProblem problem = TestProblem("2560x2560x160");
  ScheduleGeometry geometry = Tiles(400);
  geometry.loop.wavefronts = 10000;
  PredictedTime time = PredictTime(problem, geometry, Gpu());
  EXPECT_NEAR(time.shared, 400 * kMicro, 1e-10);
  EXPECT_GT(time.total, 400 * kMicro);
  // Turing moves half as many bytes of shared memory a clock.
  DeviceInfo turing = TestDevice("sm_75");
  turing.clock_khz = 1000000;
  turing.multiprocessors = 100;
  DeviceInfo ampere = turing;
  ampere.arch = "sm_86";
  EXPECT_NEAR(PredictTime(problem, geometry, turing).shared, 2 * PredictTime(problem, geometry, ampere).shared, 1e-12);
  geometry = Tiles(400);
  geometry.loop.bytes = 1e6;
  time = PredictTime(problem, geometry, Gpu());
  EXPECT_NEAR(time.l2, 4 * 10 * 1e6 / (5120 / 132.0) * 1e-9, 1e-9);
  EXPECT_GT(time.total, time.l2);
  geometry = Tiles(400);
  geometry.loop.latency = 20000;
  EXPECT_GT(PredictTime(problem, geometry, Gpu()).total, 400 * kMicro);
  geometry = Tiles(400);
  geometry.reduction = {1, 0, 4e6};
  time = PredictTime(problem, geometry, Gpu());
  EXPECT_NEAR(time.others, 4 * kMicro + 64e6 / (5120 / 132.0 * 100 * 1e9), 1e-10);
  // Four neighbours are one access from sm_90 on.
  geometry.reduction.neighbors = 4;
  EXPECT_NEAR(PredictTime(problem, geometry, Gpu()).others, 4 * kMicro + 16e6 / (5120 / 132.0 * 100 * 1e9), 1e-10);
  const double before = PredictTime(problem, geometry, TestDevice("sm_89")).others;
  geometry.reduction.neighbors = 1;
  EXPECT_EQ(PredictTime(problem, geometry, TestDevice("sm_89")).others, before);
}

// Two resident blocks, whose steps read 100,000 bytes each: 5,156 clocks of L2, which come 200 later. What deeper
// pipelines save, they save in every step, also where it takes longer than what it waits for.
TEST(TimeModelTest, TilesHaveTheStepsAheadOfTheirUseToCome) {
  const MatmulProblem problem = TestProblem("2560x2560x160");
  const auto of = [&problem](double ahead, double bytes) {
    ScheduleGeometry geometry = Tiles(200);
    geometry.loop.steps = 1000;
    geometry.loop.bytes = bytes;
    geometry.loop.prefetchDistance = ahead;
    return PredictTime(problem, geometry, Gpu());
  };
  const double l2 = 2 * 100e3 / (5120 / 132.0), inside = std::pow(std::pow(4504, 4) + std::pow(l2, 4), 0.25) + 100;
  const double waits = std::pow(std::pow(inside, 4) + std::pow(200 + l2, 4), 0.25);
  const double third = std::pow(std::pow(inside, 4) + std::pow((200 + l2) / 3, 4), 0.25);
  EXPECT_NEAR(of(1, 100e3).l2 + of(1, 100e3).latency, (1000 * waits + l2 + 1500) * 1e-9, 1e-9);
  EXPECT_NEAR(of(3, 100e3).l2 + of(3, 100e3).latency, (1000 * third + 3 * l2 + 1500) * 1e-9, 1e-9);
  EXPECT_LT(of(4, 100e3).total, 0.995 * of(2, 100e3).total);
  EXPECT_LT(of(2, 100e3).total, 0.9 * of(1, 100e3).total);
  // Nothing for a step that takes much longer.
  EXPECT_NEAR(of(2, 1000).total, of(1, 1000).total, 1e-3 * of(1, 1000).total);
}

// There are no more first tiles than tiles.
TEST(TimeModelTest, ABlockBeginsWithTheTilesAhead) {
  ScheduleGeometry geometry = Tiles(100);
  geometry.loop.bytes = 1e4;
  geometry.loop.prefetchDistance = 2;
  const auto round = [&geometry](double ahead) {
    geometry.loop.prefetchDistance = ahead;
    const PredictedTime time = PredictTime(TestProblem("2560x2560x160"), geometry, Gpu());
    return time.issue + time.latency;
  };
  const double one = 1e4 / (5120 / 132.0) * 1e-9;
  EXPECT_NEAR(round(5) - round(2), 3 * one, 2e-9);
  EXPECT_NEAR(round(10) - round(5), 5 * one, 2e-9);
  EXPECT_NEAR(round(20), round(10), 2e-9);
}

TEST(TimeModelTest, MemoryMovesSectorsAndLines) {
  EXPECT_EQ(BytesMovedForRows(128, 128, 8192), 128 * 128);
  EXPECT_EQ(BytesMovedForRows(128, 256, 8192), 128 * 256);
  EXPECT_EQ(BytesMovedForRows(128, 32, 8192), 128 * 32 * 2);
  // Each row begins within a sector, and ends within another one.
  EXPECT_EQ(BytesMovedForRows(128, 128, 2002), 128 * (128 + 32));
  EXPECT_EQ(BytesMovedForRows(16, 32, 2000), 16 * (32 + 32) * 2);
  // L2 and device memory alike.
  ScheduleGeometry geometry = Tiles(400);
  geometry.loop.bytes = 1e6;
  const PredictedTime whole = PredictTime(TestProblem("2560x2560x160"), geometry, Gpu());
  geometry.loop.perByte = 1.5;
  const PredictedTime short_rows = PredictTime(TestProblem("2560x2560x160"), geometry, Gpu());
  EXPECT_NEAR(short_rows.l2, 1.5 * whole.l2, 1e-12);
  EXPECT_NEAR(short_rows.dram - whole.dram, 0.5 * 4 * 2 * 2560 * 160 / (3350e9 * 100 / 132), 1e-12);
}

// 16384 x 16384 of f32 does not fit L2: what a wave meets it reads again. Rows of tiles are as long as the wave, groups
// of 8 make it nearly square.
TEST(TimeModelTest, GroupsOfRowsSaveDeviceMemory) {
  const MatmulProblem problem = TestProblem("16384x16384x16384");
  ScheduleGeometry geometry = Tiles(128 * 128);
  const double by_row = PredictTime(problem, geometry, Gpu()).dram;
  geometry.groupM = 8;
  const double grouped = PredictTime(problem, geometry, Gpu()).dram;
  EXPECT_LT(grouped, 0.5 * by_row);
  // 200 tiles at once: 2 rows of 128, or 8 rows of 25.
  const double waves = 16384 / 200.0, rate = 3350e9 * 100 / 132, row = 128.0 * 16384 * 4;
  EXPECT_NEAR(by_row, (waves * (2 + 128) * row + 16384.0 * 16384 * 4) / rate, 1e-6);
  EXPECT_NEAR(grouped, (waves * (8 + 25) * row + 16384.0 * 16384 * 4) / rate, 1e-6);
}

// The same of columns. A curve keeps a wave nearly square, however large its squares are.
TEST(TimeModelTest, GroupsOfColumnsAndCurvesSaveDeviceMemory) {
  const MatmulProblem problem = TestProblem("16384x16384x16384");
  ScheduleGeometry geometry = Tiles(128 * 128);
  const auto dram = [&](int64_t rows, int64_t columns) {
    geometry.groupM = rows, geometry.groupN = columns;
    return PredictTime(problem, geometry, Gpu()).dram;
  };
  EXPECT_EQ(dram(1, 1), dram(1, 0));
  EXPECT_EQ(dram(1, 8), dram(8, 0));
  EXPECT_EQ(dram(8, 8), dram(8, 0));
  EXPECT_EQ(dram(64, 64), dram(16, 16));
  EXPECT_LT(dram(64, 64), dram(64, 0));
}

TEST(TimeModelTest, ResidencyIsOfRegistersSharedMemoryAndThreads) {
  ScheduleGeometry geometry = Tiles(1);
  EXPECT_EQ(ResidentBlocks(geometry, Gpu()), 2);
  geometry.registers = 130;
  EXPECT_EQ(ResidentBlocks(geometry, Gpu()), 1);
  geometry.minBlocks = 2;  // ptxas is told.
  EXPECT_EQ(ResidentBlocks(geometry, Gpu()), 2);
  geometry.registers = 32;
  EXPECT_EQ(ResidentBlocks(geometry, Gpu()), 8);
  geometry.sharedBytes = 75 * 1024;
  EXPECT_EQ(ResidentBlocks(geometry, Gpu()), 3);
}

TEST(TimeModelTest, WavefrontsAreWhatBanksGive) {
  const auto of = [](int64_t stride, int64_t width, bool merges = true, int64_t shared_by = 1) {
    LaneOffsets offsets{};
    for (int64_t lane = 0; lane < 32; ++lane) offsets[lane] = lane / shared_by * stride;
    return SharedWavefronts(offsets, width, merges);
  };
  EXPECT_EQ(of(1, 1), 1);
  EXPECT_EQ(of(2, 1), 2);
  EXPECT_EQ(of(33, 1), 1);
  EXPECT_EQ(of(32, 1), 32);
  EXPECT_EQ(of(0, 1), 1);
  EXPECT_EQ(of(2, 2), 2);
  EXPECT_EQ(of(4, 4), 4);
  EXPECT_EQ(of(8, 4), 8);
  EXPECT_EQ(of(4, 4, true, 2), 2);
  EXPECT_EQ(of(4, 4, false, 2), 4);
}

TEST(TimeModelTest, EveryFamilyPredicts) {
  for (std::string_view text : {"fma stream_k=1 slice_k=1 order=1 fragments=1 bk=16 bm=128 bn=128 tm=8 tn=8 lm=4 "
                                "unroll_k=16 async=1 stages=3 min_blocks=2 pad_a=4 pad_b=0 kmajor_a=0 "
                                "reduction=0 split_k=1 group_m=1",
                                "mma async=1 bk=32 bm=128 bn=128 group_m=1 min_blocks=1 prefetch=1 reduction=0 "
                                "slice_k=1 split_k=1 stages=3 stream_k=1 wm=64 "
                                "wn=64",
                                "gemv lanes_k=32 pieces=4 warps_out=4 warps_k=1 unroll=4 split_k=1 reduction=0",
                                "direct bx=16 by=16 tm=1 tn=1"}) {
    const Schedule schedule = *ParseSchedule(text);
    MatmulProblem problem = TestProblem(schedule.family == "gemv" ? "4096x1x4096" : "4096x4096x4096");
    if (schedule.family == "mma") problem.dtype = DataType::kBf16;
    const KernelFamily* family = *FindKernelFamily(schedule.family);
    for (std::string_view arch : {"sm_75", "sm_80", "sm_90", "sm_120"}) {
      const auto time = family->Predict(problem, schedule, TestDevice(arch));
      ASSERT_TRUE(time) << text;
      EXPECT_GE(time->total, std::max(time->multiply, time->dram)) << text << " " << arch;
      EXPECT_GT(time->issue, 0) << text;
      const double whole = time->total;
      const auto simt = family->Predict(problem, schedule, TestDevice(arch, DeviceKind::kSimt));
      EXPECT_GT(simt->total, whole) << "two multiprocessors are slower than 128";
    }
    EXPECT_FALSE(family->Predict(problem, *ParseSchedule("direct bx=9999 by=16 tm=1 tn=1"), TestDevice("sm_90")));
  }
}

TEST(TimeModelTest, DevicesBeforeOursHaveRatesOfTheirOwn) {
  const auto products = [](const char* arch) {
    DeviceInfo device = Gpu();
    device.arch = arch;
    return MultiplyAddsPerClock(TestProblem("128x128x128"), /*tensorCores=*/false, device);
  };
  EXPECT_EQ(products("sm_35"), 192);
  EXPECT_EQ(products("sm_61"), 128);
  EXPECT_EQ(products("sm_70"), 64);
  EXPECT_EQ(products("sm_75"), 64);
  EXPECT_EQ(products("sm_86"), 128);
}

// On sm_90 mma.sync has 0.64 of the data sheet's rate; wgmma has all of it, and f64 has no wgmma.
TEST(TimeModelTest, MmaDoesNotReachThePeakOfHopper) {
  MatmulProblem problem = TestProblem("4096x4096x4096");
  problem.dtype = DataType::kBf16;
  ScheduleGeometry geometry = Tiles(100);
  geometry.loop.tensorCores = true;
  const double mma = PredictTime(problem, geometry, Gpu()).multiply;
  geometry.loop.warpgroups = true;
  const double wgmma = PredictTime(problem, geometry, Gpu()).multiply;
  EXPECT_NEAR(wgmma / mma, 0.64, 1e-12);
  geometry.loop.warpgroups = false;
  DeviceInfo ampere = Gpu();
  ampere.arch = "sm_80";
  EXPECT_EQ(ReachableShare(problem, geometry.loop, ampere), 1);
  problem.dtype = DataType::kF64;
  EXPECT_EQ(ReachableShare(problem, geometry.loop, Gpu()), 1);
  // A fraction of peak from the machine code is one of the data sheet's, and no more than mma.sync reaches.
  problem.dtype = DataType::kBf16;
  geometry.loop.peakFraction = 0.9;
  const double limited = PredictTime(problem, geometry, Gpu()).total;
  geometry.loop.peakFraction = 0.64;
  EXPECT_DOUBLE_EQ(PredictTime(problem, geometry, Gpu()).total, limited);
  geometry.loop.peakFraction = 0.32;
  EXPECT_GT(PredictTime(problem, geometry, Gpu()).total, limited);
}

// 132 multiprocessors, but clusters of four on 120 of them: 132 blocks are two rounds of 120.
TEST(TimeModelTest, ClustersThatDoNotFitTakeAnotherRound) {
  DeviceInfo device = Gpu();
  device.multiprocessors = 132;
  EXPECT_EQ(ClusterMultiprocessors(device, 1), 132);
  EXPECT_EQ(ClusterMultiprocessors(device, 2), 132);
  EXPECT_EQ(ClusterMultiprocessors(device, 4), 120);
  device.multiprocessors = 3;
  EXPECT_EQ(ClusterMultiprocessors(device, 4), 4) << "at least one cluster";
  device.multiprocessors = 132;
  DeviceInfo reports = device;
  reports.active_clusters_of_2 = 64;
  reports.active_clusters_of_4 = 32;
  EXPECT_EQ(ClusterMultiprocessors(reports, 2), 128);
  EXPECT_EQ(ClusterMultiprocessors(reports, 4), 128);
  EXPECT_EQ(ClusterMultiprocessors(reports, 1), 132);
  reports.active_clusters_of_4 = 132;  // as on the SIMT device of 132 threads
  EXPECT_EQ(ClusterMultiprocessors(reports, 4), 132);
  ScheduleGeometry geometry = Tiles(132);
  geometry.threads = 1024;
  geometry.registers = 64;
  const MatmulProblem problem = TestProblem("1024x1024x160");
  const double pairs = PredictTime(problem, geometry, device).total;
  geometry.clusterM = 4;
  EXPECT_GT(PredictTime(problem, geometry, device).total, 1.5 * pairs);
  geometry.blocks = 120;
  EXPECT_LT(PredictTime(problem, geometry, device).total, 1.1 * pairs);
}

}  // namespace
}  // namespace mmtune
