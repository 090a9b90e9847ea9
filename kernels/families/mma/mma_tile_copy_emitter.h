// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses in the permuted tile of one operand of an `mma` kernel.
//
// Moves the tiles of one operand of an `mma` kernel from global to shared memory.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {

/// Emits at the builder's insertion point.
class MmaSharedTile {
 public:
  using Value = mlir::Value;

  /// `first`: bytes from the begin of a stage to the tile.
  MmaSharedTile(KernelBuilder& builder, const MmaOperandTile& tile, int64_t first)
      : builder(builder), tile(tile), first(first) {}

  /// The address of byte `column + moreColumns` of row `row + moreRows` in the stage at `stage`. Constants stay apart,
  /// to become immediate offsets: of the rows when they are whole periods of the permutation, of the columns as far as
  /// they are multiples of 128 bytes.
  Value address(Value stage, Value row, int64_t moreRows, Value column, int64_t moreColumns) const;

 private:
  KernelBuilder& builder;
  const MmaOperandTile& tile;
  int64_t first;
};


/// The part of one thread: pieces of neighbouring elements, a constant distance apart, so that one pointer and
/// immediate offsets address them all. Emits at the builder's insertion point.
class MmaTileCopy {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `operand` is 'A' or 'B', `base` its matrix, `range` the rows of A or columns of B from the block's first on,
  /// `firstK` the block's first k.
  MmaTileCopy(KernelBuilder& builder, const MmaTiling& tiling, char operand, Value base, Value thread,
              const OuterRange& range, Value firstK);

  /// The thread's address in the first tile; each tile lies `advance` bytes after the one before.
  Value start;
  int64_t advance;

  /// Begins to copy the tile at `pointer` into the stage at `stage`. `remaining` counts the k values from the tile's
  /// first to the end of the block's range; what lies beyond it, or beyond the matrix, becomes zero and is not read; of
  /// a tile wholly beyond the range the values are undefined. Returns what passes through registers.
  Values begin(Value pointer, Value remaining, Value stage);
  /// Stores what begin() returned.
  void finish(const Values& waiting, Value stage);

 private:
  /// Whether this thread has this piece; null when every thread has.
  Value live(int64_t piece);
  /// Whether the piece's element number `element` lies within the matrix and, `k` values being left from the first
  /// piece's on, the range; null when always.
  Value inRange(int64_t piece, int64_t element, Value k);
  /// From the tile's first row of the matrix, or its first of k, on to the row of a piece.
  int64_t MatrixRowsTo(int64_t piece) const;
  /// Number `read` of those that a piece is read by.
  Value readPart(Value pointer, int64_t piece, int64_t read, Value k);
  Value sharedAddress(int64_t piece, Value stage);

  KernelBuilder& builder;
  char operand;
  const MmaOperandTile& tile;
  MmaSharedTile shared;
  TileChunks pieces;
  Value base, thread;
  Value row, column;  ///< Of the first piece within a tile; the column in bytes.
  Value kFirst;       ///< k of the first piece within a tile.
  Value outerLeft;    ///< Extent of the matrix from the first piece on, where it matters.
};

}  // namespace mmtune
