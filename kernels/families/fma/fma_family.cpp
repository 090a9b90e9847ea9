// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `fma` family: f32 matmuls by fused multiply-adds, through tiles in shared memory.
//
// A block computes bm x bn elements of C, a thread tm x tn of them, interleaved so that the lanes of a warp (lm along
// M, 32/lm along N) read neighbouring addresses. Tiles of A and B of bk values of k are copied to shared memory, by
// cp.async or through registers, while earlier ones are multiplied. With slice_k several such groups of threads share
// the tiles, each with a part of their k, and add their sums at the end.
#include <algorithm>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/summation.h"
#include "kernels/families/common/verification_shapes.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {
namespace {

/// The largest thread tile whose accumulators leave room for fragments and addresses.
constexpr int64_t kMaxThreadTile = 128;

/// Multiply-adds of the unrolled inner loop: with more the instruction cache thrashes and compiling takes seconds.
constexpr int64_t kMaxUnrolledFmas = 4096;

/// Chunks that a thread copies for a tile; the copies are unrolled.
constexpr int64_t kMaxCopiesPerThread = 64;

using S = FmaSchedule;
using T = FmaTiling;

void AddStructure(FmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.AddFact("elements are f32 and the math mode is ieee", problem.IsPlainF32());
  AddGridRules(list, problem);
  list.add(&S::tm, "tm divides bm", [](const S& s) { return s.bm % s.tm == 0; });
  list.add(&S::tn, "tn divides bn", [](const S& s) { return s.bn % s.tn == 0; });
  list.add(&S::tn, "the thread tile fits the registers (tm*tn <= 128)",
           [](const S& s) { return s.tm * s.tn <= kMaxThreadTile; });
  list.add(&S::tn, "a block has at least one warp (bm/tm * bn/tn >= 32)",
           [](const S& s) { return s.bm / s.tm * (s.bn / s.tn) >= 32; });
  list.add(&S::tn, "a block has no more threads than the device allows",
           [limit = device.max_threads_per_block](const S& s) { return s.bm / s.tm * (s.bn / s.tn) <= limit; });
  list.add(&S::lm, "lm divides 32", [](const S& s) { return 32 % s.lm == 0; });
  list.add(&S::lm, "the warp tile divides the block tile (lm*tm divides bm, 32/lm*tn divides bn)",
           [](const S& s) { return s.bm % (s.lm * s.tm) == 0 && s.bn % (32 / s.lm * s.tn) == 0; });
  list.add(&S::sliceK, "slice_k is 1, 2 or 4", [](const S& s) { return s.sliceK != 3; });
  list.add(
      &S::sliceK, "a block, with all slices of k, has no more threads than the device allows",
      [limit = device.max_threads_per_block](const S& s) { return s.sliceK * (s.bm / s.tm) * (s.bn / s.tn) <= limit; });
  list.AddTiling(&S::sliceK, "slice_k divides the vectors of a thread tile (tm*tn/gcd(tn,4))",
                 [](const T& t) { return t.VectorsOfC() % t.schedule.sliceK == 0; });
  list.add(&S::bk, "4*slice_k divides bk", [](const S& s) { return s.bk % (4 * s.sliceK) == 0; });
  // The copy of a tile that is transposed depends on `async`.
  int64_t S::* copyB = problem.transpose_b ? &S::async : &S::bk;
  list.AddTiling(copyB, "the vectors of a row of B's tile divide the number of threads, or the reverse",
                 [](const T& t) { return t.b.ChunksFor(t.threads).HaveConstantDistance(); });
  list.AddTiling(copyB, "a thread copies at most 64 chunks of B's tile",
                 [](const T& t) { return t.b.ChunksFor(t.threads).PerThread() <= kMaxCopiesPerThread; });
}

void AddCopies(FmaRules& list, const MatmulProblem& problem, const DeviceInfo& device) {
  list.add(&S::padA, "pad_a is a multiple of 4", [](const S& s) { return s.padA % 4 == 0; });
  list.add(&S::padB, "pad_b is a multiple of 4", [](const S& s) { return s.padB % 4 == 0; });
  list.add(&S::async, "cp.async needs sm_80 or newer (async=0 below it)",
           [capability = device.ComputeCapability()](const S& s) { return s.async == 0 || capability >= 80; });
  list.AddTiling(&S::async, "the vectors of a row of A's tile divide the number of threads, or the reverse",
                 [](const T& t) { return t.a.ChunksFor(t.threads).HaveConstantDistance(); });
  list.AddTiling(&S::async, "a thread copies at most 64 chunks of A's tile",
                 [](const T& t) { return t.a.ChunksFor(t.threads).PerThread() <= kMaxCopiesPerThread; });
  list.add(&S::stages, "stages is at least 2 with async=1, and 1 or 2 with async=0",
           [](const S& s) { return s.async ? s.stages >= 2 : s.stages <= 2; });
  list.AddTiling(&S::stages, "stages is at most the number of k steps", [](const T& t) {
    int64_t useful = t.schedule.async ? t.grid.tilesPerSplit + 1 : t.grid.tilesPerSplit;
    return t.schedule.stages <= std::max<int64_t>(useful, t.schedule.async ? 2 : 1);
  });
  AddStageRules(list, problem, device);
}

void AddUnrolling(FmaRules& list) {
  list.add(&S::unrollK, "unroll_k is a multiple of 4 that divides bk/slice_k",
           [](const S& s) { return s.unrollK % 4 == 0 && s.bk % (s.unrollK * s.sliceK) == 0; });
  list.add(&S::unrollK, "the unrolled inner loop has at most 4096 multiply-adds",
           [](const S& s) { return s.tm * s.tn * s.unrollK <= kMaxUnrolledFmas; });
  list.add(&S::fragments, "fragments=2 needs a k-major A and no inner loop (kmajor_a=1, unroll_k=bk/slice_k)",
           [](const S& s) { return s.fragments == 1 || (s.kmajorA && s.unrollK * s.sliceK == s.bk); });
}

}  // namespace

FmaRules FmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout) {
  FmaRules list(problem, layout);
  AddStructure(list, problem, device);
  AddSplitRules(list, problem, device);
  AddStreamRules(list, device);
  AddCopies(list, problem, device);
  AddUnrolling(list);
  AddResidencyRules(list, problem, device);
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

/// Returns thread tiles; below 4 only for small extents, which would leave threads idle otherwise.
std::vector<int64_t> ThreadTileAxis(int64_t blockTileLimit, const DeviceInfo& device) {
  int64_t high = device.kind == DeviceKind::kSimt ? 8 : 16;
  return AxisWithin({1, 2, 4, 8, 16}, blockTileLimit >= 128 ? 4 : 1, std::min(high, blockTileLimit));
}

std::vector<int64_t> LaneAxis(const FmaTileLimits& limits) {
  bool narrow = std::min(limits.bm, limits.bn) < 64;
  return AxisWithin({1, 2, 4, 8, 16, 32}, narrow ? 1 : 4, narrow ? 32 : 8);
}

/// Returns slices of k, which give a block more warps: for problems of so few tiles that multiprocessors have few
/// warps, and of a long k.
std::vector<int64_t> SliceAxis(const MatmulProblem& problem, const DeviceInfo& device) {
  constexpr int64_t kTile = 64, kLeastK = 128;
  bool idle = BlockGrid(problem, kTile, kTile, kTile, 1, 1).Tiles() < 2 * MultiprocessorsOf(device);
  return idle && problem.k >= kLeastK ? std::vector<int64_t>{1, 2, 4} : std::vector<int64_t>{1};
}

/// A block tile, a thread tile, and the lanes of a warp along M.
struct Tile {
  int64_t bm, bn, tm, tn, lm;
};

/// Returns the schedule of the ladder: a plain shared-memory kernel with synchronous copies and one stage.
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

class FmaFamily final : public TileSharingFamily<FmaSchedule> {
 public:
  int version() const override { return 5; }
  /// For one row or column of C, `gemv` is faster.
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
    // The model predicts GPUs: for the SIMT device, one of its architecture.
    DeviceInfo gpu = device;
    gpu.kind = DeviceKind::kCuda;
    return FmaDefaultSchedules(problem, device, Parameters(problem, gpu));
  }

  std::vector<ByPreference<MatmulProblem>> VerificationShapes(const MatmulProblem& problem,
                                                              const ScheduleGeometry& geometry) const override {
    // The code differs where tiles are larger than the matrix, and by the alignment of rows: ragged shapes keep both.
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
    // Bank conflicts, residency, idle warps and the order of blocks do not matter on the SIMT device.
    bool gpu = device.kind == DeviceKind::kCuda;
    FmaTileLimits limits(problem);
    int64_t bkLimit = NextPowerOfTwo(std::clamp<int64_t>(problem.k, 4, 64));
    Values slices = gpu ? SliceAxis(problem, device) : Values{1};
    // A slice of a short k step has four values of k.
    int64_t leastUnroll = slices.size() > 1 ? 4 : std::min<int64_t>(bkLimit, 8);
    return SearchParameters<S>({
        {&S::bm, BlockTileAxis(limits.bm)},
        {&S::bn, BlockTileAxis(limits.bn)},
        {&S::tm, ThreadTileAxis(limits.bm, device)},
        {&S::tn, ThreadTileAxis(limits.bn, device)},
        {&S::lm, LaneAxis(limits)},
        {&S::sliceK, slices},
        {&S::bk, gpu ? AxisWithin({4, 8, 16, 32}, std::min<int64_t>(bkLimit, 8), bkLimit)
                     : AxisWithin({4, 8, 16, 32, 64}, std::min<int64_t>(bkLimit, 16), bkLimit)},
        {&S::splitK, gpu ? Values{1, 2, 3, 4, 5, 6, 8, 12, 16} : Values{1, 2, 4}},
        {&S::streamK, gpu ? StreamAxis(problem, device, kFmaMaxStreamK) : Values{1}},
        {&S::reduction, gpu ? ReductionAxis(problem) : SplitReductions(problem)},
        {&S::kmajorA, {0, 1}},
        {&S::padA, gpu ? Values{0, 4} : Values{0}},
        // Only a transposing copy of B has bank conflicts.
        {&S::padB, gpu && problem.transpose_b ? Values{0, 4} : Values{0}},
        {&S::async, device.ComputeCapability() >= 80 ? Values{0, 1} : Values{0}},
        {&S::stages, gpu ? Values{1, 2, 3, 4, 5} : Values{1, 2, 3}},
        {&S::unrollK, gpu ? AxisWithin({4, 8, 16, 32}, leastUnroll, bkLimit) : AxisWithin({4, 16}, 4, bkLimit)},
        {&S::fragments, gpu ? Values{1, 2} : Values{1}},
        {&S::minBlocks, gpu ? Values{1, 2, 4} : Values{1}},
        {&S::groupM, gpu ? Values{1, 4, 8, 16} : Values{1}},
        {&S::order, gpu ? Values{kFmaRowByRow, kFmaSerpentine} : Values{kFmaRowByRow}},
    });
  }

  ScheduleGeometry DescribeValid(const MatmulProblem& problem, const Schedule& schedule) const override {
    return FmaGeometry(FmaTiling(problem, FmaSchedule::FromSchedule(schedule)));
  }
};

SummationSignature SignatureOf(const MatmulProblem& problem, const DeviceInfo&, const int64_t* values, size_t count) {
  const S s = S::FromValues(values, count);
  SummationSignature signature = FusedMultiplyAdds(problem);
  AddSlices(problem, s.sliceK, s.bk / s.sliceK, /*shortFirst=*/true, signature);
  AddParts(problem, T(problem, s).grid, s.reduction, signature);
  return signature;
}

}  // namespace

FamilySummation GetFmaSummation() { return {FieldIndex(&S::reduction) + 1, SignatureOf}; }

const FamilyBase& GetFmaFamily() {
  static const FmaFamily family;
  return family;
}

}  // namespace mmtune
