// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts of mma's tiles: no lane of a warp waits for another one's access to them.
#include <gtest/gtest.h>

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

// All types of InEveryType() but plain f32, in four layouts each.
INSTANTIATE_TEST_SUITE_P(TypesAndLayouts, MmaBanks, ::testing::Range(4, 32),
                         [](const auto& info) { return "number" + std::to_string(info.param); });

}  // namespace
}  // namespace mmtune
