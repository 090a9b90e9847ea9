// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the kernels of a valid schedule, of whatever family.
#pragma once

#include "absl/status/status.h"
#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds every kernel of the schedule's launch plan to the builder's module. The schedule is valid, and WhyNotLaidOut()
/// is empty for the layout. InvalidArgument where the family is unknown, or WhyNotAtRunTime() is not empty.
absl::Status emitKernels(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule,
                         RunTimeSizes sizes = {}, const MatmulLayout& layout = {});

/// emitDirect() and so on do the same for a schedule of that family. The parameters of the kernels are the buffers that
/// the plan names, then those of RunTimeSizes. Nothing links while a family of the table has none.
#define MMTUNE_DECLARE_EMITTER(NAME, TITLE)                                                                            \
  void emit##TITLE(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes, \
                   const MatmulLayout& layout);
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_EMITTER)
#undef MMTUNE_DECLARE_EMITTER

}  // namespace mmtune
