// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the runtime before accesses of memory, so that check mode can watch them.
#pragma once

#include "kernels/passes/simt/emitter.h"

namespace mmtune {

/// Puts calls of mmtune_simt_access before the emitter's operation if it accesses memory by a
/// pointer that is not certain to be of the thread's own: not an alloca's, nor a kernel's parameter
/// that is passed in memory. A masked access is checked lane by lane; of one operation with
/// several elements in a row there is one call. Fails with a diagnostic at an access that it
/// cannot describe.
mlir::LogicalResult emitAccessChecks(SimtEmitter& emit);

}  // namespace mmtune
