// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The division of a matmul among the blocks of a kernel: tiles of C, splits of k or shares of all k steps, the order in
// which blocks take them, and the launches that sum the parts of blocks that share a tile. Also the division of a tile
// into the vector chunks that threads copy to shared memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "kernels/families/common/space_family.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Stream-k (Osama et al., PPoPP 2023) concatenates the k steps of all tiles and divides them evenly among any number
/// of blocks: block b gets `each` steps, and one more if b < `longer`.
struct StreamShares {
  int64_t blocks;
  int64_t each, longer;
};

/// The grid of a kernel, in elements. Block x counts the tiles of one matrix after another, block z the splits of k.
/// With stream-k block x counts the shares.
struct BlockGrid {
  BlockGrid(const MatmulProblem& problem, int64_t bm, int64_t bn, int64_t bk, int64_t splitK, int64_t groupM)
      : bm(bm),
        bn(bn),
        bk(bk),
        splitK(splitK),
        groupM(groupM),
        gridM(CeilDiv(problem.m, bm)),
        gridN(CeilDiv(problem.n, bn)),
        kTiles(CeilDiv(problem.k, bk)),
        tilesPerSplit(CeilDiv(kTiles, splitK)),
        batch(problem.batch) {}

  /// Blocks with fewer k steps cost more in partial sums than they gain.
  static constexpr int64_t kLeastShare = 4;

  int64_t bm, bn, bk;     ///< Extents of a block's tile, and k values of a step.
  int64_t splitK;         ///< Blocks that share a tile of C.
  int64_t groupM;         ///< Threadblock swizzle: rows of tiles traversed together, for L2; 1 is row by row.
  int64_t gridM, gridN;   ///< Tiles of a matrix of C.
  int64_t kTiles;         ///< k steps of the problem.
  int64_t tilesPerSplit;  ///< k steps of a split; the last one may have fewer.
  int64_t batch;
  int64_t streamK = 1;               ///< Most blocks of stream-k; 1: no stream-k.
  int64_t leastShare = kLeastShare;  ///< With stream-k, the least k steps of a block.
  int64_t slices = 1;                ///< Slices of a block's k, each with accumulators of its own.

  int64_t BlocksPerMatrix() const { return gridM * gridN; }
  int64_t Tiles() const { return BlocksPerMatrix() * batch; }
  bool IsStream() const { return streamK > 1; }
  int64_t StreamSteps() const { return Tiles() * kTiles; }
  StreamShares Shares() const {
    int64_t blocks = std::clamp<int64_t>(StreamSteps() / leastShare, 1, streamK);
    return {blocks, StreamSteps() / blocks, StreamSteps() % blocks};
  }
  int64_t blocks() const { return IsStream() ? Shares().blocks : Tiles() * splitK; }
  /// Returns the k steps of a block; with stream-k on average.
  double StepsPerBlock() const {
    return IsStream() ? static_cast<double>(StreamSteps()) / static_cast<double>(blocks())
                      : static_cast<double>(tilesPerSplit);
  }
  /// Returns how many tiles a block contributes to, or how many blocks to a tile; with stream-k on average.
  double TilesPerBlock() const { return IsStream() ? StepsPerBlock() / static_cast<double>(kTiles) + 1 : 1; }
  double BlocksPerTile() const {
    return IsStream() ? static_cast<double>(kTiles) / StepsPerBlock() + 1 : static_cast<double>(splitK);
  }
  /// Returns the k values of a block whose sums other blocks complete; 0 where blocks share no tile.
  int64_t SharedK() const {
    if (IsStream()) return Shares().each * bk;
    return splitK > 1 ? tilesPerSplit * bk : 0;
  }
  /// Returns the accumulators of a block for a tile, rounded up for the alignment of the next block's.
  int64_t SumsOfTile() const { return RoundUp(bm * bn * slices, kWidestAccess / 4); }
  /// True if every split has a k step.
  bool EverySplitHasWork() const { return (splitK - 1) * tilesPerSplit < kTiles; }
};

/// The summation of blocks that share a tile. All but atomics sum in the order of k: the same bits every time.
enum SplitReduction : int64_t {
  kNoReduction = 0,
  kAtomicReduction = 1,     ///< Blocks add to C atomically, in any order.
  kWorkspaceReduction = 2,  ///< A second kernel sums a workspace.
  /// The last block of a tile to store its sums adds those of all blocks; a counter for each tile identifies it. No
  /// block waits for another one, so it does not matter how many are resident.
  kOrderedReduction = 3,
};

/// The name of the kernel that sums a workspace, and the threads of its blocks.
inline constexpr char kSplitReductionKernel[] = "reduce_splits";
inline constexpr int64_t kSplitReductionThreads = 256;

/// True if blocks may add their sums to C: an epilogue, or rounding to the type of C, needs complete sums.
inline bool AllowsAtomics(const MatmulProblem& problem) {
  return problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
}
/// Returns the reductions for a problem that every family with splits has: all but kOrderedReduction.
std::vector<int64_t> SplitReductions(const MatmulProblem& problem);
/// Returns SplitReductions() and kOrderedReduction.
std::vector<int64_t> ReductionAxis(const MatmulProblem& problem);

/// Returns the numbers of blocks up to `most` that a search tries for stream-k: 1 for none, and one and two per
/// multiprocessor, where the smallest tiles leave enough k steps to divide.
std::vector<int64_t> StreamAxis(const MatmulProblem& problem, const DeviceInfo& device, int64_t most);

/// Returns how many elements of C a thread of the reduction kernel sums at once: 1, 2 or 4, for f64 1 or 2.
int64_t ReductionWidth(const MatmulProblem& problem);

/// The workspace of kOrderedReduction: 32-bit counters, zero before the launch, then slots of BlockGrid::SumsOfTile()
/// sums in an order that the kernel chooses. With split-k slots follow each other by tile and split. With stream-k the
/// counter of a tile is that of its first block, whose slot is `blocks` + its number; each further block of the tile
/// has the slot of its number. A block has at most one part that begins a tile and one that does not.
struct OrderedSums {
  explicit OrderedSums(const BlockGrid& grid);

  int64_t counters, slots;
  int64_t CounterBytes() const;
};

/// Returns the bytes of the workspace: the sums of all of C for each split, or OrderedSums; 0 without a workspace.
int64_t WorkspaceBytes(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Returns the bytes that are moved to store C, with clearing and partial sums; for kOrderedReduction an upper bound,
/// the whole workspace twice. A double, because 64 bits overflow for the largest problems.
double BytesOfResult(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Returns the cost of the reduction beside the main kernel. `storeC` is how many neighbours in C a thread stores or
/// adds at once.
ReductionCost CostOfReduction(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, int64_t storeC);

/// Returns the time in which the last block of a tile alone reads the sums of all parts, in the unit of
/// LoopCost::tiles; 0 but for kOrderedReduction.
double TilesOfOrderedSums(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Plans the main kernel, with `threads` threads and `sharedBytes` of shared memory per block of the grid, and the
/// steps around it. Atomics: C is cleared before. Workspace: a kernel sums it afterwards and applies the epilogue.
/// Ordered sums: counters are cleared before.
LaunchPlan PlanMatmul(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                      int64_t sharedBytes, int64_t reduction);

/// An order of rows: `together` runs of `run` neighbouring rows, which begin `apart` runs from one another, then the
/// runs beside them, until all `period()` rows are taken; then the next period. Powers of two; by default rows keep
/// their order.
struct RowOrder {
  int64_t run = 1, together = 1, apart = 1;

  int64_t period() const { return run * together * apart; }
  bool IsPlain() const { return together == 1 || apart == 1; }
  int64_t RowOf(int64_t number) const {
    int64_t index = number / run % (together * apart);
    return number / period() * period() + (index / together + index % together * apart) * run + number % run;
  }
};

/// Chunks are numbered panel by panel, and row by row within a panel, in the order of rows. Thread t copies the chunks
/// t, t + threads, t + 2 * threads and so on.
struct TileChunks {
  int64_t rows, perRow;  ///< Rows of the tile, and chunks of a row.
  int64_t width;         ///< Width of a chunk, in the caller's unit.
  int64_t threads;
  int64_t panel = perRow;  ///< Chunks of a row within a panel; divides perRow.
  RowOrder order = {};

  int64_t count() const { return rows * perRow; }
  int64_t PerThread() const { return CeilDiv(count(), threads); }
  /// Returns how many threads have a chunk of this number.
  int64_t ThreadsWith(int64_t number) const { return std::min(threads, count() - number * threads); }
  // The row and column of a chunk.
  int64_t RowOf(int64_t chunk) const { return order.RowOf(chunk / panel % rows); }
  int64_t ColumnOf(int64_t chunk) const { return (chunk / panel / rows * panel + chunk % panel) * width; }
  // The distance from a thread's first chunk to its chunk of this number.
  int64_t RowsTo(int64_t number) const { return RowOf(number * threads); }
  int64_t ColumnsTo(int64_t number) const { return ColumnOf(number * threads); }
  /// True if RowsTo() and ColumnsTo() are right for every thread: each time all threads advance by whole rows or
  /// panels, or a row has several chunks for each of them. In an order that is not plain they take whole periods, or a
  /// part of one period.
  bool AreAConstantApart() const {
    if (threads % panel != 0) return order.IsPlain() && panel == perRow && perRow % threads == 0;
    int64_t rowsAtOnce = threads / panel, period = order.period();
    if (!order.IsPlain() && (rows % period != 0 || (rowsAtOnce % period != 0 && period % rowsAtOnce != 0)))
      return false;
    return panel == perRow || rows % rowsAtOnce == 0 || rowsAtOnce % rows == 0;
  }
};

}  // namespace mmtune
