// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread tile of a `fma` kernel: reads fragments from shared memory, multiplies, stores C.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/emitters/result_writer.h"
#include "kernels/families/fma_schedule.h"

namespace mmtune {

/// One thread's tm x tn elements of C. Its rows and columns are interleaved with those of the other
/// lanes of its warp, in groups of `fragmentM` and `fragmentN`, so that lanes read neighbouring
/// addresses without bank conflicts. Emits at the builder's insertion point.
class FmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  FmaCompute(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread);

  /// tm rows of tn / fragmentN vectors of zeros.
  Values accumulators();
  /// `sums` plus the product of the tiles in the stage at the element offset `stage`.
  Values multiply(Value stage, Values sums);
  /// Stores `sums` into the row-major matrix of `result`, the block's tile beginning at
  /// (row, column); adds them atomically when the schedule says so. Nothing beyond the matrix is
  /// touched.
  void store(const Values& sums, const ResultWriter& result, Value row, Value column);

 private:
  int64_t groupsN() const;
  int64_t rowOf(int64_t i) const;
  int64_t columnOf(int64_t group) const;
  /// tm scalars of A for each of `count` k values from `k` on; `pointer` is the thread's fragment.
  llvm::SmallVector<Values> loadA(Value pointer, int64_t k, int64_t count);
  Values loadB(Value pointer, int64_t k);
  void step(Value a, Value b, int64_t k, Values& sums);
  void storePiece(Value piece, const ResultWriter& result, Value rowsLeft, Value columnsLeft, int64_t row,
                  int64_t column);

  KernelBuilder& builder;
  const FmaTiling& tiling;
  Value shared;
  Value row, column;           ///< Of the thread's first element within the block.
  Value fragmentA, fragmentB;  ///< Element offsets within a stage.
};

}  // namespace mmtune
