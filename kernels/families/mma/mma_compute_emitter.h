// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a warp of an `mma` kernel computes.
//
// The planes of fragments of an `mma` kernel (kernels/families/mma/mma_planes.h), made in registers.
//
// The warp tile of an `mma` kernel: reads fragments from shared memory, multiplies them on tensor cores.
#pragma once

#include <array>

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/mma/mma_schedule.h"
#include "kernels/families/mma/mma_tile_copy_emitter.h"

namespace mmtune {

/// The place of a thread's warp among those of its block: the warp tiles row by row, once for each slice of k. Emits at
/// the builder's insertion point.
struct MmaWarp {
  using Value = mlir::Value;

  MmaWarp(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  Value lane;
  Value number;       ///< Among all warps.
  Value slice;        ///< Of k; null where there is one.
  Value tile;         ///< Number of the warp tile.
  Value row, column;  ///< First element of the warp tile within the block's.
};


/// The planes of one operand, as words of an instruction; element i of a plane is the same element of the matrix in all
/// of them.
using TermWords = llvm::SmallVector<KernelBuilder::Values>;

/// Appends to each of the planes, of which there are `planes.count`, the words that are made of those of a fragment as
/// it is read: 4 words of A or 2 of B. Where planes are of 16 bits and elements of 32, a word holds two elements, of
/// the first and the second half of the fragment's k: another order than that of the matrix, and the same in A and in
/// B.
///
/// Subtractions are exact. An infinite element leaves NaN in its further planes, and one of 2^127 or more may be
/// rounded to infinity: sums with such elements are NaN. Below 2^-110 the last planes are subnormal and lose bits.
void appendTerms(KernelBuilder& builder, const SplitPrecision& planes, llvm::ArrayRef<mlir::Value> words, TermWords& to);


/// One thread's part of its warp's wm x wn elements of C. Emits at the builder's insertion point.
class MmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  MmaCompute(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  /// Zeros: 4 sums for each 16 rows, and within them for each 8 columns of the warp tile.
  Values accumulators();
  /// The fragments of A and B for instruction number `step` along k of the tiles in the stage at `stage`, as words:
  /// those of A before those of B, and within them those of an instruction's first load of k first.
  Values load(Value stage, int64_t step);
  /// Adds the product of fragments to `sums`.
  void multiply(const Values& fragments, Values& sums);

 private:
  /// `k`, or bytes of it, each of `unit`, from the first of the warp's slice of a tile on.
  Value inSlice(Value k, int64_t unit);
  /// 32 bytes of k, number `number` of the warp's slice.
  void loadA(Value stage, int64_t number, Values& words);
  void loadB(Value stage, int64_t number, Values& words);
  /// An element of 32 or 64 bits, which are read one by one where ldmatrix does not fit: `k` and `outer` count from the
  /// lane's first one of a fragment, those of `tile` beginning at `first`.
  Value loadElement(const MmaSharedTile& shared, const MmaOperandTile& tile, Value stage, Value first, int64_t k,
                    int64_t outer);
  /// 16 neighbours along the other extent and 32 values of k of 8-bit elements that are to be transposed
  /// (MmaOperandTile::TransposesBytes): words of the even neighbours, first and second half of k, and of the odd ones.
  std::array<Value, 4> loadTransposedBytes(const MmaSharedTile& shared, Value stage, Value first, int64_t number,
                                           int64_t outer);
  /// For an instruction, of the words of A its 16 rows, or of those of B its 8 columns, number `place` of `places`.
  TermWords termsAt(llvm::ArrayRef<Value> words, int64_t place, int64_t places);
  /// A product of planes, as one instruction or two.
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
