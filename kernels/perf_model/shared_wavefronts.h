// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often shared memory has to be asked for one instruction of a warp.
#pragma once

#include <array>
#include <cstdint>

namespace mmtune {

/// Offsets of the lanes of a warp, in floats.
using LaneOffsets = std::array<int64_t, 32>;

/// Wavefronts of an access of `width` (1, 2 or 4) floats for each lane, at offsets that are multiples of it and not
/// negative: SharedCost::merged (kernels/perf_model/warp_request.h) when it `merges`, as loads do, else
/// SharedCost::wavefronts.
int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges);

}  // namespace mmtune
