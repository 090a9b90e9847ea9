// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a valid schedule to its kernels: the emitters of the families, by name and one by one.
#pragma once

#include "absl/status/status.h"
#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/registry.h"
#include "kernels/families/common/matmul_layout.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds every kernel of the schedule's launch plan to the builder's module. The schedule is valid. InvalidArgument for
/// a family that is not in the table, and where WhyNotAtRunTime() has a reason. Of the layout, WhyNotLaidOut() has
/// none, and without one all is known but sizes.
absl::Status emitKernels(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule,
                         RunTimeSizes sizes = {}, const MatmulLayout& layout = {});

/// emitDirect and so on: the same for a schedule of that family. The parameters of the kernels are the buffers that
/// the plan names, then what RunTimeSizes says. Nothing links while a family of the table has none.
#define MMTUNE_DECLARE_EMITTER(NAME, TITLE)                                                                            \
  void emit##TITLE(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes, \
                   const MatmulLayout& layout);
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_EMITTER)
#undef MMTUNE_DECLARE_EMITTER

}  // namespace mmtune
