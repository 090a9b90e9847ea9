// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the kernel that sums the partial products of split-k.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Adds kReductionKernel(workspace, C[, bias][, addend]) to the builder's module:
/// C[i] is the epilogue of the sum of workspace[z * elements + i] over the splits z, in order, with
/// `elements` those of C over the whole batch.
void emitSplitReductionKernel(KernelBuilder& builder, const MatmulProblem& problem, int64_t splits);

}  // namespace mmtune
