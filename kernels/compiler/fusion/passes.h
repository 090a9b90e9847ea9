// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder, which fuse operations on tensors into few kernels, row-wise
// operations such as softmax among them. Also declares the patterns of the pass fuse-elementwise that have source files
// of their own.
#pragma once

#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/fusion/Passes.h.inc"

/// Adds patterns for elementwise bodies that read a tensor by tensor.extract. If the tensor is a slice or a reshape,
/// the body then reads the source of the slice or reshape. If mayComputeAtRead() (fusion_rules.h) allows it, the body
/// computes the element itself.
void populateBodyReadPatterns(mlir::RewritePatternSet& patterns);

/// Adds patterns that split a reduction with several results into reductions with one result each, whose kernels may
/// use all threads of a row. They split
/// - reductions whose results do not depend on one another;
/// - argmax and argmin, a maximum or minimum together with its index: into reductions for the value, and for the first
///   or last index of an element that has this value. Only along the innermost (contiguous) dimension, or along another
///   one if it is long and there are few results.
void populateSeveralResultsPatterns(mlir::RewritePatternSet& patterns);

/// Adds a pattern that splits a mean updated with a count, and the squared deviations from it (Welford's algorithm),
/// into a sum and a sum of squares.
void populateRunningMeanPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
