// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async: copies of 4, 8 or 16 bytes from global to shared memory, by one thread.
#pragma once

#include <cstdint>

#include "kernels/simulator/block/gpu_thread.h"

namespace mmtune::simt {

/// The thread's copies numbered below `end` (CopyQueue::issued()) are done. The thread itself knows that, or, with
/// `barrier`, which the operation at `site` named, those who wait for that mbarrier do: they also know what the thread
/// did before each copy.
void FinishCopies(GpuThread& thread, uint64_t end, void* barrier = nullptr, uint32_t site = 0);

}  // namespace mmtune::simt
