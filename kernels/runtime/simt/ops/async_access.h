// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watched launches: how asynchronous copies and tensor cores tell the monitor what they access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/runtime/simt/block/block.h"
#include "kernels/runtime/simt/block/monitor.h"

namespace mmtune::simt {

/// A read of shared memory through the asynchronous proxy begins. Also a finding when it may not see an ordinary write.
/// There is a monitor.
AsyncToken BeginProxyRead(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);
/// A write through it.
AsyncToken BeginProxyWrite(GpuThread& thread, const void* shared, size_t bytes, uint32_t site);

}  // namespace mmtune::simt
