// Emits the kernel of a `simt` schedule.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds SimtF32Family::kKernel to the builder's module: (A, B, C[, bias][, addend]), or
/// (A, B, workspace) with a workspace reduction. The schedule is valid.
void emitSimtF32Kernel(KernelBuilder &builder, const MatmulProblem &problem,
                       const Schedule &schedule);

} // namespace mmtune
