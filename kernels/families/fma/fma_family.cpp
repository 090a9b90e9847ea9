// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `fma` family: f32 products by fused multiply-adds, through tiles in shared memory.
//
// A block computes bm x bn elements of C, a thread tm x tn of them, interleaved so that the lanes
// of a warp (lm along M, 32/lm along N) read neighbouring addresses. Tiles of A and B of bk steps
// are staged in shared memory, by cp.async or through registers, while earlier ones are consumed. With slice_k several
// such blocks of threads share the tiles, each with a part of their k, and sum what they have at the end.
#include <algorithm>

#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/fma/fma_schedule.h"
#include "kernels/families/fma/fma_defaults.h"

namespace mmtune {
namespace {

/// The largest thread tile whose accumulators leave room for fragments and addresses.
constexpr int64_t kMaxThreadTile = 128;

/// Fused multiply-adds of the unrolled inner loop: beyond this the instruction cache thrashes and
/// compiling takes seconds.
constexpr int64_t kMaxUnrolledFmas = 4096;

/// Copies one thread makes for a tile; each is unrolled.
constexpr int64_t kMaxCopiesPerThread = 64;

constexpr BlockParameters kAt = {kFmaBm,     kFmaBn,        kFmaSplitK, kFmaReduction,
                                 kFmaStages, kFmaMinBlocks, kFmaGroupM, kFmaStreamK};

void AddStructure(FmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.AddFact("elements are f32, multiplied as they are (dtype f32, math ieee)", problem.IsPlainF32());
  AddGridRules(list, kAt, problem);
  list.add(kFmaTm, "tm divides bm", [](const S& s) { return s.bm % s.tm == 0; });
  list.add(kFmaTn, "tn divides bn", [](const S& s) { return s.bn % s.tn == 0; });
  list.add(kFmaTn, "the thread tile fits the registers (tm*tn <= 128)",
           [](const S& s) { return s.tm * s.tn <= kMaxThreadTile; });
  list.add(kFmaTn, "a block has at least one warp (bm/tm * bn/tn >= 32)",
           [](const S& s) { return s.bm / s.tm * (s.bn / s.tn) >= 32; });
  list.add(kFmaTn, "a block has no more threads than the device allows",
           [limit = device.max_threads_per_block](const S& s) { return s.bm / s.tm * (s.bn / s.tn) <= limit; });
  list.add(kFmaLm, "lm divides 32", [](const S& s) { return 32 % s.lm == 0; });
  list.add(kFmaLm, "the warp tile divides the block tile (bm % (lm*tm), bn % (32/lm*tn))",
           [](const S& s) { return s.bm % (s.lm * s.tm) == 0 && s.bn % (32 / s.lm * s.tn) == 0; });
  list.add(kFmaSliceK, "slice_k is 1, 2 or 4", [](const S& s) { return s.sliceK != 3; });
  list.add(
      kFmaSliceK, "a block has no more threads than the device allows, with those of all slices of k",
      [limit = device.max_threads_per_block](const S& s) { return s.sliceK * (s.bm / s.tm) * (s.bn / s.tn) <= limit; });
  list.AddTiling(kFmaSliceK, "slices of k share the pieces of a thread tile evenly (tm*tn/gcd(tn,4) % slice_k)",
                 [](const T& t) { return t.PiecesOfC() % t.schedule.sliceK == 0; });
  list.add(kFmaBk, "bk is a multiple of 4, for each slice of k (bk % (4*slice_k))",
           [](const S& s) { return s.bk % (4 * s.sliceK) == 0; });
  // How a tile is copied that may be transposed on the way depends on `async`.
  FmaParameter copyB = problem.transpose_b ? kFmaAsync : kFmaBk;
  list.AddTiling(copyB, "a row of B's tile is copied by whole threads (its vectors and threads divide one another)",
                 [](const T& t) { return t.b.ChunksFor(t.threads).AreAConstantApart(); });
  list.AddTiling(copyB, "a thread copies at most 64 chunks of B's tile",
                 [](const T& t) { return t.b.ChunksFor(t.threads).PerThread() <= kMaxCopiesPerThread; });
}

void AddCopies(FmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  using S = FmaSchedule;
  using T = FmaTiling;
  list.add(kFmaPadA, "pad_a is a multiple of 4", [](const S& s) { return s.padA % 4 == 0; });
  list.add(kFmaPadB, "pad_b is a multiple of 4", [](const S& s) { return s.padB % 4 == 0; });
  list.add(kFmaAsync, "cp.async needs sm_80 or newer (async=0 below it)",
           [capability = device.ComputeCapability()](const S& s) { return s.async == 0 || capability >= 80; });
  list.AddTiling(kFmaAsync, "a row of A's tile is copied by whole threads (its vectors and threads divide one another)",
                 [](const T& t) { return t.a.ChunksFor(t.threads).AreAConstantApart(); });
  list.AddTiling(kFmaAsync, "a thread copies at most 64 chunks of A's tile",
                 [](const T& t) { return t.a.ChunksFor(t.threads).PerThread() <= kMaxCopiesPerThread; });
  list.add(kFmaStages, "async=1 needs 2 stages or more, async=0 takes 1 or 2",
           [](const S& s) { return s.async ? s.stages >= 2 : s.stages <= 2; });
  list.AddTiling(kFmaStages, "no more stages than k has tiles", [](const T& t) {
    int64_t useful = t.schedule.async ? t.grid.tilesPerSplit + 1 : t.grid.tilesPerSplit;
    return t.schedule.stages <= std::max<int64_t>(useful, t.schedule.async ? 2 : 1);
  });
  AddStageRules(list, kAt, problem, device);
}

void AddUnrolling(FmaRules& list) {
  using S = FmaSchedule;
  list.add(kFmaUnrollK, "unroll_k is a multiple of 4 that divides bk/slice_k",
           [](const S& s) { return s.unrollK % 4 == 0 && s.bk % (s.unrollK * s.sliceK) == 0; });
  list.add(kFmaUnrollK, "the unrolled inner loop has at most 4096 multiply-adds",
           [](const S& s) { return s.tm * s.tn * s.unrollK <= kMaxUnrolledFmas; });
  list.add(kFmaFragments,
           "fragments=2 needs a k-major A and an inner loop without trips (kmajor_a=1, unroll_k=bk/slice_k)",
           [](const S& s) { return s.fragments == 1 || (s.kmajorA && s.unrollK * s.sliceK == s.bk); });
}

}  // namespace

FmaRules FmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout) {
  FmaRules list(problem, layout);
  AddStructure(list, problem, device);
  AddSplitRules(list, kAt, problem, device);
  AddStreamRules(list, kAt, device);
  AddCopies(list, problem, device);
  AddUnrolling(list);
  AddResidencyRules(list, kAt, problem, device);
  return list;
}

std::vector<ScheduleConstraint> FmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout) {
  return FmaRulesOf(problem, device, layout).take();
}

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
    return PlanMatmul(problem, kFmaKernel, tiling.grid, tiling.threads, tiling.SharedBytes(),
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

  std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                       const ScheduleGeometry& geometry) const override {
    // Tiles that are larger than the matrix reach beyond it, others overlap, and how far rows are aligned decides which
    // instructions copy and store: the ragged shapes have what the problem has.
    std::vector<ByPreference<MatmulProblem>> shapes = AlignedVerificationShapes(problem, geometry);
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
