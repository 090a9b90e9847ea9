// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `fma` family: f32 products by fused multiply-adds, through tiles in shared memory.
//
// A block computes bm x bn elements of C, a thread tm x tn of them, interleaved so that the lanes
// of a warp (lm along M, 32/lm along N) read neighbouring addresses. Tiles of A and B of bk steps
// are staged in shared memory, by cp.async or through registers, while earlier ones are consumed. With slice_k several
// such blocks of threads share the tiles, each with a part of their k, and sum what they have at the end.
#include <algorithm>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/family_table.h"
#include "kernels/families/common/proof_shapes.h"
#include "kernels/families/common/sharing_axes.h"
#include "kernels/families/common/tile_sharing_family.h"
#include "kernels/families/fma/fma_cost.h"
#include "kernels/families/fma/fma_defaults.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {
namespace {

std::vector<int64_t> BlockTileAxis(int64_t limit) {
  return AxisWithin({1, 2, 4, 8, 16, 32, 64, 128, 256}, std::min<int64_t>(limit, 16), limit);
}

/// Thread tiles below 4 only help extents that leave threads idle otherwise.
std::vector<int64_t> ThreadTileAxis(int64_t blockTileLimit, const DeviceInfo& device) {
  int64_t high = device.kind == DeviceKind::kSimt ? 8 : 16;
  return AxisWithin({1, 2, 4, 8, 16}, blockTileLimit >= 128 ? 4 : 1, std::min(high, blockTileLimit));
}

std::vector<int64_t> LaneAxis(const FmaTileLimits& limits) {
  bool narrow = std::min(limits.bm, limits.bn) < 64;
  return AxisWithin({1, 2, 4, 8, 16, 32}, narrow ? 1 : 4, narrow ? 32 : 8);
}

/// Slices of k bring a block more warps, not more of a product: for products of so few tiles that multiprocessors have
/// few warps each, and of a k that is worth it.
std::vector<int64_t> SliceAxis(const MatmulProblem& problem, const DeviceInfo& device) {
  constexpr int64_t kTile = 64, kLeastK = 128;
  bool idle = BlockGrid(problem, kTile, kTile, kTile, 1, 1).Tiles() < 2 * MultiprocessorsOf(device);
  return idle && problem.k >= kLeastK ? std::vector<int64_t>{1, 2, 4} : std::vector<int64_t>{1};
}

/// Block tile, thread tile, lanes of a warp along M.
struct Tile {
  int64_t bm, bn, tm, tn, lm;
};

/// The ladder's: an undecorated shared-memory kernel, synchronous copies, one stage.
FmaSchedule SimpleSchedule(const MatmulProblem& problem, const Tile& tile, int64_t bk) {
  FmaSchedule s;
  s.bm = tile.bm, s.bn = tile.bn;
  s.tm = tile.tm, s.tn = tile.tn;
  s.lm = tile.lm;
  s.bk = s.unrollK = bk;
  // A transposed A has its rows k-major already.
  s.kmajorA = problem.transpose_a;
  s.padA = s.kmajorA ? 0 : 4;
  s.padB = problem.transpose_b ? 4 : 0;
  return s;
}

class FmaFamily final : public TileSharingFamilyOf<FmaSchedule> {
 public:
  int version() const override { return 5; }
  /// A block tile of one row or column of C multiplies less than `gemv` loads in the same time.
  bool SearchedByDefault(const MatmulProblem& problem) const override { return !IsMatrixVector(problem); }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    return FmaConstraints(problem, device);
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    FmaTiling tiling(problem, FmaSchedule::FromSchedule(schedule));
    return PlanProduct(problem, kFmaKernel, tiling.grid, tiling.threads, tiling.SharedBytes(),
                       tiling.schedule.reduction);
  }

  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override {
    // The largest tile that the problem fills; small and thin problems get a small one.
    std::vector<Tile> tiles = {{32, 32, 2, 2, 4}};
    if (problem.m >= 64 && problem.n >= 64) tiles.insert(tiles.begin(), {64, 64, 4, 4, 4});
    LadderRung rung{"shared-memory", {}};
    for (const Tile& tile : tiles)
      for (int64_t bk : {16, 4}) {
        rung.schedules.push_back(SimpleSchedule(problem, tile, bk).ToSchedule());
      }
    return {rung};
  }

  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem,
                                                       const DeviceInfo& device) const override {
    if (!problem.IsPlainF32() || !problem.Validate().ok()) return {};
    // The model is of a GPU, of the SIMT device one of its architecture.
    DeviceInfo gpu = device;
    gpu.kind = DeviceKind::kCuda;
    return FmaDefaultSchedules(problem, device, Parameters(problem, gpu));
  }

  std::vector<ByPreference<MatmulProblem>> ProofShapes(const MatmulProblem& problem,
                                                       const ScheduleGeometry& geometry) const override {
    // Tiles that are larger than the matrix reach beyond it, others overlap, and how far rows are aligned decides which
    // instructions copy and store: the ragged shapes have what the problem has.
    std::vector<ByPreference<MatmulProblem>> shapes = AlignedProofShapes(problem, geometry);
    for (MatmulProblem& shape : shapes.back()) {
      if (problem.m < geometry.tile.m) shape.m = problem.m;
      if (problem.n < geometry.tile.n) shape.n = problem.n;
    }
    return shapes;
  }

 protected:
  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    // Bank conflicts, residency, idle warps and the order of blocks mean nothing to the SIMT device.
    bool gpu = device.kind == DeviceKind::kCuda;
    FmaTileLimits limits(problem);
    int64_t bkLimit = NextPowerOfTwo(std::clamp<int64_t>(problem.k, 4, 64));
    Values slices = gpu ? SliceAxis(problem, device) : Values{1};
    // A slice of a short k step has four values of it.
    int64_t leastUnroll = slices.size() > 1 ? 4 : std::min<int64_t>(bkLimit, 8);
    return {
        {"bm", BlockTileAxis(limits.bm)},
        {"bn", BlockTileAxis(limits.bn)},
        {"tm", ThreadTileAxis(limits.bm, device)},
        {"tn", ThreadTileAxis(limits.bn, device)},
        {"lm", LaneAxis(limits)},
        {"slice_k", slices},
        {"bk", gpu ? AxisWithin({4, 8, 16, 32}, std::min<int64_t>(bkLimit, 8), bkLimit)
                   : AxisWithin({4, 8, 16, 32, 64}, std::min<int64_t>(bkLimit, 16), bkLimit)},
        {"split_k", gpu ? Values{1, 2, 3, 4, 5, 6, 8, 12, 16} : Values{1, 2, 4}},
        {"stream_k", gpu ? StreamAxis(problem, device, FmaSchedule::kMostStreamK) : Values{1}},
        {"reduction", gpu ? ReductionAxis(problem) : SplitReductions(problem)},
        {"kmajor_a", {0, 1}},
        {"pad_a", gpu ? Values{0, 4} : Values{0}},
        // Only what is transposed on its way into shared memory meets bank conflicts there.
        {"pad_b", gpu && problem.transpose_b ? Values{0, 4} : Values{0}},
        {"async", device.ComputeCapability() >= 80 ? Values{0, 1} : Values{0}},
        {"stages", gpu ? Values{1, 2, 3, 4, 5} : Values{1, 2, 3}},
        {"unroll_k", gpu ? AxisWithin({4, 8, 16, 32}, leastUnroll, bkLimit) : AxisWithin({4, 16}, 4, bkLimit)},
        {"fragments", gpu ? Values{1, 2} : Values{1}},
        {"min_blocks", gpu ? Values{1, 2, 4} : Values{1}},
        {"group_m", gpu ? Values{1, 4, 8, 16} : Values{1}},
        // No rule reads it.
        {"order", gpu ? Values{kFmaRowByRow, kFmaSerpentine} : Values{kFmaRowByRow}},
    };
  }

  ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const override {
    return FmaGeometry(FmaTiling(problem, FmaSchedule::FromSchedule(schedule)));
  }
};

}  // namespace

const SpaceFamily& GetFmaFamily() {
  static const FmaFamily family;
  return family;
}

}  // namespace mmtune
