// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one access of a warp costs in the memory of a multiprocessor: wavefronts of shared memory, sectors of global
// memory. This is the house's one statement of both rules; docs/profile.md has their sources.
//
// How often shared memory has to be asked for one instruction of a warp.
#pragma once

#include <array>
#include <cstdint>

namespace mmtune {

/// The lanes of `lanes` (bit i: lane i) access `bytes` (1, 2, 4, 8 or 16) each, at these addresses, which are multiples
/// of it. For shared memory an address is the offset in it.
struct WarpRequest {
  std::array<uint64_t, 32> address = {};
  uint32_t lanes = 0;
  uint32_t bytes = 4;
};

/// Shared memory has 32 banks of 4 bytes. A warp's lanes are served in parts of 128 bytes: all at once where they
/// access up to 4 bytes, by halves of 8, by quarters of 16. In a part each bank gives one word in a wavefront, to all
/// lanes that ask for it. Sources: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x (banks,
/// broadcast) and of 2.x in its editions up to 8 (the parts of 64-bit and 128-bit accesses, which later hardware is
/// observed to keep). ldmatrix and stmatrix serve the 8 rows of a tile at once: a row of 16 bytes is what a lane is.
struct SharedCost {
  uint32_t wavefronts = 0;
  uint32_t ideal = 0;  ///< Without conflicts: one for each part that has a lane.
  uint32_t ways = 0;   ///< Wavefronts of the slowest part; 1: no lane waits for another.
  /// Wavefronts where two parts are served at once, which hardware is observed to do when in both of them the lanes i
  /// and i^1, or i and i^2, have the same address. Not documented by NVIDIA: a model may use it, no rule of ours asks
  /// for it.
  uint32_t merged = 0;
};
SharedCost CostInShared(const WarpRequest& request);

/// Global memory is moved in sectors of 32 bytes. Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global
/// Memory".
struct GlobalCost {
  uint32_t sectors = 0;
  uint32_t ideal = 0;  ///< Those that the bytes would fill, if they lay side by side from the begin of a sector.
};
GlobalCost CostInGlobal(const WarpRequest& request);


/// Offsets of the lanes of a warp, in floats.
using LaneOffsets = std::array<int64_t, 32>;

/// Wavefronts of an access of `width` (1, 2 or 4) floats for each lane, at offsets that are multiples of it and not
/// negative: SharedCost::merged (kernels/perf_model/warp_request.h) when it `merges`, as loads do, else
/// SharedCost::wavefronts.
int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges);

}  // namespace mmtune
