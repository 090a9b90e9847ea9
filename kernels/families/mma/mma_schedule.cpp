// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_schedule.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "kernels/perf_model/time_model.h"

namespace mmtune {
namespace {

/// Bytes after which the banks of shared memory repeat.
constexpr int64_t kBankBytes = 128;
/// Bytes of an instruction's k for one row of A or column of B, for every type.
constexpr int64_t kFragmentBytes = 32;

/// Returns the instructions that load so many words of a tile: four words by ldmatrix, single words for f64, and for
/// f32 that it cannot transpose.
int64_t LoadsOfWords(const MmaOperandTile& tile, int64_t words) {
  return tile.elementBytes == 8 || (tile.rowsAreK && tile.elementBytes == 4) ? words : (words + 3) / 4;
}

}  // namespace

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
  // ldmatrix reads 16 bytes of each of eight rows at once. It transposes 16-bit elements only, and does not support
  // f64. So a warp reads f32 from rows of k by single words, eight neighbours (32 bytes) of each of four rows; f64 by
  // half a warp at a time, four neighbours of each of four rows.
  unit = elementBytes == 8 || (rowsAreK && elementBytes == 4) ? 32 : 16;
  int64_t unitsPerRow = std::max<int64_t>(1, rowBytes / unit);
  permutations = std::gcd(unitsPerRow, kBankBytes / unit);
  rowsPerPermutation = kBankBytes / unit / permutations;
}

MmaTiling::MmaTiling(const MatmulProblem& problem, const MmaSchedule& s, RunTimeSizes sizes, const MatmulLayout& layout)
    : problem(problem),
      schedule(s),
      sizes(sizes),
      grid(problem, s.bm, s.bn, s.bk, s.splitK, s.groupM),
      split(SplitPrecisionOf(problem)),
      a(problem.transpose_a, s.bm, s.bk, problem.m, problem.k, DataTypeBytes(problem.dtype), s.async != 0, layout.a),
      b(!problem.transpose_b, s.bn, s.bk, problem.n, problem.k, DataTypeBytes(problem.dtype), s.async != 0, layout.b) {
  if (sizes.rows) a.outerRagged = true;
  grid.streamK = s.streamK;
  grid.minStepsPerBlock = std::max(BlockGrid::kMinStepsPerBlock, s.stages);
  grid.slices = s.sliceK;
  warpsM = s.bm / s.wm;
  warpsN = s.bn / s.wn;
  threads = 32 * std::max<int64_t>(1, WarpTiles() * s.sliceK);
  loadK = kFragmentBytes / DataTypeBytes(problem.dtype);
  fragmentK = kFragmentBytes / DataTypeBytes(split.type);
  stepsK = s.bk / (fragmentK * s.sliceK);
  rowsM = s.wm / 16;
  columnsN = s.wn / 8;
  int64_t bytesC = s.reduction == kWorkspaceReduction ? SumBytes() : DataTypeBytes(problem.TypeOfC());
  rowStrideC = layout.any() ? layout.c.rowStride : problem.n;
  storeC = std::gcd(std::gcd(RowAlignment(layout.c, problem.n), s.wn), kWidestAccess / bytesC);
  // Atomic additions of a warp are contiguous if each lane adds single floats.
  if (s.reduction == kAtomicReduction) storeC = 1;
  // Lanes write two floats each at once, four rows of eight floats: an odd multiple of eight apart. (For f64, two rows
  // of eight.) With columns of transposed bytes it is four floats each, two rows of 16; with rows, every second row.
  int64_t apart = (b.TransposesBytes() ? 16 : 8) / (a.TransposesBytes() ? 2 : 1);
  stagePitch = (CeilDiv(s.wn, apart) | 1) * apart;
}

int64_t MmaTiling::SharedBytes() const {
  return std::max(schedule.stages * StageBytes(), WarpTiles() * schedule.sliceK * ResultBytesPerWarp());
}

int64_t MmaTiling::PermutedAddresses() const {
  int64_t addresses = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    // One address for each row within a period that a thread copies to, and one for each 32 bytes of a row that a warp
    // reads, as far as the permutation moves them.
    TileChunks chunks = tile->ChunksFor(threads);
    int64_t period = tile->period();
    addresses += std::min(chunks.PerThread(), period / std::gcd(period, threads / std::max<int64_t>(1, chunks.perRow)));
    int64_t outer = tile == &a ? schedule.wm : schedule.wn,
            along = tile->rowsAreK ? outer : schedule.bk / schedule.sliceK;
    addresses += std::clamp<int64_t>(along * tile->elementBytes / kFragmentBytes, 1, kBankBytes / kFragmentBytes);
  }
  return addresses;
}

int64_t MmaTiling::RegisterEstimate() const {
  int64_t accumulators = SumBytes() * rowsM * columnsN, fragments = WordBytes() / 4 * (WordsA() + WordsB());
  // Many copies keep addresses and conditions in registers (narrow copies more); copies through registers also keep
  // their elements. Beyond kFew copies ptxas computes all addresses in advance, and for many narrow ones the conditions
  // of several tiles.
  constexpr int64_t kFew = 16, kMany = 32;
  int64_t waiting = 0, throughRegisters = 0, registersEach = 0, longSteps = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    int64_t chunks = tile->ChunksFor(threads).PerThread();
    if (!tile->IsAsync()) {
      int64_t reads = tile->ReadsPerChunk();
      throughRegisters += std::max(chunks, chunks * reads / 2);
      registersEach = std::max<int64_t>(registersEach, reads > 1 ? 4 : tile->ChunkBytes() / 4 + 2);
    } else {
      bool narrow = tile->copyBytes < kWidestAccess;
      waiting += narrow ? chunks * 5 / 4 + std::max<int64_t>(0, chunks - kMany) : chunks / 5;
      if (narrow) longSteps = std::max<int64_t>(0, stepsK - 8);
    }
  }
  waiting += registersEach * throughRegisters + 12 * std::max<int64_t>(0, throughRegisters - kFew);
  int64_t sharing = schedule.reduction == kOrderedReduction ? 16 : 0;
  // ptxas needs more for stream-k on sm_75, where tiles pass through registers.
  if (schedule.async == 0 && grid.IsStreamK()) sharing += 20;
  if (split.IsSplit()) {
    // ptxas splits ahead and interleaves the products of neighbouring rows, whose sums are then promoted.
    int64_t promoted = accumulators, words = split.count * fragments / LoadsPerStep();
    // With narrow copies, more for longer unrolled loops.
    int64_t others = 64 + 12 * longSteps;
    // With many steps it splits some further steps ahead. Registers for the loaded sums of other blocks are added.
    constexpr int64_t kShortLoop = 4, kLongLoop = 8;
    if (stepsK > kShortLoop) others += accumulators * 5 / 8 * (std::min(stepsK, kLongLoop) - kShortLoop);
    others += sharing;
    return accumulators + promoted + fragments + words + 2 * waiting + others;
  }
  // The loop over tiles, and the sums of other blocks. ptxas keeps more than ten addresses of shared memory twice, with
  // and without the stage; few threads, each of which copies much, have so many.
  constexpr int64_t kFewAddresses = 10;
  int64_t addresses = 36 + sharing + 2 * std::max<int64_t>(0, PermutedAddresses() - kFewAddresses);
  // Without split-k no branch separates the reads of the first tiles: ptxas starts all of them at once.
  int64_t firstTiles = 0;
  constexpr int64_t kFewStages = 3;
  if (schedule.reduction == kNoReduction && throughRegisters > kFew / 2)
    firstTiles = 2 * throughRegisters * std::max<int64_t>(0, schedule.stages - kFewStages);
  return accumulators + fragments * (schedule.prefetch ? 2 : 1) + waiting + firstTiles + addresses;
}

LoopCost MmaTiling::Cost() const {
  const MmaSchedule& s = schedule;
  // Instructions of the loop, and clocks from the barrier to the first mma.sync.
  constexpr double kLoopInstructions = 40, kBarrierClocks = 250, kPrefetchedClocks = 150;
  // Clocks of a warp's request: the addresses of 8 lanes take one clock.
  constexpr double kRequestClocks = 4;
  auto loads = static_cast<double>(stepsK * LoadsOfWords(a, WordsA()) + stepsK * LoadsOfWords(b, WordsB()));
  auto words = static_cast<double>(stepsK * (WordsA() + WordsB()));
  LoopCost cost;
  cost.tensorCores = true;
  cost.steps = grid.StepsPerBlock();
  cost.tiles = grid.TilesPerBlock() + OrderedReductionTiles(problem, grid, s.reduction);
  cost.multiplyAdds = static_cast<double>(s.wm * s.wn) * static_cast<double>(s.bk) / static_cast<double>(s.sliceK);
  cost.instructions = static_cast<double>(instructions()) + loads + kLoopInstructions;
  // Each term of a split element is rounded and its rest computed; sums are promoted.
  if (split.IsSplit())
    cost.instructions +=
        2 * words * static_cast<double>(split.count) + static_cast<double>(stepsK * 4 * rowsM * columnsN);
  else if (problem.dtype == DataType::kF32)
    cost.instructions += words;
  // Each word of transposed bytes takes a permutation.
  if (a.TransposesBytes()) cost.instructions += static_cast<double>(stepsK * WordsA());
  if (b.TransposesBytes()) cost.instructions += static_cast<double>(stepsK * WordsB());
  // A wavefront has 4 bytes for each of 32 lanes.
  cost.wavefronts = words * static_cast<double>(WordBytes() / 4 * WarpTiles() * s.sliceK);
  double moved = 0;
  for (const MmaOperandTile* tile : {&a, &b}) {
    auto chunks = static_cast<double>(tile->ChunksFor(threads).PerThread());
    const auto requests = static_cast<double>(CeilDiv(tile->ChunksFor(threads).count(), 32));
    const auto reads = static_cast<double>(tile->ReadsPerChunk());
    cost.instructions += chunks * (tile->IsAsync() ? 1 : 4);
    // Copies of 16 bytes a lane take as long as shared memory takes to write them; narrow copies take longer.
    cost.wavefronts += kRequestClocks * requests * reads;
    if (!tile->IsAsync()) cost.wavefronts += static_cast<double>(tile->bytes()) / kBankBytes;
    cost.bytes += static_cast<double>(tile->bytes());
    moved += BytesMovedForRows(tile->rows, tile->rowBytes, tile->matrixRowBytes);
  }
  cost.perByte = moved / cost.bytes;
  cost.prefetchDistance = static_cast<double>(std::max<int64_t>(s.stages - 1, 1));
  cost.exposed = s.prefetch ? kPrefetchedClocks : kBarrierClocks;
  // With one stage, copies and mma.sync alternate.
  if (s.stages == 1) cost.exposed += kGlobalLatency;
  return cost;
}

}  // namespace mmtune
