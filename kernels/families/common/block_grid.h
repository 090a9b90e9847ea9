// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The division of a matmul among the blocks of a kernel, and of a tile among the threads that copy it.
//
// BlockGrid: each block computes a tile of bm x bn elements of C, in k steps of bk. If there are few tiles, several
// blocks can share one: with split-k each block has a fixed part of K, with stream-k an equal share of the k steps of
// all tiles. SplitReduction says how the blocks' partial sums are added. PlanMatmul() makes the launches. Launch plans,
// cost estimates and emitters of the families fma, mma and gemv use this file.
//
//                  bn                  split-k = 2                   stream-k: the block of each of 6 k steps
//            +----+----+----+          tile 0: block 0 | block 1     tile 0: 0 0 0 0 1 1
//         bm |  0 |  1 |  2 |          tile 1: block 2 | block 3     tile 1: 1 1 2 2 2 2
//            +----+----+----+
//
// TileChunks: a tile is copied to shared memory in chunks of a few contiguous elements, which are numbered and
// distributed among the threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "kernels/families/common/family_base.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The division of all k steps by stream-k (Osama et al., PPoPP 2023): the k steps of all tiles are concatenated and
/// divided evenly. The first `longer` blocks get each + 1 steps, the others `each`.
struct StreamKShares {
  int64_t blocks;
  int64_t each, longer;
};

/// The order of the tiles of a matrix (rasterisation), which are numbered in groups of some rows or columns of tiles.
/// Tiles that are computed at the same time have numbers that follow each other.
enum Raster : int64_t {
  kAlongN = 0,   ///< Groups of groupM rows, each traversed column by column.
  kAlongM = 1,   ///< Groups of groupM columns, each traversed row by row.
  kHilbert = 2,  ///< Groups of rows, divided into squares of tiles, each traversed along a Hilbert curve.
};

/// The grid of a kernel. Sizes are in elements. blockIdx.x is the index of the tile in the whole batch, matrix by
/// matrix, and blockIdx.z the index of the split of k. With stream-k, blockIdx.x is the index of the block's share.
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

  /// The default of minStepsPerBlock. With fewer k steps per block, the partial sums of stream-k cost more than the
  /// even division gains.
  static constexpr int64_t kMinStepsPerBlock = 4;

  int64_t bm, bn, bk;  ///< Tile of a block, and k values of a k step.
  int64_t splitK;      ///< Blocks that share a tile of C by split-k.
  int64_t groupM;      ///< Threadblock swizzle: rows of tiles traversed together, for L2 hits; 1 traverses row by row.
  int64_t gridM, gridN;                          ///< Rows and columns of tiles in a matrix of C.
  int64_t kTiles;                                ///< k steps of a tile.
  int64_t tilesPerSplit;                         ///< k steps of a split; the last split may have fewer.
  int64_t batch;                                 ///< Matrices.
  int64_t raster = kAlongN;                      ///< A Raster; others than kAlongN need a known number of rows.
  int64_t streamK = 1;                           ///< Maximum number of blocks of stream-k; 1 means no stream-k.
  int64_t minStepsPerBlock = kMinStepsPerBlock;  ///< Minimum k steps of a block with stream-k.
  int64_t slices = 1;  ///< Slices of a k step within a block, each with accumulators of its own.

  /// Returns the number of tiles of one matrix of C.
  int64_t BlocksPerMatrix() const { return gridM * gridN; }
  /// Returns the number of tiles of the whole batch.
  int64_t Tiles() const { return BlocksPerMatrix() * batch; }
  /// True if blocks share tiles by stream-k.
  bool IsStreamK() const { return streamK > 1; }
  /// Returns the k steps of all tiles.
  int64_t StreamKSteps() const { return Tiles() * kTiles; }
  /// Returns how stream-k divides the k steps.
  StreamKShares Shares() const {
    int64_t blocks = std::clamp<int64_t>(StreamKSteps() / minStepsPerBlock, 1, streamK);
    return {blocks, StreamKSteps() / blocks, StreamKSteps() % blocks};
  }
  /// Returns the number of blocks of the launch.
  int64_t blocks() const { return IsStreamK() ? Shares().blocks : Tiles() * splitK; }
  /// Returns the k steps of a block; with stream-k on average.
  double StepsPerBlock() const {
    return IsStreamK() ? static_cast<double>(StreamKSteps()) / static_cast<double>(blocks())
                       : static_cast<double>(tilesPerSplit);
  }
  /// Returns how many tiles a block contributes to; with stream-k on average.
  double TilesPerBlock() const { return IsStreamK() ? StepsPerBlock() / static_cast<double>(kTiles) + 1 : 1; }
  /// Returns how many blocks contribute to a tile; with stream-k on average.
  double BlocksPerTile() const {
    return IsStreamK() ? static_cast<double>(kTiles) / StepsPerBlock() + 1 : static_cast<double>(splitK);
  }
  /// Returns the number of k values that a block multiplies of a tile that it shares with other blocks; 0 if blocks
  /// share no tile.
  int64_t SharedK() const {
    if (IsStreamK()) return Shares().each * bk;
    return splitK > 1 ? tilesPerSplit * bk : 0;
  }
  /// Returns the number of accumulators that a block has for a tile, rounded up so that the next block's slot of the
  /// workspace (OrderedReductionWorkspace) is aligned.
  int64_t AccumulatorsOfTile() const { return RoundUp(bm * bn * slices, kWidestAccess / 4); }
  /// True if every split has at least one k step.
  bool EverySplitHasWork() const { return (splitK - 1) * tilesPerSplit < kTiles; }
};

/// The ways in which the partial sums of blocks that share a tile are added. All ways except kAtomicReduction add in
/// the order of k, so that every run gives the same bits.
enum SplitReduction : int64_t {
  kNoReduction = 0,         ///< No blocks share a tile.
  kAtomicReduction = 1,     ///< Blocks add to C atomically, in any order.
  kWorkspaceReduction = 2,  ///< Blocks store to a workspace, which a second kernel sums.
  /// Blocks store to a workspace and increment the tile's counter. The last block of a tile to do so adds the sums of
  /// all its blocks. No block waits for another, so it does not matter how many are resident at once.
  kOrderedReduction = 3,
};

/// The name of the kernel that sums a workspace, and its threads per block.
inline constexpr char kSplitReductionKernel[] = "reduce_splits";
inline constexpr int64_t kSplitReductionThreads = 256;

/// True if blocks may add their sums to C atomically. They may not if there is an epilogue, or C is narrower than the
/// sums, because both need complete sums.
inline bool AllowsAtomics(const MatmulProblem& problem) {
  return problem.epilogue.empty() && problem.TypeOfC() == DataType::kF32;
}
/// Returns the SplitReductions that every family with split-k supports for the problem: all but kOrderedReduction.
std::vector<int64_t> SplitReductions(const MatmulProblem& problem);
/// Returns the values of the parameter `reduction` that a search tries: SplitReductions() and kOrderedReduction.
std::vector<int64_t> ReductionAxis(const MatmulProblem& problem);

/// Returns the values of streamK that a search tries, none above `most`: 1 (no stream-k), and one and two blocks per
/// multiprocessor. Returns only 1 if even with the smallest tiles there are too few k steps to divide.
std::vector<int64_t> StreamAxis(const MatmulProblem& problem, const DeviceInfo& device, int64_t most);

/// Returns how many adjacent elements of C a thread of the reduction kernel sums at once: 1, 2 or 4 (for f64, 1 or 2).
int64_t ReductionWidth(const MatmulProblem& problem);

/// The layout of the workspace of kOrderedReduction: 32-bit counters, which are 0 before the launch, then slots of
/// BlockGrid::AccumulatorsOfTile() accumulators. The kernel chooses the order within a slot.
///
///   split-k:   slot = tile * splitK + split;  counter = tile
///   stream-k:  counter = b, the first block that has steps of the tile; its slot is blocks + b
///              slot = c for each further block c of the tile
///
/// A block of stream-k is the first block of at most one shared tile, and a further block of at most one other. So two
/// slots per block are enough.
struct OrderedReductionWorkspace {
  explicit OrderedReductionWorkspace(const BlockGrid& grid);

  int64_t counters, slots;  ///< Numbers of counters and of slots.
  /// Returns the bytes of the counters, rounded up to the alignment of the slots.
  int64_t CounterBytes() const;
};

/// Returns the bytes of the workspace; 0 if the reduction needs none.
int64_t WorkspaceBytes(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Returns the bytes of global memory that are read and written to store C, including clearing it and partial sums. For
/// kOrderedReduction it is an upper bound: the whole workspace twice. It is a double, because the largest problems
/// exceed 64 bits.
double BytesOfResult(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Returns the cost of the reduction, in addition to that of the main kernel. `storeC` is how many adjacent elements of
/// C a thread stores or adds at once.
ReductionCost CostOfReduction(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction, int64_t storeC);

/// Returns the time that the last block of a tile takes to add all partial sums while the others are done, in multiples
/// of kBlockClocks (time_model.h), the unit of LoopCost::tiles. Returns 0 for every reduction but kOrderedReduction.
double OrderedReductionTiles(const MatmulProblem& problem, const BlockGrid& grid, int64_t reduction);

/// Plans the launches of a matmul: the kernel `kernel`, with `threads` threads and `sharedBytes` of dynamic shared
/// memory per block, and the steps that the reduction needs:
///
///   kAtomicReduction      memset C to 0, then the kernel
///   kWorkspaceReduction   the kernel, then kSplitReductionKernel, which sums and applies the epilogue
///   kOrderedReduction     memset the counters to 0, then the kernel
LaunchPlan PlanMatmul(const MatmulProblem& problem, std::string kernel, const BlockGrid& grid, int64_t threads,
                      int64_t sharedBytes, int64_t reduction);

/// A permutation of the rows of a tile, which avoids bank conflicts when a warp transposes a tile while it copies it to
/// shared memory. Rows are divided into runs of `run` adjacent rows. The order takes `together` runs that are `apart`
/// runs from each other, then the runs that follow each of these, and so on. After period() rows the pattern repeats.
/// All numbers are powers of two; by default rows keep their order.
///
///   run=1 together=2 apart=4:  0 4 1 5 2 6 3 7   8 12 9 13 ...
struct RowOrder {
  int64_t run = 1, together = 1, apart = 1;

  int64_t period() const { return run * together * apart; }
  /// True if rows keep their order.
  bool IsPlain() const { return together == 1 || apart == 1; }
  /// Returns the row at position `number` of the order.
  int64_t RowOf(int64_t number) const {
    int64_t index = number / run % (together * apart);
    return number / period() * period() + (index / together + index % together * apart) * run + number % run;
  }
};

/// The chunks of a tile and the threads that copy them. Chunks are numbered panel by panel, where a panel is `panel`
/// columns of chunks, and row by row within a panel. Thread t copies the chunks t, t + threads, t + 2 * threads and so
/// on.
///
///   rows=4 perRow=4 panel=2:    0  1 |  8  9
///                               2  3 | 10 11
///                               4  5 | 12 13
///                               6  7 | 14 15
struct TileChunks {
  int64_t rows, perRow;  ///< Rows of the tile, and chunks per row.
  int64_t width;         ///< Width of a chunk, in the caller's unit (elements or bytes).
  int64_t threads;
  int64_t panel = perRow;  ///< Chunks of a row that belong to one panel; divides perRow.
  RowOrder order = {};     ///< Order in which rows are numbered.

  /// Returns the number of chunks.
  int64_t count() const { return rows * perRow; }
  /// Returns the largest number of chunks that a thread copies.
  int64_t PerThread() const { return CeilDiv(count(), threads); }
  /// Returns how many threads have a chunk with index `number` (from 0) among their own chunks.
  int64_t ThreadsWith(int64_t number) const { return std::min(threads, count() - number * threads); }
  /// Returns the row of a chunk.
  int64_t RowOf(int64_t chunk) const { return order.RowOf(chunk / panel % rows); }
  /// Returns the column of a chunk.
  int64_t ColumnOf(int64_t chunk) const { return (chunk / panel / rows * panel + chunk % panel) * width; }
  /// Returns the distance in rows from a thread's first chunk to its chunk with index `number`.
  int64_t RowsTo(int64_t number) const { return RowOf(number * threads); }
  /// Returns the distance in columns from a thread's first chunk to its chunk with index `number`.
  int64_t ColumnsTo(int64_t number) const { return ColumnOf(number * threads); }
  /// True if RowsTo() and ColumnsTo() are right for every thread, so that a thread can address its chunks by one
  /// pointer and constant offsets. This holds if all threads together advance by whole rows or panels, or if a row has
  /// several chunks for each thread. If `order` is not plain, they must advance by whole periods or stay within one.
  bool HaveConstantDistance() const {
    if (threads % panel != 0) return order.IsPlain() && panel == perRow && perRow % threads == 0;
    int64_t rowsAtOnce = threads / panel, period = order.period();
    if (!order.IsPlain() && (rows % period != 0 || (rowsAtOnce % period != 0 && period % rowsAtOnce != 0)))
      return false;
    return panel == perRow || rows % rowsAtOnce == 0 || rowsAtOnce % rows == 0;
  }
};

}  // namespace mmtune
