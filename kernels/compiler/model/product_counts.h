// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the matmul problems of a compiled module, and how often the module computes each. It is internal to
// model_compiler.cc.
//
//   multiplicity(function) = (1 if public) + sum over its calls of multiplicity(caller) * iterations around the call
//   calls(kernel module)   = sum over the launches of one of its kernels, in the same way
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "proto/json/model_products.h"

namespace mmtune {

/// Returns the problems of the gpu.modules that schedule-matmul made, each once. The module must be the output of
/// mmtune-to-gpu.
///
/// A loop counts by its constant bounds, and an `scf.if` as if it were taken. Every other region that may run more than
/// once (`scf.while`, a loop with unknown bounds), a function of several blocks and a recursion make the number
/// unknown.
ModelProducts CountProducts(mlir::ModuleOp module);

}  // namespace mmtune
