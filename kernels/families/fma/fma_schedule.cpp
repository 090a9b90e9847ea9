// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_schedule.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

/// Banks of shared memory, each a float wide (warp_request.h).
constexpr int64_t kBanks = 32;

}  // namespace

FmaOperandTile::FmaOperandTile(bool rowsAreK, bool kMajor, int64_t outer, int64_t pad, int64_t matrixOuter,
                               int64_t matrixK, const FmaSchedule& s, const OperandLayout& layout)
    : rowsAreK(rowsAreK), kMajor(kMajor), outer(outer), outerExtent(matrixOuter) {
  rows = rowsAreK ? s.bk : outer;
  columns = rowsAreK ? outer : s.bk;
  const int64_t matrixRow = rowsAreK ? matrixOuter : matrixK;
  matrixStride = layout.rowStride != 0 ? layout.rowStride : matrixRow;
  stride = (kMajor ? outer : s.bk) + pad;
  elements = RoundUp((kMajor ? s.bk : outer) * stride, 4);
  // cp.async copies whole chunks, so it cannot transpose more than one float at a time.
  copyWidth = transposes() && s.async ? 1 : VectorWidth(RowAlignment(layout, matrixRow), columns);
  // A warp transposes panels of four rows for each float of a chunk. With fewer rows it would take several panels at
  // once, whose banks conflict.
  while (transposes() && copyWidth > 1 && rows < 4 * copyWidth) copyWidth /= 2;
}

TileChunks FmaOperandTile::ChunksFor(int64_t threads) const {
  TileChunks chunks{rows, columns / copyWidth, copyWidth, threads};
  if (transposes() && columns % kPanelFloats == 0) {
    TileChunks panels = chunks;
    panels.panel = kPanelFloats / copyWidth;
    if (panels.HaveConstantDistance()) chunks = panels;
  }
  TileChunks ordered = chunks;
  ordered.order = OrderFor(chunks.panel);
  return ordered.HaveConstantDistance() ? ordered : chunks;
}

RowOrder FmaOperandTile::OrderFor(int64_t panel) const {
  // Banks are counted modulo kBanks. The stride is an odd multiple of `step` banks, so consecutive rows begin at each
  // multiple of `step` once before one repeats.
  int64_t step = stride & -stride;
  if (!transposes()) {
    // A row fills `columns` banks. Rows fill all banks once if each begins at another multiple of `columns`, as rows do
    // that are columns / step rows apart.
    if (kBanks % columns != 0 || columns < step) return {};
    return {1, kBanks / columns, columns / step};
  }
  // At a time, one chunk of each column of the panel is written. Columns begin at multiples of `run` banks, and `run`
  // rows fill the banks from one column to the next. To fill the remaining banks, take rows that are `panel` runs
  // apart.
  int64_t run = step * copyWidth;
  if (run > kBanks || kBanks % (run * panel) != 0) return {};
  return {run, kBanks / (run * panel), panel};
}

FmaTiling::FmaTiling(const MatmulProblem& problem, const FmaSchedule& s, RunTimeSizes sizes, const MatmulLayout& layout)
    : problem(problem),
      schedule(s),
      sizes(sizes),
      grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM),
      a(problem.transpose_a, s.kmajorA != 0, s.bm, s.padA, problem.m, problem.k, s, layout.a),
      b(!problem.transpose_b, true, s.bn, s.padB, problem.n, problem.k, s, layout.b) {
  a.atRunTime = sizes.rows;
  grid.streamK = s.streamK;
  grid.minStepsPerBlock = std::max(BlockGrid::kMinStepsPerBlock, s.stages);
  ln = 32 / s.lm;
  warpM = s.lm * s.tm;
  warpN = ln * s.tn;
  warpsM = s.bm / warpM;
  warpsN = s.bn / warpN;
  threads = s.sliceK * std::max<int64_t>(1, s.bm / s.tm * (s.bn / s.tn));
  fragmentM = VectorWidth(s.tm);
  fragmentN = VectorWidth(s.tn);
  rowStrideC = layout.any() ? layout.c.rowStride : problem.n;
  storeC = VectorWidth(RowAlignment(layout.c, problem.n), fragmentN);
}

int64_t FmaTiling::RegisterEstimate() const {
  const FmaSchedule& s = schedule;
  int64_t accumulators = s.tm * s.tn;
  // An [m][k] tile is read four k values at a time.
  int64_t fragments = s.fragments * ((s.kmajorA ? s.tm : 4 * s.tm) + s.tn);
  // Chunks that pass through registers are also moved between registers.
  int64_t staged =
      s.async ? 0 : a.ChunksFor(threads).PerThread() * a.copyWidth + b.ChunksFor(threads).PerThread() * b.copyWidth;
  int64_t staging = staged + staged / 4;
  int64_t addresses = 22;
  if (!s.async) addresses += a.transposes() ? 10 : 4;  // Transposing stores keep more addresses alive.
  if (s.unrollK != KOfSlice()) addresses += 2;         // The inner loop carries its own.
  // The end of the block's part, and the loaded sums of other blocks.
  if (s.reduction == kOrderedReduction) addresses += 16;
  return accumulators + fragments + staging + addresses;
}

namespace {

/// Instructions of the loop for stages, addresses, the barrier, the branch.
constexpr double kLoopInstructions = 34;
/// Instructions of one iteration of the inner loop, where there is one.
constexpr double kInnerInstructions = 8;
/// Clocks from the barrier to the first multiply-add, and between two iterations of the inner loop.
constexpr double kBarrierClocks = 300, kInnerClocks = 100;
/// Clocks from the barrier to the first multiply-add where fragments are double buffered.
constexpr double kPrefetchedClocks = 200;
/// Clocks from the last multiply-add until the sums of slices may be written, and until they may be read.
constexpr double kSliceClocks = 2 * kBarrierClocks;
/// Bytes of a wavefront of shared memory.
constexpr double kWavefrontBytes = 128;
/// Instructions that test if a chunk lies within the matrix.
constexpr double kRaggedInstructions = 2;

/// A warp's loads of fragments in a k step, and the floats of a lane in each.
struct Fragments {
  explicit Fragments(const FmaTiling& t) {
    const FmaSchedule& s = t.schedule;
    widthA = s.kmajorA ? t.fragmentM : 4;
    loadsA = s.kmajorA ? t.KOfSlice() * s.tm / t.fragmentM : t.KOfSlice() / 4 * s.tm;
    widthB = t.fragmentN;
    loadsB = t.KOfSlice() * s.tn / t.fragmentN;
  }

  int64_t loadsA, widthA, loadsB, widthB;
};

int64_t WavefrontsOf(const Fragments& fragments, const FmaTiling& t) {
  LaneOffsets a{}, b{};
  for (int64_t lane = 0; lane < 32; ++lane) {
    FmaLane at = t.LaneAt(lane);
    a[lane] = t.schedule.kmajorA ? at.m * t.fragmentM : at.m * t.a.stride;
    b[lane] = at.n * t.fragmentN;
  }
  return fragments.loadsA * SharedWavefronts(a, fragments.widthA, /*merges=*/true) +
         fragments.loadsB * SharedWavefronts(b, fragments.widthB, /*merges=*/true);
}

/// Returns for how many tiles of C a block fills the pipeline and stores.
double TilesOf(const FmaTiling& t) {
  double tiles = t.grid.TilesPerBlock();
  // Sums of slices are written to shared memory and read from there before one is stored.
  if (t.schedule.sliceK > 1)
    tiles *= 1 + (kSliceClocks + 2 * static_cast<double>(t.SliceSumBytes()) / kWavefrontBytes) / kBlockClocks;
  return tiles + OrderedReductionTiles(t.problem, t.grid, t.schedule.reduction);
}

/// Returns the stores of a chunk: a copy that transposes writes its floats one by one.
int64_t StoresOf(const FmaOperandTile& tile) { return tile.transposes() ? tile.copyWidth : 1; }

/// Adds the copies of an operand's tile to the cost.
void AddCopies(const FmaTiling& t, const FmaOperandTile& tile, LoopCost& cost) {
  auto count = static_cast<double>(tile.ChunksFor(t.threads).PerThread());
  cost.instructions += count * (t.schedule.async ? 1.0 : 1.0 + static_cast<double>(StoresOf(tile)));
  if (tile.ExceedsMatrix()) cost.instructions += count * kRaggedInstructions;
  cost.bytes += 4 * static_cast<double>(tile.rows * tile.columns);
}

/// Returns the bytes that L2 moves per byte of both tiles.
double MovedPerByte(const FmaTiling& t, double bytes) {
  double moved = 0;
  for (const FmaOperandTile* tile : {&t.a, &t.b})
    moved += BytesMovedForRows(tile->rows, 4 * tile->columns, 4 * tile->matrixStride);
  return moved / bytes;
}

double WavefrontsOfCopies(const FmaTiling& t, const FmaOperandTile& tile) {
  double warps = static_cast<double>(tile.ChunksFor(t.threads).count()) / 32;
  int64_t width = tile.transposes() ? 1 : tile.copyWidth;
  int64_t wavefronts = SharedWavefronts(FmaCopyOffsets(tile, t.threads), width, /*merges=*/false);
  return warps * static_cast<double>(StoresOf(tile) * wavefronts);
}

}  // namespace

LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads) {
  TileChunks chunks = tile.ChunksFor(threads);
  LaneOffsets offsets{};
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t row = chunks.RowOf(lane), column = chunks.ColumnOf(lane);
    offsets[lane] = tile.transposes() ? column * tile.stride + row : row * tile.stride + column;
  }
  return offsets;
}

LoopCost FmaLoopCost(const FmaTiling& t) {
  LoopCost cost = FmaLoopCostWithoutShared(t);
  AddSharedMemory(t, cost);
  return cost;
}

LoopCost FmaLoopCostWithoutShared(const FmaTiling& t) {
  const FmaSchedule& s = t.schedule;
  Fragments fragments(t);
  auto iterations = static_cast<double>(t.KOfSlice() / s.unrollK);
  LoopCost cost;
  cost.steps = t.grid.StepsPerBlock();
  cost.tiles = TilesOf(t);
  cost.multiplyAdds = static_cast<double>(32 * s.tm * s.tn * t.KOfSlice());
  cost.instructions =
      cost.multiplyAdds / 32 + static_cast<double>(fragments.loadsA + fragments.loadsB) + kLoopInstructions;
  if (s.unrollK != t.KOfSlice()) cost.instructions += iterations * kInnerInstructions;
  AddCopies(t, t.a, cost);
  AddCopies(t, t.b, cost);
  cost.perByte = MovedPerByte(t, cost.bytes);
  cost.prefetchDistance = static_cast<double>(s.async ? std::max<int64_t>(s.stages - 1, 1) : 1);
  if (!s.async && s.stages == 1) cost.exposed += kBarrierClocks;
  cost.exposed += (t.PrefetchesFragments() ? kPrefetchedClocks : kBarrierClocks) + (iterations - 1) * kInnerClocks;
  return cost;
}

void AddSharedMemory(const FmaTiling& t, LoopCost& cost) {
  int64_t warps = t.warpsM * t.warpsN * t.schedule.sliceK;
  cost.wavefronts += static_cast<double>(WavefrontsOf(Fragments(t), t) * warps);
  cost.wavefronts += WavefrontsOfCopies(t, t.a);
  cost.wavefronts += WavefrontsOfCopies(t, t.b);
}

ScheduleGeometry FmaGeometry(const FmaTiling& t) {
  const FmaSchedule& s = t.schedule;
  ScheduleGeometry geometry = GeometryOf(t, FmaLoopCost(t));
  const std::string slices = s.sliceK > 1 ? absl::StrCat("/", s.sliceK, "slices") : "";
  geometry.labels = LabelsOf(t, absl::StrCat(s.tm, "x", s.tn, slices));
  return geometry;
}

}  // namespace mmtune
