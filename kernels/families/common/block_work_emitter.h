// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits two parts of a kernel: the code that finds the tile of C and the range of k that a block has to compute, and
// the code that combines the partial sums of blocks that share a tile. The emitters of fma, mma and gemv use both:
//
//   parameters = beginMainKernel(...)
//   forEachTileOfBlock(..., [](const BlockWork& work) {
//     sums = multiply tiles of A and B for the k steps of `work`
//     result = reduceInOrder(..., sums)                          // kOrderedReduction only
//     if result.isComplete: resultOf(...).store(result.sums)
//   })
//
// The ways to combine partial sums, such as kOrderedReduction, are those of SplitReduction (block_grid.h).
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/builder/thread_group.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// A tile of C that a block computes, and its range of k. The values are i32.
struct BlockWork {
  using Value = mlir::Value;

  Value rows;         ///< Number of rows of C.
  Value matrix;       ///< Index of the matrix in the batch; null without a batch.
  Value row, column;  ///< First row and column of the tile.
  Value split;        ///< Index of the split of k; null without split-k.
  Value firstK;       ///< First k of the range.
  Value remainingK;   ///< Number of k values in the range.
  Value tilesK;       ///< Number of k steps in the range.

  // These are null unless blocks share the tile, by split-k or stream-k.
  Value parts;    ///< Number of blocks that compute a part of the tile.
  Value part;     ///< Index of this block among them, in the order of k.
  Value counter;  ///< Index of the tile's counter in OrderedReductionWorkspace.

  /// Returns the address of this block's matrix in a dense operand at `base`. Its matrices have `rows` (an i32) times
  /// `columns` elements of `type`; a null type means f32.
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type = {}) const;
  /// Like the overload above, for an operand with a layout (strides; matmul_layout.h). An empty `layout` means that the
  /// operand is dense.
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type,
                 const MatmulLayout& layout, const OperandLayout& operand) const;
  /// Returns the distance from the operand's first matrix to the block's, in elements. `matrix` must not be null.
  Value offsetOf(KernelBuilder& builder, const MatmulLayout& layout, const OperandLayout& operand) const;
};

/// The first index of an operand's tile, and the size of the operand, in its dimension that is not k: rows of A,
/// columns of B.
struct OuterRange {
  mlir::Value first, extent;
};

/// Emits `body` for each tile that the block computes: once or, with stream-k, in a loop over the tiles of the block's
/// share. A share is a contiguous range of the k steps of all tiles (StreamKShares in block_grid.h).
///
///   for each tile with k steps in the share: body(tile, those k steps)
///
/// `k` is the K of the problem, and `rows` the number of rows of C, which may be a run-time value.
void forEachTileOfBlock(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows,
                        llvm::function_ref<void(const BlockWork&)> body);
/// Returns the block's only tile. Must not be used with stream-k.
BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows);
/// Returns the work for the tile with index `tile` in the whole batch, and for the split of k with index `split`, which
/// is not read without split-k.
BlockWork assignWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows, mlir::Value tile,
                     mlir::Value split);

/// Returns the signature of the main kernel. `threads` is the size of a block, `minBlocks` the number of blocks per
/// multiprocessor that the register allocation must allow, and `reduction` a SplitReduction. The kernel's parameters
/// are those listed here, then the run-time values of `sizes`:
///
///   kWorkspaceReduction   A, B, workspace
///   kOrderedReduction     A, B, C[, bias][, addend], workspace
///   otherwise             A, B, C[, bias][, addend]
KernelSignature mainKernelSignature(const MatmulProblem& problem, llvm::StringRef name, int64_t threads,
                                    int64_t minBlocks, int64_t reduction, RunTimeSizes sizes = {});
/// Begins the main kernel with that signature, and returns its parameters.
KernelBuilder::Values beginMainKernel(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                      int64_t threads, int64_t minBlocks, int64_t reduction, RunTimeSizes sizes = {});

/// Returns the number of rows of C: a constant, or the last one of the kernel's parameters.
mlir::Value rowsOf(KernelBuilder& builder, const MatmulProblem& problem, RunTimeSizes sizes,
                   llvm::ArrayRef<mlir::Value> parameters);

/// Returns a writer to the matrix of C that the block computes or, for kWorkspaceReduction, to the block's split of the
/// workspace. `buffers` are the parameters of the kernel, of which number 2 is C or the workspace.
ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<mlir::Value> buffers, const MatmulLayout& layout = {});

/// The result of reduceInOrder().
struct OrderedReductionResult {
  KernelBuilder::Values sums;  ///< Accumulators of the same number and types as those that were passed.
  mlir::Value isComplete;      ///< True in the one block per tile whose `sums` cover all of K. Null means true.
};

/// Emits kOrderedReduction for the tile of `work`:
///
///   slot of this block in the workspace = sums; number = atomicIncrement(counter of the tile)
///   isComplete = number == parts - 1                   // the other blocks of the tile are done
///   if isComplete:  sums = slot[part 0] + slot[part 1] + ...
///
/// `group` are the threads that together hold the accumulators of the whole tile. All of them execute this code, each
/// with the same number of `sums`, which are scalars or vectors of one type. `shared` is a word of shared memory that
/// nothing else uses until the group's next barrier.
OrderedReductionResult reduceInOrder(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work,
                                     const ThreadGroup& group, mlir::Value workspace, mlir::Value shared,
                                     const KernelBuilder::Values& sums);

/// Adds the kernel kSplitReductionKernel(workspace, C[, bias][, addend]) to the builder's module:
///
///   C[i] = epilogue(workspace[0][i] + workspace[1][i] + ...)        over `splits` splits, in order
///
/// Each split has as many elements as C in the whole batch.
void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits);

}  // namespace mmtune
