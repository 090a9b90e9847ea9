// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What split-k and stream-k make of a product's kernel, and the kernel that sums a workspace.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/block_work.h"
#include "kernels/families/common/product_layout.h"
#include "kernels/families/common/result_writer.h"
#include "kernels/families/common/run_time_sizes.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Begins the kernel of a product: (A, B, C[, bias][, addend]), or (A, B, workspace) with a workspace reduction, or
/// with an ordered one (A, B, C[, bias][, addend], workspace); then what `sizes` says.
KernelBuilder::Values beginProduct(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                   int64_t threads, int64_t minBlocks, int64_t reduction, RunTimeSizes sizes = {});

/// The rows of C: those of the problem, or the last of the kernel's parameters.
mlir::Value rowsOf(KernelBuilder& builder, const MatmulProblem& problem, RunTimeSizes sizes,
                   llvm::ArrayRef<mlir::Value> parameters);

/// Where a block of it stores: its matrix of C, `buffers[2]`, or of its split of the workspace.
ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<mlir::Value> buffers, const ProductLayout& layout = {});

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
