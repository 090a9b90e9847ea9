// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of tm_tensor on tensors, as what becomes few kernels.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace mmtune {

/// A sort gets outputs of its own beside what it sorts, and so does a scan where what they hold is not read. A scatter
/// of up to four updates into a tensor that has to be copied or computed in any case becomes one elementwise operation,
/// which can be part of its neighbours' kernels.
void populateTmTensorPatterns(mlir::RewritePatternSet& patterns);

}  // namespace mmtune
