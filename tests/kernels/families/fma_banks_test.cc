// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses that `fma` kernels compute: the copies of the schedules that defaults are made of, and the reads of
// fragments, let no lane of a warp wait for another one.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/families/common/registry.h"
#include "tests/kernels/families/bank_conflicts.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

constexpr std::string_view kShapes[] = {"1024x1024x1024", "1001x1001x1001", "1000x1002x1004"};

/// Counts the copies of both tiles, and the reads of both, of a valid schedule.
std::vector<SharedAccess> AccessesOf(const MatmulProblem& problem, const Schedule& schedule) {
  const absl::Status valid = ValidateSchedule(problem, schedule, TestDevice("sm_90"));
  EXPECT_TRUE(valid.ok()) << valid;
  if (!valid.ok()) return {};
  absl::StatusOr<std::vector<SharedAccess>> accesses = SharedAccesses(problem, schedule);
  EXPECT_TRUE(accesses.ok()) << accesses.status();
  if (!accesses.ok()) return {};
  EXPECT_GE(accesses->size(), 4u);
  return *std::move(accesses);
}

TEST(FmaBanks, OfKMajorTilesServeEveryLaneAtOnce) {
  for (std::string_view shape : kShapes)
    for (bool transpose : {false, true})
      for (std::string_view changes :
           {"bk=8 unroll_k=8 tn=16 min_blocks=1", "bk=16", "bk=32 unroll_k=32 stages=2 min_blocks=1",
            "bk=16 async=0 stages=2 min_blocks=1", "bk=32 unroll_k=32 async=0 stages=1 min_blocks=1"}) {
        MatmulProblem problem = TestProblem(shape, 1, transpose);
        problem.transpose_a = transpose;
        Schedule schedule = ReferenceSchedule("kmajor_a=1 fragments=2 " + std::string(changes));
        schedule.params["pad_a"] = transpose ? 0 : 4;
        schedule.params["pad_b"] = transpose ? 4 : 0;
        SCOPED_TRACE(problem.Text() + ": " + schedule.Text());
        for (const SharedAccess& access : AccessesOf(problem, schedule)) EXPECT_EQ(access.ways, 1) << access.name;
      }
}

// Short rows are copied several at once: those whose banks complete each other (FmaOperandTile::OrderFor).
TEST(FmaBanks, OfShortRowsServeEveryLaneAtOnce) {
  for (std::string_view shape : kShapes)
    for (std::string_view changes :
         {"bk=8 unroll_k=8", "bk=16", "bk=32 unroll_k=32 stages=2 min_blocks=1",
          "bk=16 bm=64 bn=128 tn=16 min_blocks=1", "bk=8 unroll_k=8 async=0 stages=2 min_blocks=1",
          "bk=16 async=0 stages=1 min_blocks=1", "bk=4 unroll_k=4 kmajor_a=1",
          "bk=4 unroll_k=4 kmajor_a=1 async=0 stages=2", "bk=4 unroll_k=4 pad_a=0 stages=2",
          "bk=16 bm=16 bn=128 tm=4 tn=4 pad_b=4 async=0 stages=2"}) {
      const MatmulProblem problem = TestProblem(shape);
      const Schedule schedule = ReferenceSchedule(changes);
      SCOPED_TRACE(problem.Text() + ": " + schedule.Text());
      for (const SharedAccess& access : AccessesOf(problem, schedule)) {
        if (!access.name.starts_with("read")) {
          EXPECT_EQ(access.ways, 1) << access.name;
        }
      }
    }
}

}  // namespace
}  // namespace mmtune
