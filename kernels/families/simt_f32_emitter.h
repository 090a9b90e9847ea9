// Emits the kernel of a `simt` schedule.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds SimtF32Family::kKernel(A, B, C or workspace) to the builder's module. The schedule is
/// valid.
void emitSimtF32Kernel(KernelBuilder &builder, const MatmulProblem &problem,
                       const Schedule &schedule);

} // namespace mmtune
