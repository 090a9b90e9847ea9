// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma_cost.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "kernels/families/time_model.h"

namespace mmtune {
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

/// What a warp's loads of fragments cost in a k step.
struct Fragments {
  double instructions = 0, wavefronts = 0;

  void add(int64_t count, const LaneOffsets& offsets, int64_t width) {
    instructions += static_cast<double>(count);
    wavefronts += static_cast<double>(count * SharedWavefronts(offsets, width, /*merges=*/true));
  }
};

Fragments FragmentsOf(const FmaTiling& t) {
  const FmaSchedule& s = t.schedule;
  LaneOffsets a{}, b{};
  for (int64_t lane = 0; lane < 32; ++lane) {
    FmaLane at = t.LaneAt(lane);
    a[lane] = s.kmajorA ? at.m * t.fragmentM : at.m * t.a.stride;
    b[lane] = at.n * t.fragmentN;
  }
  Fragments fragments;
  if (s.kmajorA)
    fragments.add(t.KOfSlice() * s.tm / t.fragmentM, a, t.fragmentM);
  else
    fragments.add(t.KOfSlice() / 4 * s.tm, a, 4);
  fragments.add(t.KOfSlice() * s.tn / t.fragmentN, b, t.fragmentN);
  return fragments;
}

/// Tiles of C whose beginnings and ends a block pays for.
double TilesOf(const FmaTiling& t) {
  double tiles = t.grid.TilesPerBlock();
  // Sums of slices are written to shared memory and read from there before one is stored.
  if (t.schedule.sliceK > 1)
    tiles *= 1 + (kSliceClocks + 2 * static_cast<double>(t.SliceSumBytes()) / kWavefrontBytes) / kBlockClocks;
  return tiles + TilesOfOrderedSums(t.problem, t.grid, t.schedule.reduction);
}

/// What the copies of an operand's tile add; instructions of a warp, the rest of a block.
void AddCopies(const FmaTiling& t, const FmaOperandTile& tile, LoopCost& cost) {
  TilePieces pieces = tile.PiecesFor(t.threads);
  auto count = static_cast<double>(pieces.PerThread());
  // Stores that transpose write the floats of a piece one by one.
  int64_t stores = tile.transposes() ? tile.copyWidth : 1;
  int64_t width = tile.transposes() ? 1 : tile.copyWidth;
  cost.instructions += count * (t.schedule.async ? 1.0 : 1.0 + static_cast<double>(stores));
  if (tile.IsLarger()) cost.instructions += count * kRaggedInstructions;
  double warps = static_cast<double>(pieces.count()) / 32;
  LaneOffsets offsets = FmaCopyOffsets(tile, t.threads);
  cost.wavefronts += warps * static_cast<double>(stores * SharedWavefronts(offsets, width, /*merges=*/false));
  cost.bytes += 4 * static_cast<double>(tile.rows * tile.columns);
}

}  // namespace

LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads) {
  TilePieces pieces = tile.PiecesFor(threads);
  LaneOffsets offsets{};
  for (int64_t lane = 0; lane < 32; ++lane) {
    int64_t row = pieces.RowOf(lane), column = pieces.ColumnOf(lane);
    offsets[lane] = tile.transposes() ? column * tile.stride + row : row * tile.stride + column;
  }
  return offsets;
}

LoopCost FmaLoopCost(const FmaTiling& t) {
  const FmaSchedule& s = t.schedule;
  Fragments fragments = FragmentsOf(t);
  auto trips = static_cast<double>(t.KOfSlice() / s.unrollK);
  LoopCost cost;
  cost.steps = t.grid.StepsPerBlock();
  cost.tiles = TilesOf(t);
  cost.multiplyAdds = static_cast<double>(32 * s.tm * s.tn * t.KOfSlice());
  cost.instructions = cost.multiplyAdds / 32 + fragments.instructions + kLoopInstructions;
  if (s.unrollK != t.KOfSlice()) cost.instructions += trips * kInnerInstructions;
  cost.wavefronts = fragments.wavefronts * static_cast<double>(t.warpsM * t.warpsN * s.sliceK);
  AddCopies(t, t.a, cost);
  AddCopies(t, t.b, cost);
  int64_t ahead = s.async ? s.stages - 1 : 1;
  cost.latency = kGlobalLatency / static_cast<double>(std::max<int64_t>(ahead, 1));
  if (!s.async && s.stages == 1) cost.exposed += kBarrierClocks;
  cost.exposed += (t.IsAhead() ? kAheadClocks : kBarrierClocks) + (trips - 1) * kInnerClocks;
  return cost;
}

ScheduleGeometry FmaGeometry(const FmaTiling& t) {
  const FmaSchedule& s = t.schedule;
  ScheduleGeometry geometry;
  geometry.tile = {s.bm, s.bn, s.bk};
  geometry.threads = t.threads;
  geometry.stages = s.stages;
  geometry.splitK = s.splitK;
  if (t.grid.IsStream()) geometry.leastShare = t.grid.leastShare;
  geometry.sharedK = t.grid.SharedK();
  geometry.groupM = s.groupM;
  geometry.blocks = t.grid.blocks();
  geometry.sharedBytes = t.SharedBytes();
  geometry.registers = t.RegisterEstimate();
  geometry.bytesMoved =
      OperandBytesRead(t.problem, t.grid.gridM, t.grid.gridN) + BytesOfResult(t.problem, t.grid, s.reduction);
  geometry.minBlocks = s.minBlocks;
  geometry.loop = FmaLoopCost(t);
  geometry.reduction = CostOfReduction(t.problem, t.grid, s.reduction, t.storeC);
  geometry.words.blockTile = absl::StrCat(s.bm, "x", s.bn, "x", s.bk);
  geometry.words.threadTile = absl::StrCat(s.tm, "x", s.tn);
  if (s.sliceK > 1) absl::StrAppend(&geometry.words.threadTile, "/", s.sliceK, "slices");
  geometry.words.stages = absl::StrCat(s.stages);
  geometry.words.splitK = t.grid.IsStream() ? absl::StrCat("stream-", t.grid.blocks()) : absl::StrCat(s.splitK);
  return geometry;
}

}  // namespace mmtune
