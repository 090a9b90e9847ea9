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
/// For any other text, fails with a diagnostic that shows the mnemonic.
mlir::LogicalResult raiseInlinePtx(SimtFunction& function);

/// Replaces each run of independent ldmatrix and mma.sync operations in an MLIR block by one call of the runtime.
/// Operations without side effects that use the results are moved behind the call. An operation with side effects ends
/// a run. Fails with a diagnostic at an operation that the device does not support. Must not be used with race
/// detection.
mlir::LogicalResult batchWarpOperations(SimtFunction& function);

/// Emits a call of the runtime's function mmtune_simt_access (abi.h), which reports the access to the race detector,
/// before an operation that accesses memory. Accesses to memory that is private to the thread (an alloca, or a kernel
/// parameter passed in memory) are not reported. A masked vector access gets a call for each lane, any other vector
/// access one call for all elements. Fails with a diagnostic at an access that it cannot describe.
mlir::LogicalResult emitAccessChecks(SimtEmitter& emit);

/// The result of the rewrite functions below: success, failure, or nothing if the function does not handle operations
/// of this kind.
using Rewritten = std::optional<mlir::LogicalResult>;

/// Rewrites reads of special registers to loads of fields of the thread's context, or to values computed from these
/// fields.
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

/// Emits the conversion of a pointer to a shared::cluster address, which is an i32, and returns the address.
mlir::Value clusterAddress(SimtEmitter& emit, mlir::Value pointer);
/// Emits the conversion of a shared::cluster address to a pointer, and returns the pointer.
mlir::Value clusterPointer(SimtEmitter& emit, mlir::Value address);

}  // namespace mmtune
