// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the buffers of a host function live.
#pragma once

#include <optional>

#include "kernels/compiler/passes/buffers/call_facts.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"

namespace mmtune {

/// Sets HostBuffer::placement of every buffer of `function`. Fails with diagnostics when a buffer
/// that device code touches cannot be moved soundly. Without `processArgs` arguments are device
/// memory, as those in `device` are with it, which has results of calls, too: all those become
/// Kind::Device, and it fails where the host touches an argument of them.
mlir::LogicalResult placeBuffers(mlir::func::FuncOp function, HostBuffers& buffers, const CallFacts& calls,
                                 const DeviceValues& device, bool processArgs);

/// The operations before which an allocation that the program does not free itself is to be freed,
/// so that it is freed once on every path and not before its last use. Nothing when there is no
/// such place.
std::optional<llvm::SmallVector<mlir::Operation*>> findFreePoints(mlir::Operation* allocation);

/// Whether a mirror's contents at the function's entry matter: they do not when the first thing
/// that happens to it, on every path, is to be overwritten.
bool needsCopyIn(mlir::func::FuncOp function, const HostBuffer& buffer);

}  // namespace mmtune
