// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of rewriting a function for the SIMT device, in the order in which they are taken.
#pragma once

#include <optional>

#include "kernels/compiler/passes/simt/emitter.h"

namespace mmtune {

struct PtxInstruction;

/// Rewrites the body of `function`, whose first argument is the thread's context already: NVVM
/// operations become accesses of the context and calls of the runtime, and in watch mode every access
/// of memory is announced. Calls of the module's own functions get the context passed on; the
/// module gets the runtime's declarations. Address spaces and calls of libdevice stay. Fails with a
/// diagnostic at every operation that the SIMT device does not model.
mlir::LogicalResult rewriteForSimt(mlir::LLVM::LLVMFuncOp function, SimtModuleState& state);

/// Replaces calls of `llvm.nvvm.*` intrinsics by the NVVM operations that stand for them, where
/// there is one that the SIMT device has. Others stay.
void raiseIntrinsics(mlir::LLVM::LLVMFuncOp function);

/// Of an `llvm.atomicrmw` of a vector: it updates each element on its own, where LLVM updates all of them at once.
inline constexpr llvm::StringLiteral kByElementAttrName = "mmtune.by_element";

/// Replaces `llvm.inline_asm` and `nvvm.inline_ptx` of the function: what MLIR writes as text for
/// operations that have no intrinsic (with and without a predicate) by those operations,
/// `red.relaxed.gpu.global.add` of vectors of f32 by an update of kByElementAttrName, and
/// `wgmma.mma_async`, whose form with A in registers has no operation, by a call of the runtime.
/// Fails with a diagnostic that shows the mnemonic at everything else.
mlir::LogicalResult raiseInlinePtx(SimtFunction& function);

/// Replaces the emitter's llvm.inline_asm, whose text holds `wgmma`, A by descriptor or in
/// registers. Its results are D, with the first operands tied to them, as MLIR writes it. Fails
/// with a diagnostic for other forms.
mlir::LogicalResult replaceWgmma(SimtEmitter& emit, llvm::ArrayRef<PtxInstruction> instructions,
                                 const PtxInstruction& wgmma);

/// Replaces runs of ldmatrix and mma.sync in each block, of which none uses a result of another
/// before it, by one call of the runtime each. What uses their results and has no effects moves
/// behind the call; what has effects ends a run. Fails with a diagnostic at an operation that the
/// device does not have. Not for code for watch mode.
mlir::LogicalResult batchWarpOperations(SimtFunction& function);

/// Puts calls of mmtune_simt_access before the emitter's operation if it accesses memory by a
/// pointer that is not certain to be of the thread's own: not an alloca's, nor a kernel's parameter
/// that is passed in memory. A masked access is checked lane by lane; of one operation with
/// several elements in a row there is one call. Fails with a diagnostic at an access that it
/// cannot describe.
mlir::LogicalResult emitWatchedAccesses(SimtEmitter& emit);

// How the SIMT device does the operations of the NVVM dialect, a group of them a function. Each
// replaces the emitter's operation and says whether that went well, or returns nothing when the
// operation is not of its group.

using Rewritten = std::optional<mlir::LogicalResult>;

/// Special registers: fields of the context, or values computed from them.
Rewritten rewriteRegister(SimtEmitter& emit);
/// Barriers of blocks and warps, fences, the end of a thread, sleeping.
Rewritten rewriteSynchronization(SimtEmitter& emit);
/// mbarrier.*
Rewritten rewriteMbarrier(SimtEmitter& emit);
/// cp.async, cp.async.bulk and cp.async.bulk.tensor, prefetches.
Rewritten rewriteCopy(SimtEmitter& emit);
/// Conversions and arithmetic of single threads.
Rewritten rewriteConversion(SimtEmitter& emit);
/// What the lanes of a warp do together, and the groups of wgmma.
Rewritten rewriteWarpOperation(SimtEmitter& emit);
/// Errors for what is known not to be modelled: clusters, programmatic dependent launch.
Rewritten rejectUnmodelled(SimtEmitter& emit);

}  // namespace mmtune
