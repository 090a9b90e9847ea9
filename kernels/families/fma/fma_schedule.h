// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family `fma`: matmuls of f32 on CUDA cores (FFMA). A block copies tiles of A and B to shared memory, in a
// pipeline of `stages` tiles, and each thread multiplies fragments of them in registers:
//
//   for each k step:  copy tiles A[bm x bk], B[bk x bn] to shared memory
//     for k in the tile:  thread's C[tm x tn] += A[tm] * B[tn]
//
// This header has the parameters of a schedule, and the tiling, which has the sizes that follow from the parameters and
// the problem: tiles, lanes, strides, vector widths, shared memory, registers, cost. Rules, launch plan and emitter all
// use the tiling, so that they agree.
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

/// The order of a thread's multiply-adds for one k: row by row, or back and forth (serpentine), which reads fewer
/// registers.
enum FmaOrder : int64_t { kFmaRowByRow = 1, kFmaSerpentine = 2 };

/// The name of the main kernel. It is part of the compiled code. Records of measurements contain the digest of that
/// code, so changing the name makes them unusable.
inline constexpr char kFmaKernel[] = "gemm_simt";

/// The largest valid number of blocks for stream-k.
inline constexpr int64_t kFmaMaxStreamK = 1 << 16;

/// The parameters: PARAMETER(member, name, default, lowest value, highest value). Parameters whose rules exclude most
/// schedules come first, so that an enumeration can skip them early.
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

/// The parameters of a schedule.
struct FmaSchedule : ScheduleValues<FmaSchedule> {
  static constexpr char kFamily[] = "fma";
  MMTUNE_SCHEDULE_PARAMETERS(FmaSchedule, MMTUNE_FMA_PARAMETERS)
};

/// The number of floats in one sector of global memory (32 bytes). Tiles that are transposed are copied in panels of
/// this many columns. Their writes to shared memory have no bank conflicts if the tile's rows there are 4 floats longer
/// than a multiple of 32.
inline constexpr int64_t kPanelFloats = 8;

/// The tile of one operand, in floats. The outer dimension is the one that is not k: m for A, n for B. The matrix in
/// global memory, and the tile in shared memory, have a row either for each k or for each index of the outer dimension.
/// If the two differ, the copy transposes.
struct FmaOperandTile {
  /// `outer` is the tile's size in the outer dimension, `matrixOuter` the problem's. `kMajor` and `pad` describe the
  /// tile in shared memory.
  FmaOperandTile(bool rowsAreK, bool kMajor, int64_t outer, int64_t pad, int64_t matrixOuter, int64_t matrixK,
                 const FmaSchedule& schedule, const OperandLayout& layout);

  bool rowsAreK;           ///< True if the matrix is stored with a row for each k.
  bool kMajor;             ///< True if the tile in shared memory is [k][outer], not [outer][k].
  int64_t rows, columns;   ///< Size of the tile as stored in the matrix.
  int64_t outer;           ///< Size of the tile in the outer dimension.
  int64_t matrixStride;    ///< Distance of consecutive rows of the matrix.
  int64_t outerExtent;     ///< Size of the matrix in the outer dimension; a representative one if `atRunTime`.
  bool atRunTime = false;  ///< True if the kernel receives outerExtent at launch.
  int64_t stride;          ///< Distance of consecutive rows in shared memory.
  int64_t elements;        ///< Floats of the tile in shared memory, with padding.
  int64_t copyWidth;       ///< Floats that a thread copies from global memory at once.

  /// True if the copy to shared memory transposes.
  bool transposes() const { return rowsAreK != kMajor; }
  /// True if the tile is, or may be, larger than the matrix in the outer dimension. Elements of C outside the matrix
  /// are not stored.
  bool ExceedsMatrix() const { return atRunTime || outer > outerExtent; }
  /// True if the outer dimension of the matrix is not a multiple of the tile. In this case the last tile begins earlier
  /// and overlaps the one before it, so that it ends where the matrix ends. Rows or columns of C that two tiles compute
  /// are stored by the earlier tile.
  bool Overlaps() const { return !ExceedsMatrix() && outerExtent % outer != 0; }
  /// Returns the chunks that the threads copy. A tile that is transposed is copied in panels of kPanelFloats columns,
  /// if the threads can be distributed evenly over a panel. Rows are in an order without bank conflicts, if there is
  /// one.
  TileChunks ChunksFor(int64_t threads) const;

 private:
  /// Returns the order of rows without bank conflicts for panels of `panel` chunks of a row, or the plain order if
  /// there is none.
  RowOrder OrderFor(int64_t panel) const;
};

/// The row and column of a lane in the grid of lm x ln lanes of its warp.
struct FmaLane {
  int64_t m, n;
};

/// The tiling of a schedule for a problem. Sizes are in elements, except those with "bytes" in their names.
struct FmaTiling {
  FmaTiling(const MatmulProblem& problem, const FmaSchedule& schedule, RunTimeSizes sizes = {},
            const MatmulLayout& layout = {});

  MatmulProblem problem;
  FmaSchedule schedule;
  RunTimeSizes sizes;
  BlockGrid grid;

  int64_t ln;              ///< Lanes of a warp along N.
  int64_t warpM, warpN;    ///< Size of a warp's tile of C.
  int64_t warpsM, warpsN;  ///< Warps of a block along M and N, per slice of k.
  int64_t threads;         ///< Threads of a block.
  FmaOperandTile a, b;     ///< The tiles of A and B. In shared memory, that of B follows that of A.
  int64_t fragmentM;       ///< Adjacent rows of A that a thread reads at once, from a k-major tile.
  int64_t fragmentN;       ///< Adjacent columns of B that a thread reads at once.
  int64_t rowStrideC;      ///< Distance of consecutive rows of C.
  int64_t storeC;          ///< Floats of C that a thread stores at once.

  /// True if lanes 2i and 2i+1 have the same columns. With this order of lanes, the loads of a quarter warp are merged
  /// into the fewest wavefronts.
  bool LanesInPairs() const { return schedule.lm >= 2 && ln >= 2; }
  /// Returns the row and column of a lane.
  FmaLane LaneAt(int64_t lane) const {
    if (LanesInPairs()) return {lane / (2 * ln) * 2 + lane % 2, lane / 2 % ln};
    return {lane / ln, lane % ln};
  }
  /// True if fragments are double buffered in registers: those of the next k are loaded before the current ones are
  /// multiplied, even if the next k is in the next tile, after the barrier.
  bool PrefetchesFragments() const { return schedule.fragments == 2; }
  /// Returns the elements of shared memory per pipeline stage.
  int64_t StageElements() const { return a.elements + b.elements; }
  /// Returns the number of k values of a tile that a thread multiplies.
  int64_t KOfSlice() const { return schedule.bk / schedule.sliceK; }
  /// Returns the number of threads that multiply the same slice of k.
  int64_t ThreadsOfSlice() const { return threads / schedule.sliceK; }
  /// Returns the number of vectors of fragmentN adjacent elements in a thread's tile of C. They are numbered row by
  /// row. With slices of k, a thread ends with the complete sums of every sliceK-th vector, beginning with the one
  /// whose index is that of its slice.
  int64_t VectorsOfC() const { return schedule.tm * schedule.tn / fragmentN; }
  /// Returns the bytes of shared memory for adding slices of k. They reuse the space of the tiles.
  int64_t SliceSumBytes() const { return schedule.sliceK == 1 ? 0 : 4 * schedule.sliceK * schedule.bm * schedule.bn; }
  /// Returns the shared memory of a block.
  int64_t SharedBytes() const { return std::max(4 * schedule.stages * StageElements(), SliceSumBytes()); }
  /// Returns an estimate of the registers per thread. It is so high that schedules whose estimate is within the limit
  /// do not spill; tests/bench/spill_table compares it with ptxas.
  int64_t RegisterEstimate() const;
};

/// The validity rules of the family.
using FmaRules = ConstraintList<FmaSchedule, FmaTiling>;
FmaRules FmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout = {});

/// Returns the rules in the form that a search and Validate() evaluate. Those that need the fewest leading parameters
/// come first (ScheduleConstraint::ready), so that an enumeration rejects early.
std::vector<ScheduleConstraint> FmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout = {});

/// Returns the cost of a k step. Its instruction count is within about 2% of the code that ptxas generates.
LoopCost FmaLoopCost(const FmaTiling& tiling);

/// Returns FmaLoopCost() without the wavefronts of shared memory; AddSharedMemory() adds them. Counting wavefronts
/// takes most of the time, so schedules that are too slow even without them are rejected first.
LoopCost FmaLoopCostWithoutShared(const FmaTiling& tiling);
/// Adds the wavefronts of shared memory to a cost of FmaLoopCostWithoutShared().
void AddSharedMemory(const FmaTiling& tiling, LoopCost& cost);

/// Returns the geometry of a schedule for the time model: blocks, threads, resources, the cost of a k step
/// (FmaLoopCost), and labels for tables.
ScheduleGeometry FmaGeometry(const FmaTiling& tiling);

/// Returns, for each lane of a block's first warp, the offset in shared memory at which it writes the first float of
/// its first chunk.
LaneOffsets FmaCopyOffsets(const FmaOperandTile& tile, int64_t threads);

/// Returns schedules for a problem that was not tuned, in one list: the fastest by the time model first. `axes` has the
/// values to try of each parameter. The search is hill climbing: it starts from a few block tiles without splits, with
/// split-k and with stream-k, for each number of slices. It changes the tile, the parameters of copies, the splits, or
/// several of these, until nothing improves. The first schedule is nearly the best of the family by the model
/// (default_schedule_test). Schedules with atomics, and with loops that may exceed the instruction cache, have a small
/// penalty.
std::vector<ByPreference<Schedule>> FmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

/// The largest block tile that is useful for a problem.
struct FmaTileLimits {
  explicit FmaTileLimits(const MatmulProblem& problem);
  int64_t bm, bn;
};

}  // namespace mmtune
