// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits how a consumer of `wgmma` stores its part of a tile of C, in one of three ways:
//
//   epi_columns = 0   each thread stores pairs of elements, straight from its accumulators
//   epi_buffers = 0   a warp's rows pass through shared memory, and its threads store wide vectors (FragmentEpilogue)
//   otherwise         tensor copies store parts of 64 rows, which the consumer writes to buffers in shared memory
//
// The third way, for each part:
//
//   one thread:   wait until the copy that was given this buffer before has read it
//   barrier of the consumer
//   all threads:  write the part to the buffer, finished and in the type of C;  fence for the copy
//   barrier of the consumer
//   one thread:   copy the buffer to C, asynchronously
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/builder/thread_group.h"
#include "kernels/families/common/block_work_emitter.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/wgmma/wgmma_schedule.h"

namespace mmtune {

/// A warpgroup that multiplies. The values are i32.
struct WgmmaConsumer {
  mlir::Value number;      ///< Number among the block's consumers.
  mlir::Value tileNumber;  ///< Number among the consumers that have rows of one tile.
  mlir::Value thread;      ///< Number of the thread in the warpgroup.
  ThreadGroup group;       ///< Its threads.
};

/// Stores tiles of one consumer. Emits at the builder's insertion point, in code that all its threads execute.
class WgmmaStore {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `buffers` are the parameters of the kernel and `shared` its shared memory. `tiling` and `buffers` must outlive
  /// this object.
  WgmmaStore(KernelBuilder& builder, const WgmmaTiling& tiling, llvm::ArrayRef<Value> buffers, Value shared,
             const WgmmaConsumer& consumer);

  /// Stores `sums` as the consumer's rows of the tile of `work`: for each 64 rows, and in them each 8 columns, 4
  /// accumulators.
  void store(const BlockWork& work, llvm::ArrayRef<Value> sums);
  /// Waits until tensor copies have read all of the block's shared memory, which must not end before.
  void finish();

 private:
  void storeDirectly(llvm::ArrayRef<Value> sums);
  void storeThroughShared(llvm::ArrayRef<Value> sums);
  void storeByCopies(llvm::ArrayRef<Value> sums);

  /// Writes 64 rows from `firstRow` on of the consumer, and the columns of a part from `firstColumn` on, to a buffer.
  void writePart(Value buffer, int64_t firstRow, int64_t firstColumn, llvm::ArrayRef<Value> sums);
  /// Writes the pairs of 8 rows and 8 columns for each 16 columns, 16 rows and 16 columns at once (stmatrix).
  void writeWords(Value buffer, llvm::ArrayRef<Value> pairs);
  /// Writes the elements of the pairs, which have 32 bits.
  void writeElements(Value buffer, llvm::ArrayRef<Value> pairs);
  /// Returns the offset of chunk `chunk` of row `row` in a slab of a buffer.
  Value offsetOfChunk(Value row, Value chunk);
  /// Returns the bits of a chunk's number that the permutation of row `row` inverts.
  Value permutationOf(Value row);
  /// Copies the buffer to C.
  void copyPart(Value buffer, int64_t firstRow, int64_t firstColumn);

  ResultWriter result() const { return resultOf(builder, tiling.problem, s.reduction, work, buffers); }
  /// True if tiles may lie beyond the rows or columns of C.
  bool isRaggedM() const { return tiling.problem.m % tiling.grid.bm != 0; }
  bool isRaggedN() const { return tiling.problem.n % tiling.grid.bn != 0; }
  /// Returns the accumulators of a thread in 64 rows.
  int64_t accumulators() const { return s.bn / 2; }

  KernelBuilder& builder;
  const WgmmaTiling& tiling;
  const WgmmaSchedule& s;
  llvm::ArrayRef<Value> buffers;
  WgmmaConsumer consumer;
  Value rowsInShared;  ///< Where the rows of the block's consumers pass through shared memory.
  Value isFirst;       ///< True in the consumer's thread that issues its copies.
  Value lane, warp;    ///< Numbers of the thread in its warp, and of this in the consumer.
  BlockWork work;      ///< The argument of store().
};

}  // namespace mmtune
