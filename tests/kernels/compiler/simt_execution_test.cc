// Runs compiled schedules on the SIMT device, through the complete host function, and compares every element with the
// exact product of small integers.
#include <gtest/gtest.h>

#include <random>

#include "kernels/compiler.h"
#include "kernels/families/registry.h"
#include "kernels/runtime/device.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/mgpu.h"
#include "search/search_space.h"

namespace mmtune {
namespace {

/// Small enough that every partial sum up to k = 2^20 is exact in f32, in any order.
std::vector<float> SmallIntegers(int64_t count, std::mt19937_64& rng) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(rng() % 7) - 3);
  return values;
}

std::vector<float> ExactProduct(const MatmulProblem& problem, const std::vector<float>& a,
                                const std::vector<float>& b) {
  std::vector<float> c(problem.ElementsC(), 0.0f);
  for (int64_t i = 0; i < problem.m; ++i)
    for (int64_t l = 0; l < problem.k; ++l)
      for (int64_t j = 0; j < problem.n; ++j) c[i * problem.n + j] += a[i * problem.k + l] * b[l * problem.n + j];
  return c;
}

class SimtExecutionTest : public ::testing::Test {
 protected:
  SimtExecutionTest() : device_(*CreateSimtDevice("sm_90")) {
    MgpuOptions options;
    options.poison_allocations = true;
    SetMgpuDevice(device_.get(), options);
    target_.device = device_->info();
  }

  void SetProblem(std::string_view shape) {
    problem_ = *ParseMatmulShape(shape, DataType::kF32);
    std::mt19937_64 rng(5);
    a_ = SmallIntegers(problem_.ElementsA(), rng);
    b_ = SmallIntegers(problem_.ElementsB(), rng);
    expected_ = ExactProduct(problem_, a_, b_);
  }

  void ExpectExact(const Schedule& schedule) {
    SCOPED_TRACE(problem_.ShapeText() + " " + schedule.Text());
    auto kernel = compiler_->Compile(problem_, schedule, target_);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    auto function = HostFunction::Load(*kernel);
    ASSERT_TRUE(function.ok()) << function.status();
    std::vector<float> c(problem_.ElementsC(), -1.0f);
    absl::Status status = (*function)->Run(problem_, a_.data(), b_.data(), c.data());
    ASSERT_TRUE(status.ok()) << status;
    for (int64_t i = 0; i < problem_.ElementsC(); ++i)
      ASSERT_EQ(c[i], expected_[i]) << "row " << i / problem_.n << ", column " << i % problem_.n;
  }

  void ExpectExact(std::string_view text) { ExpectExact(*ParseSchedule(text)); }

  void ExpectSamplesExact(std::string_view family, std::string_view shape, int samples) {
    SetProblem(shape);
    auto space = SearchSpace::Create(problem_, target_.device, {*FindKernelFamily(family)});
    ASSERT_TRUE(space.ok()) << space.status();
    SearchRng rng(3);
    for (int i = 0; i < samples; ++i) ExpectExact((*space)->Sample(rng));
  }

  /// Samples with the axes of a GPU, where more parameters vary, executed here all the same.
  void ExpectGpuSamplesExact(std::string_view shape, std::string_view arch, int samples) {
    SetProblem(shape);
    DeviceInfo device = *ArchitectureLimits(arch);
    device.kind = DeviceKind::kCuda;
    device.multiprocessors = 128;
    auto space = SearchSpace::Create(problem_, device, {*FindKernelFamily("simt")});
    ASSERT_TRUE(space.ok()) << space.status();
    target_.device.multiprocessors = device.multiprocessors;
    SearchRng rng(4);
    for (int i = 0; i < samples; ++i) ExpectExact((*space)->Sample(rng));
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Compiler> compiler_ = *Compiler::Create();
  CompileTarget target_;
  MatmulProblem problem_;
  std::vector<float> a_, b_, expected_;
};

constexpr std::string_view kShapes[] = {"1001x37x513", "7x5x3",       "1x4096x64", "4096x1x64",
                                        "250x250x250", "128x128x128", "1x1x1",     "33x130x47"};

TEST_F(SimtExecutionTest, RandomSimtSchedulesAreExactOnEveryShape) {
  for (std::string_view shape : kShapes) ExpectSamplesExact("simt", shape, 8);
}

TEST_F(SimtExecutionTest, RandomGpuSchedulesAreExactOnEveryShape) {
  for (std::string_view shape : kShapes) ExpectGpuSamplesExact(shape, "sm_90", 8);
}

TEST_F(SimtExecutionTest, RandomDirectSchedulesAreExactOnEveryShape) {
  for (std::string_view shape : kShapes) ExpectSamplesExact("direct", shape, 4);
}

TEST_F(SimtExecutionTest, LaddersAreExact) {
  for (std::string_view shape : kShapes) {
    SetProblem(shape);
    for (const auto& [name, schedule] : LadderSchedules(problem_, target_.device)) ExpectExact(schedule);
  }
}

// One schedule per feature, on a shape ragged in every extent and, for the vector paths, on one that is not.
TEST_F(SimtExecutionTest, EachFeatureIsExact) {
  constexpr std::string_view kSchedules[] = {
      // cp.async, three stages; then k-major A, copied a float at a time.
      "simt async=1 bk=16 bm=64 bn=64 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=4 pad_b=4 reduction=0 split_k=1 "
      "stages=3 tm=4 tn=4 unroll_k=16",
      "simt async=1 bk=8 bm=64 bn=64 group_m=1 kmajor_a=1 lm=8 min_blocks=1 pad_a=4 pad_b=0 reduction=0 split_k=1 "
      "stages=4 tm=4 tn=8 unroll_k=4",
      // Through registers: one stage, two stages, k-major.
      "simt async=0 bk=16 bm=64 bn=32 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=0 pad_b=0 reduction=0 split_k=1 "
      "stages=1 tm=4 tn=4 unroll_k=8",
      "simt async=0 bk=8 bm=32 bn=64 group_m=1 kmajor_a=1 lm=4 min_blocks=1 pad_a=4 pad_b=0 reduction=0 split_k=1 "
      "stages=2 tm=2 tn=8 unroll_k=8",
      // Both reductions.
      "simt async=1 bk=8 bm=32 bn=32 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=0 pad_b=0 reduction=1 split_k=4 "
      "stages=2 tm=2 tn=4 unroll_k=8",
      "simt async=0 bk=8 bm=32 bn=32 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=0 pad_b=0 reduction=2 split_k=3 "
      "stages=1 tm=2 tn=4 unroll_k=8",
      // Groups of three rows of blocks, the last one lower; more floats in a row of B than threads.
      "simt async=1 bk=8 bm=16 bn=64 group_m=3 kmajor_a=0 lm=4 min_blocks=1 pad_a=4 pad_b=0 reduction=0 split_k=1 "
      "stages=2 tm=4 tn=8 unroll_k=8",
      "simt async=1 bk=4 bm=4 bn=256 group_m=1 kmajor_a=0 lm=1 min_blocks=1 pad_a=0 pad_b=0 reduction=0 split_k=1 "
      "stages=2 tm=4 tn=8 unroll_k=4",
      // Off the axes: tiles that are no powers of two.
      "simt async=0 bk=12 bm=96 bn=24 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=0 pad_b=0 reduction=0 split_k=1 "
      "stages=2 tm=8 tn=3 unroll_k=12",
  };
  for (std::string_view shape : {"101x147x59", "128x192x96"}) {
    SetProblem(shape);
    target_.device.multiprocessors = 128;
    for (std::string_view schedule : kSchedules) ExpectExact(schedule);
  }
}

TEST_F(SimtExecutionTest, HostFunctionsLeaveNothingBehind) {
  SetProblem("64x64x64");
  MgpuCounters before = GetMgpuCounters();
  ExpectExact(
      "simt async=0 bk=8 bm=32 bn=32 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=0 pad_b=0 reduction=2 split_k=2 "
      "stages=1 tm=2 tn=4 unroll_k=8");
  MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.launches - before.launches, 2);
  EXPECT_EQ(after.allocations - before.allocations, 4);
  EXPECT_EQ(after.frees - before.frees, 4);
  EXPECT_EQ(after.streams_created - before.streams_created, after.streams_destroyed - before.streams_destroyed);
  EXPECT_EQ(after.modules_loaded - before.modules_loaded, 1);
  EXPECT_EQ(after.modules_unloaded - before.modules_unloaded, 1);
}

}  // namespace
}  // namespace mmtune
