// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the tiles of one operand of a `fma` kernel from global to shared memory.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// The first row or column of an operand's tile, of which the block's tile of C begins at `first`: an earlier one where
/// the tile overlaps with the one before (FmaOperandTile::Overlaps).
mlir::Value beginOfTile(KernelBuilder& builder, const FmaOperandTile& tile, mlir::Value first);

/// The part of one thread: chunks of a few neighbouring floats, a constant distance apart, so that
/// one pointer and immediate offsets address them all. Emits at the builder's insertion point.
class FmaTileCopy {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `operand` is 'A' or 'B', `base` the matrix, `range` the rows of A or columns of B from the first of the block's
  /// tile of C on, `firstK` the block's first k, `shared` the block's shared memory.
  FmaTileCopy(KernelBuilder& builder, const FmaTiling& tiling, char operand, Value base, Value shared, Value thread,
              const OuterRange& range, Value firstK);

  /// A tile on its way.
  struct Tile {
    Value pointer;    ///< Of the thread's first chunk.
    Value remaining;  ///< k values from the tile's first to the end of the block's range; none or fewer: beyond it.
    Value count;      ///< k values of the tile within the range; null: all, unless the tile lies beyond it.
  };

  /// The thread's address in the first tile.
  Value start;
  /// The address `count` values of k after that of `tile`.
  Value next(const Tile& tile, Value count);

  /// Copies the tile into the stage at the element offset `stage`. What lies beyond the range, or beyond the matrix,
  /// becomes zero and is not read.
  void copyAsync(const Tile& tile, Value stage);

  /// The same in two steps, through registers. Of a tile wholly beyond the range, and of what lies beyond the matrix
  /// along the other extent, the values are undefined but readable.
  Values load(const Tile& tile);
  void store(const Values& values, Value stage);

 private:
  int64_t globalOffset(int64_t chunk) const;
  int64_t sharedOffset(int64_t chunk) const;
  /// Whether this thread has this chunk; null when every thread has.
  Value live(int64_t chunk);
  /// Whether the chunk lies within the matrix and the range of k; null when always. `outerLeft` is outerWithin().
  Value inRange(int64_t chunk, const Tile& at, Value outerLeft);
  /// Extent of the matrix from the first chunk on, where it matters; of a tile beyond the range nothing.
  Value outerWithin(const Tile& at);
  /// The row and column of the thread's first chunk within the tile.
  std::pair<Value, Value> firstChunk();
  /// The row that has this number in the order of rows.
  Value rowOf(Value number);
  Value sharedAddress(int64_t chunk, Value stage);

  KernelBuilder& builder;
  char operand;
  const FmaOperandTile& tile;
  TileChunks chunks;
  Value base, shared, thread;
  Value sharedFirst;  ///< Element offset of the first chunk within a stage.
  Value outerLeft;    ///< Of the matrix, from the first chunk on, where it matters.
  Value kFirst;       ///< k of the first chunk within a tile.
};

}  // namespace mmtune
