// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the memory of a memref comes from.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

namespace mmtune {

/// The memrefs that `value` may be a view of, traced through views, casts, selections, branches and
/// the regions of control flow. Each is where tracing ends: an allocation, an argument of a
/// function, a global, or something that may be any memory, such as what a call returns. Distinct
/// allocations among them are distinct memory; one allocation may stand for those of several turns
/// of a loop. Empty for a value that no execution defines.
llvm::SmallVector<mlir::Value> bufferOrigins(mlir::Value value);

}  // namespace mmtune
