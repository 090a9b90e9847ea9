// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td: create<Name>Pass() and registerMmtuneFusionPasses().
#pragma once

#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/fusion/Passes.h.inc"

/// Patterns on elementwise operations whose bodies read tensors by `tensor.extract`: a slice is read in the tensor that
/// it is cut from, a tensor with its dimensions in another order where it lies, and what is little work, and read by
/// nobody else, is computed in the body; so is what is cheap behind reshapes.
void populateBodyReadPatterns(mlir::RewritePatternSet& patterns);

/// Adds patterns that replace a reduction on tensors with several results by some with one result each, whose kernels
/// may have the threads of a row: independent results, and a maximum or minimum along memory with its place.
void populateSeveralResultsPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
