// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitters of the families' table: each family has one, or nothing links.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "kernels/families/family_table.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// emitDirect and so on: adds every kernel of the schedule's launch plan to the builder's module,
/// their parameters the buffers that the plan names. The schedule is valid, and of that family.
#define MMTUNE_DECLARE_EMITTER(NAME, TITLE) \
  void emit##TITLE(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule);
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_EMITTER)
#undef MMTUNE_DECLARE_EMITTER

}  // namespace mmtune
