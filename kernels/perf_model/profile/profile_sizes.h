// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At which sizes a kernel is counted, and what its counts are at the size of its problem.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A problem that is run, and the weight of its counts in those of the whole problem.
struct ProfileSize {
  MatmulProblem problem;
  double weight = 1;
};

/// Counting watches every access: up to so many products the problem itself is run.
inline constexpr double kMaxCountedMultiplyAdds = 1 << 22;

/// The problem itself where it is small. Else problems with a few of its tiles, which lie as far from multiples of 64
/// elements as its extents do, so that rows are aligned alike. Counts are multilinear in the extents that have whole
/// tiles: a sum of them over these problems, each times its weight, is the count of the whole one. Two lengths of k are
/// always run; two of m and n only where the problem leaves a part of a tile, else a count is as many times as large as
/// they are. `geometry` is not of stream-k where the problem is large: where its blocks' shares begin and end is not
/// multilinear.
std::vector<ProfileSize> ProfileSizes(const MatmulProblem& problem, const ScheduleGeometry& geometry);

/// What is run to count a schedule.
struct CountingPlan {
  Schedule schedule;
  /// In place of a stream-k schedule, for a large problem, the one of whole tiles: its loop does the same at the same
  /// program points, and its blocks have no partial sums.
  bool whole_tiles = false;
  std::vector<ProfileSize> sizes;
};

/// InvalidArgument for a schedule of an unknown family.
absl::StatusOr<CountingPlan> PlanCounting(const MatmulProblem& problem, const Schedule& schedule);

}  // namespace mmtune
