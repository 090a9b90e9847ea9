// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain problems on the SIMT device: random schedules and one for each feature.
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/execution_fixture.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

class SimtExecutionTest : public ExecutionTest {
 protected:
  void ExpectSamplesExact(std::string_view family, std::string_view shape, int samples) {
    SetProblem(shape);
    auto space = SearchSpace::Create(problem_, target_.device, {*FindKernelFamily(family)});
    ASSERT_TRUE(space.ok()) << space.status();
    SearchRng rng(TestSeed(3));
    for (int i = 0; i < samples; ++i) ExpectExact((*space)->Sample(rng));
  }

  /// Samples with the axes of a GPU, where more parameters vary, executed here all the same.
  void ExpectGpuSamplesExact(std::string_view shape, std::string_view arch, int samples) {
    SetProblem(shape);
    DeviceInfo device = *ArchitectureLimits(arch);
    device.kind = DeviceKind::kCuda;
    device.multiprocessors = 128;
    auto space = SearchSpace::Create(problem_, device, {*FindKernelFamily("fma")});
    ASSERT_TRUE(space.ok()) << space.status();
    SearchRng rng(TestSeed(4));
    for (int i = 0; i < samples; ++i) ExpectExact((*space)->Sample(rng));
  }
};

constexpr std::string_view kShapes[] = {"1001x37x513", "7x5x3",       "1x4096x64", "4096x1x64",
                                        "250x250x250", "128x128x128", "1x1x1",     "33x130x47"};

TEST_F(SimtExecutionTest, RandomFmaSchedulesAreExactOnEveryShape) {
  for (std::string_view shape : kShapes) ExpectSamplesExact("fma", shape, 8);
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
  for (std::string_view shape : {"101x147x59", "128x192x96"}) {
    SetProblem(shape);
    for (std::string_view schedule : kFeatureSchedules) ExpectExact(schedule);
  }
}

TEST_F(SimtExecutionTest, HostFunctionsLeaveNothingBehind) {
  SetProblem("64x64x64");
  MgpuCounters before = GetMgpuCounters();
  ExpectExact(
      "fma async=0 bk=8 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
      "reduction=2 slice_k=1 split_k=2 "
      "stages=1 stream_k=1 tm=2 tn=4 unroll_k=8");
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
