// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores the warp tiles of an `mma` kernel.
#pragma once

#include "kernels/families/common/block_work.h"
#include "kernels/families/common/result_writer.h"
#include "kernels/families/mma/mma_warp.h"

namespace mmtune {

/// An accumulator's neighbours lie in other lanes. So each warp writes 16 rows of its tile to shared memory, a place of
/// its own, and reads them back in pieces of neighbours, as wide as a store of C may be, which its lanes then store
/// side by side. Where warps share a tile, each with a slice of k, all of them read and store, each the sums of some
/// pieces. Emits at the builder's insertion point.
class MmaEpilogue {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  MmaEpilogue(KernelBuilder& builder, const MmaTiling& tiling, Value shared, Value thread);

  /// Stores `sums` (MmaCompute::accumulators) into the row-major matrix of `result`, as the block's tile; adds them
  /// atomically when the schedule says so. Nothing beyond the matrix is touched. No thread of the block reads its tiles
  /// in shared memory any more.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  /// Where the piece at some row and column of the warp's tile comes from and goes to.
  struct Place {
    Value shared;
    ResultWriter result;
    Value rowsLeft, columnsLeft;  ///< Extents of C from there on; null where all tiles lie within it.
  };

  /// Of the warps that share a tile; all warps of the block come to it as often.
  void barrierOfTile();
  void exchange(llvm::ArrayRef<Value> sums);
  Place placeOf(const ResultWriter& result, Value row, Value column);
  /// The warp's 16 rows in shared memory, which are those from `firstRow` on of its tile.
  void storeRows(const ResultWriter& result, int64_t firstRow);
  /// `count` sums, over the slices.
  Value loadSum(Value shared, int64_t count);
  /// Moved down by so many rows of shared memory, and of C.
  void storePiece(const Place& place, int64_t sharedRows, int64_t rows);

  KernelBuilder& builder;
  const MmaTiling& tiling;
  MmaWarp warp;
  mlir::Type sumType;
  int64_t workers;  ///< Lanes that store a warp tile.
  Value worker;     ///< Number of this lane among them.
  Value warpRows;   ///< The warp's 16 rows in shared memory.
  Value tileRows;   ///< Those of the tile's first warp; a slice's follow those of the slice before.
  BlockWork work;   ///< Of store().
};

}  // namespace mmtune
