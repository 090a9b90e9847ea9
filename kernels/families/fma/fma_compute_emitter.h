// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread tile of a `fma` kernel: reads fragments from shared memory, multiplies, stores C.
//
// The sums of slices of k in an `fma` kernel.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// One thread's tm x tn elements of C. Its rows and columns are interleaved with those of the other
/// lanes of its warp, in groups of `fragmentM` and `fragmentN`, so that lanes read neighbouring
/// addresses without bank conflicts. Emits at the builder's insertion point.
class FmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  FmaCompute(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread);

  /// tm rows of tn / fragmentN vectors of zeros; of tn floats where the order of the multiply-adds is one of its own.
  Values accumulators();
  /// `sums` plus the product of the tiles in the stage at the element offset `stage`.
  Values multiply(Value stage, Values sums);

  /// The fragments of one k, those of A before those of B, as they are read: what is multiplied while the next are on
  /// their way.
  Values fragments(Value stage, int64_t k);
  /// multiply() of the tiles in `stage`, of which `ahead` are the first fragments; makes them those of the next tiles,
  /// whose stage `wait` returns once they are there.
  Values multiplyAhead(Value stage, Values& ahead, Values sums, llvm::function_ref<Value()> wait);

  /// The sums of a slice of k in pieces (FmaTiling::PiecesOfC).
  Values pieces(const Values& sums);

  /// Stores `sums`, of slices those that sumSlices() returns, into the row-major matrix of `result`, as the block's
  /// tile; adds them atomically when the schedule says so. Nothing beyond the matrix is touched, and of tiles that
  /// overlap nothing twice.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  int64_t groupsN() const;
  bool isSerpentine() const { return tiling.schedule.order == kFmaSerpentine; }
  int64_t rowOf(int64_t i) const;
  int64_t columnOf(int64_t group) const;
  /// tm scalars of A for each of `count` k values from `k` on; `pointer` is the thread's fragment.
  llvm::SmallVector<Values> loadA(Value pointer, int64_t k, int64_t count);
  Values loadB(Value pointer, int64_t k);
  /// Those of A, in vectors.
  Values loadRowsA(Value pointer, int64_t k);
  Values scalarsOf(llvm::ArrayRef<Value> vectors);
  /// Adds the products of tm scalars of A and the vectors of B.
  void multiplyAdd(const Values& a, llvm::ArrayRef<Value> b, Values& sums);
  /// `width` sums of the thread tile's piece `number`, from its element `e` on.
  Value partOf(const Values& sums, int64_t number, int64_t e, int64_t width);
  void step(Value a, Value b, int64_t k, Values& sums);
  void storePiece(Value piece, const ResultWriter& result) const;

  KernelBuilder& builder;
  const FmaTiling& tiling;
  Value shared;
  Value slice;                 ///< Of k, the thread's; null where there is one.
  Value row, column;           ///< Of the thread's first element within the block.
  Value fragmentA, fragmentB;  ///< Element offsets within a stage.
};


/// Adds what the slices of a block have of each element of C, in the order of k, through shared memory. `pieces` are
/// those of the thread tile (FmaTiling::PiecesOfC) in the thread's slice. Returns the sums of every sliceK-th of them,
/// from the number of the thread's slice on. All threads of the block come here, and none of them, nor a copy, uses
/// `shared` any more; it is free again behind the block's next barrier. Emits at the builder's insertion point.
KernelBuilder::Values sumSlices(KernelBuilder& builder, const FmaTiling& tiling, mlir::Value shared, mlir::Value thread,
                                const KernelBuilder::Values& pieces);

}  // namespace mmtune
