// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp tile of an `mma` kernel: reads fragments from shared memory, splits them into the terms of split precision
// where the problem asks for it, and multiplies them on tensor cores.
#pragma once

#include <array>

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/mma/mma_schedule.h"
#include "kernels/families/mma/mma_tile_copy_emitter.h"

namespace mmtune {

/// The position of a thread's warp in its block: warp tiles are numbered row by row, once for each slice of k. Emits at
/// the builder's insertion point.
struct MmaWarp {
  using Value = mlir::Value;

  MmaWarp(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  Value lane;
  Value number;       ///< Number of the warp in the block.
  Value slice;        ///< Number of the slice of k; null without slices.
  Value tile;         ///< Number of the warp tile.
  Value row, column;  ///< First element of the warp tile within the block's.
};

/// The terms of one operand, as words of an instruction; element i of a term belongs to the same element of the matrix
/// in every term.
using TermWords = llvm::SmallVector<KernelBuilder::Values>;

/// Appends the terms of a fragment as it is loaded (4 words of A or 2 of B) to the words of each of the `split.count`
/// terms:
///
///   for each term:  term = round(rest);  rest = rest - term
///
/// With bf16 terms of f32 elements, a word holds two elements, of the first and the second half of the fragment's k:
/// another order than in the matrix, and the same in A and B. Subtractions are exact. An infinite element leaves NaN in
/// its further terms, and one of 2^127 or more may be rounded to infinity: sums with such elements are NaN. Below
/// 2^-110 the last terms are subnormal and lose bits.
void appendTerms(KernelBuilder& builder, const SplitPrecision& split, llvm::ArrayRef<mlir::Value> words, TermWords& to);

/// One thread's part of its warp's wm x wn elements of C. Emits at the builder's insertion point, for each k step,
///
///   for step in stepsK:  fragments = load(stage, step);  multiply(fragments, sums)
class MmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  MmaCompute(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  /// Returns zeros: 4 sums for each 16 rows, and within them for each 8 columns of the warp tile.
  Values accumulators();
  /// Loads the fragments of A and B for instruction number `step` along k of the tiles at `stage`, as words: those of A
  /// before those of B, ordered by the loads of an instruction's k.
  Values load(Value stage, int64_t step);
  /// Adds the products of fragments to `sums`.
  void multiply(const Values& fragments, Values& sums);

 private:
  /// Returns `k` relative to the tile, given it relative to the warp's slice; both in units of `unit` per k.
  Value inSlice(Value k, int64_t unit);
  /// Load 32 bytes of k, number `number` of the warp's slice.
  void loadA(Value stage, int64_t number, Values& words);
  void loadB(Value stage, int64_t number, Values& words);
  /// Loads an element of 32 or 64 bits where ldmatrix does not fit. `k` and `outer` count from the lane's first element
  /// of a fragment, which begins at `first` in the tile.
  Value loadElement(const MmaSharedTile& shared, const MmaOperandTile& tile, Value stage, Value first, int64_t k,
                    int64_t outer);
  /// Loads 16 neighbours along the outer dimension and 32 values of k of transposed 8-bit elements
  /// (MmaOperandTile::TransposesBytes): words of the even neighbours, first and second half of k, then of the odd ones.
  std::array<Value, 4> loadTransposedBytes(const MmaSharedTile& shared, Value stage, Value first, int64_t number,
                                           int64_t outer);
  /// Returns the terms for one instruction: its 16 rows in the words of A, or its 8 columns in those of B, number
  /// `index` of `count`.
  TermWords termsAt(llvm::ArrayRef<Value> words, int64_t index, int64_t count);
  /// Multiplies terms by one instruction or two.
  Values multiplyAdd(llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b, llvm::ArrayRef<Value> sums);
  /// Adds the products of 16 rows with every column of the warp tile to their sums.
  void multiplyRows(const TermWords& a, llvm::ArrayRef<TermWords> columns, bool backwards,
                    llvm::MutableArrayRef<Value> sums);

  KernelBuilder& builder;
  const MmaTiling& tiling;
  MmaSharedTile tileA, tileB;
  MmaWarp warp;
};

}  // namespace mmtune
