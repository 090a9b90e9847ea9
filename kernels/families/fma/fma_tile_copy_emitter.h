// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the tiles of one operand of an `fma` kernel from global to shared memory.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// Returns the first row or column of an operand's tile, for a block's tile of C that begins at `first`: an earlier one
/// where the tile overlaps the one before (FmaOperandTile::Overlaps).
mlir::Value beginOfTile(KernelBuilder& builder, const FmaOperandTile& tile, mlir::Value first);

/// The copies of one thread: chunks of a few contiguous floats, a constant distance apart, so that one pointer and
/// immediate offsets address them all. Emits at the builder's insertion point, for each chunk,
///
///   copyAsync:  cp.async(shared, global, zeros if out of range)
///   load:       register = global           store:  shared = register, float by float where it transposes
///
class FmaTileCopy {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `operand` is 'A' or 'B', `base` its matrix, `range` the rows of A or columns of B from the first one of the
  /// block's tile of C on, `firstK` the block's first k, `shared` the block's shared memory.
  FmaTileCopy(KernelBuilder& builder, const FmaTiling& tiling, char operand, Value base, Value shared, Value thread,
              const OuterRange& range, Value firstK);

  /// A tile that is copied.
  struct Tile {
    Value pointer;    ///< Address of the thread's first chunk.
    Value remaining;  ///< k values from the tile's first one to the end of the block's range; <= 0: beyond it.
    Value count;      ///< k values of the tile within the range; null: all, unless the tile lies beyond it.
  };

  /// The thread's address in the first tile.
  Value start;
  /// Returns the address `count` values of k behind that of `tile`.
  Value next(const Tile& tile, Value count);

  /// Copies the tile to the stage at the element offset `stage`. Elements beyond the range or the matrix become zero
  /// and are not read.
  void copyAsync(const Tile& tile, Value stage);

  /// Copy the tile in two steps, through registers. A tile wholly beyond the range, and elements beyond the matrix
  /// along the outer dimension, have undefined values.
  Values load(const Tile& tile);
  void store(const Values& values, Value stage);

 private:
  int64_t globalOffset(int64_t chunk) const;
  int64_t sharedOffset(int64_t chunk) const;
  /// True if this thread has this chunk; null where every thread has.
  Value live(int64_t chunk);
  /// True if the chunk lies within the matrix and the range of k; null where always. `outerLeft` is outerWithin().
  Value inRange(int64_t chunk, const Tile& at, Value outerLeft);
  /// Returns the extent of the matrix from the first chunk on, where it matters; 0 for a tile beyond the range.
  Value outerWithin(const Tile& at);
  /// Returns row and column of the thread's first chunk within the tile.
  std::pair<Value, Value> firstChunk();
  /// Returns the row with this number in the order of rows.
  Value rowOf(Value number);
  Value sharedAddress(int64_t chunk, Value stage);

  KernelBuilder& builder;
  char operand;
  const FmaOperandTile& tile;
  TileChunks chunks;
  Value base, shared, thread;
  Value sharedFirst;  ///< Element offset of the first chunk within a stage.
  Value outerLeft;    ///< Extent of the matrix from the first chunk on, where it matters.
  Value kFirst;       ///< k of the first chunk within a tile.
};

}  // namespace mmtune
