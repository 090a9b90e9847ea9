// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads and registers a block may have. Source: CUDA C++ Programming Guide, "Compute Capabilities".
#pragma once

#include <algorithm>
#include <cstdint>

#include "proto/base/whole_numbers.h"
#include "proto/types/device_info.h"

namespace mmtune {

inline constexpr int64_t kMostRegisters = 255;  ///< Of a thread.
inline constexpr int64_t kMostThreads = 1024;   ///< Of a block.

/// Returns how many registers a thread may have when `blocks` blocks of `threads` threads are to be resident at once.
/// The registers of a warp are allocated 256 at a time.
inline int64_t RegisterLimit(const DeviceInfo& device, int64_t threads, int64_t blocks) {
  const int64_t warps = CeilDiv(threads, 32) * blocks;
  const int64_t per_thread = device.registers_per_multiprocessor / (warps * 32);
  return std::min(kMostRegisters, per_thread / 8 * 8);
}

}  // namespace mmtune
