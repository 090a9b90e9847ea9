// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a valid schedule to its kernels: the emitter of each family, found by name.
#pragma once

#include "absl/status/status.h"
#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds every kernel of the schedule's launch plan to the builder's module. The schedule is valid.
/// InvalidArgument for a family that is not in the table.
absl::Status emitKernels(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule);

}  // namespace mmtune
