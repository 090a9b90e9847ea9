// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass convert-nvvm-to-simt (create<Name>Pass(), option struct, registerMmtuneSimtPasses()), and its steps in the
// order in which they run on a function.
#pragma once

#include <optional>

#include "kernels/compiler/passes/simt/emitter.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/simt/Passes.h.inc"

/// Replaces calls of `llvm.nvvm.*` intrinsics by the equivalent NVVM operations, where the SIMT device supports one.
/// Other calls stay.
void raiseIntrinsics(mlir::LLVM::LLVMFuncOp function);

/// On an `llvm.atomicrmw` of a vector: it updates each element on its own, where LLVM updates all of them at once.
inline constexpr llvm::StringLiteral kByElementAttrName = "mmtune.by_element";

/// Replaces `llvm.inline_asm` and `nvvm.inline_ptx` of the function by operations: the text that MLIR emits for
/// operations without an intrinsic (with and without a predicate), `red.relaxed.gpu.global.add` of f32 vectors (by an
/// update with kByElementAttrName), and `wgmma.mma_async`, which has no operation for A in registers (by a call of the
/// runtime). Fails with a diagnostic that shows the mnemonic at everything else.
mlir::LogicalResult raiseInlinePtx(SimtFunction& function);

/// Replaces runs of independent ldmatrix and mma.sync operations in each block by one call of the runtime each.
/// Operations without effects that use their results move behind the call; an operation with effects ends a run. Fails
/// with a diagnostic at an operation that the device lacks. Not for race detection.
mlir::LogicalResult batchWarpOperations(SimtFunction& function);

/// Emits a call of mmtune_simt_access before the emitter's operation if it accesses memory through a pointer that may
/// not be private to the thread (an alloca, or a kernel parameter passed in memory). A masked access is checked lane by
/// lane; one call covers several consecutive elements. Fails with a diagnostic at an access that it cannot describe.
mlir::LogicalResult emitAccessChecks(SimtEmitter& emit);

// Rewrites of NVVM operations, one function for each group of them. Each replaces the emitter's operation and returns
// success or failure, or returns nothing when the operation is not in its group.
using Rewritten = std::optional<mlir::LogicalResult>;

/// Rewrites special registers to fields of the context, or values computed from them.
Rewritten rewriteRegister(SimtEmitter& emit);
/// Rewrites barriers of blocks and warps, fences, thread exit and sleeping.
Rewritten rewriteSynchronization(SimtEmitter& emit);
/// Rewrites mbarrier operations.
Rewritten rewriteMbarrier(SimtEmitter& emit);
/// Rewrites cp.async, cp.async.bulk and cp.async.bulk.tensor, and prefetches.
Rewritten rewriteCopy(SimtEmitter& emit);
/// Rewrites conversions and arithmetic of single threads.
Rewritten rewriteConversion(SimtEmitter& emit);
/// Rewrites operations that the lanes of a warp execute together, and the wait groups of wgmma.
Rewritten rewriteWarpOperation(SimtEmitter& emit);
/// Reports operations that are known not to be modelled: clusters, programmatic dependent launch.
Rewritten rejectUnmodelled(SimtEmitter& emit);

}  // namespace mmtune
