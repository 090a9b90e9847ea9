// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async: copies of 4, 8 or 16 bytes from global to shared memory, by one thread.
#pragma once

#include <cstdint>

#include "kernels/runtime/simt/block/gpu_thread.h"

namespace mmtune::simt {

/// The thread's cp.async copies numbered below `end` (CopyQueue::issued()) are done, and it knows that.
void FinishCopies(GpuThread* thread, uint64_t end);

}  // namespace mmtune::simt
