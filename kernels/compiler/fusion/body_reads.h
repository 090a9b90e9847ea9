// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies that read tensors by index, as those of paddings and concatenations do.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace mmtune {

/// Patterns on elementwise operations whose bodies read tensors by `tensor.extract`: a slice is read in the tensor that
/// it is cut from, a tensor with its dimensions in another order where it lies, and what is little work, and read by
/// nobody else, is computed in the body; so is what is cheap behind reshapes.
void populateBodyReadPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
