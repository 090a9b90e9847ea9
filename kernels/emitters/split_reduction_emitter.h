// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What split-k makes of a product's kernel, and the kernel that sums its partial products.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/emitters/block_work.h"
#include "kernels/emitters/result_writer.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Begins the kernel of a product: (A, B, C[, bias][, addend]), or (A, B, workspace) with a workspace reduction.
KernelBuilder::Values beginProduct(KernelBuilder& builder, const MatmulProblem& problem, llvm::StringRef name,
                                   int64_t threads, int64_t minBlocks, int64_t reduction);

/// Where a block of it stores: its matrix of C, `buffers[2]`, or of its split of the workspace.
ResultWriter resultOf(KernelBuilder& builder, const MatmulProblem& problem, int64_t reduction, const BlockWork& work,
                      llvm::ArrayRef<mlir::Value> buffers);

/// Adds kSplitReductionKernel(workspace, C[, bias][, addend]) to the builder's module:
/// C[i] is the epilogue of the sum of workspace[z * elements + i] over the splits z, in order, with
/// `elements` those of C over the whole batch.
void emitSplitReduction(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits);

}  // namespace mmtune
