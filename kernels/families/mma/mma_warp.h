// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a warp of an `mma` kernel computes.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/mma/mma_schedule.h"

namespace mmtune {

/// The place of a thread's warp among those of its block: the warp tiles row by row, once for each slice of k. Emits at
/// the builder's insertion point.
struct MmaWarp {
  using Value = mlir::Value;

  MmaWarp(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  Value lane;
  Value number;       ///< Among all warps.
  Value slice;        ///< Of k; null where there is one.
  Value tile;         ///< Number of the warp tile.
  Value row, column;  ///< First element of the warp tile within the block's.
};

}  // namespace mmtune
