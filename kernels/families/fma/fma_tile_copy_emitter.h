// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the copies of an `fma` kernel's operand tiles from global to shared memory: asynchronously (cp.async), or
// through registers. fma_compute_emitter.h reads the tiles.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// Returns the first row of A or column of B that a block loads, if its tile of C begins at `first`. This is less than
/// `first` for a last tile that overlaps the one before it (FmaOperandTile::Overlaps()).
mlir::Value firstOfTile(KernelBuilder& builder, const FmaOperandTile& tile, mlir::Value first);

/// A thread's share of copying one operand's tiles. It consists of chunks of a few adjacent floats. The distances
/// between chunks are constant, so one pointer and immediate offsets address them all. For each chunk it emits
///
///   copyAsync():  cp.async(shared, global, zeros if out of range)
///   load():       register = global
///   store():      shared = register, float by float if the copy transposes
///
/// Emits at the builder's insertion point.
class FmaTileCopy {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `operand` is 'A' or 'B', and `base` the address of its matrix. `range` has the first row of A, or column of B,
  /// that belongs to the block's tile of C, and the number of rows or columns of the whole matrix. `firstK` is the
  /// block's first k, and `shared` the block's shared memory.
  FmaTileCopy(KernelBuilder& builder, const FmaTiling& tiling, char operand, Value base, Value shared, Value thread,
              const OuterRange& range, Value firstK);

  /// A tile to copy.
  struct Tile {
    Value pointer;  ///< Address of the thread's first chunk.
    /// The number of k values from the tile's first one to the end of the block's range of k; 0 or less for a tile
    /// after that end.
    Value remaining;
    /// The number of k values of the tile within the block's range of k. Null means that the tile is either completely
    /// within it or completely after it.
    Value count;
  };

  /// The address of the thread's first chunk in the first tile.
  Value start;
  /// Returns the address of the thread's first chunk in the tile whose first k is `count` after that of `tile`.
  Value next(const Tile& tile, Value count);

  /// Copies the tile to the stage that begins at element `stage` of shared memory. Elements outside the block's range
  /// of k or outside the matrix are not read and become zero.
  void copyAsync(const Tile& tile, Value stage);

  /// Loads the tile to registers; store() writes them to shared memory. Values are undefined for a tile that is
  /// completely outside the range, and for elements outside the matrix in the outer dimension, which is m for A and n
  /// for B.
  Values load(const Tile& tile);
  void store(const Values& values, Value stage);

 private:
  /// Returns the distance of a chunk from the thread's first one, in elements of global memory.
  int64_t globalOffset(int64_t chunk) const;
  /// Returns the distance of a chunk from the thread's first one, in elements of shared memory.
  int64_t sharedOffset(int64_t chunk) const;
  /// Returns true if this thread has a chunk with this index; null if every thread has one.
  Value ownsChunk(int64_t chunk);
  /// Returns true if the chunk is within the matrix and the range of k; null if that is always so. `outerLeft` is the
  /// result of outerWithin().
  Value inRange(int64_t chunk, const Tile& at, Value outerLeft);
  /// Returns the size of the matrix in the outer dimension from the first chunk on; 0 for a tile outside the range, and
  /// null if no check is needed.
  Value outerWithin(const Tile& at);
  /// Returns the row and column of the thread's first chunk within the tile.
  std::pair<Value, Value> firstChunk();
  /// Emits RowOrder::RowOf() for the order in which threads copy the rows of the tile, which avoids bank conflicts.
  Value rowOf(Value number);
  /// Returns the address of a chunk in shared memory.
  Value sharedAddress(int64_t chunk, Value stage);

  KernelBuilder& builder;
  char operand;
  const FmaOperandTile& tile;
  TileChunks chunks;
  Value base, shared, thread;
  Value sharedFirst;  ///< Offset of the first chunk within a stage, in elements.
  /// Size of the matrix in the outer dimension from the first chunk on; null if no check is needed.
  Value outerLeft;
  Value kFirst;  ///< k of the first chunk within a tile.
};

}  // namespace mmtune
