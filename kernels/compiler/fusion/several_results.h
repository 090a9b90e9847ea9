// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions with several results, as reductions with one.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace mmtune {

/// Adds patterns that replace a reduction on tensors with several results by some with one result each, whose kernels
/// may have the threads of a row: independent results, and a maximum or minimum along memory with its place.
void populateSeveralResultsPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
