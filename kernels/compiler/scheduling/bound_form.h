// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minima and maxima with a constant, as operations and as a comparison and a selection.
#pragma once

#include "kernels/compiler/scheduling/constant_of.h"

namespace mmtune {

/// max(x, bound) where `isLower`, else min(x, bound): as arith.maximumf and arith.minimumf have it, which keep NaN and
/// take -0 to be below +0.
struct BoundForm {
  mlir::Value x;
  llvm::APFloat bound;
  bool isLower;
};

/// What a value in the body of `op` is a minimum or maximum of, bit by bit; nothing of others. `dropsNan` (never
/// cleared) says whether it would be one if it kept NaN.
std::optional<BoundForm> matchBoundForm(mlir::linalg::LinalgOp op, mlir::Value value, bool& dropsNan);

}  // namespace mmtune
