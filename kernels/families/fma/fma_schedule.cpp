// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_schedule.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/block_rules.h"
#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

/// Of shared memory, each a float wide (kernels/perf_model/warp_request.h).
constexpr int64_t kBanks = 32;

constexpr ScheduleField<FmaSchedule> kFields[] = {
    {"bm", &FmaSchedule::bm, 1, 1024},
    {"bn", &FmaSchedule::bn, 1, 1024},
    {"tm", &FmaSchedule::tm, 1, 64},
    {"tn", &FmaSchedule::tn, 1, 64},
    {"lm", &FmaSchedule::lm, 1, 32},
    {"slice_k", &FmaSchedule::sliceK, 1, 4},
    {"bk", &FmaSchedule::bk, 4, 256},
    {"split_k", &FmaSchedule::splitK, 1, 1024},
    {"stream_k", &FmaSchedule::streamK, 1, FmaSchedule::kMostStreamK},
    {"reduction", &FmaSchedule::reduction, 0, 3},
    {"kmajor_a", &FmaSchedule::kmajorA, 0, 1},
    {"pad_a", &FmaSchedule::padA, 0, 64},
    {"pad_b", &FmaSchedule::padB, 0, 64},
    {"async", &FmaSchedule::async, 0, 1},
    {"stages", &FmaSchedule::stages, 1, 8},
    {"unroll_k", &FmaSchedule::unrollK, 4, 256},
    {"fragments", &FmaSchedule::fragments, 1, 2},
    {"min_blocks", &FmaSchedule::minBlocks, 1, 32},
    {"group_m", &FmaSchedule::groupM, 1, 1024},
    {"order", &FmaSchedule::order, kFmaRowByRow, kFmaSerpentine},
};
static_assert(std::size(kFields) == kFmaParameterCount);

}  // namespace

std::span<const ScheduleField<FmaSchedule>> FmaSchedule::fields() { return kFields; }

FmaOperandTile::FmaOperandTile(bool rowsAreK, bool kMajor, int64_t outer, int64_t pad, int64_t matrixOuter,
                               int64_t matrixK, const FmaSchedule& s, const OperandLayout& layout)
    : rowsAreK(rowsAreK), kMajor(kMajor), outer(outer), outerExtent(matrixOuter) {
  rows = rowsAreK ? s.bk : outer;
  columns = rowsAreK ? outer : s.bk;
  const int64_t matrixRow = rowsAreK ? matrixOuter : matrixK;
  matrixStride = layout.rowStride != 0 ? layout.rowStride : matrixRow;
  stride = (kMajor ? outer : s.bk) + pad;
  elements = RoundUp((kMajor ? s.bk : outer) * stride, 4);
  // cp.async moves whole pieces, so it cannot transpose more than one float at a time.
  copyWidth = transposes() && s.async ? 1 : VectorWidth(RowAlignment(layout, matrixRow), columns);
  // A warp transposes panels of four rows for each float of a piece. Of fewer rows it would take several panels at
  // once, and these share banks.
  while (transposes() && copyWidth > 1 && rows < 4 * copyWidth) copyWidth /= 2;
}

TileChunks FmaOperandTile::ChunksFor(int64_t threads) const {
  TileChunks pieces{rows, columns / copyWidth, copyWidth, threads};
  if (transposes() && columns % kPanelFloats == 0) {
    TileChunks panels = pieces;
    panels.panel = kPanelFloats / copyWidth;
    if (panels.AreAConstantApart()) pieces = panels;
  }
  TileChunks ordered = pieces;
  ordered.order = OrderFor(pieces.panel);
  return ordered.AreAConstantApart() ? ordered : pieces;
}

RowOrder FmaOperandTile::OrderFor(int64_t panel) const {
  // All modulo the banks: with a stride of an odd number of `step` banks, the i-th of every so many rows or columns
  // begins at an odd multiple of i * step, which takes each multiple once before one returns.
  int64_t step = stride & -stride;
  if (!transposes()) {
    // Rows of a power of two of banks fill them all if they begin at its multiples: every columns / step rows.
    if (kBanks % columns != 0 || columns < step) return {};
    return {1, kBanks / columns, columns / step};
  }
  // A piece of each column of the panel at a time: they begin at multiples of `run`, and as many rows fill the banks
  // from one to the next. What the columns leave of the banks are those that further columns would begin at: the same
  // as of rows that are `panel` runs apart.
  int64_t run = step * copyWidth;
  if (run > kBanks || kBanks % (run * panel) != 0) return {};
  return {run, kBanks / (run * panel), panel};
}

FmaTiling::FmaTiling(const MatmulProblem& problem, const FmaSchedule& s, RunTimeSizes sizes,
                     const MatmulLayout& layout)
    : problem(problem),
      schedule(s),
      sizes(sizes),
      grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM),
      a(problem.transpose_a, s.kmajorA != 0, s.bm, s.padA, problem.m, problem.k, s, layout.a),
      b(!problem.transpose_b, true, s.bn, s.padB, problem.n, problem.k, s, layout.b) {
  a.atRunTime = sizes.rows;
  grid.streamK = s.streamK;
  grid.leastShare = std::max(BlockGrid::kLeastShare, s.stages);
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
  // A tile [m][k] is read four k values at a time.
  int64_t fragments = s.fragments * ((s.kmajorA ? s.tm : 4 * s.tm) + s.tn);
  // What waits in registers is also moved about while it waits.
  int64_t staged =
      s.async ? 0 : a.ChunksFor(threads).PerThread() * a.copyWidth + b.ChunksFor(threads).PerThread() * b.copyWidth;
  int64_t staging = staged + staged / 4;
  int64_t addresses = 22;
  if (!s.async) addresses += a.transposes() ? 10 : 4;  // Transposing stores keep more addresses alive.
  if (s.unrollK != KOfSlice()) addresses += 2;         // The inner loop carries its own.
  // Where the block's part ends, and what the sums of other blocks are loaded to.
  if (s.reduction == kOrderedReduction) addresses += 16;
  return accumulators + fragments + staging + addresses;
}

namespace {

/// Of the loop: stages, addresses, the barrier, the branch.
constexpr double kLoopInstructions = 34;
/// Of one trip of the inner loop, where there is one.
constexpr double kInnerInstructions = 8;
/// Clocks from the barrier to the first multiply-add, and between those of two trips of the inner loop.
constexpr double kBarrierClocks = 300, kInnerClocks = 100;
/// The same where fragments are read ahead.
constexpr double kAheadClocks = 200;
/// From the last multiply-add until the sums of slices may be written, and until they may be read.
constexpr double kSliceClocks = 2 * kBarrierClocks;
/// Of shared memory.
constexpr double kWavefrontBytes = 128;
/// To decide whether a piece lies within the matrix.
constexpr double kRaggedInstructions = 2;

/// A warp's loads of fragments in a k step, each of so many floats of a lane.
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

/// Tiles of C whose beginnings and ends a block pays for.
double TilesOf(const FmaTiling& t) {
  double tiles = t.grid.TilesPerBlock();
  // Sums of slices are written to shared memory and read from there before one is stored.
  if (t.schedule.sliceK > 1)
    tiles *= 1 + (kSliceClocks + 2 * static_cast<double>(t.SliceSumBytes()) / kWavefrontBytes) / kBlockClocks;
  return tiles + TilesOfOrderedSums(t.problem, t.grid, t.schedule.reduction);
}

/// Stores of a piece of an operand's tile: those that transpose write its floats one by one.
int64_t StoresOf(const FmaOperandTile& tile) { return tile.transposes() ? tile.copyWidth : 1; }

/// What the copies of an operand's tile add; instructions of a warp, the rest of a block.
void AddCopies(const FmaTiling& t, const FmaOperandTile& tile, LoopCost& cost) {
  auto count = static_cast<double>(tile.ChunksFor(t.threads).PerThread());
  cost.instructions += count * (t.schedule.async ? 1.0 : 1.0 + static_cast<double>(StoresOf(tile)));
  if (tile.IsLarger()) cost.instructions += count * kRaggedInstructions;
  cost.bytes += 4 * static_cast<double>(tile.rows * tile.columns);
}

/// Of the bytes of both tiles.
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
  TileChunks pieces = tile.ChunksFor(threads);
  LaneOffsets offsets{};
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t row = pieces.RowOf(lane), column = pieces.ColumnOf(lane);
    offsets[lane] = tile.transposes() ? column * tile.stride + row : row * tile.stride + column;
  }
  return offsets;
}

LoopCost FmaLoopCost(const FmaTiling& t) {
  LoopCost cost = FmaLoopCostBarShared(t);
  AddSharedMemory(t, cost);
  return cost;
}

LoopCost FmaLoopCostBarShared(const FmaTiling& t) {
  const FmaSchedule& s = t.schedule;
  Fragments fragments(t);
  auto trips = static_cast<double>(t.KOfSlice() / s.unrollK);
  LoopCost cost;
  cost.steps = t.grid.StepsPerBlock();
  cost.tiles = TilesOf(t);
  cost.multiplyAdds = static_cast<double>(32 * s.tm * s.tn * t.KOfSlice());
  cost.instructions =
      cost.multiplyAdds / 32 + static_cast<double>(fragments.loadsA + fragments.loadsB) + kLoopInstructions;
  if (s.unrollK != t.KOfSlice()) cost.instructions += trips * kInnerInstructions;
  AddCopies(t, t.a, cost);
  AddCopies(t, t.b, cost);
  cost.perByte = MovedPerByte(t, cost.bytes);
  cost.ahead = static_cast<double>(s.async ? std::max<int64_t>(s.stages - 1, 1) : 1);
  if (!s.async && s.stages == 1) cost.exposed += kBarrierClocks;
  cost.exposed += (t.IsAhead() ? kAheadClocks : kBarrierClocks) + (trips - 1) * kInnerClocks;
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
  geometry.words = WordsOf(t, absl::StrCat(s.tm, "x", s.tn, slices));
  return geometry;
}

}  // namespace mmtune
