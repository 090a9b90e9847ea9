// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread and a block cannot have more of, on any device. Source: CUDA C++ Programming Guide, "Compute
// Capabilities".
#pragma once

#include <cstdint>

namespace mmtune {

inline constexpr int64_t kMostRegisters = 255;  ///< Of a thread.
inline constexpr int64_t kMostThreads = 1024;   ///< Of a block.

}  // namespace mmtune
