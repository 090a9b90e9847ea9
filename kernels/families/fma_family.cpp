// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `fma` family: f32 products by fused multiply-adds, through tiles in shared memory.
//
// A block computes bm x bn elements of C, a thread tm x tn of them, interleaved so that the lanes
// of a warp (lm along M, 32/lm along N) read neighbouring addresses. Tiles of A and B of bk steps
// are staged in shared memory, by cp.async or through registers, while earlier ones are consumed.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/family_table.h"
#include "kernels/families/fma_cost.h"
#include "kernels/families/fma_schedule.h"

namespace mmtune {
namespace {

/// Where the axes of the block tile end for a problem: one tile covers a small extent, and a tile
/// of at least one warp's threads exists even for a 1x1 product.
struct TileLimits {
  explicit TileLimits(const MatmulProblem& problem) {
    int64_t m = NextPowerOfTwo(std::min<int64_t>(problem.m, 256));
    int64_t n = NextPowerOfTwo(std::min<int64_t>(problem.n, 256));
    bm = std::max(m, 32 / std::min<int64_t>(n, 32));
    bn = std::max(n, 32 / std::min<int64_t>(m, 32));
  }
  int64_t bm, bn;
};

std::vector<int64_t> BlockTileAxis(int64_t limit) {
  return AxisWithin({1, 2, 4, 8, 16, 32, 64, 128, 256}, std::min<int64_t>(limit, 16), limit);
}

/// Thread tiles below 4 only help extents that leave threads idle otherwise.
std::vector<int64_t> ThreadTileAxis(int64_t blockTileLimit, const DeviceInfo& device) {
  int64_t high = device.kind == DeviceKind::kSimt ? 8 : 16;
  return AxisWithin({1, 2, 4, 8, 16}, blockTileLimit >= 128 ? 4 : 1, std::min(high, blockTileLimit));
}

std::vector<int64_t> LaneAxis(const TileLimits& limits) {
  bool narrow = std::min(limits.bm, limits.bn) < 64;
  return AxisWithin({1, 2, 4, 8, 16, 32}, narrow ? 1 : 4, narrow ? 32 : 8);
}

/// Block tile, thread tile, lanes of a warp along M.
struct Tile {
  int64_t bm, bn, tm, tn, lm;
};

/// From large to small, square first; thin ones for products of few rows or columns.
constexpr Tile kTiles[] = {
    {128, 128, 8, 8, 4}, {128, 64, 8, 4, 4}, {64, 128, 4, 8, 4}, {64, 64, 4, 4, 4},  {32, 32, 2, 2, 4},
    {16, 64, 2, 4, 4},   {64, 16, 4, 2, 8},  {4, 128, 1, 4, 1},  {128, 4, 4, 1, 32}, {16, 16, 1, 2, 4},
    {1, 128, 1, 4, 1},   {128, 1, 4, 1, 32}, {1, 32, 1, 1, 1},   {32, 1, 1, 1, 32},
};

/// How tiles get to shared memory.
struct Copies {
  int64_t async, stages;
};
constexpr Copies kCopies[] = {{1, 3}, {1, 2}, {0, 2}, {0, 1}};

FmaSchedule ScheduleOf(const MatmulProblem& problem, const Tile& tile, int64_t bk, Copies copies) {
  FmaSchedule s;
  s.bm = tile.bm, s.bn = tile.bn;
  s.tm = tile.tm, s.tn = tile.tn;
  s.lm = tile.lm;
  s.bk = s.unrollK = bk;
  // A transposed A has its rows k-major already.
  s.kmajorA = problem.transpose_a;
  s.padA = s.kmajorA ? 0 : 4;
  s.async = copies.async;
  s.stages = copies.stages;
  return s;
}

class FmaFamily final : public FamilyOf<FmaSchedule> {
 public:
  int version() const override { return 1; }

  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    // Bank conflicts, residency and the order of blocks mean nothing to the SIMT device.
    bool gpu = device.kind == DeviceKind::kCuda;
    TileLimits limits(problem);
    int64_t bkLimit = NextPowerOfTwo(std::clamp<int64_t>(problem.k, 4, 64));
    return {
        {"bm", BlockTileAxis(limits.bm)},
        {"bn", BlockTileAxis(limits.bn)},
        {"tm", ThreadTileAxis(limits.bm, device)},
        {"tn", ThreadTileAxis(limits.bn, device)},
        {"lm", LaneAxis(limits)},
        {"bk", gpu ? AxisWithin({4, 8, 16, 32}, std::min<int64_t>(bkLimit, 8), bkLimit)
                   : AxisWithin({4, 8, 16, 32, 64}, std::min<int64_t>(bkLimit, 16), bkLimit)},
        {"split_k", gpu ? Values{1, 2, 4, 8, 16} : Values{1, 2, 4}},
        {"reduction", SplitReductions(problem)},
        {"kmajor_a", {0, 1}},
        {"pad_a", gpu ? Values{0, 4} : Values{0}},
        // Only what is transposed on its way into shared memory meets bank conflicts there.
        {"pad_b", gpu && problem.transpose_b ? Values{0, 4} : Values{0}},
        {"async", device.ComputeCapability() >= 80 ? Values{0, 1} : Values{0}},
        {"stages", gpu ? Values{1, 2, 3, 4, 5} : Values{1, 2, 3}},
        {"unroll_k",
         gpu ? AxisWithin({4, 8, 16, 32}, std::min<int64_t>(bkLimit, 8), bkLimit) : AxisWithin({4, 16}, 4, bkLimit)},
        {"min_blocks", gpu ? Values{1, 2, 4} : Values{1}},
        {"group_m", gpu ? Values{1, 4, 8, 16} : Values{1}},
    };
  }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    return FmaConstraints(problem, device);
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    FmaTiling tiling(problem, FmaSchedule::FromSchedule(schedule));
    return PlanProduct(problem, kFmaKernel, tiling.grid, tiling.threads, tiling.SharedBytes(),
                       tiling.schedule.reduction);
  }

  /// An undecorated shared-memory kernel: synchronous copies, one stage.
  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override {
    // The largest tile that the problem fills; small and thin problems get a small one.
    std::vector<Tile> tiles = {{32, 32, 2, 2, 4}};
    if (problem.m >= 64 && problem.n >= 64) tiles.insert(tiles.begin(), {64, 64, 4, 4, 4});
    LadderRung rung{"shared-memory", {}};
    for (const Tile& tile : tiles)
      for (int64_t bk : {16, 4}) {
        FmaSchedule s = ScheduleOf(problem, tile, bk, {0, 1});
        s.padB = problem.transpose_b ? 4 : 0;
        rung.schedules.push_back(s.ToSchedule());
      }
    return {rung};
  }

  /// For each of a few tiles that are good on common shapes, the deepest pipelines first.
  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem) const override {
    std::vector<ByPreference<Schedule>> all;
    for (const Tile& tile : kTiles) {
      ByPreference<Schedule>& schedules = all.emplace_back();
      for (int64_t bk : {16, 8, 4})
        for (Copies copies : kCopies) schedules.push_back(ScheduleOf(problem, tile, bk, copies).ToSchedule());
    }
    return all;
  }

 protected:
  ScheduleGeometry describe(const MatmulProblem& problem, const Schedule& schedule) const override {
    FmaTiling tiling(problem, FmaSchedule::FromSchedule(schedule));
    const FmaSchedule& s = tiling.schedule;
    ScheduleGeometry geometry;
    geometry.tile = {s.bm, s.bn, s.bk};
    geometry.threads = tiling.threads;
    geometry.stages = s.stages;
    geometry.splitK = s.splitK;
    geometry.groupM = s.groupM;
    geometry.blocks = tiling.grid.blocks();
    geometry.sharedBytes = tiling.SharedBytes();
    geometry.registers = tiling.RegisterEstimate();
    geometry.bytesMoved =
        OperandBytesRead(problem, tiling.grid.gridM, tiling.grid.gridN) + BytesOfResult(problem, s.reduction, s.splitK);
    geometry.minBlocks = s.minBlocks;
    geometry.loop = FmaLoopCost(tiling);
    geometry.reduction = CostOfReduction(problem, s.reduction, s.splitK, /*atomicWidth=*/1);
    geometry.words.blockTile = absl::StrCat(s.bm, "x", s.bn, "x", s.bk);
    geometry.words.threadTile = absl::StrCat(s.tm, "x", s.tn);
    geometry.words.stages = absl::StrCat(s.stages);
    geometry.words.splitK = absl::StrCat(s.splitK);
    return geometry;
  }
};

}  // namespace

const SpaceFamily& GetFmaFamily() {
  static const FmaFamily family;
  return family;
}

}  // namespace mmtune
