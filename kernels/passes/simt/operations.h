// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the SIMT device does the operations of the NVVM dialect, a group of them a function. Each
// replaces the emitter's operation and says whether that went well, or returns nothing when the
// operation is not of its group.
#pragma once

#include <optional>

#include "kernels/passes/simt/emitter.h"

namespace mmtune {

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
