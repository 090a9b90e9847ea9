// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp tile of an `mma` kernel: reads fragments from shared memory, multiplies them on tensor cores.
#pragma once

#include "kernels/emitters/mma_shared_tile.h"

namespace mmtune {

/// One thread's part of its warp's wm x wn elements of C. Emits at the builder's insertion point.
class MmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  MmaCompute(KernelBuilder& builder, const MmaTiling& tiling, Value thread);

  /// Zeros: 4 floats for each 16 rows, and within them for each 8 columns of the warp tile.
  Values accumulators();
  /// The fragments of A and B for instruction number `step` along k of the tiles in the stage at `stage`, as words.
  Values load(Value stage, int64_t step);
  /// Adds the product of fragments to `sums`.
  void multiply(const Values& fragments, Values& sums);

 private:
  void loadA(Value stage, int64_t step, Values& words);
  void loadB(Value stage, int64_t step, Values& words);
  /// The words of elements of 32 bits, from tiles that have a row for each k: one by one.
  Value loadWord(const MmaSharedTile& tile, Value stage, Value first, int64_t k, int64_t outer);

  KernelBuilder& builder;
  const MmaTiling& tiling;
  MmaSharedTile tileA, tileB;
  Value lane;
  Value firstRow, firstColumn;  ///< Of the warp tile within the block tile.
};

}  // namespace mmtune
