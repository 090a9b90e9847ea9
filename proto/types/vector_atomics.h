// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which GPUs add several floats to memory by one instruction.
#pragma once

#include <cstdint>

namespace mmtune {

/// Floats that `red.global.add` adds to global memory at once, each on its own (.v4.f32; PTX ISA 8.1, "red").
inline constexpr int64_t kMostFloatsOfAtomic = 4;

/// Whether there is such an instruction; 90 for sm_90 (DeviceInfo::ComputeCapability).
constexpr bool HasVectorAtomics(int computeCapability) { return computeCapability >= 90; }

}  // namespace mmtune
