// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/perf_model/profile/profile_sizes.h"

#include <algorithm>
#include <numeric>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/family_base.h"
#include "kernels/families/common/registry.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Rows whose lengths differ by a multiple of this are aligned alike to sectors and cache lines, for every element
/// type.
constexpr int64_t kAlignedElements = 64;

struct Extent {
  int64_t size = 0;
  double weight = 1;
};

/// Returns extents of m or n with at least `least` tiles of `tile`.
std::vector<Extent> ExtentsOf(int64_t whole, int64_t tile, int64_t least) {
  const int64_t step = std::lcm(tile, kAlignedElements), rest = whole % step, even = RoundUp(least * tile, step);
  const int64_t first = even + rest, second = first + step;
  if (whole <= second) return {{whole}};
  if (rest == 0) return {{even, static_cast<double>(whole) / static_cast<double>(even)}};
  const int64_t steps = (whole - first) / step;
  return {{first, static_cast<double>(1 - steps)}, {second, static_cast<double>(steps)}};
}

/// Returns extents of k that are long enough for the pipeline of every split to fill.
std::vector<Extent> ExtentsOfK(int64_t whole, const ScheduleGeometry& geometry) {
  const int64_t step = std::lcm(geometry.tile.k * geometry.splitK, kAlignedElements), rest = whole % step;
  const int64_t filled = RoundUp((geometry.stages + 1) * geometry.tile.k * geometry.splitK, step);
  const int64_t first = filled + rest, second = first + step;
  if (whole <= second) return {{whole}};
  const int64_t steps = (whole - first) / step;
  return {{first, static_cast<double>(1 - steps)}, {second, static_cast<double>(steps)}};
}

bool IsSmall(const MatmulProblem& problem) { return problem.Flops() / 2 <= kMaxCountedMultiplyAdds; }

}  // namespace

std::vector<ProfileSize> ProfileSizes(const MatmulProblem& problem, const ScheduleGeometry& geometry) {
  if (IsSmall(problem)) return {{problem}};
  // With a threadblock swizzle, whole groups of rows and more than one column of blocks.
  const int64_t columns = std::max<int64_t>(geometry.groupM > 1 ? 2 : 1, geometry.groupN);
  std::vector<ProfileSize> sizes;
  for (const Extent& m : ExtentsOf(problem.m, geometry.tile.m, geometry.groupM)) {
    for (const Extent& n : ExtentsOf(problem.n, geometry.tile.n, columns)) {
      for (const Extent& k : ExtentsOfK(problem.k, geometry)) {
        ProfileSize size{problem, m.weight * n.weight * k.weight * static_cast<double>(problem.batch)};
        size.problem.m = m.size;
        size.problem.n = n.size;
        size.problem.k = k.size;
        size.problem.batch = 1;
        sizes.push_back(size);
      }
    }
  }
  return sizes;
}

absl::StatusOr<CountingPlan> PlanCounting(const MatmulProblem& problem, const Schedule& schedule) {
  CountingPlan plan;
  plan.schedule = schedule;
  ASSIGN_OR_RETURN(ScheduleGeometry geometry, DescribeSchedule(problem, schedule));
  if (geometry.minStepsPerBlock > 0 && !IsSmall(problem)) {
    plan.whole_tiles = true;
    plan.schedule.params["stream_k"] = 1;
    plan.schedule.params["reduction"] = kNoReduction;  // Whole tiles have no partial sums.
    ASSIGN_OR_RETURN(geometry, DescribeSchedule(problem, plan.schedule));
  }
  plan.sizes = ProfileSizes(problem, geometry);
  return plan;
}

}  // namespace mmtune
