// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_cost.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/tile_sharing_family.h"
#include "kernels/perf_model/time_model.h"

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
  auto count = static_cast<double>(tile.PiecesFor(t.threads).PerThread());
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
  double warps = static_cast<double>(tile.PiecesFor(t.threads).count()) / 32;
  int64_t width = tile.transposes() ? 1 : tile.copyWidth;
  int64_t wavefronts = SharedWavefronts(FmaCopyOffsets(tile, t.threads), width, /*merges=*/false);
  return warps * static_cast<double>(StoresOf(tile) * wavefronts);
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
