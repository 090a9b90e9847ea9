// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problems at which the accesses of a kernel are counted, and how their counts scale to the whole problem.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A problem that is run, and the weight of its counts in the sum for the whole problem.
struct ProfileSize {
  MatmulProblem problem;
  double weight = 1;
};

/// Counting observes every access, so only problems of at most this many multiply-adds are run as they are.
inline constexpr double kMaxCountedMultiplyAdds = 1 << 22;

/// Returns the problem itself where it is small, else problems with a few of its tiles. Their extents have the same
/// remainder modulo 64 elements as those of the problem, so that rows are aligned alike. Counts are multilinear in the
/// extents that have whole tiles: the sum of the counts, each times its weight, is the count of the whole problem. Two
/// lengths of k are always run; two of m or n only where the problem ends within a tile, else the count is
/// proportional. `geometry` is not of stream-k where the problem is large: the limits of its blocks' shares are not
/// multilinear.
std::vector<ProfileSize> ProfileSizes(const MatmulProblem& problem, const ScheduleGeometry& geometry);

/// The runs that count the accesses of a schedule.
struct CountingPlan {
  Schedule schedule;
  /// True if `schedule` replaces a stream-k schedule of a large problem by the one with whole tiles: its loop executes
  /// the same program points, and it has no partial sums.
  bool whole_tiles = false;
  std::vector<ProfileSize> sizes;
};

/// Plans the runs for a schedule. InvalidArgument where its family is unknown.
absl::StatusOr<CountingPlan> PlanCounting(const MatmulProblem& problem, const Schedule& schedule);

}  // namespace mmtune
