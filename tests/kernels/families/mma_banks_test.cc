// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts of mma's tiles, and of the buffers from which tensor copies of wgmma store C: no lane of a warp waits for
// another one's access to them.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/bank_conflicts.h"
#include "tests/kernels/families/test_devices.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

class MmaBanks : public ::testing::TestWithParam<int> {
 protected:
  static MatmulProblem Problem() {
    MatmulProblem problem = InEveryType(TestProblem("4096x4096x4096"))[static_cast<size_t>(GetParam() / 4)];
    problem.transpose_a = GetParam() % 2 != 0;
    problem.transpose_b = GetParam() / 2 % 2 != 0;
    return problem;
  }
};

TEST_P(MmaBanks, ServeEveryLaneAtOnce) {
  const MatmulProblem problem = Problem();
  const DeviceInfo device = TestDevice("sm_80");
  auto space = SearchSpace::Create(problem, device, {*FindKernelFamily("mma")});
  ASSERT_TRUE(space.ok()) << space.status();
  SearchRng rng(TestSeed(71));
  for (uint64_t i = 0; i < TestCount(6, 300); ++i) {
    const Schedule schedule = (*space)->Sample(rng);
    SCOPED_TRACE(problem.Text() + ": " + schedule.Text());
    const auto accesses = SharedAccesses(problem, schedule);
    ASSERT_TRUE(accesses.ok()) << accesses.status();
    EXPECT_GE(accesses->size(), 4u);
    // Finished rows are read once a block, by vectors as wide as those that are stored.
    for (const SharedAccess& access : *accesses)
      EXPECT_LE(access.ways, access.name == "read finished rows from shared memory" ? 2 : 1) << access.name;
  }
}

TEST(WgmmaBanks, WritesOfBuffersForTensorCopiesServeEveryLaneAtOnce) {
  for (const OutputType out : {OutputType::kSame, OutputType::kF32})
    for (const int columns : {16, 32, 64}) {
      MatmulProblem problem = TestProblem("4096x4096x4096");
      problem.dtype = DataType::kBf16;
      problem.out = out;
      const Schedule schedule = *ParseSchedule(absl::StrCat(
          "wgmma bk=64 blocks=0 bn=64 cluster_m=1 cluster_n=1 consumers=2 epi_buffers=1 epi_columns=", columns,
          " group_m=1 in_flight=1 addend=0 raster=0 l2_promotion=2 hint_a=0 hint_b=0 mi=1 mode=0 reduction=0 split_k=1 "
          "stages=4"));
      SCOPED_TRACE(problem.Text() + ": " + schedule.Text());
      const auto accesses = SharedAccesses(problem, schedule);
      ASSERT_TRUE(accesses.ok()) << accesses.status();
      int writes = 0;
      for (const SharedAccess& access : *accesses) {
        writes += access.name == "write a part of the tile to shared memory";
        EXPECT_EQ(access.ways, 1) << access.name;
      }
      EXPECT_EQ(writes, out == OutputType::kSame ? 64 / 16 : 64 / 8 * 4);
    }
}

// All types of InEveryType() but plain f32, in four layouts each.
INSTANTIATE_TEST_SUITE_P(TypesAndLayouts, MmaBanks, ::testing::Range(4, 32),
                         [](const auto& info) { return "number" + std::to_string(info.param); });

}  // namespace
}  // namespace mmtune
