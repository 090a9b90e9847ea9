// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the matmul problems of a compiled module, and how often the module computes each. This file is internal to
// model_compiler.cc.
//
//   multiplicity(function) = (1 if public) + sum over its calls of multiplicity(caller) * iterations around the call
//   calls(kernel module)   = sum over the launches of one of its kernels, in the same way
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "proto/json/model_matmuls.h"

namespace mmtune {

/// Returns the problems of the gpu.modules that the pass schedule-matmul made from matmuls, each problem once, with the
/// number of times that the module computes it. The module must be the output of the pipeline mmtune-to-gpu
/// (pipelines.h).
///
/// The iterations of a loop are known if its bounds are constant, and both regions of an `scf.if` count as executed.
/// The number is unknown for a matmul in any other region that may run more than once (`scf.while`, a loop with unknown
/// bounds), in a later block of a function with several blocks, and in a recursive function.
///
/// If `at_run_time` is true, host code also calls mgpuCountMatmul() (kernels/runtime/mgpu.cc) with the index of the
/// problem in the result each time that it computes one.
ModelMatmuls CountMatmuls(mlir::ModuleOp module, bool at_run_time = false);

}  // namespace mmtune
