// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the tiles of one operand of an `mma` kernel from global to shared memory, and addresses in the permuted tile.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {

/// The tile of an operand in shared memory. Emits at the builder's insertion point.
class MmaSharedTile {
 public:
  using Value = mlir::Value;

  /// The tile begins `first` bytes after the begin of a stage.
  MmaSharedTile(KernelBuilder& builder, const MmaOperandTile& tile, int64_t first)
      : builder(builder), tile(tile), first(first) {}

  /// Returns the address of byte `column + moreColumns` of row `row + moreRows` in the stage at `stage`. Constants
  /// become immediate offsets: rows where they are whole periods of the permutation, columns up to a multiple of 128
  /// bytes.
  Value address(Value stage, Value row, int64_t moreRows, Value column, int64_t moreColumns) const;

 private:
  KernelBuilder& builder;
  const MmaOperandTile& tile;
  int64_t first;
};

/// The copies of one thread: chunks of contiguous elements, a constant distance apart, so that one pointer and
/// immediate offsets address them all. Emits at the builder's insertion point, for each chunk,
///
///   begin:   cp.async(shared, global, zeros if out of range)      or     register = global
///   finish:                                                              shared = register
///
class MmaTileCopy {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `operand` is 'A' or 'B', `base` its matrix, `range` the rows of A or columns of B from the block's first one on,
  /// `firstK` the block's first k.
  MmaTileCopy(KernelBuilder& builder, const MmaTiling& tiling, char operand, Value base, Value thread,
              const OuterRange& range, Value firstK);

  /// The thread's address in the first tile; each tile lies `advance` bytes after the one before.
  Value start;
  int64_t advance;

  /// Begins to copy the tile at `pointer` to the stage at `stage`. `remaining` counts the k values from the tile's
  /// first one to the end of the block's range. Elements beyond the range or the matrix become zero and are not read; a
  /// tile that is wholly beyond the range is undefined. Returns the chunks that pass through registers.
  Values begin(Value pointer, Value remaining, Value stage);
  /// Stores the chunks that begin() returned.
  void finish(const Values& waiting, Value stage);

 private:
  /// True if this thread has this chunk; null where every thread has.
  Value live(int64_t chunk);
  /// True if element number `element` of the chunk lies within the matrix and the range, which has `k` values left from
  /// the first chunk on; null where always.
  Value inRange(int64_t chunk, int64_t element, Value k);
  /// Returns the distance from the tile's first row of the matrix, or its first k, to the row of a chunk.
  int64_t MatrixRowsTo(int64_t chunk) const;
  /// Emits read number `read` of a chunk.
  Value readPart(Value pointer, int64_t chunk, int64_t read, Value k);
  Value sharedAddress(int64_t chunk, Value stage);

  KernelBuilder& builder;
  char operand;
  const MmaOperandTile& tile;
  MmaSharedTile shared;
  TileChunks chunks;
  Value base, thread;
  Value row, column;  ///< Row and column of the first chunk within a tile; the column in bytes.
  Value kFirst;       ///< k of the first chunk within a tile.
  Value outerLeft;    ///< Extent of the matrix from the first chunk on, where it matters.
};

}  // namespace mmtune
