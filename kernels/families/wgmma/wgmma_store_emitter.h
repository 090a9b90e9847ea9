// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the code by which a consumer, a warpgroup of a `wgmma` kernel that multiplies, stores its part of a tile of C.
// There are three ways:
//
//   epi_columns = 0   each thread stores pairs of elements, straight from its accumulators
//   epi_buffers = 0   a warp's rows pass through shared memory, and its threads store wide vectors (FragmentEpilogue)
//   otherwise         tensor copies store parts of 64 rows, which the consumer writes to buffers in shared memory
//
// The third way, for each part:
//
//   one thread:   wait until the previous copy from this buffer has read it
//   barrier of the consumer
//   all threads:  apply the epilogue to the part and write it to the buffer;  fence.proxy.async
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
  mlir::Value tileNumber;  ///< Number among the consumers that share one tile.
  mlir::Value thread;      ///< Number of the thread in the warpgroup.
  ThreadGroup group;       ///< Its threads.
};

/// Emits the stores of one consumer's tiles, at the builder's insertion point. All threads of the consumer must execute
/// this code.
class WgmmaStore {
 public:
  using Value = mlir::Value;
  using Values = KernelBuilder::Values;

  /// `buffers` are the parameters of the kernel and `shared` its shared memory. `tiling` and `buffers` must outlive
  /// this object.
  WgmmaStore(KernelBuilder& builder, const WgmmaTiling& tiling, llvm::ArrayRef<Value> buffers, Value shared,
             const WgmmaConsumer& consumer);

  /// Stores `sums`, a thread's accumulators of the consumer's rows in the tile of `work`. There are 4 accumulators for
  /// each 8 columns of each 64 rows, in this order.
  void store(const BlockWork& work, llvm::ArrayRef<Value> sums);
  /// Waits until the consumer's tensor copies have read their buffers. The block must not end before that.
  void finish();

 private:
  void storeDirectly(llvm::ArrayRef<Value> sums);
  void storeThroughShared(llvm::ArrayRef<Value> sums);
  void storeByCopies(llvm::ArrayRef<Value> sums);

  /// Writes a part of the tile to a buffer: 64 rows from the consumer's row `firstRow` on, and epi_columns columns from
  /// `firstColumn` on.
  void writePart(Value buffer, int64_t firstRow, int64_t firstColumn, llvm::ArrayRef<Value> sums);
  /// Writes pairs of 16-bit elements. One stmatrix writes 16 rows and 16 columns at once.
  void writeWords(Value buffer, llvm::ArrayRef<Value> pairs);
  /// Writes pairs of 32-bit elements, one element at a time.
  void writeElements(Value buffer, llvm::ArrayRef<Value> pairs);
  /// Returns the offset of chunk `chunk` of the warp's row `row` in a slab of a buffer.
  Value offsetOfChunk(Value row, Value chunk);
  /// Returns the number with which the swizzle of row `row` XORs the numbers of its chunks.
  Value permutationOf(Value row);
  /// Emits the tensor copies from the buffer to C, or to the workspace.
  void copyPart(Value buffer, int64_t firstRow, int64_t firstColumn);

  ResultWriter result() const { return resultOf(builder, tiling.problem, s.reduction, work, buffers); }
  /// True if tiles may extend beyond the rows or columns of C.
  bool isRaggedM() const { return tiling.problem.m % tiling.grid.bm != 0; }
  bool isRaggedN() const { return tiling.problem.n % tiling.grid.bn != 0; }
  /// Returns the number of accumulators of a thread for 64 rows.
  int64_t accumulators() const { return s.bn / 2; }

  KernelBuilder& builder;
  const WgmmaTiling& tiling;
  const WgmmaSchedule& s;
  llvm::ArrayRef<Value> buffers;
  WgmmaConsumer consumer;
  Value rowsInShared;  ///< The area of shared memory at WgmmaTiling::StoreOffset().
  Value isFirst;       ///< True in the consumer's thread that issues its copies.
  Value lane, warp;    ///< Number of the thread in its warp, and of the warp in the consumer.
  BlockWork work;      ///< The argument of store().
};

}  // namespace mmtune
