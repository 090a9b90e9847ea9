// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one block of a BlockGrid has to do.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/product_layout.h"

namespace mmtune {

/// The block tile of C that a block computes, and its range of k.
struct BlockWork {
  using Value = mlir::Value;

  Value rows;         ///< Number of rows of C.
  Value matrix;       ///< Of the batch; null without one.
  Value row, column;  ///< First element of the tile.
  Value split;        ///< Null without split-k.
  Value firstK;
  Value remainingK;  ///< k values of the range.
  Value tilesK;      ///< k steps of the range.

  // Of a tile that blocks share by stream-k, or by split-k with ordered sums; null elsewhere.
  Value parts;    ///< Blocks that have a part of its k.
  Value part;     ///< Number of this block's part, in the order of k.
  Value counter;  ///< The tile's counter in OrderedSums.

  /// The block's matrix of an operand whose matrices have `rows` (an i32) times `columns` elements of `type` (f32 where
  /// it is null).
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type = {}) const;
  /// The same of an operand of a product with a layout that may be none.
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type,
                 const ProductLayout& layout, const OperandLayout& operand) const;
  /// Elements from the first matrix of such an operand to the block's; it has a matrix.
  Value offsetOf(KernelBuilder& builder, const ProductLayout& layout, const OperandLayout& operand) const;
};

/// What an operand's tile begins at, and the operand's extent, along the dimension that is not k.
struct OuterRange {
  mlir::Value first, extent;
};

/// Calls `body` for what the block that runs has to do, of a problem with `k` values of k, and of C with `rows` rows,
/// where they are no constant in place of the grid's: once, or, with stream-k, in a loop over the tiles of its share.
/// Emits at the builder's insertion point.
void forEachWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows,
                 llvm::function_ref<void(const BlockWork&)> body);
/// The same where it is once.
BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows);

}  // namespace mmtune
