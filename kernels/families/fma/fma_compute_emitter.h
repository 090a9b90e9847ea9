// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the part of an `fma` kernel that computes: each thread loads fragments (vectors of A and B for one k) from
// tiles in shared memory to registers, multiplies and adds them, and stores its elements of C. fma_tile_copy_emitter.h
// fills the tiles; fma_emitter.cpp has the loop over k around both.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// A thread's tile of tm x tn elements of C. Its rows come in groups of `fragmentM`, its columns in groups of
/// `fragmentN`. The groups of different lanes of a warp are interleaved, so that lanes read adjacent addresses without
/// bank conflicts. The parameter slice_k divides the k values of a tile into slices; each of the warps that share a
/// warp tile multiplies one slice. For each k step this class emits
///
///   for k in the thread's slice of the tile:  load fragments of A and B;  sums += A * B
///
/// Emits at the builder's insertion point.
class FmaCompute {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `shared` is the block's shared memory, `thread` the thread's index in the block.
  FmaCompute(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread);

  /// Returns accumulators of 0: tn / fragmentN vectors for each of the tm rows, or single floats if the parameter
  /// `order` is kFmaSerpentine.
  Values accumulators();
  /// Returns `sums` plus A * B for the tiles in the pipeline stage that begins at element `stage` of shared memory.
  Values multiply(Value stage, Values sums);

  /// Loads the fragments of one k as vectors, those of A before those of B. Used for register double buffering.
  Values fragments(Value stage, int64_t k);
  /// Like multiply(), with register double buffering. `prefetched` must have the first fragments of `stage`, and is set
  /// to those of the next stage. `wait` emits the code that waits until the tiles of the next stage have arrived, and
  /// returns that stage.
  Values multiplyPrefetched(Value stage, Values& prefetched, Values sums, llvm::function_ref<Value()> wait);

  /// Returns the accumulators as FmaTiling::VectorsOfC() vectors.
  Values vectors(const Values& sums);

  /// Stores the accumulators to the matrix of `result`, as the tile of `work`, or adds them atomically if the schedule
  /// says so. With slices of k, `sums` must be the result of sumSlices(). Nothing outside the matrix is accessed. If
  /// tiles overlap, only one block stores each element.
  void store(const Values& sums, const ResultWriter& result, const BlockWork& work);

 private:
  /// Returns the vectors of B in a row of the thread's tile.
  int64_t groupsN() const;
  bool isSerpentine() const { return tiling.schedule.order == kFmaSerpentine; }
  /// Returns the distance from the thread's first row to its row with index `i`.
  int64_t rowOf(int64_t i) const;
  /// Returns the distance from the thread's first column to the first one of a group.
  int64_t columnOf(int64_t group) const;
  /// Loads tm scalars of A for each of `count` k values from `k` on. `pointer` is the address of the thread's fragment.
  llvm::SmallVector<Values> loadA(Value pointer, int64_t k, int64_t count);
  /// Loads the vectors of B for one k.
  Values loadB(Value pointer, int64_t k);
  /// Loads the fragment of A for one k as vectors.
  Values loadRowsA(Value pointer, int64_t k);
  /// Returns the elements of the vectors.
  Values scalarsOf(llvm::ArrayRef<Value> vectors);
  /// Adds the products of tm scalars of A and the vectors of B to `sums`.
  void multiplyAdd(const Values& a, llvm::ArrayRef<Value> b, Values& sums);
  /// Returns `width` accumulators of the thread's vector with index `number`, from element `e` of that vector on.
  Value partOf(const Values& sums, int64_t number, int64_t e, int64_t width);
  /// Loads the fragments of the next few k values from `k` on, and adds their products to `sums`. `a` and `b` are the
  /// addresses of the thread's fragments.
  void step(Value a, Value b, int64_t k, Values& sums);
  /// Stores a vector of C, or adds it atomically if the schedule says so.
  void storeVector(Value vector, const ResultWriter& result) const;

  KernelBuilder& builder;
  const FmaTiling& tiling;
  Value shared;
  Value slice;                 ///< Index of the thread's slice of k; null without slices.
  Value row, column;           ///< First row and column of the thread within the block's tile.
  Value fragmentA, fragmentB;  ///< Offsets of the fragments within a stage, in elements.
};

/// Adds the accumulators of the slices of k of a block, in the order of k, through shared memory:
///
///   shared[slice][...] = vectors;  barrier
///   sums = shared[0][...] + shared[1][...] + ...      for every sliceK-th vector
///
/// `vectors` are those of the thread's slice (FmaCompute::vectors). Returns the complete sums of every sliceK-th
/// vector, beginning with the one whose index is that of the thread's slice. All threads of the block must execute
/// this. Emits no barrier before it writes `shared`: the caller must emit one after the last read of the tiles. Nothing
/// else may access `shared` until the block's next barrier.
KernelBuilder::Values sumSlices(KernelBuilder& builder, const FmaTiling& tiling, mlir::Value shared, mlir::Value thread,
                                const KernelBuilder::Values& vectors);

}  // namespace mmtune
