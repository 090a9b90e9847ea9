// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound at numbers computed by hand, against the model's predictions, and against times of real GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "search/space/rng.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

/// 100 multiprocessors of 128 lanes; with the boost, a clock a nanosecond.
DeviceInfo Gpu() {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 100;
  device.clock_khz = 800'000;
  return device;
}

/// 128 x 64 tiles by `threads` threads.
ScheduleGeometry Tiles(int64_t threads = 256) {
  ScheduleGeometry geometry;
  geometry.tile = {128, 64, 16};
  geometry.threads = threads;
  geometry.labels.blockTile = "128x64x16";
  return geometry;
}
constexpr double kTile = 128 * 64;

TEST(LeastTimeTest, TheBusiestMultiprocessorHasARoundedUpShareOfTheBlocks) {
  // 10 x 20 blocks on 100: two each; one more is a third on one of them.
  RuntimeLowerBound least = RuntimeLowerBoundOf(TestProblem("1280x1280x1000"), Tiles(), Gpu());
  EXPECT_DOUBLE_EQ(least.ns, 2 * kTile * 1000 / 128);
  EXPECT_EQ(least.bound, "peak");
  least = RuntimeLowerBoundOf(TestProblem("1408x1280x1000"), Tiles(), Gpu());
  EXPECT_DOUBLE_EQ(least.ns, 3 * kTile * 1000 / 128);
  EXPECT_EQ(least.bound, "blocks");
  EXPECT_THAT(least.why, HasSubstr("220 whole blocks of 128x64x16 on 100 multiprocessors, 3 on the busiest"));
  least = RuntimeLowerBoundOf(TestProblem("128x64x1000", /*batch=*/101), Tiles(), Gpu());
  EXPECT_DOUBLE_EQ(least.ns, 2 * kTile * 1000 / 128);
}

TEST(LeastTimeTest, BlocksThatReachBeyondTheProblemCountForNothingButTheirProducts) {
  // 100 whole blocks; those of the last row and column may do next to nothing.
  const RuntimeLowerBound least = RuntimeLowerBoundOf(TestProblem("1281x641x1000"), Tiles(), Gpu());
  EXPECT_DOUBLE_EQ(least.ns, 1281.0 * 641 * 1000 / 128 / 100);
  EXPECT_EQ(least.bound, "peak");
  // A tile larger than the matrix multiplies the matrix.
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(TestProblem("100x64x1000"), Tiles(), Gpu()).ns, 100.0 * 64 * 1000 / 128);
}

TEST(LeastTimeTest, PartsOfKAreBlocksOfTheirOwn) {
  ScheduleGeometry split = Tiles();
  split.splitK = 4;
  split.sharedK = 256;  // 1000 values: three whole parts, and 232.
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(TestProblem("128x64x1000"), split, Gpu()).ns, kTile * 256 / 128);
  ScheduleGeometry stream = Tiles();
  stream.blocks = 150;
  stream.minStepsPerBlock = 4;
  stream.sharedK = 320;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(TestProblem("1280x640x480"), stream, Gpu()).ns, 2 * kTile * 320 / 128);
  // With ragged tiles the work of a share is unknown.
  EXPECT_EQ(RuntimeLowerBoundOf(TestProblem("1280x640x481"), stream, Gpu()).bound, "peak");
}

TEST(LeastTimeTest, AWarpHasAQuarterOfAMultiprocessor) {
  const RuntimeLowerBound one = RuntimeLowerBoundOf(TestProblem("128x64x1000"), Tiles(32), Gpu());
  EXPECT_DOUBLE_EQ(one.ns, 4 * kTile * 1000 / 128);
  EXPECT_EQ(one.bound, "schedulers");
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(TestProblem("128x64x1000"), Tiles(64), Gpu()).ns, 2 * kTile * 1000 / 128);
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(TestProblem("128x64x1000"), Tiles(128), Gpu()).ns, kTile * 1000 / 128);
  // Five warps: one scheduler has two of them.
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(TestProblem("128x64x1000"), Tiles(160), Gpu()).ns, 8 / 5.0 * kTile * 1000 / 128);
  // Where a tile reaches beyond the matrix, some warps may have nothing to do: how many schedulers work is not known.
  EXPECT_EQ(RuntimeLowerBoundOf(TestProblem("127x64x1000"), Tiles(160), Gpu()).bound, "blocks");
}

TEST(LeastTimeTest, WhatTheCompiledKernelTakesLimitsHowManyBlocksAreResident) {
  // Two blocks of a warp for each multiprocessor: on two schedulers at once, where both are resident.
  const MatmulProblem problem = TestProblem("1280x1280x1000");
  const double together = 4 * kTile * 1000 / 128;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, Tiles(32), Gpu()).ns, together);
  KernelResources real;
  real.threads = 32;
  real.registers = 255;
  real.shared_bytes = Gpu().shared_bytes_per_multiprocessor / 2;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, Tiles(32), Gpu(), real).ns, together);
  real.shared_bytes += 1;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, Tiles(32), Gpu(), real).ns, 2 * together);
  EXPECT_THAT(RuntimeLowerBoundOf(problem, Tiles(32), Gpu(), real).why,
              HasSubstr("1 of a block, of which 1 are resident"));
  // 64 threads of 255 registers: 65536 / 16320 = 4 blocks; of 1000 threads, one.
  DeviceInfo few = Gpu();
  few.registers_per_multiprocessor = 255 * 32 * 2 - 1;
  real.shared_bytes = 0;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, Tiles(32), few, real).ns, 2 * together);
  real.registers = -1;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, Tiles(32), few, real).ns, together) << "unknown limits nothing";
}

TEST(LeastTimeTest, TensorCoresHaveTheirOwnRate) {
  ScheduleGeometry geometry = Tiles();
  geometry.loop.tensorCores = true;
  MatmulProblem problem = TestProblem("128x64x1024");
  problem.dtype = DataType::kF16;
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, geometry, Gpu()).ns, kTile * 1024 / 2048);
  problem.dtype = DataType::kF32;
  problem.math = MathMode::kTf32x3;  // 1024 / 3 a clock, and no less.
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, geometry, Gpu()).ns, kTile * 1024 / 342);
}

TEST(LeastTimeTest, FewPersistentBlocksShareAllTiles) {
  ScheduleGeometry geometry = Tiles();
  geometry.loop.tensorCores = geometry.loop.warpgroups = true;
  geometry.blocks = 40;
  MatmulProblem problem = TestProblem("1280x1280x1000");
  problem.dtype = DataType::kF16;
  // 200 tiles on 40 of 100 multiprocessors: five each.
  EXPECT_DOUBLE_EQ(RuntimeLowerBoundOf(problem, geometry, Gpu()).ns, 5 * kTile * 1000 / 2048);
}

TEST(LeastTimeTest, NothingIsKnownWhereThePeakIsNot) {
  const MatmulProblem problem = TestProblem("128x64x1000");
  DeviceInfo simt = Gpu();
  simt.kind = DeviceKind::kSimt;
  EXPECT_EQ(RuntimeLowerBoundOf(problem, Tiles(), simt).ns, 0);
  DeviceInfo no_clock = Gpu();
  no_clock.clock_khz = 0;
  EXPECT_EQ(RuntimeLowerBoundOf(problem, Tiles(), no_clock).ns, 0);
  DeviceInfo stands_in = Gpu();
  stands_in.arch = "sm_80";
  EXPECT_EQ(RuntimeLowerBoundOf(problem, Tiles(), stands_in).ns, 0);
  MatmulProblem integers = problem;
  integers.dtype = DataType::kS8;
  EXPECT_EQ(RuntimeLowerBoundOf(integers, Tiles(), Gpu()).ns, 0) << "architectures differ in the rate of CUDA cores";
}

/// A few valid combinations of the values of a family's axes.
std::vector<Schedule> Draw(const FamilyBase& family, const MatmulProblem& problem, const DeviceInfo& device,
                           SearchRng& rng) {
  constexpr int kDraws = 60, kWanted = 2;
  const std::vector<ScheduleParameter> axes = family.Parameters(problem, device);
  std::vector<Schedule> drawn;
  for (int i = 0; i < kDraws && drawn.size() < kWanted; ++i) {
    Schedule schedule{std::string(family.name()), {}};
    for (const ScheduleParameter& axis : axes) {
      schedule.params[axis.name] = axis.values[UniformBelow(rng, axis.values.size())];
    }
    if (family.Validate(problem, schedule, device).ok()) drawn.push_back(std::move(schedule));
  }
  return drawn;
}

/// The model adds what the bound leaves out, at the clock that the device reports: it is at least the boost above.
TEST(LeastTimeTest, NoPredictionIsBelowIt) {
  SearchRng rng = MakeStream(17, 0);
  int64_t compared = 0, close = 0;
  for (const char* arch : {"sm_75", "sm_80", "sm_89", "sm_90"}) {
    DeviceInfo device = TestDevice(arch);
    device.clock_khz = 1'500'000;
    for (const char* shape : {"512x512x512", "4096x4096x4096", "1000x777x333", "64x64x8192", "1x4096x4096"}) {
      for (const MatmulProblem& problem : InEveryType(TestProblem(shape))) {
        for (const FamilyBase* family : AllFamilies()) {
          for (const Schedule& schedule : Draw(*family, problem, device, rng)) {
            const std::optional<PredictedTime> time = family->Predict(problem, schedule, device);
            const RuntimeLowerBound least = RuntimeLowerBoundOf(problem, *DescribeSchedule(problem, schedule), device);
            if (!time || least.ns == 0) continue;
            ++compared;
            close += least.ns > 0.5e9 * time->total;
            ASSERT_LE(least.ns, 1e9 * time->total / 1.25 * (1 + 1e-9))
                << arch << ' ' << problem.Text() << ' ' << schedule.Text() << ": " << least.why;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(close, 5) << "a bound that is never near anything would pass, too";
}

/// A kernel that was timed: CLBlast's, of 4096^3 in f32 (tests/data/landscapes).
struct Timed {
  ScheduleGeometry geometry;
  double ns;
};

std::vector<Timed> ReadTimes(const std::string& name) {
  std::ifstream file(absl::StrCat(TEST_LANDSCAPES, "/", name));
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = absl::StrSplit(line, ',');
  std::vector<Timed> times;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    auto number = [&](const char* column) {
      double value = 0;
      const size_t at = std::find(names.begin(), names.end(), column) - names.begin();
      EXPECT_TRUE(absl::SimpleAtod(cells.at(at), &value)) << line;
      return value;
    };
    Timed& timed = times.emplace_back();
    timed.geometry.tile = {static_cast<int64_t>(number("MWG")), static_cast<int64_t>(number("NWG")), 32};
    timed.geometry.threads = static_cast<int64_t>(number("MDIMC") * number("NDIMC"));
    timed.ns = 1e6 * number("time_ms");
  }
  return times;
}

TEST(LeastTimeTest, NoTimeOfARealGpuIsBelowIt) {
  struct Row {
    const char* file;
    const char* arch;
    int64_t multiprocessors, clock_khz;
  };
  const MatmulProblem problem = TestProblem("4096x4096x4096");
  for (const Row& row : {Row{"clblast-sgemm-4096-rtx-2080-ti.csv", "sm_75", 68, 1'545'000},
                         Row{"clblast-sgemm-4096-rtx-3090.csv", "sm_86", 82, 1'695'000}}) {
    DeviceInfo device = TestDevice(row.arch);
    device.multiprocessors = row.multiprocessors;
    device.clock_khz = row.clock_khz;
    const std::vector<Timed> times = ReadTimes(row.file);
    ASSERT_EQ(times.size(), 17'956u);
    double best = times.front().ns, closest = 0;
    for (const Timed& timed : times) best = std::min(best, timed.ns);
    int64_t skipped = 0;
    for (const Timed& timed : times) {
      const RuntimeLowerBound least = RuntimeLowerBoundOf(problem, timed.geometry, device);
      ASSERT_GT(least.ns, 0);
      ASSERT_LE(least.ns, timed.ns);
      closest = std::max(closest, least.ns / timed.ns);
      skipped += least.ns > kSkipMargin * best;
    }
    // Its tiles fill these GPUs many times over: no bound that holds for every kernel says more.
    EXPECT_EQ(skipped, 0);
    EXPECT_GT(closest, 0.55) << "a bound that is never near anything would pass, too";
  }
}

}  // namespace
}  // namespace mmtune
