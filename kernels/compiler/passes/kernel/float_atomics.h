// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates of floating-point elements by any computation.
#pragma once

#include "mlir/IR/Operation.h"

namespace mmtune {

/// Replaces each memref.generic_atomic_rmw of floating-point elements in `root` by a loop that compares and exchanges
/// their bits, as processors compare and exchange integers only.
void expandFloatAtomics(mlir::Operation* root);

}  // namespace mmtune
