// Emits the kernel of a `direct` schedule.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds DirectFamily::kKernel(A, B, C[, bias][, addend]) to the builder's module. The schedule is
/// valid.
void emitDirectKernel(KernelBuilder &builder, const MatmulProblem &problem,
                      const Schedule &schedule);

} // namespace mmtune
