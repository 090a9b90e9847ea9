// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product is divided among the blocks of a kernel: tiles of C, splits of k or shares of all k steps, and the
// order in which blocks take them.
//
// What a search tries for blocks that share tiles, of families that have stream-k and ordered sums.
//
// Split-k and stream-k as launches: several blocks share a tile of C, and something sums what they made.
//
// How a tile on its way to shared memory is divided among the threads of a block.
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

/// Stream-k (Osama et al., PPoPP 2023): the k steps of all tiles, one tile's after another's, are divided evenly among
/// the blocks, however many they are: block b has `each` of them, and one more where b < `longer`.
struct StreamShares {
  int64_t blocks;
  int64_t each, longer;
};

/// In elements. Block x counts the tiles of one matrix after another, block z the splits of k; with stream-k block x
/// counts the shares.
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

  /// Fewer k steps than this for a block cost more in partial sums than they bring.
  static constexpr int64_t kLeastShare = 4;

  int64_t bm, bn, bk;     ///< Tile of a block, and k values of a step.
  int64_t splitK;         ///< Blocks that share a tile of C.
  int64_t groupM;         ///< Rows of tiles walked together, for L2; 1 is row by row.
  int64_t gridM, gridN;   ///< Tiles of a matrix of C.
  int64_t kTiles;         ///< k steps of the problem.
  int64_t tilesPerSplit;  ///< k steps of one split, the last one's perhaps fewer.
  int64_t batch;
  int64_t streamK = 1;               ///< Most blocks among which stream-k divides the product; 1: it does not.
  int64_t leastShare = kLeastShare;  ///< Of the k steps of all tiles, for each of them.
  int64_t slices = 1;                ///< Parts of a block's k, each with sums of its own.

  int64_t BlocksPerMatrix() const { return gridM * gridN; }
  int64_t Tiles() const { return BlocksPerMatrix() * batch; }
  bool IsStream() const { return streamK > 1; }
  int64_t StreamSteps() const { return Tiles() * kTiles; }
  StreamShares Shares() const {
    int64_t blocks = std::clamp<int64_t>(StreamSteps() / leastShare, 1, streamK);
    return {blocks, StreamSteps() / blocks, StreamSteps() % blocks};
  }
  int64_t blocks() const { return IsStream() ? Shares().blocks : Tiles() * splitK; }
  /// k steps of a block; of stream-k on average.
  double StepsPerBlock() const {
    return IsStream() ? static_cast<double>(StreamSteps()) / static_cast<double>(blocks())
                      : static_cast<double>(tilesPerSplit);
  }
  /// Tiles that a block has a part of, and blocks that have a part of a tile; of stream-k on average.
  double TilesPerBlock() const { return IsStream() ? StepsPerBlock() / static_cast<double>(kTiles) + 1 : 1; }
  double BlocksPerTile() const {
    return IsStream() ? static_cast<double>(kTiles) / StepsPerBlock() + 1 : static_cast<double>(splitK);
  }
  /// k values that a block multiplies for sums that others have parts of; 0 where blocks share no tile.
  int64_t SharedK() const {
    if (IsStream()) return Shares().each * bk;
    return splitK > 1 ? tilesPerSplit * bk : 0;
  }
  /// The sums that a block makes of a tile, and what aligns the next block's, in elements of sums.
  int64_t SumsOfTile() const { return RoundUp(bm * bn * slices, kWidestAccess / 4); }
  /// Whether no split is left without a k step.
  bool EverySplitHasWork() const { return (splitK - 1) * tilesPerSplit < kTiles; }
};


/// SplitReductions() and kOrderedReduction.
std::vector<int64_t> ReductionAxis(const MatmulProblem& problem);

/// Numbers of blocks for stream-k, up to `most`: 1 for none, and one and two for each multiprocessor, where the
/// smallest tiles leave enough k steps to share.
std::vector<int64_t> StreamAxis(const MatmulProblem& problem, const DeviceInfo& device, int64_t most);


/// How the partial products of blocks that share a tile are summed. In the order of k, in all but atomics: the same
/// bits every time.
enum SplitReduction : int64_t {
  kNoReduction = 0,
  kAtomicReduction = 1,     ///< Added to C as they come.
  kWorkspaceReduction = 2,  ///< By a second kernel.
  /// By that block of a tile's which is the last to have stored its sums, in whatever order they run: a counter for
  /// each tile tells it. No block waits for another one, so that it takes no promise of how many are resident.
  kOrderedReduction = 3,
};

/// The kernel that sums a workspace, and the threads of its blocks.
inline constexpr char kSplitReductionKernel[] = "reduce_splits";
inline constexpr int64_t kSplitReductionThreads = 256;

/// Whether blocks may add their sums to C: whole sums pass through an epilogue or a rounding.
inline bool AllowsAtomics(const MatmulProblem& problem) {
  return problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
}
/// Those that every family with splits has for a problem: all but kOrderedReduction, which takes a kernel that counts.
std::vector<int64_t> SplitReductions(const MatmulProblem& problem);

/// Elements of C that a thread of the reduction kernel sums at once: 1, 2 or 4, of f64 1 or 2.
int64_t ReductionWidth(const MatmulProblem& problem);

/// The workspace of kOrderedReduction: counters of 32 bits, zero before the launch, then the sums of tiles, each as
/// BlockGrid::SumsOfTile() sums in an order that is the kernel's. Of stream-k a tile's counter is that of the first
/// block that has a part of it, which keeps its sums in place `blocks` + its number, and each further block in the
/// place of its number: a block has at most one part that begins a tile and one that does not. Of split-k they follow
/// each other by tile and split.
struct OrderedSums {
  explicit OrderedSums(const BlockGrid& grid);

  int64_t counters, places;
  int64_t CounterBytes() const;
};

/// Bytes of the workspace: for each split sums for all of C, or what OrderedSums says; 0 without one.
int64_t WorkspaceBytes(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Bytes that are read and written to store C, by clearing and summing partial products too; of kOrderedReduction the
/// whole workspace twice, at most as many as that is. 64 bits could not count them for the largest problems.
double BytesOfResult(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// What that costs beside the product. `storeC` is how many neighbours in C a thread stores, or adds atomically, at
/// once.
ReductionCost CostOfReduction(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, int64_t storeC);

/// kOrderedReduction: how long the last block of a tile to come reads the sums of all its parts, alone, counted in
/// tiles as LoopCost::tiles is; 0 of the others.
double TilesOfOrderedSums(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// A product by `threads` threads of each block of the grid, with as much shared memory, and the steps around it: with
/// atomics a C that is cleared before, with a workspace a kernel that sums it afterwards and applies the epilogue, with
/// ordered sums counters that are cleared before.
LaunchPlan PlanMatmul(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                       int64_t sharedBytes, int64_t reduction);


/// The order in which rows are counted: `together` runs of `run` neighbours each, which begin `apart` runs from one
/// another, then those beside them, until `period()` rows have their turn, and so on. Powers of two; by default rows
/// are counted as they lie.
struct RowOrder {
  int64_t run = 1, together = 1, apart = 1;

  int64_t period() const { return run * together * apart; }
  bool IsPlain() const { return together == 1 || apart == 1; }
  int64_t RowOf(int64_t number) const {
    int64_t turn = number / run % (together * apart);
    return number / period() * period() + (turn / together + turn % together * apart) * run + number % run;
  }
};

/// Pieces are counted panel by panel, in a panel row by row in the order of rows; of thread t they are t, t + threads,
/// t + 2 * threads and so on.
struct TileChunks {
  int64_t rows, perRow;  ///< Of the tile.
  int64_t width;         ///< Of a piece, in the caller's unit.
  int64_t threads;
  int64_t panel = perRow;  ///< Pieces of a row that a panel has; it divides perRow.
  RowOrder order = {};

  int64_t count() const { return rows * perRow; }
  int64_t PerThread() const { return CeilDiv(count(), threads); }
  /// How many threads have a piece of this number.
  int64_t ThreadsWith(int64_t number) const { return std::min(threads, count() - number * threads); }
  // Where a piece is.
  int64_t RowOf(int64_t piece) const { return order.RowOf(piece / panel % rows); }
  int64_t ColumnOf(int64_t piece) const { return (piece / panel / rows * panel + piece % panel) * width; }
  // From a thread's first piece to the one of this number.
  int64_t RowsTo(int64_t number) const { return RowOf(number * threads); }
  int64_t ColumnsTo(int64_t number) const { return ColumnOf(number * threads); }
  /// Whether RowsTo() and ColumnsTo() are right, for every thread: each time all go on by whole rows or panels, or a
  /// row is for all of them several times over. In an order that is not plain they take whole periods, or a part of
  /// one.
  bool AreAConstantApart() const {
    if (threads % panel != 0) return order.IsPlain() && panel == perRow && perRow % threads == 0;
    int64_t rowsAtOnce = threads / panel, period = order.period();
    if (!order.IsPlain() && (rows % period != 0 || (rowsAtOnce % period != 0 && period % rowsAtOnce != 0)))
      return false;
    return panel == perRow || rows % rowsAtOnce == 0 || rowsAtOnce % rows == 0;
  }
};

}  // namespace mmtune
