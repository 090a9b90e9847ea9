// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder. They fuse operations, among them row-wise ones such as softmax, into
// few kernels. Also declares those patterns of the pass fuse-elementwise that have source files of their own.
#pragma once

#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/fusion/Passes.h.inc"

/// Adds patterns that change elementwise bodies which read a tensor by tensor.extract. If the tensor is a slice or a
/// reshape, the changed body reads the source of the slice or reshape. If mayComputeAtRead() (fusion_rules.h) allows
/// it, the changed body computes the element itself.
void populateBodyReadPatterns(mlir::RewritePatternSet& patterns);

/// Adds patterns that split a reduction with several results into reductions with one result each. Several threads can
/// then compute each result, while one thread computes all results of an unsplit reduction. The patterns split
/// - reductions whose results do not depend on one another;
/// - argmax and argmin (a maximum or minimum together with its index), into reductions for the value and for the first
///   or last index of an element that has this value. They are split only if they reduce the innermost (contiguous)
///   dimension, or reduce another, long dimension to few results.
void populateSeveralResultsPatterns(mlir::RewritePatternSet& patterns);

/// Adds a pattern for Welford's algorithm, a reduction that updates a mean, a count and the sum of squared deviations
/// from the mean. The pattern replaces it by one reduction that sums the elements, from which the mean follows, and a
/// second one that sums the squared deviations.
void populateRunningMeanPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
