// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes at run time that operations on tensors take for granted.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

/// Puts before each `tensor.cast` and `tensor.concat` of host code a `cf.assert` that dynamic sizes are what it says:
/// the static ones of a cast's result; of the parts of a concatenation those of the first one, and together the static
/// ones of its result. With other sizes the module has no meaning, and would go beyond its buffers; the parts of such
/// a concatenation are then taken without elements.
void assertAssumedSizes(mlir::ModuleOp module);

}  // namespace mmtune
