// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the small problems at which the simulator counts a kernel's memory accesses, and the weights that extrapolate
// the counts to the whole problem. Counting every access of a large problem would take hours.
//
//   4096x4096x4096 with tile 128x128x16  ->  two small problems with few tiles and different K;
//   count(whole) = weight1 * count(small1) + weight2 * count(small2)
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A problem to run, and the weight of its counts in the sum for the whole problem.
struct ProfileSize {
  MatmulProblem problem;
  double weight = 1;
};

/// The largest problem, in multiply-adds, that is counted at its own size.
inline constexpr double kMaxCountedMultiplyAdds = 1 << 22;

/// Returns the problem itself if it is small, otherwise problems with a few of its tiles. The weighted sum of their
/// counts is the count of the whole problem, because counts are multilinear in the numbers of tiles along m, n and k.
/// Extents keep the problem's remainder modulo 64 elements, so that rows have the same alignment. The small problems
/// have two different k. They have two different m (or n) only if the last tile is partial; otherwise counts are
/// proportional to the number of tiles along m (or n). For a large problem, `geometry` must not be that of a stream-k
/// schedule, whose counts are not multilinear.
std::vector<ProfileSize> ProfileSizes(const MatmulProblem& problem, const ScheduleGeometry& geometry);

/// The runs that count the accesses of a schedule.
struct CountingPlan {
  Schedule schedule;
  /// True if `schedule` replaces a stream-k schedule of a large problem: it has the same parameters, but each block
  /// computes whole tiles. Its loop executes the same instructions, but it has no partial sums.
  bool whole_tiles = false;
  std::vector<ProfileSize> sizes;
};

/// Plans the runs for a schedule. Returns InvalidArgument if its family is unknown.
absl::StatusOr<CountingPlan> PlanCounting(const MatmulProblem& problem, const Schedule& schedule);

}  // namespace mmtune
