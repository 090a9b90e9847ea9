// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often shared memory has to be asked for one instruction of a warp.
#pragma once

#include <array>
#include <cstdint>

namespace mmtune {

/// Offsets of the lanes of a warp, in floats.
using LaneOffsets = std::array<int64_t, 32>;

/// Wavefronts of an access of `width` (1, 2 or 4) floats for each lane, at offsets that are multiples of it. A
/// wavefront gives every bank's word of one address; accesses of 8 bytes are served half a warp at a time, those of 16
/// a quarter, and `merges` two of these together where each lane shares its address with its neighbour, or the one
/// after that: loads do. Source: CUDA C++ Programming Guide, "Shared Memory"; the merging as it is known from counters.
int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges);

}  // namespace mmtune
