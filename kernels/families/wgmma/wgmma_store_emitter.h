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
//
// With addend = 1 (kAddendByCopies), tensor copies first fill the buffers with parts of the addend: the first ones
// while the tile is multiplied. The first two lines for each part become these:
//
//   one thread:   from the second part on:  wait until the previous copy to C has read its buffer;
//                 copy the next part of the addend that is not loaded yet to that buffer, asynchronously
//   all threads:  wait until the buffer has this part of the addend
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
  ThreadGroup group;       ///< The threads of the warpgroup.
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

  /// Begins to load the addend of the tile of `work`. `number` is the number of tiles that the consumer has computed
  /// before this one. Must be called before store(), with the same `work`.
  void begin(const BlockWork& work, Value number);
  /// Stores `sums`, a thread's accumulators of the consumer's rows in the tile of `work`. They are ordered by blocks of
  /// 64 rows, then by groups of 8 columns; there are 4 accumulators for each.
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
  /// Calls `use` for each 16 columns of the warp's 16 rows in a buffer of 16-bit elements, with the row address that
  /// this lane gives to stmatrix or ldmatrix.
  void forEachWords(Value buffer, llvm::function_ref<void(Value address)> use);
  /// Calls `use` for each pair of adjacent 32-bit elements that the thread has in a buffer. `early` is the address of
  /// the element to access first, and `late` that of the other one. `isOddFirst` is true if `early` is in the odd
  /// column.
  void forEachPair(Value buffer, llvm::function_ref<void(Value early, Value late, Value isOddFirst)> use);
  /// Writes pairs of elements, 4 of each 16 columns: of columns 0 to 7 in the thread's two rows, then of the others.
  void writePairs(Value buffer, llvm::ArrayRef<Value> pairs);
  /// Returns the pairs of elements in a buffer, in the order of writePairs().
  Values readPairs(Value buffer);
  /// Returns the offset of chunk `chunk` of the warp's row `row` in a slab of a buffer.
  Value offsetOfChunk(Value row, Value chunk);
  /// Returns the number with which the swizzle of row `row` XORs the numbers of its chunks.
  Value permutationOf(Value row);
  /// Emits the tensor copies from the buffer to C, or to the workspace.
  void copyPart(Value buffer, int64_t firstRow, int64_t firstColumn);
  /// Returns the coordinates of slab number `slab` of the part that begins at this row and column, for the tensor map
  /// of C, the workspace or the addend. `matrix` is the index of the matrix in the batch; null without a batch.
  Values coordinatesOf(int64_t firstRow, int64_t firstColumn, int64_t slab, Value matrix);
  /// Emits the tensor copies of part `part` of the addend to its buffer.
  void loadAddend(int64_t part);
  /// Emits the wait for part `part` of the addend.
  void waitForAddend(int64_t part);
  /// Returns the address of the buffer of a part, and of the mbarrier that tells that its addend has arrived.
  Value bufferOf(int64_t part);
  Value addendBarrierOf(int64_t part);
  /// Return the first row and column of a part in the consumer's rows of the tile.
  int64_t rowOfPart(int64_t part) const { return part / partsOfRow() * WgmmaStaging::kRows; }
  int64_t columnOfPart(int64_t part) const { return part % partsOfRow() * s.epiColumns; }
  int64_t partsOfRow() const { return s.bn / s.epiColumns; }

  ResultWriter result() const { return resultOf(builder, tiling.problem, s.reduction, work, buffers); }
  /// True if tiles may extend beyond the rows or columns of C.
  bool isRaggedM() const { return tiling.IsRaggedM(); }
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
  Value tilesBefore;   ///< Number of the consumer's tiles before this one.
};

}  // namespace mmtune
