// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that the SIMT device understands.
#pragma once

#include "kernels/passes/simt/emitter.h"

namespace mmtune {

/// Replaces `llvm.inline_asm` and `nvvm.inline_ptx` of the function: what MLIR writes as text for
/// operations that have no intrinsic (with and without a predicate) by those operations, and
/// `wgmma.mma_async`, whose form with A in registers has no operation, by a call of the runtime.
/// Fails with a diagnostic that shows the mnemonic at everything else.
mlir::LogicalResult raiseInlinePtx(SimtFunction& function);

}  // namespace mmtune
