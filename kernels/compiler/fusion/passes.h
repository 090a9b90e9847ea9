// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td: create<Name>Pass() and registerMmtuneFusionPasses(), and the patterns of fuse-elementwise
// that have files of their own.
#pragma once

#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/fusion/Passes.h.inc"

/// Adds patterns for elementwise bodies that read tensors by `tensor.extract`: the body reads the source of a slice or
/// of a reshape instead, or computes the element itself where mayComputeAtRead() (fusion_rules.h) allows it.
void populateBodyReadPatterns(mlir::RewritePatternSet& patterns);

/// Adds patterns that replace a reduction on tensors with several results by reductions with one result each:
/// independent results, and a maximum or minimum along memory with its index (argmax). Their kernels may use all
/// threads of a row.
void populateSeveralResultsPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
