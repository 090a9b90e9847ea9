// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an `mma` kernel gives its instructions in place of the elements of a problem: the elements themselves, or, where
// f32 has to stay as accurate as it is, a few narrower numbers that add up to them.
//
// The values of an `mma` schedule and the geometry they give a problem: tiles, warps, layouts in shared memory, widths
// of copies. Read by the space, the launch plan and the emitter, so that the three cannot disagree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/schedule_fields.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The product of one plane of A and one of B.
struct TermPair {
  int a, b;
};

/// An operand is the sum of its planes: the first is the element, rounded to `type`, each further one what the planes
/// before leave of it, rounded to `type`. A * B is taken to be the sum of `products`, which are in the order from small
/// to large: tensor cores align addends to the largest and truncate them.
struct SplitPrecision {
  DataType type;  ///< Of what instructions multiply; f32 as tf32.
  int64_t count;  ///< For each operand.
  std::span<const TermPair> products;

  /// Sums of the products of a split element are begun anew for each instruction's k and then added to those before in
  /// f32, rounded to the nearest: tensor cores would truncate the long sums.
  bool AreSplit() const { return count > 1; }
};

/// The planes of a problem that tensor cores multiply.
inline SplitPrecision SplitPrecisionOf(const MatmulProblem& problem) {
  // Left out is at most 2^-21 of a product by tf32x3 (lo * lo, and what two planes do not hold), 2^-24 by bf16x6.
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


/// The parameters in the order in which constraints count them: structure first, nearly free last.
enum MmaParameter : size_t {
  kMmaBm,
  kMmaBn,
  kMmaWm,
  kMmaWn,
  kMmaSliceK,
  kMmaBk,
  kMmaSplitK,
  kMmaStreamK,
  kMmaReduction,
  kMmaAsync,
  kMmaStages,
  kMmaPrefetch,
  kMmaMinBlocks,
  kMmaGroupM,
  kMmaParameterCount,
};

/// The product's kernel.
inline constexpr char kMmaKernel[] = "gemm_mma";

/// Plain values; fields not set hold a harmless default.
struct MmaSchedule : ScheduleValues<MmaSchedule> {
  static constexpr char kFamily[] = "mma";
  static constexpr int64_t kMostStreamK = 1 << 16;
  static std::span<const ScheduleField<MmaSchedule>> fields();

  int64_t bm = 16, bn = 8;  ///< Block tile.
  int64_t wm = 16, wn = 8;  ///< Warp tile.
  int64_t sliceK = 1;       ///< Warps that share a warp tile, each with a slice of every tile's k.
  int64_t bk = 16;          ///< k step.
  int64_t splitK = 1;
  int64_t streamK = 1;               ///< Most blocks that share the k steps of all tiles evenly; 1 for none.
  int64_t reduction = kNoReduction;  ///< A SplitReduction.
  int64_t async = 1;                 ///< By cp.async and instructions of sm_80; 0: of sm_75, copies through registers.
  int64_t stages = 2;                ///< Tiles in shared memory at once.
  int64_t prefetch = 0;              ///< Fragments are read one instruction's k ahead, across the barrier.
  int64_t minBlocks = 1;             ///< Resident blocks the registers must allow.
  int64_t groupM = 1;                ///< Rows of blocks walked together, for L2; 1 is row by row.
};

/// The tile of one operand in shared memory. It has the rows of the matrix, dense, with the bytes of a row permuted so
/// that eight lanes that read neighbouring rows, or a warp that reads a fragment, meet every bank once: byte x of row r
/// lies at x ^ unit * (r / rowsPerTurn % turns).
struct MmaOperandTile {
  /// `outer` is the block's extent that is not k, `matrixOuter` the problem's; the matrix is stored row by row, a row
  /// for each k or for each of the others.
  MmaOperandTile(bool rowsAreK, int64_t outer, int64_t bk, int64_t matrixOuter, int64_t matrixK, int64_t elementBytes,
                 bool async, const OperandLayout& layout);

  bool rowsAreK, async;
  int64_t elementBytes;
  int64_t rows, rowBytes;
  int64_t matrixRowBytes;     ///< From a row of the matrix to the next one.
  bool outerRagged, kRagged;  ///< Whether tiles reach, or may, beyond the matrix.
  int64_t copyBytes;          ///< What the rows' alignment allows to read at once: 16, 8 or 4 by cp.async, 2 or 1.
  int64_t unit;               ///< Bytes that stay together: 16, or 32 where single elements are read along a row.
  int64_t turns, rowsPerTurn;

  int64_t bytes() const { return rows * rowBytes; }
  /// By cp.async; else through registers.
  bool IsAsync() const { return async && copyBytes >= 4; }
  int64_t PieceBytes() const { return std::max<int64_t>(copyBytes, 4); }
  /// Reads of a piece.
  int64_t ReadsPerPiece() const { return PieceBytes() / copyBytes; }
  /// Their width is in bytes.
  TileChunks ChunksFor(int64_t threads) const { return {rows, rowBytes / PieceBytes(), PieceBytes(), threads}; }
  /// Rows after which the permutation repeats.
  int64_t period() const { return turns * rowsPerTurn; }

  /// Whether 8-bit elements are to be transposed on the way to fragments. ldmatrix.trans does so with pairs of bytes:
  /// a lane gets two k of two neighbours, and with another read four k of them, of which it makes a word each. These
  /// neighbours are two rows of A of an instruction, or columns of B of two: they stand for other ones than usual. And
  /// the two reads are of rows of k in this order, in which the tile keeps every 16 of them: 0, 1, 4, 5, 8, 9, 12, 13,
  /// then each plus 2.
  bool TransposesBytes() const { return rowsAreK && elementBytes == 1; }
  /// The k, from the tile's first on, of a row of a tile of which rows are k. That of the sum of two rows is the sum of
  /// theirs, where one is less than a power of two of which the other is a multiple, or the other one of 16.
  int64_t KOfRow(int64_t row) const {
    return TransposesBytes() ? row - row % 16 + row % 8 / 2 * 4 + row % 16 / 8 * 2 + row % 2 : row;
  }
};

/// Everything a schedule implies for a problem. Sizes in elements unless named bytes.
struct MmaTiling {
  MmaTiling(const MatmulProblem& problem, const MmaSchedule& schedule, RunTimeSizes sizes = {},
            const MatmulLayout& layout = {});

  MatmulProblem problem;
  MmaSchedule schedule;
  RunTimeSizes sizes;
  BlockGrid grid;
  SplitPrecision planes;

  int64_t warpsM, warpsN;  ///< Warp tiles of a block: it has sliceK warps for each.
  int64_t threads;         ///< Of a block.
  int64_t loadK;           ///< k values of a fragment as it is read: 32 bytes of a row.
  int64_t fragmentK;       ///< k values of one instruction: of one such fragment, or of more where planes are narrower.
  int64_t stepsK;          ///< Instructions along k in a warp's slice of a tile.
  int64_t rowsM, columnsN;  ///< Instructions along M (16 rows each) and N (8 columns each) in a warp tile.
  MmaOperandTile a, b;

  // Finished rows of C pass through shared memory, 16 at a time for each warp, to be stored in wide pieces; those of
  // slices are summed on the way.
  int64_t rowStrideC;  ///< Elements from a row of C to the next one.
  int64_t storeC;      ///< Elements of C stored at once.
  int64_t stagePitch;  ///< Sums from one of the 16 rows to the next: no bank conflicts.

  int64_t WarpTiles() const { return warpsM * warpsN; }
  int64_t StageBytes() const { return a.bytes() + b.bytes(); }
  int64_t SumBytes() const { return DataTypeBytes(problem.AccumulatorType()); }
  int64_t ResultBytesPerWarp() const { return 16 * stagePitch * SumBytes(); }
  int64_t SharedBytes() const;
  /// Fragments, as they are read, of one instruction.
  int64_t LoadsPerStep() const { return fragmentK / loadK; }
  /// Bytes of a word of a fragment: 4, or an element of f64.
  int64_t WordBytes() const { return std::max<int64_t>(4, a.elementBytes); }
  /// Words of A that a thread has of an instruction's k, and of B.
  int64_t WordsA() const { return 16 / WordBytes() * rowsM * LoadsPerStep(); }
  int64_t WordsB() const { return 8 / WordBytes() * columnsN * LoadsPerStep(); }
  /// How many take the place of one of 16 x 8 and fragmentK: of f64 those of 8 x 8, of sm_75 those of half its k.
  int64_t InstructionsEach() const { return a.elementBytes == 8 || schedule.async == 0 ? 2 : 1; }
  /// Instructions that multiply in the body of the loop over k.
  int64_t instructions() const {
    return InstructionsEach() * rowsM * columnsN * stepsK * static_cast<int64_t>(planes.products.size());
  }
  /// Addresses of shared memory that a thread has for a tile of A and one of B, as the permutation makes them differ by
  /// more than a constant.
  int64_t PermutedAddresses() const;
  /// Registers of a thread, chosen so that schedules within the limit do not spill
  /// (tests/bench/spill_table measures it).
  int64_t RegisterEstimate() const;
  /// For time_model.h, counted roughly: instructions and wavefronts of shared memory.
  LoopCost Cost() const;
};

/// The validity of schedules: the one list.
using MmaRules = ConstraintList<MmaSchedule, MmaTiling>;
MmaRules MmaRulesOf(const MatmulProblem& problem, const DeviceInfo& device, const MatmulLayout& layout = {});

/// As search prunes with it and Validate() applies it, sorted by `ready`.
std::vector<ScheduleConstraint> MmaConstraints(const MatmulProblem& problem, const DeviceInfo& device,
                                               const MatmulLayout& layout = {});

}  // namespace mmtune
