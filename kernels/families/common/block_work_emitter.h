// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a kernel that a block computes: its tile of C and its range of k. Emits the exchange of partial sums
// between blocks that share a tile, and the kernel that sums a workspace.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The tile of C that a block computes, and its range of k.
struct BlockWork {
  using Value = mlir::Value;

  Value rows;         ///< Number of rows of C.
  Value matrix;       ///< Number of the matrix; null without a batch.
  Value row, column;  ///< First element of the tile.
  Value split;        ///< Number of the split of k; null without split-k.
  Value firstK;
  Value remainingK;  ///< k values of the range.
  Value tilesK;      ///< k steps of the range.

  // Set where blocks share the tile by stream-k, or by split-k with ordered sums; else null.
  Value parts;    ///< Number of blocks that have a part of its k.
  Value part;     ///< Number of this block's part, in the order of k.
  Value counter;  ///< The tile's counter in OrderedSums.

  /// Returns the block's matrix of an operand whose matrices have `rows` (an i32) times `columns` elements of `type`
  /// (f32 where it is null).
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type = {}) const;
  /// Like the above, for an operand with a layout, which may be empty.
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type,
                 const MatmulLayout& layout, const OperandLayout& operand) const;
  /// Returns the elements from the first matrix of such an operand to the block's; `matrix` is not null.
  Value offsetOf(KernelBuilder& builder, const MatmulLayout& layout, const OperandLayout& operand) const;
};

/// The begin of an operand's tile, and the operand's extent, along the dimension that is not k.
struct OuterRange {
  mlir::Value first, extent;
};

/// Emits `body` for each tile of the block, at the builder's insertion point: once, or with stream-k in a loop,
///
///   for tile in the tiles of the block's share:  body(tile, the k steps of it within the share)
///
/// The problem has `k` values of k, and C has `rows` rows, which need not be a constant.
void forEachWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows,
                 llvm::function_ref<void(const BlockWork&)> body);
/// Like forEachWork() without stream-k: returns the block's only tile.
BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows);

/// Begins the main kernel and returns its parameters: (A, B, C[, bias][, addend]), with a workspace reduction (A, B,
/// workspace), with an ordered one (A, B, C[, bias][, addend], workspace); then those of `sizes`.
KernelBuilder::Values beginMainKernel(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                      int64_t threads, int64_t minBlocks, int64_t reduction, RunTimeSizes sizes = {});

/// Returns the rows of C: a constant, or the last one of the kernel's parameters.
mlir::Value rowsOf(KernelBuilder& builder, const MatmulProblem& problem, RunTimeSizes sizes,
                   llvm::ArrayRef<mlir::Value> parameters);

/// Returns a writer to the block's matrix of C, `buffers[2]`, or to its split of the workspace.
ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<mlir::Value> buffers, const MatmulLayout& layout = {});

/// Emits kOrderedReduction for the tile of `work`:
///
///   store the block's sums in its slot of the workspace;  count the tile's parts atomically
///   if this was the last part:  sums = sum of all parts, in the order of k;  areWhole = true
///
/// `sums` are scalars of one type or vectors of them, the same number in each of the block's `threads`; `shared` is a
/// word of shared memory that is free until the block's next barrier.
struct FinishedSums {
  KernelBuilder::Values sums;  ///< Sums of the same types as the given ones.
  mlir::Value areWhole;        ///< True in one block per tile: the sums are over all k. Null: always.
};
FinishedSums finishSums(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work, int64_t threads,
                        mlir::Value workspace, mlir::Value shared, const KernelBuilder::Values& sums);

/// Adds kSplitReductionKernel(workspace, C[, bias][, addend]) to the builder's module:
///
///   C[i] = epilogue(sum over z of workspace[z * elements + i])      for splits z in order
///
/// with the `elements` of C over the whole batch.
void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits);

}  // namespace mmtune
