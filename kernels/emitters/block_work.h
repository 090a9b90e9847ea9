// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one block of a BlockGrid has to do.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/block_grid.h"

namespace mmtune {

/// The block tile of C that a block computes, and its range of k.
struct BlockWork {
  using Value = mlir::Value;

  Value matrix;       ///< Of the batch; null without one.
  Value row, column;  ///< First element of the tile.
  Value split;        ///< Null without split-k.
  Value firstK;
  Value remainingK;  ///< k values of the range.
  Value tilesK;      ///< k steps of the range.

  /// The block's matrix of an operand whose matrices have `elements` elements of `type` (f32 where it is null).
  Value matrixOf(KernelBuilder& builder, Value base, int64_t elements, mlir::Type type = {}) const;
};

/// Of the block that runs, of a problem with `k` values of k. Emits at the builder's insertion point.
BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k);

}  // namespace mmtune
