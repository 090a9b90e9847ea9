// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of math that neither a target nor libm has an instruction or a function for.
#pragma once

#include "mlir/IR/Operation.h"

namespace mmtune {

/// Replaces those in `root` by arithmetic and loops.
llvm::LogicalResult expandComposedMath(mlir::Operation* root);

}  // namespace mmtune
