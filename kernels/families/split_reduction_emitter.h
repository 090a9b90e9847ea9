// Emits the kernel that sums the partial products of split-k.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// Adds SimtF32Family::kReductionKernel(workspace, C) to the builder's module: C[i] is the sum of
/// workspace[z * elements + i] over the splits z, in order.
void emitSplitReductionKernel(KernelBuilder &builder, int64_t splits, int64_t elements);

} // namespace mmtune
