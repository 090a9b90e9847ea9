// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sums of slices of k in an `fma` kernel.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/fma/fma_schedule.h"

namespace mmtune {

/// Adds what the slices of a block have of each element of C, in the order of k, through shared memory. `pieces` are
/// those of the thread tile (FmaTiling::PiecesOfC) in the thread's slice. Returns the sums of every sliceK-th of them,
/// from the number of the thread's slice on. All threads of the block come here, and none of them, nor a copy, uses
/// `shared` any more; it is free again behind the block's next barrier. Emits at the builder's insertion point.
KernelBuilder::Values sumSlices(KernelBuilder& builder, const FmaTiling& tiling, mlir::Value shared, mlir::Value thread,
                                const KernelBuilder::Values& pieces);

}  // namespace mmtune
