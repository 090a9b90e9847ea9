// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the pass convert-nvvm-to-simt and its steps, in the order in which they run on a function. The pass rewrites
// kernels from the NVVM dialect to calls of the SIMT device's runtime, so that they run on the CPU.
#pragma once

#include <optional>

#include "kernels/compiler/passes/simt/emitter.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/simt/Passes.h.inc"

/// Replaces calls of `llvm.nvvm.*` intrinsics by the equivalent NVVM operations, if the SIMT device supports those.
/// Other calls stay.
void raiseIntrinsics(mlir::LLVM::LLVMFuncOp function);

/// A unit attribute of an `llvm.atomicrmw` of a vector: it updates each element atomically on its own. LLVM would
/// update all of them together.
inline constexpr llvm::StringLiteral kByElementAttrName = "mmtune.by_element";

/// Replaces the PTX text of `llvm.inline_asm` and `nvvm.inline_ptx` by operations. It supports
/// - the text that MLIR emits for operations without an intrinsic, with and without a predicate;
/// - `red.relaxed.gpu.global.add` of f32 vectors, which becomes an update with kByElementAttrName;
/// - `wgmma.mma_async` with A in registers, which has no operation and becomes a call of the runtime.
///
/// Fails with a diagnostic that shows the mnemonic of anything else.
mlir::LogicalResult raiseInlinePtx(SimtFunction& function);

/// Replaces runs of independent ldmatrix and mma.sync operations in a block by one call of the runtime each. Operations
/// without effects that use their results move behind the call. An operation with effects ends a run. Fails with a
/// diagnostic at an operation that the device does not support. Not for race detection.
mlir::LogicalResult batchWarpOperations(SimtFunction& function);

/// Emits a call of mmtune_simt_access before an operation that accesses memory. Accesses to memory that is private to
/// the thread (an alloca, or a kernel parameter passed in memory) are not reported. A masked access is checked lane by
/// lane; one call covers adjacent elements. Fails with a diagnostic at an access that it cannot describe.
mlir::LogicalResult emitAccessChecks(SimtEmitter& emit);

/// The result of a rewrite: success, failure, or nothing if the operation is not of the group that the function
/// rewrites.
using Rewritten = std::optional<mlir::LogicalResult>;

/// Rewrites reads of special registers to fields of the context, or to values computed from them.
Rewritten rewriteRegister(SimtEmitter& emit);
/// Rewrites barriers of blocks and warps, fences, thread exit and sleeping.
Rewritten rewriteSynchronization(SimtEmitter& emit);
/// Rewrites mbarrier operations.
Rewritten rewriteMbarrier(SimtEmitter& emit);
/// Rewrites cp.async, cp.async.bulk and cp.async.bulk.tensor, and prefetches.
Rewritten rewriteCopy(SimtEmitter& emit);
/// Rewrites conversions and arithmetic of a single thread.
Rewritten rewriteConversion(SimtEmitter& emit);
/// Rewrites operations that the lanes of a warp execute together, and the wait operations of wgmma.
Rewritten rewriteWarpOperation(SimtEmitter& emit);
/// Rewrites the registers and the barrier of a cluster, and operations on the shared memory of its blocks.
Rewritten rewriteCluster(SimtEmitter& emit);

/// Returns the shared::cluster address, an i32, of a pointer; and the pointer of such an address.
mlir::Value clusterAddress(SimtEmitter& emit, mlir::Value pointer);
mlir::Value clusterPointer(SimtEmitter& emit, mlir::Value address);

}  // namespace mmtune
