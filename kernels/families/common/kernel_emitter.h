// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the kernels of a schedule of any family, as llvm.func in a gpu.module. registry.h is the counterpart without
// MLIR: it describes and plans a schedule, and this file generates the code.
#pragma once

#include "absl/status/status.h"
#include "kernels/builder/kernel_builder.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Adds every kernel of the schedule's launch plan to the builder's module. The schedule must be valid and support the
/// layout (WhyLayoutUnsupported() is empty). Returns InvalidArgument if the family is unknown, or if it does not
/// support `sizes` that are known only at run time (WhyRunTimeSizesUnsupported()).
absl::Status emitKernels(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule,
                         RunTimeSizes sizes = {}, const MatmulLayout& layout = {});

/// Declares the emitter of each family in the table of registry.h: emitDirect(), emitFma() and so on, with the contract
/// of emitKernels(). A kernel's parameters are the buffers that the plan names, then the run-time values of `sizes`.
/// The program does not link if a family has no emitter.
#define MMTUNE_DECLARE_EMITTER(NAME, TITLE)                                                                            \
  void emit##TITLE(KernelBuilder& builder, const MatmulProblem& problem, const Schedule& schedule, RunTimeSizes sizes, \
                   const MatmulLayout& layout);
MMTUNE_KERNEL_FAMILIES(MMTUNE_DECLARE_EMITTER)
#undef MMTUNE_DECLARE_EMITTER

}  // namespace mmtune
