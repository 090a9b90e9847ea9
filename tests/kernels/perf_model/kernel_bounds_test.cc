// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/kernel_bounds.h"

#include <cmath>

#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/profile/profile_sizes.h"
#include "kernels/perf_model/time_model.h"
#include "tests/kernels/perf_model/listings.h"

namespace mmtune {
namespace {

MatmulProblem Problem(const std::string& shape) { return *ParseMatmulShape(shape, DataType::kF32); }

DeviceInfo Hopper() {
  DeviceInfo device = *ArchitectureLimits("sm_90");
  device.kind = DeviceKind::kCuda;
  return device;
}

/// 128 x 128 x 16 of 256 threads.
constexpr char kLarge[] =
    "fma async=1 bk=16 bm=128 bn=128 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=8 tn=8 unroll_k=16";

ScheduleGeometry GeometryOf(const MatmulProblem& problem, const std::string& schedule = kLarge) {
  return *DescribeSchedule(problem, *ParseSchedule(schedule));
}

ProfiledBounds Bounds(const MatmulProblem& problem, const CountedWork& counted, const LoopLimits& limits,
                      double share) {
  const auto bounds = BoundsOf(problem, GeometryOf(problem), Hopper(), counted, limits,
                               [share](int64_t) -> absl::StatusOr<double> { return share; });
  EXPECT_TRUE(bounds.ok()) << bounds.status();
  return bounds.ok() ? *bounds : ProfiledBounds();
}

TEST(KernelBounds, OccupancyNamesWhatLimitsIt) {
  ScheduleGeometry geometry = GeometryOf(Problem("4096x4096x4096"));
  geometry.registers = 126;
  ProfiledOccupancy occupancy = OccupancyOf(geometry, Hopper());
  EXPECT_EQ(occupancy.resident_blocks, 2);  // 126 registers are 128: 65536 / (128 * 256) = 2.
  EXPECT_EQ(occupancy.limit, "registers");
  EXPECT_DOUBLE_EQ(occupancy.warps_share, 16.0 / 64);
  EXPECT_EQ(occupancy.blocks, 1024);
  EXPECT_NEAR(occupancy.waves, 1024.0 / 132 / 2, 1e-9);
  EXPECT_NEAR(occupancy.spread, 1024.0 / (8 * 132), 1e-9);
  geometry.registers = 32;
  geometry.sharedBytes = 100 * 1024;
  occupancy = OccupancyOf(geometry, Hopper());
  EXPECT_EQ(occupancy.resident_blocks, 2);
  EXPECT_EQ(occupancy.limit, "shared memory");
  geometry.sharedBytes = 0;
  EXPECT_EQ(OccupancyOf(geometry, Hopper()).limit, "threads");
}

TEST(KernelBounds, LimitsAreThoseOfSlotsAndWavefronts) {
  ProfiledLoop facts;
  facts.instructions = 100;
  facts.multiply_adds = 64 * 32;
  facts.mix = {{"FFMA", 64}};
  facts.alu = 40;
  facts.wavefronts = 32;
  LoopLimits limits = LimitsOf(facts, {.fma = 128, .tensor = 2048});
  EXPECT_DOUBLE_EQ(limits.issue, 0.64);
  EXPECT_DOUBLE_EQ(limits.alu, 0.8);
  EXPECT_DOUBLE_EQ(limits.shared, 0.5);
  facts.wavefronts = 8;
  limits = LimitsOf(facts, {.fma = 64, .tensor = 1024});
  EXPECT_DOUBLE_EQ(limits.issue, 1);
  EXPECT_DOUBLE_EQ(limits.shared, 1);
}

TEST(KernelBounds, LimitsAreThoseOfTheUnitThatMultiplies) {
  ProfiledLoop facts;
  facts.instructions = 100;
  for (const auto& [name, products, issue] :
       {std::tuple{"IMMA", 4 * 4096, 0.16}, {"DMMA", 16 * 256, 0.64}, {"DFMA", 32, 0.64}}) {
    facts.multiply_adds = products;
    facts.mix = {{"IADD, LEA", 90}, {name, 4}};
    const bool f64 = facts.mix[1].name == "DMMA";
    EXPECT_DOUBLE_EQ(LimitsOf(facts, {.fma = 128, .tensor = f64 ? 256 : 4096, .f64 = 2}).issue, issue) << name;
  }
  facts.mix = {{"PRMT", 90}, {"IMAD", 32}};
  facts.multiply_adds = 32 * 32;
  EXPECT_DOUBLE_EQ(LimitsOf(facts, {.fma = 128, .integers = 64}).issue, 0.64);
  facts.mix = {{"IMAD", 90}, {"FHFMA", 32}};
  EXPECT_DOUBLE_EQ(LimitsOf(facts, {.fma = 128, .integers = 64}).issue, 0.32);
  MatmulProblem problem = Problem("4096x4096x4096");
  problem.dtype = DataType::kS8;
  EXPECT_EQ(RatesOfProblem(problem, Hopper()).tensor, 4096);
  problem.dtype = DataType::kF64;
  EXPECT_EQ(RatesOfProblem(problem, Hopper()).tensor, 128);
  EXPECT_EQ(RatesOfProblem(problem, *ArchitectureLimits("sm_89")).f64, 2);
}

TEST(KernelBounds, WithoutAShareOfPeakThereIsNoTime) {
  const MatmulProblem square = Problem("4224x4096x4096");
  for (const double share : {0.0, std::nan("")}) {
    const auto bounds = BoundsOf(square, GeometryOf(square), Hopper(), {}, {},
                                 [share](int64_t) -> absl::StatusOr<double> { return share; });
    EXPECT_EQ(bounds.status().code(), absl::StatusCode::kFailedPrecondition);
  }
  SassFunction idle{"f", {Instruction("MOV", {"R0", "R1"}, {.stall = 1})}};
  EXPECT_EQ(ModelResident(idle, {0, 0}, {1}, {.fma = 128}, 1, 4).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(KernelBounds, TheBoundIsWhatTakesLongest) {
  const MatmulProblem square = Problem("4224x4096x4096");  // 33 x 32 blocks: 8 for each of 132 multiprocessors.
  EXPECT_EQ(Bounds(square, {}, {.issue = 0.9}, 0.88).bound, "issue");
  EXPECT_EQ(Bounds(square, {}, {.issue = 0.9, .shared = 0.8}, 0.78).bound, "shared memory");
  EXPECT_EQ(Bounds(square, {}, {.issue = 0.9, .alu = 0.6}, 0.59).bound, "ALU");
  EXPECT_EQ(Bounds(square, {}, {.issue = 0.9}, 0.5).bound, "latency");
  EXPECT_EQ(Bounds(square, {}, {}, 0.97).bound, "multiply");
  EXPECT_EQ(Bounds(square, {.sectors = 1e12}, {.issue = 0.9}, 0.88).bound, "L2");
  EXPECT_EQ(Bounds(Problem("4096x128x4096"), {}, {.issue = 0.9}, 0.88).bound, "tail");
  EXPECT_EQ(Bounds(Problem("16384x16384x16"), {}, {}, 1).bound, "DRAM");
  EXPECT_EQ(Bounds(Problem("1x1x1"), {}, {.issue = 0.9}, 0.88).bound, "launches");
}

// A loop near what its slots allow is not what holds back blocks of 4 k steps, which begin and end for 1500 clocks.
TEST(KernelBounds, TheEndsOfBlocksAreTimeInWhichNothingIsMultiplied) {
  EXPECT_EQ(Bounds(Problem("4224x4096x4096"), {}, {.issue = 0.9}, 0.85).bound, "issue");
  EXPECT_EQ(Bounds(Problem("4224x4096x64"), {}, {.issue = 0.9}, 0.85).bound, "latency");
}

TEST(KernelBounds, WavefrontsOfAKernelWithoutSharedMemoryAreOfL1) {
  const MatmulProblem square = Problem("4224x4096x4096");
  const ScheduleGeometry direct = GeometryOf(square, "direct bx=16 by=16 tm=4 tn=4");
  const auto bounds =
      BoundsOf(square, direct, Hopper(), {}, {.shared = 0.5}, [](int64_t) -> absl::StatusOr<double> { return 0.49; });
  ASSERT_TRUE(bounds.ok()) << bounds.status();
  EXPECT_EQ(bounds->bound, "L1");
}

TEST(KernelBounds, TheTimeIsThatOfRoundsOfBlocks) {
  const MatmulProblem square = Problem("4224x4096x4096");
  const ProfiledBounds bounds = Bounds(square, {.wavefronts = 132e6}, {.issue = 0.9}, 0.8);
  const double ideal = 4224.0 * 4096 * 4096 / 128 / 132 / 1.98e9;
  EXPECT_NEAR(bounds.multiply, ideal, 1e-9 * ideal);
  EXPECT_NEAR(bounds.multiprocessors, ideal / 0.8 + 4 * 1500 / 1.98e9, 1e-6 * ideal);  // 4 rounds of 2 blocks.
  EXPECT_NEAR(bounds.tail, 0, 1e-9);
  EXPECT_NEAR(bounds.shared, 1e6 / 1.98e9, 1e-12);
  EXPECT_NEAR(bounds.total, bounds.multiprocessors + bounds.others, 1e-12);
  EXPECT_NEAR(bounds.share_of_peak, ideal / bounds.total, 1e-9);
}

TEST(KernelBounds, SharedMemoryOfTuringTakesTwoCyclesForAWavefront) {
  const MatmulProblem square = Problem("4224x4096x4096");
  DeviceInfo turing = Hopper();
  turing.arch = "sm_75";
  auto shared = [&](const DeviceInfo& device) {
    return BoundsOf(square, GeometryOf(square), device, {.wavefronts = 132e6}, {}, nullptr)->shared;
  };
  auto clocks = [](const DeviceInfo& device) {
    return RatesOf(device).clocksPerSecond * RatesOf(device).multiprocessors;
  };
  EXPECT_NEAR(shared(turing) / shared(Hopper()), 2 * clocks(Hopper()) / clocks(turing), 1e-9);
  EXPECT_EQ(RatesOfProblem(square, turing).wavefront_cycles, 2);
}

TEST(KernelBounds, WithoutMachineCodeTheFormulasOfTheFamilyStandIn) {
  const MatmulProblem square = Problem("4096x4096x4096");
  const auto bounds = BoundsOf(square, GeometryOf(square), Hopper(), {}, {}, nullptr);
  ASSERT_TRUE(bounds.ok());
  EXPECT_FALSE(bounds->from_loop);
  EXPECT_EQ(bounds->bound, "issue");
  EXPECT_GT(bounds->share_of_peak, 0.3);
  EXPECT_LT(bounds->share_of_peak, 1);
  const MatmulProblem wide = Problem("16384x16384x16"), tiny = Problem("1x1x1");
  EXPECT_EQ(BoundsOf(wide, GeometryOf(wide), Hopper(), {}, {}, nullptr)->bound, "DRAM");
  const ScheduleGeometry one = GeometryOf(tiny, "direct bx=32 by=1 tm=1 tn=1");
  EXPECT_EQ(BoundsOf(tiny, one, Hopper(), {}, {}, nullptr)->bound, "launches");
}

// A function that is multilinear in tiles is the weighted sum of its values at the sizes.
TEST(ProfileSizes, CountsFollowFromThoseOfSmallProblems) {
  for (const char* shape : {"4096x4096x4096", "1001x1001x1001", "128x4096x4096", "5376x100x2048", "64x64x64"}) {
    SCOPED_TRACE(shape);
    const MatmulProblem problem = Problem(shape);
    const ScheduleGeometry geometry = GeometryOf(problem);
    // Whole tiles and a rest, along each extent, each with a cost of its own.
    auto tiles = [](int64_t extent, int64_t tile, double whole, double rest) {
      return whole * static_cast<double>(extent / tile) + (extent % tile != 0 ? rest : 0);
    };
    auto count = [&](const MatmulProblem& p) {
      return tiles(p.m, geometry.tile.m, 1, 0.25) * tiles(p.n, geometry.tile.n, 1, 0.5) *
             (10 + tiles(p.k, geometry.tile.k, 3, 2));
    };
    double sum = 0;
    for (const ProfileSize& size : ProfileSizes(problem, geometry)) {
      sum += size.weight * count(size.problem);
      EXPECT_EQ(size.problem.m % 64, problem.m % 64);
      EXPECT_EQ(size.problem.n % 64, problem.n % 64);
      EXPECT_EQ(size.problem.k % 64, problem.k % 64);
      EXPECT_LE(size.problem.Flops() / 2, 1 << 25);
    }
    EXPECT_NEAR(sum, count(problem), 1e-6 * count(problem));
  }
}

// Groups of rows of blocks have a rule that asks for as many rows, and for several columns.
TEST(ProfileSizes, AScheduleIsValidAtEverySizeAtWhichItIsCounted) {
  for (const char* shape : {"4096x4096x4096", "4095x1001x2047", "2048x256x4096"}) {
    const MatmulProblem problem = Problem(shape);
    for (const std::string group : {"group_m=1", "group_m=2", "group_m=8"}) {
      for (const std::string split : {"reduction=0 split_k=1", "reduction=2 split_k=3"}) {
        const std::string text = absl::StrCat("fma async=0 bk=16 bm=32 bn=64 fragments=1 ", group,
                                              " kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 ", split,
                                              " slice_k=1 stages=2 stream_k=1 tm=4 tn=4 unroll_k=16");
        const Schedule schedule = *ParseSchedule(text);
        DeviceInfo device = Hopper();
        device.multiprocessors = 132;
        if (!ValidateSchedule(problem, schedule, device).ok()) continue;
        for (const ProfileSize& size : ProfileSizes(problem, GeometryOf(problem, text))) {
          const absl::Status valid = ValidateSchedule(size.problem, schedule, device);
          EXPECT_TRUE(valid.ok()) << size.problem.Text() << ": " << valid;
        }
      }
    }
  }
}

// Where its blocks' shares begin and end is of the whole problem: a large one is counted with whole tiles.
TEST(PlanCounting, StreamKOfALargeProblemIsCountedWithWholeTiles) {
  const std::string text =
      "mma async=1 bk=32 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=0 reduction=3 slice_k=1 split_k=1 stages=2 "
      "stream_k=108 wm=16 wn=16";
  const Schedule stream = *ParseSchedule(text);
  DeviceInfo device = Hopper();
  device.multiprocessors = 132;
  for (const auto& [shape, whole_tiles] : {std::pair{"4095x4096x4096", true}, {"128x128x256", false}}) {
    SCOPED_TRACE(shape);
    MatmulProblem problem = Problem(shape);
    problem.dtype = DataType::kBf16;
    ASSERT_TRUE(ValidateSchedule(problem, stream, device).ok());
    const absl::StatusOr<CountingPlan> plan = PlanCounting(problem, stream);
    ASSERT_TRUE(plan.ok()) << plan.status();
    EXPECT_EQ(plan->whole_tiles, whole_tiles);
    EXPECT_EQ(plan->schedule.Get("stream_k"), whole_tiles ? 1 : 108);
    EXPECT_EQ(plan->sizes.size(), whole_tiles ? 4 : 1);
    for (const ProfileSize& size : plan->sizes) {
      const absl::Status valid = ValidateSchedule(size.problem, plan->schedule, device);
      EXPECT_TRUE(valid.ok()) << size.problem.Text() << ": " << valid;
    }
  }
}

// Whatever tune profile chooses by itself can be counted.
TEST(PlanCounting, DefaultSchedulesAreValidWhereTheyAreCounted) {
  for (const char* arch : {"sm_80", "sm_90"}) {
    DeviceInfo device = *ArchitectureLimits(arch);
    device.kind = DeviceKind::kCuda;
    device.multiprocessors = static_cast<int64_t>(RatesOf(device).multiprocessors);
    for (const char* shape :
         {"1024x1024x1024", "4096x4096x4096", "5376x5376x2048", "1000x1000x1000", "1001x1001x1001"}) {
      const Schedule schedule = *DefaultSchedule(Problem(shape), device);
      const absl::StatusOr<CountingPlan> plan = PlanCounting(Problem(shape), schedule);
      ASSERT_TRUE(plan.ok()) << plan.status();
      EXPECT_FALSE(plan->sizes.empty());
      for (const ProfileSize& size : plan->sizes) {
        const absl::Status valid = ValidateSchedule(size.problem, plan->schedule, device);
        EXPECT_TRUE(valid.ok()) << arch << " " << size.problem.Text() << ": " << valid;
      }
    }
  }
}

TEST(ProfileSizes, ASmallProblemIsRunItself) {
  const MatmulProblem problem = Problem("96x80x64");
  const std::vector<ProfileSize> sizes = ProfileSizes(problem, GeometryOf(problem));
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_EQ(sizes[0].problem, problem);
  EXPECT_EQ(sizes[0].weight, 1);
}

}  // namespace
}  // namespace mmtune
