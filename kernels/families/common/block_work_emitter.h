// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one block of a BlockGrid has to do.
//
// What split-k and stream-k make of a product's kernel, and the kernel that sums a workspace.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_grid.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/epilogue_emitter.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The block tile of C that a block computes, and its range of k.
struct BlockWork {
  using Value = mlir::Value;

  Value rows;         ///< Number of rows of C.
  Value matrix;       ///< Of the batch; null without one.
  Value row, column;  ///< First element of the tile.
  Value split;        ///< Null without split-k.
  Value firstK;
  Value remainingK;  ///< k values of the range.
  Value tilesK;      ///< k steps of the range.

  // Of a tile that blocks share by stream-k, or by split-k with ordered sums; null elsewhere.
  Value parts;    ///< Blocks that have a part of its k.
  Value part;     ///< Number of this block's part, in the order of k.
  Value counter;  ///< The tile's counter in OrderedSums.

  /// The block's matrix of an operand whose matrices have `rows` (an i32) times `columns` elements of `type` (f32 where
  /// it is null).
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type = {}) const;
  /// The same of an operand of a product with a layout that may be none.
  Value matrixOf(KernelBuilder& builder, Value base, Value rows, int64_t columns, mlir::Type type,
                 const MatmulLayout& layout, const OperandLayout& operand) const;
  /// Elements from the first matrix of such an operand to the block's; it has a matrix.
  Value offsetOf(KernelBuilder& builder, const MatmulLayout& layout, const OperandLayout& operand) const;
};

/// What an operand's tile begins at, and the operand's extent, along the dimension that is not k.
struct OuterRange {
  mlir::Value first, extent;
};

/// Calls `body` for what the block that runs has to do, of a problem with `k` values of k, and of C with `rows` rows,
/// where they are no constant in place of the grid's: once, or, with stream-k, in a loop over the tiles of its share.
/// Emits at the builder's insertion point.
void forEachWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows,
                 llvm::function_ref<void(const BlockWork&)> body);
/// The same where it is once.
BlockWork assignBlockWork(KernelBuilder& builder, const BlockGrid& grid, int64_t k, mlir::Value rows);


/// Begins the kernel of a product: (A, B, C[, bias][, addend]), or (A, B, workspace) with a workspace reduction, or
/// with an ordered one (A, B, C[, bias][, addend], workspace); then what `sizes` says.
KernelBuilder::Values beginProduct(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                   int64_t threads, int64_t minBlocks, int64_t reduction, RunTimeSizes sizes = {});

/// The rows of C: those of the problem, or the last of the kernel's parameters.
mlir::Value rowsOf(KernelBuilder& builder, const MatmulProblem& problem, RunTimeSizes sizes,
                   llvm::ArrayRef<mlir::Value> parameters);

/// Where a block of it stores: its matrix of C, `buffers[2]`, or of its split of the workspace.
ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<mlir::Value> buffers, const MatmulLayout& layout = {});

/// kOrderedReduction, of the tile of `work`. The block keeps the sums of its part in the workspace; if it is the last
/// one of the tile's to do so, it adds those of all parts in the order of k. `sums` are numbers of one type or vectors
/// of them, as many in each of the block's `threads`; `shared` is a word of shared memory that is free until the
/// block's next barrier.
struct FinishedSums {
  KernelBuilder::Values sums;  ///< Like those that were given.
  mlir::Value areWhole;        ///< Whether they are of all k: of one block for each tile.
};
FinishedSums finishSums(KernelBuilder& builder, const BlockGrid& grid, const BlockWork& work, int64_t threads,
                        mlir::Value workspace, mlir::Value shared, const KernelBuilder::Values& sums);

/// Adds kSplitReductionKernel(workspace, C[, bias][, addend]) to the builder's module:
/// C[i] is the epilogue of the sum of workspace[z * elements + i] over the splits z, in order, with
/// `elements` those of C over the whole batch.
void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits);

}  // namespace mmtune
