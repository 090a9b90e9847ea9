// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of an `fma` schedule, and what they imply for a problem: tiles, lanes, strides, vector widths, shared
// memory, the cost of its loop. Rules, launch plan and emitter read the same tiling, so they cannot disagree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/warp_request.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The order of a thread's multiply-adds for one k: row by row, or back and forth.
enum FmaOrder : int64_t { kFmaRowByRow = 1, kFmaSerpentine = 2 };

/// The name of the main kernel; part of its code's digest.
inline constexpr char kFmaKernel[] = "gemm_simt";

/// The most blocks of stream-k.
inline constexpr int64_t kFmaMaxStreamK = 1 << 16;

/// The parameters: structure first, those that hardly limit others last.
#define MMTUNE_FMA_PARAMETERS(PARAMETER)                                                                              \
  PARAMETER(bm, "bm", 1, 1, 1024)          /* Rows of C per block. */                                                 \
  PARAMETER(bn, "bn", 1, 1, 1024)          /* Columns of C per block. */                                              \
  PARAMETER(tm, "tm", 1, 1, 64)            /* Rows of C per thread. */                                                \
  PARAMETER(tn, "tn", 1, 1, 64)            /* Columns of C per thread. */                                             \
  PARAMETER(lm, "lm", 1, 1, 32)            /* Lanes of a warp along M; 32/lm along N. */                              \
  PARAMETER(sliceK, "slice_k", 1, 1, 4)    /* Warps that share a warp tile, each with a slice of a tile's k. */       \
  PARAMETER(bk, "bk", 4, 4, 256)           /* k values of a step. */                                                  \
  PARAMETER(splitK, "split_k", 1, 1, 1024) /* Blocks that share a tile of C. */                                       \
  PARAMETER(streamK, "stream_k", 1, 1, kFmaMaxStreamK)  /* Most blocks of stream-k; 1: no stream-k. */                \
  PARAMETER(reduction, "reduction", kNoReduction, 0, 3) /* A SplitReduction. */                                       \
  PARAMETER(kmajorA, "kmajor_a", 0, 0, 1)               /* A's tile in shared memory is [k][m] instead of [m][k]. */  \
  PARAMETER(padA, "pad_a", 0, 0, 64)                    /* Floats added to each row of A's tile. */                   \
  PARAMETER(padB, "pad_b", 0, 0, 64)                    /* Floats added to each row of B's tile. */                   \
  PARAMETER(async, "async", 0, 0, 1)                    /* cp.async instead of loads to registers and stores. */      \
  PARAMETER(stages, "stages", 1, 1, 8)                  /* Tiles in shared memory at once. */                         \
  PARAMETER(unrollK, "unroll_k", 4, 4, 256)             /* k values unrolled in the inner loop. */                    \
  PARAMETER(fragments, "fragments", 1, 1, 2)            /* 2: register double buffering of fragments. */              \
  PARAMETER(minBlocks, "min_blocks", 1, 1, 32)          /* Resident blocks that the registers must allow. */          \
  PARAMETER(groupM, "group_m", 1, 1, 1024)              /* Threadblock swizzle: rows of blocks traversed together. */ \
  PARAMETER(order, "order", kFmaRowByRow, kFmaRowByRow, kFmaSerpentine) /* An FmaOrder. */

struct FmaSchedule : ScheduleValues<FmaSchedule> {
  static constexpr char kFamily[] = "fma";
  MMTUNE_SCHEDULE_PARAMETERS(FmaSchedule, MMTUNE_FMA_PARAMETERS)
};

/// Floats of a row in one sector of global memory. A warp that reads so much of some rows and writes it transposed, to
/// shared memory with rows of 4 floats more than a multiple of 32, is bank-conflict-free.
inline constexpr int64_t kPanelFloats = 8;

/// The tile of one operand, in floats. `outer` is the dimension that is not k. The matrix has a row for each k or for
/// each index of the outer dimension; and so has the tile in shared memory, independently.
struct FmaOperandTile {
  /// `outer` is the block's extent, `matrixOuter` the problem's; `kMajor` and `pad` describe the tile in shared memory.
  FmaOperandTile(bool rowsAreK, bool kMajor, int64_t outer, int64_t pad, int64_t matrixOuter, int64_t matrixK,
                 const FmaSchedule& schedule, const OperandLayout& layout);

  bool rowsAreK;           ///< The matrix has a row for each k.
  bool kMajor;             ///< The tile in shared memory is [k][outer] instead of [outer][k].
  int64_t rows, columns;   ///< Extents of the tile as it lies in the matrix.
  int64_t outer;           ///< Extent of the tile along the outer dimension.
  int64_t matrixStride;    ///< Distance of consecutive rows of the matrix.
  int64_t outerExtent;     ///< Extent of the matrix along the outer dimension; representative if `atRunTime`.
  bool atRunTime = false;  ///< The kernel gets outerExtent when it is launched.
  int64_t stride;          ///< Distance of consecutive rows in shared memory.
  int64_t elements;        ///< Size in shared memory.
  int64_t copyWidth;       ///< Floats that a thread copies from global memory at once.

  /// True if the copy to shared memory transposes.
  bool transposes() const { return rowsAreK != kMajor; }
  /// True if the tile is, or may be, larger than the matrix along the outer dimension; the part beyond is not stored.
  bool IsLarger() const { return atRunTime || outer > outerExtent; }
  /// True if the matrix is no whole number of tiles along the outer dimension. The last tile then begins earlier, to
  /// end with the matrix; rows or columns of C that the tile before has, too, are stored by that one.
  bool Overlaps() const { return !IsLarger() && outerExtent % outer != 0; }
  /// Returns the chunks of each thread. Transposed tiles are copied in panels of kPanelFloats, where threads divide
  /// those evenly, in a bank-conflict-free order of rows, where there is one.
  TileChunks ChunksFor(int64_t threads) const;

 private:
  /// Returns that order for panels of so many chunks of a row.
  RowOrder OrderFor(int64_t panel) const;
};

/// The row and column of a lane among the lanes of its warp.
struct FmaLane {
  int64_t m, n;
};

/// Everything that a schedule implies for a problem. Sizes are in elements unless named bytes.
struct FmaTiling {
  FmaTiling(const MatmulProblem& problem, const FmaSchedule& schedule, RunTimeSizes sizes = {},
            const MatmulLayout& layout = {});

  MatmulProblem problem;
  FmaSchedule schedule;
  RunTimeSizes sizes;
  BlockGrid grid;

  int64_t ln;              ///< Lanes along N.
  int64_t warpM, warpN;    ///< Extents of a warp's tile.
  int64_t warpsM, warpsN;  ///< Warps of a block along M and N, per slice of k.
  int64_t threads;         ///< Threads of a block.
  FmaOperandTile a, b;     ///< In shared memory, B follows A.
  int64_t fragmentM;       ///< Consecutive rows of A that a thread reads at once from a k-major tile.
  int64_t fragmentN;       ///< Consecutive columns of B that a thread reads at once.
  int64_t rowStrideC;      ///< Distance of consecutive rows of C.
  int64_t storeC;          ///< Floats of C stored at once.

  /// True if pairs of lanes share columns: in this order the loads of a quarter warp merge into the fewest wavefronts.
  bool LanesInPairs() const { return schedule.lm >= 2 && ln >= 2; }
  FmaLane LaneAt(int64_t lane) const {
    if (LanesInPairs()) return {lane / (2 * ln) * 2 + lane % 2, lane / 2 % ln};
    return {lane / ln, lane % ln};
  }
  /// True if fragments are double buffered in registers: those of the next k are read ahead, across the barrier too.
  bool PrefetchesFragments() const { return schedule.fragments == 2; }
  int64_t StageElements() const { return a.elements + b.elements; }
  /// Returns the k values of a tile that a thread multiplies.
  int64_t KOfSlice() const { return schedule.bk / schedule.sliceK; }
  int64_t ThreadsOfSlice() const { return threads / schedule.sliceK; }
  /// Returns the vectors of fragmentN contiguous elements in a thread tile of C, numbered row by row. With slices of k,
  /// a thread ends with the complete sums of every sliceK-th vector, from the number of its slice on.
  int64_t VectorsOfC() const { return schedule.tm * schedule.tn / fragmentN; }
  /// Returns the bytes of shared memory for the sums of slices, which reuse the space of the tiles.
  int64_t SliceSumBytes() const { return schedule.sliceK == 1 ? 0 : 4 * schedule.sliceK * schedule.bm * schedule.bn; }
  int64_t SharedBytes() const { return std::max(4 * schedule.stages * StageElements(), SliceSumBytes()); }
  /// Estimates the registers of a thread, so that schedules within the limit do not spill (tests/bench/spill_table).
  int64_t RegisterEstimate() const;
};

/// The rules of validity.
using FmaRules = ConstraintList<FmaSchedule, FmaTiling>;
FmaRules FmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout = {});

/// Returns the rules as a search and Validate() evaluate them, sorted by `ready`.
std::vector<ScheduleConstraint> FmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout = {});

/// Returns the cost of a k step. Its instructions are within about 2% of those in the code of ptxas.
LoopCost FmaLoopCost(const FmaTiling& tiling);

/// Returns the cost without shared memory, and adds that of shared memory. Counting wavefronts takes longest, and
/// schedules that are too slow without them can be rejected before.
LoopCost FmaLoopCostWithoutShared(const FmaTiling& tiling);
void AddSharedMemory(const FmaTiling& tiling, LoopCost& cost);

/// Returns the geometry with FmaLoopCost() and words.
ScheduleGeometry FmaGeometry(const FmaTiling& tiling);

/// Returns the offsets in shared memory at which the lanes of a block's first warp write the first float of their first
/// chunk of an operand's tile.
LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads);

/// Returns one list of schedules for a problem that was not tuned, the fastest by the model first. For each way of
/// sharing tiles of C and each number of slices it improves a few block tiles until no other values of the `axes` help:
/// for the tiles alone, the copies, the splits, or slices, k step and splits together. The first schedule is nearly the
/// family's best (default_schedule_test). Atomics, and loops that may not fit an instruction cache, have to be a little
/// faster.
std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

/// The largest block tile that is useful for a problem.
struct FmaTileLimits {
  explicit FmaTileLimits(const MatmulProblem& problem);
  int64_t bm, bn;
};

}  // namespace mmtune
