// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async as inline PTX.
#pragma once

#include "kernels/passes/simt/emitter.h"
#include "kernels/passes/simt/ptx_text.h"

namespace mmtune {

/// Replaces the emitter's llvm.inline_asm, whose text holds `wgmma`, A by descriptor or in
/// registers. Its results are D, with the first operands tied to them, as MLIR writes it. Fails
/// with a diagnostic for other forms.
mlir::LogicalResult replaceWgmma(SimtEmitter& emit, llvm::ArrayRef<PtxInstruction> instructions,
                                 const PtxInstruction& wgmma);

}  // namespace mmtune
