// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The family `mma`: matmuls on tensor cores by mma.sync. A block copies tiles of A and B to shared memory, in a
// pipeline of `stages` tiles. Each warp loads fragments by ldmatrix and computes a tile of wm x wn elements of C,
// 16 x 8 per instruction:
//
//   for each k step:  copy tiles A[bm x bk], B[bk x bn] to shared memory
//     for each instruction's k in the tile:  warp's C[wm x wn] += A[wm] * B[wn]
//
// This header has the parameters of a schedule, the tiling, which has the sizes that follow from the parameters and the
// problem, the layout of tiles in shared memory, and split precision. Rules, launch plan and emitter all use the
// tiling, so that they agree.
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

/// The product of term `a` of A and term `b` of B.
struct TermPair {
  int a, b;
};

/// How f32 elements are represented by narrower numbers that tensor cores multiply (3xTF32, BF16x6). An element is
/// represented as the sum of `count` terms of `type`: the first term is the element rounded to `type`, and each further
/// term is the rounded remainder. The product of an element of A and one of B is approximated by the sum of the
/// products of terms that `products` lists. These are added from small to large, because tensor cores align addends to
/// the largest one and truncate them. If `count` is 1, elements are multiplied as they are.
///
///   bf16x6:  x = x0 + x1 + x2;   x * y ~ x0*y2 + x1*y1 + x2*y0 + x0*y1 + x1*y0 + x0*y0
struct SplitPrecision {
  DataType type;  ///< Type that instructions multiply; f32 stands for tf32.
  int64_t count;  ///< Terms per element.
  std::span<const TermPair> products;

  /// True if elements have several terms. In that case each instruction starts from zero, and its result is added to
  /// the accumulators on CUDA cores in f32, rounded to nearest, because tensor cores would truncate long sums.
  bool IsSplit() const { return count > 1; }
};

/// Returns the split precision that the problem's math mode asks for.
inline SplitPrecision SplitPrecisionOf(const MatmulProblem& problem) {
  // The relative error of a product is at most 2^-21 for tf32x3 (from the omitted product of the low terms, and from
  // the remainder after two terms), and 2^-24 for bf16x6.
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

/// The name of the main kernel. It is part of the compiled code. Records of measurements contain the digest of that
/// code, so changing the name makes them unusable.
inline constexpr char kMmaKernel[] = "gemm_mma";

/// The largest valid number of blocks for stream-k.
inline constexpr int64_t kMmaMaxStreamK = 1 << 16;

/// The parameters: PARAMETER(member, name, default, lowest value, highest value). Parameters whose rules exclude most
/// schedules come first, so that an enumeration can skip them early.
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

/// The parameters of a schedule.
struct MmaSchedule : ScheduleValues<MmaSchedule> {
  static constexpr char kFamily[] = "mma";
  MMTUNE_SCHEDULE_PARAMETERS(MmaSchedule, MMTUNE_MMA_PARAMETERS)
};

/// The tile of one operand in shared memory. It has the rows of the matrix without padding, but the bytes within a row
/// are permuted (swizzled). Byte x of row r is stored at
///
///   x ^ (unit * (r / rowsPerPermutation % permutations))
///
/// With this permutation there are no bank conflicts when eight lanes read adjacent rows, or when a warp reads a
/// fragment.
struct MmaOperandTile {
  /// `outer` is the block's size in the dimension that is not k, `matrixOuter` the problem's. The matrix is stored row
  /// by row, with a row for each k (`rowsAreK`) or for each index of the other dimension.
  MmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t matrixOuter, int64_t matrixK, int64_t elementBytes,
                 bool async, const OperandLayout& layout);

  bool rowsAreK;  ///< True if the matrix is stored with a row for each k.
  bool async;     ///< True if the schedule asks for cp.async.
  int64_t elementBytes;
  int64_t rows, rowBytes;  ///< Rows of the tile, and bytes of a row.
  int64_t matrixRowBytes;  ///< Distance of consecutive rows of the matrix.
  /// True if tiles extend, or may extend, beyond the end of the matrix, in the outer dimension or along k.
  bool outerRagged, kRagged;
  int64_t copyBytes;  ///< Bytes read at once, limited by the alignment of rows: 16, 8 or 4 by cp.async; 2 or 1.
  int64_t unit;       ///< Bytes that the permutation keeps together: 16, or 32 if single elements are read along a row.
  int64_t permutations;        ///< Number of different permutations of a row.
  int64_t rowsPerPermutation;  ///< Consecutive rows with the same permutation.

  /// Returns the bytes of the tile.
  int64_t bytes() const { return rows * rowBytes; }
  /// True if tiles are copied by cp.async; otherwise they pass through registers.
  bool IsAsync() const { return async && copyBytes >= 4; }
  /// Returns the bytes that a thread writes to shared memory at once.
  int64_t ChunkBytes() const { return std::max<int64_t>(copyBytes, 4); }
  /// Returns how many reads of global memory a chunk takes.
  int64_t ReadsPerChunk() const { return ChunkBytes() / copyBytes; }
  /// Returns the chunks that the threads copy; their width is in bytes.
  TileChunks ChunksFor(int64_t threads) const { return {rows, rowBytes / ChunkBytes(), ChunkBytes(), threads}; }
  /// Returns the number of rows after which the permutation repeats.
  int64_t period() const { return permutations * rowsPerPermutation; }

  /// True if 8-bit elements are transposed between shared memory and fragments. ldmatrix.trans transposes pairs of
  /// bytes: a lane gets the elements of two values of k for two neighbours (adjacent rows of A or columns of B). A
  /// second ldmatrix loads two more values of k. Byte permutations then make, for each neighbour, a word with its
  /// elements of four values of k. Compared with the usual layout, rows of A (within one instruction) and columns of B
  /// (of two instructions) have another order.
  ///
  /// For these two loads, the tile stores every 16 values of k in the order 0, 1, 4, 5, 8, 9, 12, 13, then each of
  /// these plus 2.
  bool TransposesBytes() const { return rowsAreK && elementBytes == 1; }
  /// Returns the k, relative to the tile, that a row of the tile has, if rows are values of k. KOfRow(x + y) =
  /// KOfRow(x) + KOfRow(y) holds if 16 divides x or y, or if one is less than a power of two that divides the other.
  int64_t KOfRow(int64_t row) const {
    return TransposesBytes() ? row - row % 16 + row % 8 / 2 * 4 + row % 16 / 8 * 2 + row % 2 : row;
  }
};

/// The tiling of a schedule for a problem. Sizes are in elements, except those with "bytes" in their names.
struct MmaTiling {
  MmaTiling(const MatmulProblem& problem, const MmaSchedule& schedule, RunTimeSizes sizes = {},
            const MatmulLayout& layout = {});

  MatmulProblem problem;
  MmaSchedule schedule;
  RunTimeSizes sizes;
  BlockGrid grid;
  SplitPrecision split;

  int64_t warpsM, warpsN;  ///< Warp tiles of a block along M and N; each has sliceK warps.
  int64_t threads;         ///< Threads of a block.
  int64_t loadK;           ///< The number of k values of a fragment as loaded: 32 bytes of a row.
  /// The number of k values of an instruction: those of one loaded fragment, or of several if terms are narrower than
  /// elements.
  int64_t fragmentK;
  int64_t stepsK;           ///< Instructions along k in a warp's slice of a tile.
  int64_t rowsM, columnsN;  ///< Instructions along M (16 rows each) and N (8 columns each) in a warp tile.
  MmaOperandTile a, b;

  // A warp's result passes through shared memory, 16 rows at a time, so that it can be stored in wide vectors. Slices
  // of k are added when it is read back.
  int64_t rowStrideC;  ///< Distance of consecutive rows of C.
  int64_t storeC;      ///< Elements of C that a thread stores at once.
  int64_t stagePitch;  ///< Distance of these 16 rows in shared memory, in accumulators, without bank conflicts.

  /// Returns the warp tiles of a block.
  int64_t WarpTiles() const { return warpsM * warpsN; }
  /// Returns the bytes of shared memory per pipeline stage.
  int64_t StageBytes() const { return a.bytes() + b.bytes(); }
  /// Returns the bytes of an accumulator.
  int64_t SumBytes() const { return DataTypeBytes(problem.AccumulatorType()); }
  /// Returns the bytes of shared memory through which a warp's result passes.
  int64_t ResultBytesPerWarp() const { return 16 * stagePitch * SumBytes(); }
  /// Returns the shared memory of a block.
  int64_t SharedBytes() const;
  /// Returns the number of loaded fragments that an instruction's k needs.
  int64_t LoadsPerStep() const { return fragmentK / loadK; }
  /// Returns the bytes of a word of a fragment: 4, or those of an f64.
  int64_t WordBytes() const { return std::max<int64_t>(4, a.elementBytes); }
  /// Returns the words of A that a thread has for an instruction's k.
  int64_t WordsA() const { return 16 / WordBytes() * rowsM * LoadsPerStep(); }
  /// Returns the words of B that a thread has for an instruction's k.
  int64_t WordsB() const { return 8 / WordBytes() * columnsN * LoadsPerStep(); }
  /// Returns how many instructions compute 16 x 8 elements for fragmentK values of k. There are two for f64, whose
  /// instructions have 8 rows, and on sm_75, whose instructions have half the k.
  int64_t InstructionsEach() const { return a.elementBytes == 8 || schedule.async == 0 ? 2 : 1; }
  /// Returns the number of mma.sync in the body of the loop over k.
  int64_t instructions() const {
    return InstructionsEach() * rowsM * columnsN * stepsK * static_cast<int64_t>(split.products.size());
  }
  /// Returns how many addresses of shared memory a thread keeps for the tiles of A and B. There are several, because
  /// the permutation makes them differ by more than a constant.
  int64_t PermutedAddresses() const;
  /// Returns an estimate of the registers per thread. It is so high that schedules whose estimate is within the limit
  /// do not spill; tests/bench/spill_table compares it with ptxas.
  int64_t RegisterEstimate() const;
  /// Returns the cost of a k step, for time_model.h. Instructions and wavefronts are approximate.
  LoopCost Cost() const;
};

/// The validity rules of the family.
using MmaRules = ConstraintList<MmaSchedule, MmaTiling>;
MmaRules MmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout = {});

/// Returns the rules in the form that a search and Validate() evaluate. Those that need the fewest leading parameters
/// come first (ScheduleConstraint::ready), so that an enumeration rejects early.
std::vector<ScheduleConstraint> MmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout = {});

/// Returns schedules for a problem that was not tuned, in one list: the fastest by the time model first. `axes` has the
/// values to try of each parameter. The search takes the most promising tiles without splits, with split-k and with
/// stream-k, and for each of them the best pipeline (k step, stages, slices of k, prefetch). It then improves the best
/// of these schedules until no other tile, split or pipeline is faster. The first schedule is nearly the best of the
/// family by the model (default_schedule_test).
std::vector<ByPreference<Schedule>> MmaDefaultSchedules(const MatmulProblem& problem, const DeviceInfo& device,
                                                        const std::vector<ScheduleParameter>& axes);

}  // namespace mmtune
