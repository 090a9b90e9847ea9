// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the copies of an `mma` kernel's operand tiles from global to shared memory, by cp.async or through registers.
// This file also computes addresses within such a tile, whose bytes are permuted (MmaOperandTile).
// mma_compute_emitter.h reads the tiles.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {

/// An operand's tile in shared memory. Emits at the builder's insertion point.
class MmaSharedTile {
 public:
  using Value = mlir::Value;

  /// The tile begins `first` bytes after the beginning of a stage.
  MmaSharedTile(KernelBuilder& builder, const MmaOperandTile& tile, int64_t first)
      : builder(builder), tile(tile), first(first) {}

  /// Returns the address of byte `column + moreColumns` in row `row + moreRows` of the stage at `stage`. The constant
  /// `moreRows` becomes an immediate offset if it is a multiple of the permutation's period; so does the largest
  /// multiple of 128 bytes in `moreColumns`.
  Value address(Value stage, Value row, int64_t moreRows, Value column, int64_t moreColumns) const;

 private:
  KernelBuilder& builder;
  const MmaOperandTile& tile;
  int64_t first;
};

/// A thread's share of copying one operand's tiles. It consists of chunks of adjacent elements. The distances between
/// chunks are constant, so one pointer and immediate offsets address them all. For each chunk it emits
///
///   begin():   cp.async(shared, global, zeros if out of range)      or     register = global
///   finish():                                                              shared = register
///
/// Emits at the builder's insertion point.
class MmaTileCopy {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `operand` is 'A' or 'B', and `base` the address of its matrix. `range` has the first row of A, or column of B,
  /// that belongs to the block's tile of C, and the number of rows or columns of the whole matrix. `firstK` is the
  /// block's first k.
  MmaTileCopy(KernelBuilder& builder, const MmaTiling& tiling, char operand, Value base, Value thread,
              const OuterRange& range, Value firstK);

  /// The address of the thread's first chunk in the first tile.
  Value start;
  /// The distance of consecutive tiles, in bytes.
  int64_t advance;

  /// Begins to copy the tile at `pointer` to the stage at `stage`. `remaining` is the number of k values from the
  /// tile's first one to the end of the block's range of k. Elements outside that range or outside the matrix are not
  /// read and become zero, except that a tile completely outside the range is undefined. Returns the chunks that pass
  /// through registers.
  Values begin(Value pointer, Value remaining, Value stage);
  /// Stores the chunks that begin() returned.
  void finish(const Values& waiting, Value stage);

 private:
  /// Returns true if this thread has a chunk with this index; null if every thread has one.
  Value ownsChunk(int64_t chunk);
  /// Returns true if element `element` of the chunk is within the matrix and the range; null if that is always so. `k`
  /// is the number of k values in the range from the first chunk on.
  Value inRange(int64_t chunk, int64_t element, Value k);
  /// Returns how many rows of the matrix lie between the thread's first chunk and the chunk with this index. It differs
  /// from the number of rows of the tile between them if the tile stores values of k in another order
  /// (MmaOperandTile::KOfRow()).
  int64_t MatrixRowsTo(int64_t chunk) const;
  /// Emits the read with index `read` of a chunk, which takes ReadsPerChunk() reads.
  Value readPart(Value pointer, int64_t chunk, int64_t read, Value k);
  /// Returns the address of a chunk in shared memory.
  Value sharedAddress(int64_t chunk, Value stage);

  KernelBuilder& builder;
  char operand;
  const MmaOperandTile& tile;
  MmaSharedTile shared;
  TileChunks chunks;
  Value base, thread;
  Value row, column;  ///< Row and column of the first chunk within a tile; the column is in bytes.
  Value kFirst;       ///< k of the first chunk within a tile.
  /// Size of the matrix in the outer dimension (m for A, n for B) from the first chunk on; null if no check is needed.
  Value outerLeft;
};

}  // namespace mmtune
