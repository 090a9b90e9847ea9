// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where to where a buffer is registered with the device.
#pragma once

#include "kernels/passes/buffers/host_buffers.h"

namespace mmtune {

/// Makes what the program does while `buffer` is registered (gpu.host_register) uses where it lies,
/// and the rest uses of a buffer that is not registered. Where that cannot be seen, the buffer
/// counts as registered: the registrations stand in several blocks, or in one that may run again
/// and does not end all that it begins.
void separateRegisteredUses(HostBuffer& buffer);

/// Whether the program is seen not to have registered `buffer` when `op` runs.
bool isOutsideRegistration(const HostBuffer& buffer, mlir::Operation* op);

}  // namespace mmtune
