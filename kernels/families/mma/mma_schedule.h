// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of an `mma` schedule, and what they imply for a problem: tiles, warps, layouts in shared memory,
// widths of copies, split precision. Rules, launch plan and emitter read the same tiling, so they cannot disagree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/schedule_fields.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// A product of the terms `a` of A and `b` of B.
struct TermPair {
  int a, b;
};

/// The numbers that tensor cores multiply in place of f32 elements (3xTF32, BF16x6), or the elements themselves. An
/// element is the sum of `count` terms of `type`: the first is the element rounded to it, each further one the rounded
/// rest. A * B is approximated by the sum of `products`, in order from small to large, because tensor cores align
/// addends to the largest and truncate them.
struct SplitPrecision {
  DataType type;  ///< Type that instructions multiply; f32 stands for tf32.
  int64_t count;  ///< Terms of an element.
  std::span<const TermPair> products;

  /// True if elements have several terms. Then the products of each instruction's k are accumulated anew, and added to
  /// the sums before in f32, rounded to nearest, because tensor cores would truncate the long sums.
  bool IsSplit() const { return count > 1; }
};

/// Returns the split precision of a problem for tensor cores.
inline SplitPrecision SplitPrecisionOf(const MatmulProblem& problem) {
  // The error of a product is at most 2^-21 for tf32x3 (low * low, and the rest beyond two terms), 2^-24 for bf16x6.
  static constexpr TermPair kWhole[] = {{0, 0}};
  static constexpr TermPair kTf32x3[] = {{0, 1}, {1, 0}, {0, 0}};
  static constexpr TermPair kBf16x6[] = {{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};
  switch (problem.math) {
    case MathMode::kTf32x3:
      return {DataType::kF32, 2, kTf32x3};
    case MathMode::kBf16x6:
      return {DataType::kBf16, 3, kBf16x6};
    case MathMode::kIeee:
    case MathMode::kTf32:
      break;
  }
  return {problem.dtype, 1, kWhole};
}

/// The name of the main kernel.
inline constexpr char kMmaKernel[] = "gemm_mma";

/// The most blocks of stream-k.
inline constexpr int64_t kMmaMaxStreamK = 1 << 16;

/// The parameters: structure first, those that hardly limit others last.
#define MMTUNE_MMA_PARAMETERS(PARAMETER)                                                                              \
  PARAMETER(bm, "bm", 16, 16, 256)         /* Rows of C per block. */                                                 \
  PARAMETER(bn, "bn", 8, 8, 256)           /* Columns of C per block. */                                              \
  PARAMETER(wm, "wm", 16, 16, 128)         /* Rows of C per warp. */                                                  \
  PARAMETER(wn, "wn", 8, 8, 128)           /* Columns of C per warp. */                                               \
  PARAMETER(sliceK, "slice_k", 1, 1, 4)    /* Warps that share a warp tile, each with a slice of a tile's k. */       \
  PARAMETER(bk, "bk", 16, 8, 256)          /* k values of a step. */                                                  \
  PARAMETER(splitK, "split_k", 1, 1, 1024) /* Blocks that share a tile of C. */                                       \
  PARAMETER(streamK, "stream_k", 1, 1, kMmaMaxStreamK)  /* Most blocks of stream-k; 1: no stream-k. */                \
  PARAMETER(reduction, "reduction", kNoReduction, 0, 3) /* A SplitReduction. */                                       \
  PARAMETER(async, "async", 1, 0, 1)                    /* cp.async and sm_80; 0: sm_75, copies through registers. */ \
  PARAMETER(stages, "stages", 2, 1, 8)                  /* Tiles in shared memory at once. */                         \
  PARAMETER(prefetch, "prefetch", 0, 0, 1)     /* Read fragments one instruction ahead, across the barrier. */        \
  PARAMETER(minBlocks, "min_blocks", 1, 1, 32) /* Resident blocks that the registers must allow. */                   \
  PARAMETER(groupM, "group_m", 1, 1, 1024)     /* Threadblock swizzle: rows of blocks traversed together. */

struct MmaSchedule : ScheduleValues<MmaSchedule> {
  static constexpr char kFamily[] = "mma";
  MMTUNE_SCHEDULE_PARAMETERS(MmaSchedule, MMTUNE_MMA_PARAMETERS)
};

/// The tile of one operand in shared memory. It has the rows of the matrix, dense, with the bytes of a row permuted so
/// that eight lanes that read neighbouring rows, or a warp that reads a fragment, are bank-conflict-free: byte x of row
/// r lies at x ^ unit * (r / rowsPerPermutation % permutations).
struct MmaOperandTile {
  /// `outer` is the block's extent that is not k, `matrixOuter` the problem's; the matrix is stored row by row, a row
  /// for each k or for each of the others.
  MmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t matrixOuter, int64_t matrixK, int64_t elementBytes,
                 bool async, const OperandLayout& layout);

  bool rowsAreK, async;
  int64_t elementBytes;
  int64_t rows, rowBytes;
  int64_t matrixRowBytes;     ///< Distance of consecutive rows of the matrix.
  bool outerRagged, kRagged;  ///< True if tiles extend, or may extend, beyond the matrix.
  int64_t copyBytes;          ///< Bytes read at once, by the alignment of rows: 16, 8 or 4 by cp.async, 2 or 1.
  int64_t unit;               ///< Bytes that stay together: 16, or 32 where single elements are read along a row.
  int64_t permutations, rowsPerPermutation;

  int64_t bytes() const { return rows * rowBytes; }
  /// True for cp.async; else copies pass through registers.
  bool IsAsync() const { return async && copyBytes >= 4; }
  int64_t ChunkBytes() const { return std::max<int64_t>(copyBytes, 4); }
  /// Returns the reads of global memory for a chunk.
  int64_t ReadsPerChunk() const { return ChunkBytes() / copyBytes; }
  /// Returns the chunks of each thread; their width is in bytes.
  TileChunks ChunksFor(int64_t threads) const { return {rows, rowBytes / ChunkBytes(), ChunkBytes(), threads}; }
  /// Returns the rows after which the permutation repeats.
  int64_t period() const { return permutations * rowsPerPermutation; }

  /// True if 8-bit elements are transposed on the way to fragments. ldmatrix.trans transposes pairs of bytes: a lane
  /// gets two k of two neighbours, and with another read four k of them, of which it makes a word each. The two
  /// neighbours are rows of A of one instruction, or columns of B of two instructions, in another order than usual. The
  /// two reads take rows of k in the order in which the tile keeps every 16 of them: 0, 1, 4, 5, 8, 9, 12, 13, then
  /// each plus 2.
  bool TransposesBytes() const { return rowsAreK && elementBytes == 1; }
  /// Returns the k, relative to the tile, of a row of a tile whose rows are k. It is linear in the sum of two rows
  /// where one is less than a power of two that divides the other one, or 16 divides one of them.
  int64_t KOfRow(int64_t row) const {
    return TransposesBytes() ? row - row % 16 + row % 8 / 2 * 4 + row % 16 / 8 * 2 + row % 2 : row;
  }
};

/// Everything that a schedule implies for a problem. Sizes are in elements unless named bytes.
struct MmaTiling {
  MmaTiling(const MatmulProblem& problem, const MmaSchedule& schedule, RunTimeSizes sizes = {},
            const MatmulLayout& layout = {});

  MatmulProblem problem;
  MmaSchedule schedule;
  RunTimeSizes sizes;
  BlockGrid grid;
  SplitPrecision split;

  int64_t warpsM, warpsN;   ///< Warp tiles of a block, each of sliceK warps.
  int64_t threads;          ///< Threads of a block.
  int64_t loadK;            ///< k values of a fragment as it is loaded: 32 bytes of a row.
  int64_t fragmentK;        ///< k values of an instruction: of one such fragment, or of more where terms are narrower.
  int64_t stepsK;           ///< Instructions along k in a warp's slice of a tile.
  int64_t rowsM, columnsN;  ///< Instructions along M (16 rows each) and N (8 columns each) in a warp tile.
  MmaOperandTile a, b;

  // Finished rows of C pass through shared memory, 16 at a time for each warp, to be stored in wide vectors; those of
  // slices are summed on the way.
  int64_t rowStrideC;  ///< Distance of consecutive rows of C.
  int64_t storeC;      ///< Elements of C that are stored at once.
  int64_t stagePitch;  ///< Distance of consecutive rows of these 16, in sums, bank-conflict-free.

  int64_t WarpTiles() const { return warpsM * warpsN; }
  int64_t StageBytes() const { return a.bytes() + b.bytes(); }
  int64_t SumBytes() const { return DataTypeBytes(problem.AccumulatorType()); }
  int64_t ResultBytesPerWarp() const { return 16 * stagePitch * SumBytes(); }
  int64_t SharedBytes() const;
  /// Returns the loaded fragments of one instruction.
  int64_t LoadsPerStep() const { return fragmentK / loadK; }
  /// Returns the bytes of a word of a fragment: 4, or an element of f64.
  int64_t WordBytes() const { return std::max<int64_t>(4, a.elementBytes); }
  /// Return the words of A or B that a thread has for an instruction's k.
  int64_t WordsA() const { return 16 / WordBytes() * rowsM * LoadsPerStep(); }
  int64_t WordsB() const { return 8 / WordBytes() * columnsN * LoadsPerStep(); }
  /// Returns how many instructions compute 16 x 8 elements for fragmentK: two for f64 (8 x 8) and on sm_75 (half the
  /// k).
  int64_t InstructionsEach() const { return a.elementBytes == 8 || schedule.async == 0 ? 2 : 1; }
  /// Returns the mma.sync in the body of the loop over k.
  int64_t instructions() const {
    return InstructionsEach() * rowsM * columnsN * stepsK * static_cast<int64_t>(split.products.size());
  }
  /// Returns how many addresses of shared memory a thread needs for the tiles of A and B, because the permutation makes
  /// them differ by more than a constant.
  int64_t PermutedAddresses() const;
  /// Estimates the registers of a thread, so that schedules within the limit do not spill (tests/bench/spill_table).
  int64_t RegisterEstimate() const;
  /// Returns the cost of a k step, for time_model.h; instructions and wavefronts are approximate.
  LoopCost Cost() const;
};

/// The rules of validity.
using MmaRules = ConstraintList<MmaSchedule, MmaTiling>;
MmaRules MmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout = {});

/// Returns the rules as a search and Validate() evaluate them, sorted by `ready`.
std::vector<ScheduleConstraint> MmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout = {});

/// Returns one list of schedules for a problem that was not tuned, the fastest by the model first. For each way of
/// sharing tiles of C it has the most promising tiles, each with the best of all pipelines in the `axes`; the first of
/// them are improved until no other tile, sharing or pipeline helps. The first schedule is nearly the family's best
/// (default_schedule_test).
std::vector<ByPreference<Schedule>> MmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

}  // namespace mmtune
