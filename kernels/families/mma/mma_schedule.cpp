// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_schedule.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

constexpr ScheduleField<MmaSchedule> kFields[] = {
    {"bm", &MmaSchedule::bm, 16, 256},
    {"bn", &MmaSchedule::bn, 8, 256},
    {"wm", &MmaSchedule::wm, 16, 128},
    {"wn", &MmaSchedule::wn, 8, 128},
    {"slice_k", &MmaSchedule::sliceK, 1, 4},
    {"bk", &MmaSchedule::bk, 8, 256},
    {"split_k", &MmaSchedule::splitK, 1, 1024},
    {"stream_k", &MmaSchedule::streamK, 1, MmaSchedule::kMostStreamK},
    {"reduction", &MmaSchedule::reduction, 0, 3},
    {"async", &MmaSchedule::async, 0, 1},
    {"stages", &MmaSchedule::stages, 1, 8},
    {"prefetch", &MmaSchedule::prefetch, 0, 1},
    {"min_blocks", &MmaSchedule::minBlocks, 1, 32},
    {"group_m", &MmaSchedule::groupM, 1, 1024},
};
static_assert(std::size(kFields) == kMmaParameterCount);

/// Bytes after which shared memory's banks repeat.
constexpr int64_t kBankBytes = 128;
/// Bytes of an instruction's k for one row of A or column of B, whatever the type of its planes.
constexpr int64_t kFragmentBytes = 32;

/// Instructions that load so many words of a tile: ldmatrix four at once; single words of f64, and of f32 that it
/// cannot transpose.
int64_t LoadsOfWords(const MmaOperandTile& tile, int64_t words) {
  return tile.elementBytes == 8 || (tile.rowsAreK && tile.elementBytes == 4) ? words : (words + 3) / 4;
}

}  // namespace

std::span<const ScheduleField<MmaSchedule>> MmaSchedule::fields() { return kFields; }

MmaOperandTile::MmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t matrixOuter, int64_t matrixK,
                               int64_t elementBytes, bool async, const OperandLayout& layout)
    : rowsAreK(rowsAreK), async(async), elementBytes(elementBytes) {
  rows = rowsAreK ? bk : outer;
  rowBytes = elementBytes * (rowsAreK ? outer : bk);
  const int64_t matrixRow = rowsAreK ? matrixOuter : matrixK;
  matrixRowBytes = elementBytes * (layout.rowStride != 0 ? layout.rowStride : matrixRow);
  outerRagged = matrixOuter % outer != 0;
  kRagged = matrixK % bk != 0;
  copyBytes = std::gcd(elementBytes * RowAlignment(layout, matrixRow), kWidestAccess);
  // ldmatrix reads 16 bytes of each of eight rows at once. It transposes 16-bit elements only, and does not read those
  // of f64: a warp reads f32 from rows of k one by one, eight neighbours (32 bytes) of each of four rows; of f64, half
  // of a warp at a time, four of each of four rows.
  unit = elementBytes == 8 || (rowsAreK && elementBytes == 4) ? 32 : 16;
  int64_t unitsPerRow = std::max<int64_t>(1, rowBytes / unit);
  turns = std::gcd(unitsPerRow, kBankBytes / unit);
  rowsPerTurn = kBankBytes / unit / turns;
}

MmaTiling::MmaTiling(const MatmulProblem& problem, const MmaSchedule& s, RunTimeSizes sizes,
                     const MatmulLayout& layout)
    : problem(problem),
      schedule(s),
      sizes(sizes),
      grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM),
      planes(SplitPrecisionOf(problem)),
      a(problem.transpose_a, s.bm, s.bk, problem.m, problem.k, DataTypeBytes(problem.dtype), s.async != 0, layout.a),
      b(!problem.transpose_b, s.bn, s.bk, problem.n, problem.k, DataTypeBytes(problem.dtype), s.async != 0, layout.b) {
  if (sizes.rows) a.outerRagged = true;
  grid.streamK = s.streamK;
  grid.leastShare = std::max(BlockGrid::kLeastShare, s.stages);
  grid.slices = s.sliceK;
  warpsM = s.bm / s.wm;
  warpsN = s.bn / s.wn;
  threads = 32 * std::max<int64_t>(1, WarpTiles() * s.sliceK);
  loadK = kFragmentBytes / DataTypeBytes(problem.dtype);
  fragmentK = kFragmentBytes / DataTypeBytes(planes.type);
  stepsK = s.bk / (fragmentK * s.sliceK);
  rowsM = s.wm / 16;
  columnsN = s.wn / 8;
  int64_t bytesC = s.reduction == kWorkspaceReduction ? SumBytes() : DataTypeBytes(problem.TypeOfC());
  rowStrideC = layout.any() ? layout.c.rowStride : problem.n;
  storeC = std::gcd(std::gcd(RowAlignment(layout.c, problem.n), s.wn), kWidestAccess / bytesC);
  // Lanes add one float after another, so that a warp's additions are neighbours.
  if (s.reduction == kAtomicReduction) storeC = 1;
  // At once, lanes write two floats each, four rows of eight floats: an odd multiple of eight apart. (Of f64, two rows
  // of eight.) Where columns are those of transposed bytes, it is four each, two rows of 16; where rows are, every
  // second row.
  int64_t apart = (b.TransposesBytes() ? 16 : 8) / (a.TransposesBytes() ? 2 : 1);
  stagePitch = (CeilDiv(s.wn, apart) | 1) * apart;
}

int64_t MmaTiling::SharedBytes() const {
  return std::max(schedule.stages * StageBytes(), WarpTiles() * schedule.sliceK * ResultBytesPerWarp());
}

int64_t MmaTiling::PermutedAddresses() const {
  int64_t addresses = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    // One for each row within a period that a thread copies to; and for each 32 bytes of a row, as far as a warp reads
    // them, within those that the permutation moves about.
    TileChunks pieces = tile->ChunksFor(threads);
    int64_t period = tile->period();
    addresses += std::min(pieces.PerThread(), period / std::gcd(period, threads / std::max<int64_t>(1, pieces.perRow)));
    int64_t outer = tile == &a ? schedule.wm : schedule.wn,
            along = tile->rowsAreK ? outer : schedule.bk / schedule.sliceK;
    addresses += std::clamp<int64_t>(along * tile->elementBytes / kFragmentBytes, 1, kBankBytes / kFragmentBytes);
  }
  return addresses;
}

int64_t MmaTiling::RegisterEstimate() const {
  int64_t accumulators = SumBytes() * rowsM * columnsN, fragments = WordBytes() / 4 * (WordsA() + WordsB());
  // Many copies keep addresses and conditions in registers (narrow copies more); copies through registers also keep
  // their elements. Beyond kFew copies ptxas computes all addresses in advance, and of many narrow ones the conditions
  // of several tiles.
  constexpr int64_t kFew = 16, kMany = 32;
  int64_t waiting = 0, throughRegisters = 0, registersEach = 0, longSteps = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    int64_t pieces = tile->ChunksFor(threads).PerThread();
    if (!tile->IsAsync()) {
      int64_t reads = tile->ReadsPerPiece();
      throughRegisters += std::max(pieces, pieces * reads / 2);
      registersEach = std::max<int64_t>(registersEach, reads > 1 ? 4 : tile->PieceBytes() / 4 + 2);
    } else {
      bool narrow = tile->copyBytes < kWidestAccess;
      waiting += narrow ? pieces * 5 / 4 + std::max<int64_t>(0, pieces - kMany) : pieces / 5;
      if (narrow) longSteps = std::max<int64_t>(0, stepsK - 8);
    }
  }
  waiting += registersEach * throughRegisters + 12 * std::max<int64_t>(0, throughRegisters - kFew);
  int64_t sharing = schedule.reduction == kOrderedReduction ? 16 : 0;
  // Of stream-k on sm_75, where tiles pass through registers, ptxas needs more.
  if (schedule.async == 0 && grid.IsStream()) sharing += 20;
  if (planes.AreSplit()) {
    // ptxas splits ahead, and lets the products of neighbouring rows run at once, whose sums are then promoted.
    int64_t promoted = accumulators, words = planes.count * fragments / LoadsPerStep();
    // Beside narrow copies the more, the longer the unrolled loop is.
    int64_t others = 64 + 12 * longSteps;
    // Of many steps it splits for further ones ahead, too, but not for all; and what the sums of other blocks are
    // loaded to.
    constexpr int64_t kShortLoop = 4, kLongLoop = 8;
    if (stepsK > kShortLoop) others += accumulators * 5 / 8 * (std::min(stepsK, kLongLoop) - kShortLoop);
    others += sharing;
    return accumulators + promoted + fragments + words + 2 * waiting + others;
  }
  // The loop over tiles, and the same. More than ten addresses of shared memory, which ptxas keeps with and without
  // that of a stage, come in with few threads, each of which copies much.
  constexpr int64_t kFewAddresses = 10;
  int64_t addresses = 36 + sharing + 2 * std::max<int64_t>(0, PermutedAddresses() - kFewAddresses);
  // Where k is not split, the first tiles are read without a branch in between: ptxas begins with all of them at once.
  int64_t firstTiles = 0;
  constexpr int64_t kFewStages = 3;
  if (schedule.reduction == kNoReduction && throughRegisters > kFew / 2)
    firstTiles = 2 * throughRegisters * std::max<int64_t>(0, schedule.stages - kFewStages);
  return accumulators + fragments * (schedule.prefetch ? 2 : 1) + waiting + firstTiles + addresses;
}

LoopCost MmaTiling::Cost() const {
  const MmaSchedule& s = schedule;
  // Of the loop; clocks from the barrier to the first product.
  constexpr double kLoopInstructions = 40, kBarrierClocks = 250, kPrefetchedClocks = 150;
  // A warp's request takes as long, as addresses of 8 lanes are served in a clock.
  constexpr double kRequestClocks = 4;
  auto loads = static_cast<double>(stepsK * LoadsOfWords(a, WordsA()) + stepsK * LoadsOfWords(b, WordsB()));
  auto words = static_cast<double>(stepsK * (WordsA() + WordsB()));
  LoopCost cost;
  cost.tensorCores = true;
  cost.steps = grid.StepsPerBlock();
  cost.tiles = grid.TilesPerBlock() + TilesOfOrderedSums(problem, grid, s.reduction);
  cost.multiplyAdds = static_cast<double>(s.wm * s.wn) * static_cast<double>(s.bk) / static_cast<double>(s.sliceK);
  cost.instructions = static_cast<double>(instructions()) + loads + kLoopInstructions;
  // Each plane of a split element is rounded, and what it leaves is computed; sums are promoted.
  if (planes.AreSplit())
    cost.instructions +=
        2 * words * static_cast<double>(planes.count) + static_cast<double>(stepsK * 4 * rowsM * columnsN);
  else if (problem.dtype == DataType::kF32)
    cost.instructions += words;
  // Of bytes that are transposed, a permutation makes each word.
  if (a.TransposesBytes()) cost.instructions += static_cast<double>(stepsK * WordsA());
  if (b.TransposesBytes()) cost.instructions += static_cast<double>(stepsK * WordsB());
  // Of 32 lanes, each 4 bytes of a word.
  cost.wavefronts = words * static_cast<double>(WordBytes() / 4 * WarpTiles() * s.sliceK);
  double moved = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    auto pieces = static_cast<double>(tile->ChunksFor(threads).PerThread());
    const auto requests = static_cast<double>(CeilDiv(tile->ChunksFor(threads).count(), 32));
    const auto reads = static_cast<double>(tile->ReadsPerPiece());
    cost.instructions += pieces * (tile->IsAsync() ? 1 : 4);
    // Of 16 bytes for each lane, that is what shared memory takes to write them; of fewer, copies take more.
    cost.wavefronts += kRequestClocks * requests * reads;
    if (!tile->IsAsync()) cost.wavefronts += static_cast<double>(tile->bytes()) / kBankBytes;
    cost.bytes += static_cast<double>(tile->bytes());
    moved += BytesMovedForRows(tile->rows, tile->rowBytes, tile->matrixRowBytes);
  }
  cost.perByte = moved / cost.bytes;
  cost.ahead = static_cast<double>(std::max<int64_t>(s.stages - 1, 1));
  cost.exposed = s.prefetch ? kPrefetchedClocks : kBarrierClocks;
  // With one stage copies and products take turns.
  if (s.stages == 1) cost.exposed += kGlobalLatency;
  return cost;
}

}  // namespace mmtune
