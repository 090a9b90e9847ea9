// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma_family.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/family_table.h"
#include "kernels/families/fma_constraints.h"
#include "kernels/families/fma_recipes.h"
#include "kernels/families/fma_schedule.h"

namespace mmtune {
namespace {

/// Where the axes of the block tile end for a problem: one tile covers a small extent, and a tile
/// of at least one warp's threads exists even for a 1x1 product.
struct TileLimits {
  explicit TileLimits(const MatmulProblem& problem) {
    int64_t m = nextPowerOfTwo(std::min<int64_t>(problem.m, 256));
    int64_t n = nextPowerOfTwo(std::min<int64_t>(problem.n, 256));
    bm = std::max(m, 32 / std::min<int64_t>(n, 32));
    bn = std::max(n, 32 / std::min<int64_t>(m, 32));
  }
  int64_t bm, bn;
};

std::vector<int64_t> blockTileAxis(int64_t limit) {
  return axisWithin({1, 2, 4, 8, 16, 32, 64, 128, 256}, std::min<int64_t>(limit, 16), limit);
}

/// Thread tiles below 4 only help extents that leave threads idle otherwise.
std::vector<int64_t> threadTileAxis(int64_t blockTileLimit, const DeviceInfo& device) {
  int64_t high = device.kind == DeviceKind::kSimt ? 8 : 16;
  return axisWithin({1, 2, 4, 8, 16}, blockTileLimit >= 128 ? 4 : 1, std::min(high, blockTileLimit));
}

std::vector<int64_t> laneAxis(const TileLimits& limits) {
  bool narrow = std::min(limits.bm, limits.bn) < 64;
  return axisWithin({1, 2, 4, 8, 16, 32}, narrow ? 1 : 4, narrow ? 32 : 8);
}

}  // namespace

const SpaceFamily& fmaFamily() {
  static const FmaFamily family;
  return family;
}

const std::vector<ParameterDomain>& FmaFamily::domains() const {
  static const std::vector<ParameterDomain> domains = FmaSchedule::domains();
  return domains;
}

std::vector<ScheduleParameter> FmaFamily::Parameters(const MatmulProblem& problem, const DeviceInfo& device) const {
  using Values = std::vector<int64_t>;
  // Bank conflicts, residency and the order of blocks mean nothing to the SIMT device.
  bool gpu = device.kind == DeviceKind::kCuda;
  TileLimits limits(problem);
  int64_t bkLimit = nextPowerOfTwo(std::clamp<int64_t>(problem.k, 4, 64));
  return {
      {"bm", blockTileAxis(limits.bm)},
      {"bn", blockTileAxis(limits.bn)},
      {"tm", threadTileAxis(limits.bm, device)},
      {"tn", threadTileAxis(limits.bn, device)},
      {"lm", laneAxis(limits)},
      {"bk", gpu ? axisWithin({4, 8, 16, 32}, std::min<int64_t>(bkLimit, 8), bkLimit)
                 : axisWithin({4, 8, 16, 32, 64}, std::min<int64_t>(bkLimit, 16), bkLimit)},
      {"split_k", gpu ? Values{1, 2, 4, 8, 16} : Values{1, 2, 4}},
      {"reduction", problem.epilogue.empty() ? Values{kNoReduction, kAtomicReduction, kWorkspaceReduction}
                                             : Values{kNoReduction, kWorkspaceReduction}},
      {"kmajor_a", {0, 1}},
      {"pad_a", gpu ? Values{0, 4} : Values{0}},
      // Only what is transposed on its way into shared memory meets bank conflicts there.
      {"pad_b", gpu && problem.transpose_b ? Values{0, 4} : Values{0}},
      {"async", device.ComputeCapability() >= 80 ? Values{0, 1} : Values{0}},
      {"stages", gpu ? Values{1, 2, 3, 4, 5} : Values{1, 2, 3}},
      {"unroll_k",
       gpu ? axisWithin({4, 8, 16, 32}, std::min<int64_t>(bkLimit, 8), bkLimit) : axisWithin({4, 16}, 4, bkLimit)},
      {"min_blocks", gpu ? Values{1, 2, 4} : Values{1}},
      {"group_m", gpu ? Values{1, 4, 8, 16} : Values{1}},
  };
}

std::vector<ScheduleConstraint> FmaFamily::Constraints(const MatmulProblem& problem, const DeviceInfo& device) const {
  return fmaConstraints(problem, device);
}

ScheduleGeometry FmaFamily::describe(const MatmulProblem& problem, const Schedule& schedule) const {
  FmaTiling tiling(problem, FmaSchedule::fromSchedule(schedule));
  const FmaSchedule& s = tiling.schedule;
  ScheduleGeometry geometry;
  geometry.tile = {s.bm, s.bn, s.bk};
  geometry.threads = tiling.threads;
  geometry.stages = s.stages;
  geometry.splitK = s.splitK;
  geometry.groupM = s.groupM;
  geometry.blocks = tiling.blocks();
  geometry.sharedBytes = tiling.sharedBytes();
  geometry.registers = tiling.registerEstimate();
  geometry.bytesMoved = operandBytesRead(problem, tiling.gridM, tiling.gridN) +
                        static_cast<double>(DataTypeBytes(problem.dtype)) * static_cast<double>(problem.ElementsC()) *
                            passesOverC(s.reduction, s.splitK);
  geometry.words.blockTile = absl::StrCat(s.bm, "x", s.bn, "x", s.bk);
  geometry.words.threadTile = absl::StrCat(s.tm, "x", s.tn);
  geometry.words.stages = absl::StrCat(s.stages);
  geometry.words.splitK = absl::StrCat(s.splitK);
  return geometry;
}

LaunchPlan FmaFamily::makeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const {
  FmaTiling tiling(problem, FmaSchedule::fromSchedule(schedule));
  const FmaSchedule& s = tiling.schedule;
  PlanStep product;
  product.kernel = kKernel;
  product.grid[0] = static_cast<uint32_t>(tiling.blocksPerMatrix() * problem.batch);
  product.grid[2] = static_cast<uint32_t>(s.splitK);
  product.block[0] = static_cast<uint32_t>(tiling.threads);
  product.dynamic_shared_bytes = static_cast<uint32_t>(tiling.sharedBytes());
  return planSplits(problem, std::move(product), s.reduction, s.splitK);
}

std::vector<LadderRung> FmaFamily::ladder(const MatmulProblem& problem) const { return fmaLadder(problem); }

std::vector<ByPreference<Schedule>> FmaFamily::defaultSchedules() const { return fmaDefaultSchedules(); }

}  // namespace mmtune
