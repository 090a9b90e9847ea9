// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the epilogue and the stores of accumulators in the fragment layout of mma.sync, which is also that of each warp
// in a wgmma. In a tile of 16 rows and 8 columns, a lane has four accumulators: those in columns 2 * (lane % 4) and 2 *
// (lane % 4) + 1 of row lane / 4, and in the same columns of row lane / 4 + 8.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/builder/thread_group.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"

namespace mmtune {

/// A warp tile (the part of C that a warp computes), and its layout in shared memory.
struct FragmentTile {
  DataType sumType;
  int64_t rowsM;         ///< Number of groups of 16 rows.
  int64_t rowStep = 16;  ///< Distance of the first rows of consecutive groups.
  int64_t columns;       ///< Columns of the tile, a multiple of 8.
  int64_t slices = 1;    ///< Warps that compute the same tile, each for a part of k. Their accumulators are added.
  /// Number of warp tiles of the thread group. Warp `slice * warpTiles + tile` computes a slice of warp tile `tile`.
  int64_t warpTiles;
  int64_t vector;      ///< Elements of C that a thread stores at once.
  int64_t pitch;       ///< Distance of rows in shared memory, in accumulators, chosen to avoid bank conflicts.
  int64_t rowStrideC;  ///< Distance of consecutive rows of C.
  int64_t columnsC;    ///< Columns of C.
  bool mayOverhangRows, mayOverhangColumns;  ///< True if parts of tiles may lie outside C.
  bool isAtomic = false;                     ///< True if results are added to C atomically instead of stored.
  /// True for operands whose bytes were transposed in registers (MmaOperandTile::TransposesBytes()), which changes the
  /// layout. With isTransposedA, the two rows of a lane are consecutive: 2 * (lane / 4) and the next one. With
  /// isTransposedB, a lane has four consecutive columns of every 16: its accumulators for the first 8 columns belong to
  /// the first and third of the four, and its accumulators for the next 8 columns to the second and fourth.
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
  mlir::Value row, column;  ///< First row and column of the warp tile within the block's tile.
};

/// Stores the warp tiles of C. Contiguous elements of C are in accumulators of several lanes, so they are exchanged
/// through shared memory. For each 16 rows a warp
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

  /// Stores `sums` to the block's tile (`work`) in the matrix of `result`, or adds them atomically. `sums` has 4
  /// accumulators for each 16 rows and 8 columns; those of the first 16 rows come first, in the order of their columns.
  /// Nothing outside the matrix is accessed. All threads of the group execute it together, while none of them uses
  /// `shared` for anything else.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  /// Where the vector at some row and column of the warp tile is read, in shared memory, and where it is stored, in C.
  struct Place {
    Value shared;
    ResultWriter result;
    Value rowsLeft, columnsLeft;  ///< Extents of C from that row and column on; null if all tiles are within C.
  };

  /// Emits a barrier for the warps that share a warp tile. With slices it is a barrier of the whole group, so all warps
  /// of the group must execute it equally often.
  void barrierOfTile();
  /// Writes `sums`, the accumulators of 16 rows, to the warp's part of shared memory, and waits for the other warps of
  /// the tile.
  void exchange(llvm::ArrayRef<Value> sums);
  Place placeOf(const ResultWriter& result, Value row, Value column);
  /// Applies the epilogue to the 16 rows that are in the warp's part of shared memory, and stores them to C. They are
  /// the rows of the warp tile from `firstRow` on.
  void storeRows(const ResultWriter& result, int64_t firstRow);
  /// Loads `count` contiguous sums, and adds those of all slices.
  Value loadSum(Value shared, int64_t count);
  /// Reads one vector from shared memory, `sharedRows` rows below `place`, applies the epilogue, and stores it to C,
  /// `rows` rows below `place`.
  void storeVector(const Place& place, int64_t sharedRows, int64_t rows);

  KernelBuilder& builder;
  const FragmentTile& tile;
  ThreadGroup group;
  FragmentWarp warp;
  mlir::Type sumType;
  int64_t workers;  ///< Number of lanes that store a warp tile.
  Value worker;     ///< Index of this thread among these lanes.
  Value warpRows;   ///< The warp's 16 rows in shared memory.
  Value tileRows;   ///< The 16 rows of the warp that computes slice 0 of the same tile.
  BlockWork work;   ///< The argument of store().
};

}  // namespace mmtune
