// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the part of an `mma` kernel that computes: each warp loads fragments (the register operands of mma.sync) from
// tiles in shared memory, splits them into terms if the problem asks for split precision, and multiplies them on tensor
// cores. mma_tile_copy_emitter.h fills the tiles; mma_emitter.cpp has the loop over k around both.
#pragma once

#include <array>

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/fragment_epilogue_emitter.h"
#include "kernels/families/mma/mma_schedule.h"
#include "kernels/families/mma/mma_tile_copy_emitter.h"

namespace mmtune {

/// The position in the block of the warp of thread number `thread`. Warp tiles are numbered row by row, once for each
/// slice of k (a part of a tile's k values, for one of the warps that share a warp tile). Emits at the builder's
/// insertion point.
struct MmaWarp : FragmentWarp {
  MmaWarp(KernelBuilder& builder, const MmaTiling& tiling, mlir::Value thread);
};

/// The terms of an operand for one instruction (SplitPrecision in mma_schedule.h): for each term, its 32-bit words.
/// Word i of every term belongs to the same elements of the matrix.
using TermWords = llvm::SmallVector<KernelBuilder::Values>;

/// Splits a fragment as loaded (4 words of A or 2 of B) and appends the words of each of the `split.count` terms to
/// `to`:
///
///   for each term:  term = round(rest);  rest = rest - term
///
/// With bf16 terms of f32 elements, a word holds two elements: one of the first half of the fragment's k, and one of
/// the second half. This order is not that of the matrix, but it is the same in A and B.
///
/// Subtractions are exact. For an infinite element, the second and later terms are NaN, and an element of 2^127 or more
/// may be rounded to infinity; so sums with such elements are NaN. The last terms of elements below 2^-110 are
/// subnormal and lose bits.
void appendTerms(KernelBuilder& builder, const SplitPrecision& split, llvm::ArrayRef<mlir::Value> words, TermWords& to);

/// A thread's part of its warp's wm x wn elements of C. `thread` is the index of the thread in the block. For each k
/// step this class emits
///
///   for step in stepsK:  fragments = load(stage, step);  multiply(fragments, sums)
///
/// Emits at the builder's insertion point.
class MmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  MmaCompute(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  /// Returns accumulators of 0: 4 for each 16 rows and 8 columns of the warp tile; those of the first 16 rows come
  /// first.
  Values accumulators();
  /// Loads the fragments of A and B for instruction `step` along k, from the tiles at `stage`. Returns them as words,
  /// those of A before those of B. If the k of an instruction needs several loads, their words follow each other.
  Values load(Value stage, int64_t step);
  /// Adds the products of fragments to `sums`.
  void multiply(const Values& fragments, Values& sums);

 private:
  /// Converts an offset along k within the warp's slice to one within the tile. In both offsets, one value of k counts
  /// `unit`: 1 for offsets in elements, the bytes of an element for offsets in bytes.
  Value inSlice(Value k, int64_t unit);
  // Load the fragment with index `number` along k of the warp's slice. A fragment has 32 bytes along k.
  void loadA(Value stage, int64_t number, Values& words);
  void loadB(Value stage, int64_t number, Values& words);
  /// Loads one element of 32 or 64 bits, for layouts that ldmatrix cannot load. `k` and `outer` (the index along M in
  /// A, along N in B) are relative to the lane's first element of a fragment, which begins at `first` in the tile.
  Value loadElement(const MmaSharedTile& shared, const MmaOperandTile& tile, Value stage, Value first, int64_t k,
                    int64_t outer);
  /// Loads 8-bit elements that need a transposition (MmaOperandTile::TransposesBytes): 16 rows or columns and 32 values
  /// of k. Returns the words of even rows or columns (first and second half of k), then those of odd ones.
  std::array<Value, 4> loadTransposedBytes(const MmaSharedTile& shared, Value stage, Value first, int64_t number,
                                           int64_t outer);
  /// Returns the terms for instruction `index` of `count` along M or N: its 16 rows in the words of A, or its 8 columns
  /// in those of B.
  TermWords termsAt(llvm::ArrayRef<Value> words, int64_t index, int64_t count);
  /// Multiplies terms by one instruction, or by two if an instruction has half the k or half the rows.
  Values multiplyAdd(llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b, llvm::ArrayRef<Value> sums);
  /// Adds the products of 16 rows of A and all columns of the warp tile to `sums`, the accumulators of these rows.
  /// Columns are taken from last to first if `backwards` is true.
  void multiplyRows(const TermWords& a, llvm::ArrayRef<TermWords> columns, bool backwards,
                    llvm::MutableArrayRef<Value> sums);

  KernelBuilder& builder;
  const MmaTiling& tiling;
  MmaSharedTile tileA, tileB;
  MmaWarp warp;
};

}  // namespace mmtune
