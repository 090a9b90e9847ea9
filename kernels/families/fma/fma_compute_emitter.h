// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread tile of an `fma` kernel: reads fragments from shared memory, multiplies, adds slices of k, stores C.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// One thread's tm x tn elements of C. Its rows and columns are interleaved with those of the other lanes of its warp,
/// in groups of `fragmentM` and `fragmentN`, so that lanes read neighbouring addresses without bank conflicts. Emits at
/// the builder's insertion point, for each k step,
///
///   for k in the slice of the tile:  load fragments of A and B;  sums += A * B
class FmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  FmaCompute(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread);

  /// Returns zeros: tm rows of tn / fragmentN vectors, or single floats where `order` is serpentine.
  Values accumulators();
  /// Returns `sums` plus the product of the tiles in the stage at the element offset `stage`.
  Values multiply(Value stage, Values sums);

  /// Loads the fragments of one k, those of A before those of B, as vectors: for double buffering in registers.
  Values fragments(Value stage, int64_t k);
  /// Like multiply(), with double buffered fragments: `prefetched` are the first fragments of `stage`, and become those
  /// of the next tiles, whose stage `wait` returns when they have arrived.
  Values multiplyPrefetched(Value stage, Values& prefetched, Values sums, llvm::function_ref<Value()> wait);

  /// Returns the sums in vectors (FmaTiling::VectorsOfC).
  Values vectors(const Values& sums);

  /// Stores `sums` (with slices of k, those that sumSlices() returns) to the matrix of `result` as the block's tile, or
  /// adds them atomically, as the schedule says. Nothing beyond the matrix is accessed, and elements in two tiles are
  /// stored once.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  int64_t groupsN() const;
  bool isSerpentine() const { return tiling.schedule.order == kFmaSerpentine; }
  int64_t rowOf(int64_t i) const;
  int64_t columnOf(int64_t group) const;
  /// Loads tm scalars of A for each of `count` k values from `k` on; `pointer` is the thread's fragment.
  llvm::SmallVector<Values> loadA(Value pointer, int64_t k, int64_t count);
  Values loadB(Value pointer, int64_t k);
  /// Loads the fragment of A for one k as vectors.
  Values loadRowsA(Value pointer, int64_t k);
  Values scalarsOf(llvm::ArrayRef<Value> vectors);
  /// Adds the products of tm scalars of A and the vectors of B to the sums.
  void multiplyAdd(const Values& a, llvm::ArrayRef<Value> b, Values& sums);
  /// Returns `width` sums of vector `number` of the thread tile, from its element `e` on.
  Value partOf(const Values& sums, int64_t number, int64_t e, int64_t width);
  void step(Value a, Value b, int64_t k, Values& sums);
  void storeVector(Value vector, const ResultWriter& result) const;

  KernelBuilder& builder;
  const FmaTiling& tiling;
  Value shared;
  Value slice;                 ///< The thread's slice of k; null without slices.
  Value row, column;           ///< The thread's first row and column within the block.
  Value fragmentA, fragmentB;  ///< Element offsets within a stage.
};

/// Adds the sums of the slices of k of a block, in the order of k:
///
///   shared[slice][...] = vectors;  barrier
///   sums = shared[0][...] + shared[1][...] + ...      for every sliceK-th vector
///
/// `vectors` are those of the thread's slice (FmaCompute::vectors). Returns the sums of every sliceK-th of them, from
/// the number of the thread's slice on. All threads of the block execute it, and no thread or copy accesses `shared`
/// any more; it is free again behind the block's next barrier. Emits at the builder's insertion point.
KernelBuilder::Values sumSlices(KernelBuilder& builder, const FmaTiling& tiling, mlir::Value shared, mlir::Value thread,
                                const KernelBuilder::Values& vectors);

}  // namespace mmtune
