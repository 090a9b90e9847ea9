// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bar.warp.sync, and which lanes of a warp meet.
#pragma once

#include <cstdint>

#include "kernels/runtime/simt/block/gpu_thread.h"

namespace mmtune::simt {

/// The lanes of `mask` that exist. Fails unless `thread` is one; `what` names the operation.
uint32_t WarpMembers(GpuThread* thread, uint32_t mask, const char* what);

/// The thread meets the other lanes of `mask`.
void WarpBarrier(GpuThread* thread, uint32_t mask, uint32_t site);

}  // namespace mmtune::simt
