// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `mma` family: products of f16, bf16, and f32 as tf32 or in planes of tf32 or bf16, on tensor cores, by
// mma.sync, summed in f32.
//
// A block computes bm x bn elements of C, a warp wm x wn of them, by instructions of 16 x 8. Tiles of A and B of bk
// steps come to shared memory by cp.async, several stages ahead, and from there to the warps' registers by ldmatrix.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/family_table.h"
#include "kernels/families/mma_schedule.h"
#include "kernels/families/proof_shapes.h"

namespace mmtune {
namespace {

/// The block tile that covers an extent, of at most 256.
int64_t BlockTileLimit(int64_t extent, int64_t smallest) {
  return std::max(smallest, NextPowerOfTwo(std::min<int64_t>(extent, 256)));
}

std::vector<int64_t> TileAxis(int64_t low, int64_t limit) { return AxisWithin({8, 16, 32, 64, 128, 256}, low, limit); }

/// Block tile, warp tile.
struct Tile {
  int64_t bm, bn, wm, wn;

  /// Along one extent no larger than an instruction's.
  bool IsThin() const { return std::min(bm, bn) <= 16; }
};

/// From large to small, square first; thin ones for products of few rows or columns.
constexpr Tile kTiles[] = {
    {128, 256, 64, 64}, {128, 128, 64, 32}, {128, 64, 64, 32}, {64, 128, 32, 64}, {128, 64, 32, 32}, {64, 128, 32, 32},
    {64, 64, 32, 32},   {32, 32, 16, 16},   {16, 128, 16, 32}, {128, 16, 32, 16}, {128, 8, 32, 8},   {16, 64, 16, 16},
    {64, 16, 16, 16},   {64, 8, 16, 8},     {16, 16, 16, 8},   {16, 8, 16, 8},
};

/// Products of so few rows or columns have few tiles, and enough blocks only with splits of k.
constexpr int64_t kSkinny = 16;
/// Least values of k for which a split is worth a second kernel; a judgement.
constexpr int64_t kLeastSplit = 128;

/// The splits of k that are considered for a tile.
std::vector<int64_t> SplitsFor(const MatmulProblem& problem, const Tile& tile) {
  bool skinny = tile.IsThin() && std::min(problem.m, problem.n) <= kSkinny;
  return AxisWithin({1, 2, 4, 8, 16}, 1, skinny ? std::max<int64_t>(1, problem.k / kLeastSplit) : 1);
}

/// How tiles get to shared memory, and fragments to registers.
struct Pipeline {
  int64_t bk, stages, prefetch;
};
constexpr Pipeline kPipelines[] = {{32, 4, 1}, {32, 3, 1}, {32, 2, 1}, {32, 2, 0}, {16, 2, 0}, {16, 1, 0}};
/// A block of a thin tile has few warps: longer steps keep as many bytes on their way.
constexpr Pipeline kLongPipelines[] = {{128, 4, 1}, {128, 3, 1}, {64, 4, 1}, {64, 3, 1}};

Schedule ScheduleOf(const Tile& tile, const Pipeline& pipeline, int64_t splitK = 1) {
  MmaSchedule s;
  s.bm = tile.bm, s.bn = tile.bn;
  s.wm = tile.wm, s.wn = tile.wn;
  s.splitK = splitK;
  s.reduction = s.splitK > 1 ? kWorkspaceReduction : kNoReduction;
  s.bk = pipeline.bk;
  s.stages = pipeline.stages;
  s.prefetch = pipeline.prefetch;
  return s.ToSchedule();
}

class MmaFamily final : public FamilyOf<MmaSchedule> {
 public:
  int version() const override { return 2; }

  std::vector<ScheduleParameter> Parameters(const MatmulProblem& problem, const DeviceInfo& device) const override {
    using Values = std::vector<int64_t>;
    // Residency, the order of blocks and what latency costs mean little to the SIMT device.
    bool gpu = device.kind == DeviceKind::kCuda;
    int64_t bm = BlockTileLimit(problem.m, 16), bn = BlockTileLimit(problem.n, 8);
    int64_t bk = NextPowerOfTwo(std::clamp<int64_t>(problem.k, 16, problem.dtype == DataType::kF32 ? 64 : 128));
    return {
        {"bm", TileAxis(std::min<int64_t>(bm, 32), bm)},
        {"bn", TileAxis(std::min<int64_t>(bn, 32), bn)},
        {"wm", TileAxis(bm >= 128 ? 32 : 16, std::min<int64_t>(bm, 128))},
        {"wn", TileAxis(bn >= 128 ? 16 : 8, std::min<int64_t>(bn, 128))},
        {"slice_k", Values{1, 2, 4}},
        {"bk", AxisWithin({16, 32, 64, 128}, std::min<int64_t>(bk, 16), bk)},
        {"split_k", gpu ? Values{1, 2, 4, 8, 16} : Values{1, 2, 4}},
        {"reduction", SplitReductions(problem)},
        {"stages", gpu ? Values{2, 3, 4, 5, 6} : Values{2, 3}},
        {"prefetch", {0, 1}},
        {"min_blocks", gpu ? Values{1, 2, 3} : Values{1}},
        {"group_m", gpu ? Values{1, 4, 8, 16} : Values{1}},
    };
  }

  std::vector<ScheduleConstraint> Constraints(const MatmulProblem& problem, const DeviceInfo& device) const override {
    return MmaConstraints(problem, device);
  }

  LaunchPlan MakeLaunchPlan(const MatmulProblem& problem, const Schedule& schedule) const override {
    MmaTiling tiling(problem, MmaSchedule::FromSchedule(schedule));
    return PlanProduct(problem, kMmaKernel, tiling.grid, tiling.threads, tiling.SharedBytes(),
                       tiling.schedule.reduction);
  }

  /// "mma.sync": one tile in shared memory, copied, then multiplied. "pipelined": copies and fragments run ahead.
  std::vector<LadderRung> ladder(const MatmulProblem& problem) const override {
    // The largest tile that the problem fills; small and thin problems get a small one.
    std::vector<Tile> tiles = {{32, 32, 16, 16}, {16, 8, 16, 8}};
    if (problem.m >= 64 && problem.n >= 64) tiles.insert(tiles.begin(), {64, 64, 32, 32});
    if (problem.m >= 128 && problem.n >= 128) tiles.insert(tiles.begin(), {128, 128, 64, 32});
    LadderRung simple{"mma.sync", {}}, pipelined{"pipelined", {}};
    for (const Tile& tile : tiles) {
      for (int64_t bk : {32, 16}) simple.schedules.push_back(ScheduleOf(tile, {bk, 1, 0}));
      for (const Pipeline& pipeline : {kPipelines[0], kPipelines[1], kPipelines[2]})
        pipelined.schedules.push_back(ScheduleOf(tile, pipeline));
    }
    return {simple, pipelined};
  }

  /// For each of a few tiles that are good on common shapes, the deepest pipelines first.
  std::vector<ByPreference<Schedule>> DefaultSchedules(const MatmulProblem& problem) const override {
    std::vector<ByPreference<Schedule>> all;
    for (const Tile& tile : kTiles)
      for (int64_t splitK : SplitsFor(problem, tile)) {
        ByPreference<Schedule>& schedules = all.emplace_back();
        if (tile.IsThin())
          for (const Pipeline& pipeline : kLongPipelines) schedules.push_back(ScheduleOf(tile, pipeline, splitK));
        for (const Pipeline& pipeline : kPipelines) schedules.push_back(ScheduleOf(tile, pipeline, splitK));
      }
    return all;
  }

  std::vector<ByPreference<MatmulProblem>> ProofShapes(const MatmulProblem& problem,
                                                       const ScheduleGeometry& geometry) const override {
    // Which instructions copy and store is decided by how far rows are aligned.
    return AlignedProofShapes(problem, geometry);
  }

 protected:
  ScheduleGeometry describe(const MatmulProblem& problem, const Schedule& schedule) const override {
    MmaTiling tiling(problem, MmaSchedule::FromSchedule(schedule));
    const MmaSchedule& s = tiling.schedule;
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
    geometry.loop = tiling.Cost();
    geometry.reduction = CostOfReduction(problem, s.reduction, s.splitK, /*atomicWidth=*/1);
    geometry.words.blockTile = absl::StrCat(s.bm, "x", s.bn, "x", s.bk);
    std::string warps = s.sliceK == 1 ? "warp" : absl::StrCat(s.sliceK, "warps");
    geometry.words.threadTile = absl::StrCat(s.wm, "x", s.wn, "/", warps);
    geometry.words.stages = absl::StrCat(s.stages);
    geometry.words.splitK = absl::StrCat(s.splitK);
    return geometry;
  }
};

}  // namespace

const SpaceFamily& GetMmaFamily() {
  static const MmaFamily family;
  return family;
}

}  // namespace mmtune
