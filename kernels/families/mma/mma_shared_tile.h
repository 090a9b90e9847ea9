// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses in the permuted tile of one operand of an `mma` kernel.
#pragma once

#include "kernels/builder/kernel_builder.h"
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

}  // namespace mmtune
