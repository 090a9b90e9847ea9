// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of constant tensors whose values are known.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace mmtune {

/// Replaces the transpose (linalg.transpose, or a linalg.generic that only permutes) of a constant that nothing else
/// uses by a constant, dense or a dense resource; and constants of i1 in resources, which have no translation, by
/// dense ones. A resource of i1 may have a byte or a bit for each element.
void populateConstantValuePatterns(mlir::RewritePatternSet& patterns);

/// The elements of a value as they lie in memory, one where they are all the same; nothing where they are not at hand.
/// Those of i1 are in no order that is promised.
llvm::ArrayRef<char> rawBytesOf(mlir::ElementsAttr value);

/// A resource of i1 as dense elements; any other value, null too, as it is.
mlir::ElementsAttr unpackedBooleans(mlir::ElementsAttr value);

}  // namespace mmtune
