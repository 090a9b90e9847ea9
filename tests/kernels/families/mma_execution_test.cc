// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the `mma` family on the SIMT device: every type, layout, output and alignment, compared with the exactly
// rounded result, some of them with race detection.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/compiler.h"
#include "kernels/families/common/default_schedule.h"
#include "kernels/families/common/registry.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/simt_device.h"
#include "tests/epilogue_steps.h"
#include "tests/kernels/families/exact_run.h"
#include "tests/kernels/families/random_schedule.h"
#include "tests/kernels/typed_operands.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

/// A type of A and B, and of C.
struct Kind {
  DataType type;
  MathMode math;
  OutputType out;
};
constexpr Kind kKinds[] = {
    {DataType::kBf16, MathMode::kIeee, OutputType::kSame},  {DataType::kBf16, MathMode::kIeee, OutputType::kF32},
    {DataType::kF16, MathMode::kIeee, OutputType::kSame},   {DataType::kF16, MathMode::kIeee, OutputType::kF32},
    {DataType::kF32, MathMode::kTf32, OutputType::kSame},   {DataType::kF32, MathMode::kTf32x3, OutputType::kSame},
    {DataType::kF32, MathMode::kBf16x6, OutputType::kSame}, {DataType::kS8, MathMode::kIeee, OutputType::kSame},
    {DataType::kF64, MathMode::kIeee, OutputType::kSame}};

/// Rows of 16-bit elements that are multiples of 16, 8, 4 and 2 bytes, and extents below and above a tile.
constexpr std::string_view kShapes[] = {"1x1x1",      "7x5x3",     "129x127x65", "1x256x64",   "256x1x64",
                                        "16x512x256", "33x130x46", "66x132x36",  "64x64x32",   "128x128x128",
                                        "96x200x72",  "130x33x47", "40x24x512",  "257x72x100", "20x264x33"};

constexpr std::string_view kEpilogues[] = {"",
                                           "",
                                           "bias,relu",
                                           "add",
                                           "scale:0.3,bias",
                                           "add,scale:0.3,bias,relu",
                                           "scale:0.1,bias,gelu",
                                           "scale:0.1,gelu_tanh",
                                           "scale:0.1,silu,bias",
                                           "add,clamp:-3:7"};

/// Those among kEpilogues that f64 has; steps round alike in f32 and f64 only without a factor.
constexpr std::string_view kEpiloguesOfF64[] = {"", "bias,relu", "add", "scale:0.5,bias", "add,scale:0.25,bias,relu"};

MatmulProblem ProblemOf(std::string_view shape, const Kind& kind, bool transpose_a, bool transpose_b) {
  MatmulProblem problem = *ParseMatmulShape(shape, kind.type);
  problem.math = kind.math;
  problem.out = kind.out;
  problem.transpose_a = transpose_a;
  problem.transpose_b = transpose_b;
  return problem;
}

class MmaExecutionTest : public ::testing::Test {
 protected:
  MmaExecutionTest() {
    target_.device = *ArchitectureLimits("sm_80");
    target_.device.kind = DeviceKind::kSimt;
    target_.device.multiprocessors = 108;
  }

  /// Runs the launch plan on a device of its own; C is full of NaN before. Nothing beyond the operands may be touched
  /// with race detection.
  void ExpectExact(const MatmulProblem& problem, const Schedule& schedule, bool race_detection = false) {
    SCOPED_TRACE(problem.Text() + " " + schedule.Text() + (race_detection ? ", race detection" : ""));
    target_.race_detection = race_detection;
    auto kernel = compiler_->Compile(problem, schedule, target_);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    simt::SimtOptions options;
    options.race_detector = race_detection;
    auto device = *simt::SimtDevice::Create(options);
    auto module = device->LoadModule(kernel->format, kernel->image);
    ASSERT_TRUE(module.ok()) << module.status();

    ExpectExactRun(*device, **module, kernel->plan, problem, Operands(problem, operand_seed_));
  }

  /// The code that a GPU would get, and, of whole sweeps each time, the code for race detection.
  void ExpectExactAndRaceFree(const MatmulProblem& problem, const Schedule& schedule, uint64_t draw) {
    const bool race_detection = WholeSweeps() || draw % 4 == 3;
    if (WholeSweeps() || !race_detection) ExpectExact(problem, schedule);
    if (race_detection && !HasFatalFailure()) ExpectExact(problem, schedule, /*race_detection=*/true);
  }

  const uint64_t operand_seed_ = TestSeed(5);
  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
  CompileTarget target_;
};

TEST_F(MmaExecutionTest, RandomSchedulesAreExactInEveryTypeAndLayout) {
  SearchRng rng(TestSeed(29));
  const uint64_t draws = TestCount(40, 300);
  for (uint64_t i = 0; i < draws; ++i) {
    const uint64_t layout = i / std::size(kKinds);
    MatmulProblem problem =
        ProblemOf(kShapes[rng() % std::size(kShapes)], kKinds[i % std::size(kKinds)], layout & 1, layout & 2);
    problem.epilogue = *ParseEpilogue(kEpilogues[rng() % std::size(kEpilogues)]);
    if (problem.dtype == DataType::kS8) problem.epilogue.clear();
    if (problem.dtype == DataType::kF64)
      problem.epilogue = *ParseEpilogue(kEpiloguesOfF64[rng() % std::size(kEpiloguesOfF64)]);
    problem.batch = rng() % 4 == 0 ? 3 : 1;
    const auto schedule = SampleSchedule("mma", problem, target_.device, rng);
    ASSERT_TRUE(schedule.ok()) << schedule.status();
    ExpectExactAndRaceFree(problem, *schedule, i);
    if (HasFatalFailure()) return;
  }
}

TEST_F(MmaExecutionTest, DefaultsAndLaddersAreExact) {
  constexpr std::string_view kBoth[] = {"200x136x80", "17x33x65"};
  size_t next = 0;
  for (const Kind& kind : kKinds) {
    const std::string_view only = kBoth[next++ % 2];
    for (std::string_view shape : kBoth) {
      if (!WholeSweeps() && shape != only) continue;
      const MatmulProblem problem = ProblemOf(shape, kind, false, kind.type == DataType::kBf16);
      ExpectExact(problem, *DefaultSchedule(problem, target_.device));
      const auto rungs = LadderSchedules(problem, target_.device);
      // On CUDA cores, unless their math is that of tensor cores; then on these.
      EXPECT_EQ(rungs.size(), kind.math == MathMode::kIeee ? 5u : 3u);
      for (const auto& [name, schedule] : rungs) ExpectExact(problem, schedule, /*race_detection=*/name == "smem");
    }
  }
}

// Values that the search's axes leave out.
TEST_F(MmaExecutionTest, SchedulesOffTheAxesAreExact) {
  constexpr std::string_view kOthers[] = {
      // Tiles that are no powers of two, permuted within parts of a row.
      "mma async=1 bk=32 bm=96 bn=24 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=3 "
      "stream_k=1 wm=32 wn=24",
      "mma async=1 bk=48 bm=48 bn=48 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=2 "
      "stream_k=1 wm=16 wn=48",
      // Groups of three rows of blocks, the last one lower; one stage.
      "mma async=1 bk=32 bm=16 bn=64 group_m=3 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=1 "
      "stream_k=1 wm=16 wn=32",
      // Two and four warps to a warp tile, each with a slice of k; the last one with a workspace, too.
      "mma async=1 bk=64 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=2 split_k=1 stages=2 "
      "stream_k=1 wm=32 wn=16",
      "mma async=1 bk=64 bm=48 bn=24 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=4 split_k=1 stages=1 "
      "stream_k=1 wm=16 wn=24",
      "mma async=1 bk=64 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=2 slice_k=4 split_k=2 stages=2 "
      "stream_k=1 wm=16 wn=16",
      // Sums of splits in order, of four slices each; the last block to come sums them.
      "mma async=1 bk=64 bm=16 bn=16 group_m=1 min_blocks=1 prefetch=0 reduction=3 slice_k=4 split_k=2 stages=2 "
      "stream_k=1 wm=16 wn=16",
      // Even shares of all k steps: more of them than a tile has and fewer, in groups of rows, of slices, with one
      // stage.
      "mma async=1 bk=16 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=0 reduction=3 slice_k=1 split_k=1 stages=2 "
      "stream_k=3 wm=16 wn=16",
      "mma async=1 bk=16 bm=64 bn=32 group_m=2 min_blocks=1 prefetch=0 reduction=3 slice_k=1 split_k=1 stages=3 "
      "stream_k=19 wm=32 wn=32",
      "mma async=1 bk=64 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=1 reduction=3 slice_k=2 split_k=1 stages=2 "
      "stream_k=7 "
      "wm=32 "
      "wn=16",
      "mma async=1 bk=16 bm=16 bn=64 group_m=3 min_blocks=1 prefetch=0 reduction=3 slice_k=1 split_k=1 stages=1 "
      "stream_k=5 wm=16 wn=32",
      // A workspace, with an uneven last split.
      "mma async=1 bk=16 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=0 reduction=2 slice_k=1 split_k=3 stages=2 "
      "stream_k=1 wm=32 wn=16",
  };
  size_t run = 0;
  for (std::string_view schedule : kOthers) {
    for (const Kind& kind : kKinds) {
      const size_t layout = run++;
      if (!WholeSweeps() && layout % 4 != layout / std::size(kKinds) % 4)
        continue;  // each kind with every fourth schedule
      const MatmulProblem problem = ProblemOf("99x104x152", kind, layout & 1, layout & 2);
      // Bytes are transposed 32 values of k and 16 columns at a time.
      if (problem.dtype == DataType::kS8 && !ValidateSchedule(problem, *ParseSchedule(schedule), target_.device).ok())
        continue;
      ExpectExact(problem, *ParseSchedule(schedule), layout / 4 % 4 == 1);
    }
  }
}

// k steps of 512 bytes, in every layout: their rows are permuted within each 128.
TEST_F(MmaExecutionTest, TheLongestKStepsOfF32AndF64AreExact) {
  const Kind tf32 = {DataType::kF32, MathMode::kTf32, OutputType::kSame};
  const Kind f64 = {DataType::kF64, MathMode::kIeee, OutputType::kSame};
  for (int layout = 0; layout < 4; ++layout)
    for (auto [kind, bk] : {std::pair(tf32, "128"), std::pair(f64, "64")}) {
      const MatmulProblem problem = ProblemOf(layout % 2 ? "37x40x300" : "33x30x259", kind, layout & 1, layout & 2);
      const std::string schedule =
          absl::StrCat("mma bk=", bk,
                       " async=1 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 "
                       "split_k=1 stages=2 stream_k=1 wm=16 wn=16");
      ExpectExact(problem, *ParseSchedule(schedule), /*race_detection=*/layout == 3);
    }
}

// In split precision, sums with elements that are not finite are not finite; subnormal elements do not affect others.
TEST_F(MmaExecutionTest, NonFiniteAndSubnormalElementsOfPlanes) {
  auto device = *CreateSimtDevice("sm_80");
  SetMgpuDevice(device.get(), MgpuOptions());
  for (MathMode math : {MathMode::kTf32x3, MathMode::kBf16x6}) {
    MatmulProblem problem = ProblemOf("4x1x16", {DataType::kF32, math, OutputType::kSame}, false, false);
    SCOPED_TRACE(problem.Text());
    std::vector<float> a(64, 1), b(16, 1), c(4);
    a[16] = std::numeric_limits<float>::infinity();
    a[37] = std::numeric_limits<float>::quiet_NaN();
    a[63] = std::numeric_limits<float>::denorm_min();
    const auto kernel = compiler_->Compile(problem, *DefaultSchedule(problem, target_.device), target_);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const auto function = HostFunction::Load(*kernel);
    ASSERT_TRUE(function.ok()) << function.status();
    const absl::Status status = (*function)->Run(problem, {a.data(), b.data(), nullptr, nullptr},
                                                 [&](const void* result) { std::memcpy(c.data(), result, 16); });
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(c[0], 16);
    EXPECT_FALSE(std::isfinite(c[1]));
    EXPECT_TRUE(std::isnan(c[2]));
    EXPECT_EQ(c[3], 15);
  }
  SetMgpuDevice(nullptr);
}

// In f32 each of these sums would have the error of many roundings; a single tf32 term that of 11 bits.
TEST_F(MmaExecutionTest, PlanesAreAsAccurateAsF32) {
  auto device = *CreateSimtDevice("sm_80");
  SetMgpuDevice(device.get(), MgpuOptions());
  for (MathMode math : {MathMode::kTf32x3, MathMode::kBf16x6}) {
    const MatmulProblem problem = ProblemOf("16x16x300", {DataType::kF32, math, OutputType::kSame}, false, false);
    SCOPED_TRACE(problem.Text());
    std::mt19937_64 rng(operand_seed_);
    std::normal_distribution<float> normal;
    std::vector<float> a(problem.ElementsA()), b(problem.ElementsB()), c(problem.ElementsC());
    for (float& value : a) value = normal(rng);
    for (float& value : b) value = normal(rng);
    const auto kernel = compiler_->Compile(problem, *DefaultSchedule(problem, target_.device), target_);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const auto function = HostFunction::Load(*kernel);
    ASSERT_TRUE(function.ok()) << function.status();
    const absl::Status status =
        (*function)->Run(problem, {a.data(), b.data(), nullptr, nullptr},
                         [&](const void* result) { std::memcpy(c.data(), result, c.size() * sizeof(float)); });
    ASSERT_TRUE(status.ok()) << status;
    double worst = 0;
    for (int64_t i = 0; i < problem.m; ++i)
      for (int64_t j = 0; j < problem.n; ++j) {
        double sum = 0, magnitudes = 0;
        for (int64_t l = 0; l < problem.k; ++l) {
          const double product = double{a[i * problem.k + l]} * double{b[l * problem.n + j]};
          sum += product;
          magnitudes += std::fabs(product);
        }
        worst = std::max(worst, std::fabs(double{c[i * problem.n + j]} - sum) / magnitudes);
      }
    EXPECT_LT(worst, 0x1p-22);
  }
  SetMgpuDevice(nullptr);
}

// f16 as sm_75 has it: copies of every width through registers, and instructions of half the k.
TEST_F(MmaExecutionTest, SchedulesOfSm75AreExact) {
  const int multiprocessors = target_.device.multiprocessors;
  target_.device = *ArchitectureLimits("sm_75");
  target_.device.kind = DeviceKind::kSimt;
  target_.device.multiprocessors = multiprocessors;
  SearchRng rng(TestSeed(31));
  const uint64_t draws = TestCount(12, 100);
  for (uint64_t i = 0; i < draws; ++i) {
    MatmulProblem problem = ProblemOf(kShapes[rng() % std::size(kShapes)], kKinds[2 + i % 2], i & 2, i & 4);
    problem.epilogue = *ParseEpilogue(kEpilogues[rng() % std::size(kEpilogues)]);
    const auto schedule = SampleSchedule("mma", problem, target_.device, rng);
    ASSERT_TRUE(schedule.ok()) << schedule.status();
    EXPECT_EQ(schedule->Get("async", 1), 0);
    ExpectExactAndRaceFree(problem, *schedule, i);
    if (HasFatalFailure()) return;
  }
  const MatmulProblem problem = ProblemOf("200x136x80", kKinds[2], false, false);
  EXPECT_EQ(DefaultSchedule(problem, target_.device)->family, "mma");
  EXPECT_EQ(LadderSchedules(problem, target_.device).size(), 5u);
}

TEST_F(MmaExecutionTest, HostFunctionsTakeElementsOfTheProblemsTypes) {
  auto device = *CreateSimtDevice("sm_80");
  MgpuOptions options;
  options.poison_allocations = true;
  SetMgpuDevice(device.get(), options);
  for (const Kind& kind : kKinds) {
    MatmulProblem problem = ProblemOf("33x40x70", kind, true, false);
    const bool sums = problem.TypeOfC() == problem.AccumulatorType();
    problem.epilogue = *ParseEpilogue(sums ? "" : "bias,add");
    const char* const of_math =
        problem.TypeOfC() == DataType::kF32 ? "reduction=1 split_k=2 stream_k=1" : "reduction=2 split_k=2 stream_k=1";
    // The counters of stream-k are a part of the workspace.
    const bool stream = problem.math == MathMode::kTf32 || problem.out == OutputType::kF32 ||
                        problem.dtype == DataType::kS8 || problem.dtype == DataType::kF64;
    const Schedule schedule = *ParseSchedule(
        absl::StrCat("mma bk=", problem.dtype == DataType::kS8 ? 32 : 16,
                     " async=1 bm=32 bn=32 group_m=1 min_blocks=1 prefetch=0 slice_k=1 stages=2 wm=16 wn=16 ",
                     stream ? "reduction=3 split_k=1 stream_k=3" : of_math));
    SCOPED_TRACE(problem.Text() + " " + schedule.Text());
    const auto kernel = compiler_->Compile(problem, schedule, target_);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const auto function = HostFunction::Load(*kernel);
    ASSERT_TRUE(function.ok()) << function.status();
    const Operands in(problem, operand_seed_);
    const absl::Status status =
        (*function)->Run(problem, {in.a.bytes.data(), in.b.bytes.data(), in.bias.bytes.data(), in.addend.bytes.data()},
                         [&](const void* c) { ExpectExactResult(problem, in, c); });
    EXPECT_TRUE(status.ok()) << status;
  }
  SetMgpuDevice(nullptr);
}

}  // namespace
}  // namespace mmtune
