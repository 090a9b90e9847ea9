// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every configuration that nvMatmulHeuristics (0.1.0.27, CUTLASS 3, H100, bf16) proposes for 12 problems is a valid
// schedule of `wgmma`, or breaks a rule that is named here. `prior_peer --wgmma` asks for them.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/wgmma/wgmma_schedule.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

struct Proposals {
  const char* shape;
  const char* configurations;  ///< "tile/stages/cluster/split_k", fastest first.
};

constexpr Proposals kProposals[] = {
    {"1024x1024x1024",
     "128x80x64/8/4x2/1 64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/1x2/1 128x64x128/4/1x2/1 "
     "64x192x64/7/4x2/1 64x192x128/3/4x1/1 64x64x64/8/2x1/1 64x64x128/7/2x1/1 256x32x64/6/1x2/1 "
     "256x32x128/3/1x2/1 64x32x64/8/1x2/1"},
    {"2048x2048x2048",
     "128x256x64/4/2x1/1 256x128x64/4/1x2/1 128x256x128/2/1x2/1 256x128x128/2/2x1/1 128x128x64/7/2x1/1 "
     "128x128x128/3/2x1/1 64x192x64/7/4x1/1 64x192x128/3/4x1/1 64x256x64/5/2x1/1 64x256x128/2/2x1/1 "
     "256x64x64/5/1x2/1 256x64x128/2/1x2/1 128x192x64/5/4x2/1 128x192x128/2/4x1/1 128x80x64/8/2x4/1 "
     "64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/1x2/1 128x64x128/4/1x2/1 64x64x64/8/2x1/1 "
     "64x64x128/7/2x1/1 64x32x64/8/1x2/1"},
    {"4096x4096x4096",
     "128x256x64/4/2x1/1 256x128x64/4/1x2/1 128x256x128/2/1x2/1 256x128x128/2/2x1/1 128x192x64/5/4x2/1 "
     "128x192x128/2/4x1/1 128x128x64/7/2x1/1 128x128x128/3/2x1/1 64x256x64/5/2x1/1 64x256x128/2/2x1/1 "
     "256x64x64/5/1x2/1 256x64x128/2/1x2/1 64x192x64/7/2x1/1 64x192x128/3/2x1/1 128x80x64/8/1x2/1 "
     "64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/1x2/1 128x64x128/4/1x2/1 64x64x64/8/2x4/1 "
     "64x64x128/7/2x4/1 64x32x64/8/1x2/1"},
    {"8192x8192x8192",
     "128x256x64/4/2x1/1 256x128x64/4/1x2/1 128x128x64/7/2x4/1 128x192x64/5/2x1/1 64x192x64/7/2x1/1 "
     "64x192x128/3/2x1/1 64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/1x2/1 128x64x128/4/1x2/1 "
     "64x256x64/5/4x2/1 256x64x64/5/2x4/1 64x64x64/8/2x1/1 64x64x128/7/2x1/1 64x32x64/8/1x2/1 "
     "128x80x64/8/2x1/1"},
    {"4096x4096x1024",
     "128x256x64/4/2x1/1 256x128x64/4/1x2/1 256x128x128/2/2x1/1 128x256x128/2/1x2/1 128x192x64/5/4x2/1 "
     "128x192x128/2/4x1/1 128x128x64/7/2x1/1 128x128x128/3/2x1/1 64x256x64/5/2x1/1 64x256x128/2/2x1/1 "
     "256x64x64/5/1x2/1 256x64x128/2/1x2/1 64x192x64/7/2x1/1 64x192x128/3/2x1/1 128x80x64/8/1x2/1 "
     "128x64x64/8/1x2/1 128x64x128/4/1x2/1 64x128x64/8/2x1/1 64x128x128/4/2x1/1 64x64x64/8/2x4/1 "
     "64x64x128/7/2x4/1 64x32x64/8/1x2/1"},
    {"4096x4096x16384",
     "128x256x64/4/2x1/1 256x128x64/4/1x2/1 128x256x128/2/1x2/1 256x128x128/2/2x1/1 128x192x64/5/4x2/1 "
     "128x192x128/2/4x1/1 128x128x64/7/2x1/1 128x128x128/3/2x1/1 64x256x64/5/2x1/1 64x256x128/2/2x1/1 "
     "256x64x64/5/1x2/1 256x64x128/2/1x2/1 64x192x64/7/2x1/1 64x192x128/3/2x1/1 128x80x64/8/1x2/1 "
     "64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/1x2/1 128x64x128/4/1x2/1 64x64x64/8/2x4/1 "
     "64x64x128/7/2x4/1 64x32x64/8/1x2/1"},
    {"8192x28672x8192",
     "256x128x64/4/1x2/1 128x256x64/4/2x1/1 128x80x64/8/1x2/1 128x192x64/5/2x1/1 64x256x64/5/2x1/1 "
     "64x192x64/7/2x1/1 64x192x128/3/2x1/1 64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/1x2/1 "
     "128x64x128/4/1x2/1 256x64x64/5/1x2/1 128x128x64/7/2x1/1 64x64x64/8/2x1/1 64x64x128/7/2x1/1 "
     "64x32x64/8/1x2/1"},
    {"16x16384x16384",
     "64x128x64/8/1x2/1 64x128x128/4/1x2/1 64x64x64/8/1x2/1 64x64x128/7/1x2/1 64x32x64/8/1x2/1 "
     "128x256x64/4/1x2/2 128x256x128/2/1x2/2 128x192x64/5/1x2/3 128x192x128/2/1x2/3 64x80x64/8/1x4/1 "
     "64x192x64/7/1x4/1 64x192x128/3/1x4/1"},
    {"4096x2112x7168",
     "128x192x64/5/4x1/1 128x192x128/2/4x1/1 64x256x64/5/4x1/1 128x128x64/7/4x2/1 64x192x64/7/4x1/1 "
     "64x192x128/3/4x1/1 128x128x128/3/4x1/1 128x256x64/4/4x2/1 256x128x128/2/4x1/1 128x256x128/2/1x2/1 "
     "256x64x64/5/2x1/1 256x64x128/2/2x1/1 256x128x64/4/1x2/1 128x80x64/8/1x2/1 64x256x128/2/2x1/1 "
     "64x128x64/8/2x1/1 64x128x128/4/2x1/1 128x64x64/8/2x1/1 128x64x128/4/2x1/1 64x64x64/8/2x1/1 "
     "64x64x128/7/2x1/1 64x32x64/8/1x2/1"},
    {"512x512x8192",
     "64x32x64/8/1x2/1 64x32x128/8/1x2/1 128x64x64/8/1x2/4 128x64x128/4/1x4/3 128x80x64/8/2x1/4 "
     "256x64x64/5/1x4/6 128x128x64/7/2x2/5 128x128x128/3/2x1/3 256x64x128/2/1x2/3 128x192x64/5/2x1/6 "
     "128x192x128/2/2x1/3 128x256x64/4/2x1/6 256x128x64/4/1x2/6 64x192x64/7/4x1/1 64x192x128/3/4x1/1 "
     "128x256x128/2/1x1/3 256x128x128/2/1x1/3"},
    {"2048x6144x4096",
     "128x256x64/4/2x1/1 256x128x64/4/1x2/1 128x256x128/2/1x2/1 256x128x128/2/2x1/1 128x192x64/5/2x1/1 "
     "128x192x128/2/2x1/1 128x128x64/7/2x1/1 128x128x128/3/2x1/1 256x64x64/5/1x2/1 256x64x128/2/1x2/1 "
     "64x192x64/7/2x1/1 64x192x128/3/2x1/1 128x80x64/8/1x2/1 64x128x64/8/2x1/1 64x128x128/4/2x1/1 "
     "128x64x64/8/1x2/1 128x64x128/4/1x2/1 64x256x64/5/2x1/1 64x256x128/2/2x1/1 64x64x64/8/2x1/1 "
     "64x64x128/7/2x1/1 64x32x64/8/1x2/1"},
    {"1000x3000x5000",
     "128x192x64/5/2x1/1 128x192x128/2/2x1/1 256x64x64/5/2x4/1 128x80x64/8/2x4/1 128x256x64/4/4x2/1 "
     "256x128x64/4/2x4/1 64x256x64/5/4x2/1 128x128x64/7/2x4/1 128x256x128/2/1x4/1 128x128x128/3/1x4/1 "
     "256x128x128/2/2x1/1 64x192x64/7/2x1/1 64x192x128/3/2x1/1 64x256x128/2/2x4/1 64x128x64/8/2x1/1 "
     "64x128x128/4/2x1/1 128x64x64/8/1x2/1 128x64x128/4/1x2/1 256x64x128/2/2x2/1 64x64x64/8/2x1/1 "
     "64x64x128/7/2x1/1 64x32x64/8/1x2/1"},
};

/// Returns the schedule of a configuration. It does not name how C is stored: directly, which leaves all shared memory
/// to stages.
WgmmaSchedule ScheduleOf(const std::string& configuration) {
  int m = 0, n = 0, k = 0, stages = 0, cluster_m = 0, cluster_n = 0, split_k = 0;
  EXPECT_EQ(
      std::sscanf(configuration.c_str(), "%dx%dx%d/%d/%dx%d/%d", &m, &n, &k, &stages, &cluster_m, &cluster_n, &split_k),
      7)
      << configuration;
  WgmmaSchedule schedule;
  schedule.consumers = m == 64 ? 1 : 2;
  schedule.mi = m / 64 / schedule.consumers;
  schedule.bn = n, schedule.bk = k, schedule.stages = stages;
  schedule.clusterM = cluster_m, schedule.clusterN = cluster_n;
  schedule.splitK = split_k;
  schedule.epiColumns = 0;
  schedule.reduction = split_k > 1 ? kWorkspaceReduction : kNoReduction;
  return schedule;
}

TEST(LibraryChoicesTest, AreSchedulesOfWgmmaOrBreakAKnownRule) {
  DeviceInfo device = TestDevice("sm_90");
  device.multiprocessors = 132;
  int valid = 0, large = 0, padded = 0;
  for (const auto& [shape, configurations] : kProposals) {
    MatmulProblem problem = TestProblem(shape);
    problem.dtype = DataType::kBf16;
    for (const std::string& configuration : std::vector<std::string>(absl::StrSplit(configurations, ' '))) {
      SCOPED_TRACE(absl::StrCat(shape, " ", configuration));
      const WgmmaSchedule schedule = ScheduleOf(configuration);
      const absl::Status status = ValidateSchedule(problem, schedule.ToSchedule(), device);
      if (schedule.clusterM * schedule.clusterN > 4) {
        // Larger clusters fit few groups of multiprocessors: the fastest published kernel lost by more than two blocks.
        ++large;
        EXPECT_TRUE(absl::StrContains(status.message(), "a cluster has 1, 2 or 4 blocks")) << status;
      } else if (absl::StrContains(status.message(), "stages fit the shared memory of a block")) {
        // Rows of B along n are copied in slabs of 64 columns, so that 80 take the room of 128. Along k they fit.
        ++padded;
        EXPECT_NE(schedule.bn % 64, 0);
        MatmulProblem transposed = problem;
        transposed.transpose_b = true;
        EXPECT_EQ(ValidateSchedule(transposed, schedule.ToSchedule(), device), absl::OkStatus());
      } else {
        ++valid;
        EXPECT_EQ(status, absl::OkStatus());
      }
    }
  }
  EXPECT_EQ(valid, 191);
  EXPECT_EQ(large, 25);
  EXPECT_EQ(padded, 11);
}

}  // namespace
}  // namespace mmtune
