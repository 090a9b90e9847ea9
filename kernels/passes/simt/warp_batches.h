// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fewer meetings of a warp: matrix operations that do not wait for one another meet once.
#pragma once

#include "kernels/passes/simt/emitter.h"

namespace mmtune {

/// Replaces runs of ldmatrix and mma.sync in each block, of which none uses a result of another
/// before it, by one call of the runtime each. What uses their results and has no effects moves
/// behind the call; what has effects ends a run. Fails with a diagnostic at an operation that the
/// device does not have. Not for code with checks.
mlir::LogicalResult batchWarpOperations(SimtFunction& function);

}  // namespace mmtune
