// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the stores of accumulators that tensor cores have left in fragments: mma.sync, and wgmma for each of its warps.
// A lane has two neighbours in row lane / 4 and two in the row eight below, for each 8 columns of 16 rows.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/builder/thread_group.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"

namespace mmtune {

/// The elements of C that a warp has, its *warp tile*, and how they pass through shared memory.
struct FragmentTile {
  DataType sumType;
  int64_t rowsM;         ///< Times 16 rows.
  int64_t rowStep = 16;  ///< Distance of the first of these 16 rows to those of the next.
  int64_t columns;       ///< Columns of the tile, a multiple of 8.
  int64_t slices = 1;    ///< Warps that have the same tile, for different k: their accumulators are added.
  int64_t warpTiles;     ///< Warp tiles of the group; its warps are numbered tile by tile, then slice by slice.
  int64_t vector;        ///< Elements of C that a thread stores at once.
  int64_t pitch;         ///< Distance of the 16 rows in shared memory, in accumulators, without bank conflicts.
  int64_t rowStrideC;    ///< Distance of consecutive rows of C.
  int64_t columnsC;      ///< Columns of C.
  bool mayOverhangRows, mayOverhangColumns;  ///< Parts of tiles may lie beyond C.
  bool isAtomic = false;                     ///< Adds to C atomically instead of storing.
  /// The rows of a lane are consecutive; its neighbours are two columns apart, and those of the next 8 columns lie
  /// between and behind them (mma.sync of operands whose bytes are transposed in registers).
  bool isTransposedA = false, isTransposedB = false;

  /// Returns the bytes of shared memory that a warp needs.
  int64_t BytesPerWarp() const { return 16 * pitch * DataTypeBytes(sumType); }
};

/// The position of a thread's warp in its group.
struct FragmentWarp {
  mlir::Value lane;         ///< Index of the thread in its warp.
  mlir::Value number;       ///< Index of the warp in the group.
  mlir::Value slice;        ///< Index of the slice of k; null without slices.
  mlir::Value tile;         ///< Index of the warp tile.
  mlir::Value row, column;  ///< First row and column of the warp tile within the tile of BlockWork.
};

/// Stores the warp tiles of C. Contiguous elements lie in accumulators of several lanes, so for each 16 rows a warp
///
///   writes its accumulators to its part of shared memory;  waits for the warps that share the tile
///   reads vectors as wide as a store of C, summed over the slices of k, and stores epilogue(vector)
///
/// Consecutive lanes store consecutive vectors. With slices, all warps of a tile read and store some of its vectors.
/// Emits at the builder's insertion point.
class FragmentEpilogue {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `shared` has FragmentTile::BytesPerWarp() for each warp of `group`. `tile` must outlive this object.
  FragmentEpilogue(KernelBuilder& builder, const FragmentTile& tile, const ThreadGroup& group, const FragmentWarp& warp,
                   Value shared);

  /// Stores `sums`, or adds them atomically, as the tile of `work` in the matrix of `result`: for each 16 rows and in
  /// them each 8 columns, 4 accumulators. Nothing beyond the matrix is accessed. All threads of the group execute it
  /// together, when none of them uses `shared` otherwise.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  /// Source and target of the vector at some row and column of the warp's tile.
  struct Place {
    Value shared;
    ResultWriter result;
    Value rowsLeft, columnsLeft;  ///< Extents of C from there on; null where all tiles are within C.
  };

  /// Emits a barrier of the warps that share a tile; all warps of the group execute it equally often.
  void barrierOfTile();
  void exchange(llvm::ArrayRef<Value> sums);
  Place placeOf(const ResultWriter& result, Value row, Value column);
  /// Stores the warp's 16 rows in shared memory, which are the rows of its tile from `firstRow` on.
  void storeRows(const ResultWriter& result, int64_t firstRow);
  /// Loads `count` contiguous sums, and adds those of all slices.
  Value loadSum(Value shared, int64_t count);
  /// Stores the vector that is `sharedRows` rows of shared memory, and `rows` rows of C, below `place`.
  void storeVector(const Place& place, int64_t sharedRows, int64_t rows);

  KernelBuilder& builder;
  const FragmentTile& tile;
  ThreadGroup group;
  FragmentWarp warp;
  mlir::Type sumType;
  int64_t workers;  ///< Number of lanes that store a warp tile.
  Value worker;     ///< Number of this lane among them.
  Value warpRows;   ///< The warp's 16 rows in shared memory.
  Value tileRows;   ///< Those of the tile's first warp; a slice's follow those of the slice before.
  BlockWork work;   ///< The argument of store().
};

}  // namespace mmtune
