// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of one memory request of a warp: wavefronts per request of shared memory, sectors of global memory. The
// simulator, the time model and the profiles all use this statement of the two rules; docs/profile.md has the sources.
#pragma once

#include <array>
#include <cstdint>

namespace mmtune {

/// One memory instruction of a warp: each lane in `lanes` (bit i: lane i) accesses `bytes` (1, 2, 4, 8 or 16) at its
/// address, which is aligned to them. Addresses of shared memory are offsets in it.
struct WarpRequest {
  std::array<uint64_t, 32> address = {};
  uint32_t lanes = 0;
  uint32_t bytes = 4;
};

/// Shared memory has 32 banks of 4 bytes. A request is served in parts of 128 bytes: all lanes at once where they
/// access up to 4 bytes, half of them with 8, a quarter with 16. In one wavefront each bank returns one word, to all
/// lanes of the part that asked for it. ldmatrix and stmatrix serve the 8 rows of a tile as one part: a row of 16 bytes
/// counts as a lane.
///
/// Sources: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x (banks, broadcast), and of 2.x in its
/// editions up to 8 (the parts of 64-bit and 128-bit accesses, which later hardware is observed to keep).
struct SharedCost {
  uint32_t wavefronts = 0;
  uint32_t ideal = 0;  ///< Wavefronts without bank conflicts: one for each part that has a lane.
  uint32_t ways = 0;   ///< Wavefronts of the slowest part; 1: the request is bank-conflict-free.
  /// Wavefronts if two parts are served at once, as hardware is observed to do when in both of them the lanes i and
  /// i^1, or i and i^2, have the same address. NVIDIA does not document it: models may use it, rules of validity do
  /// not.
  uint32_t merged = 0;
};
SharedCost CostInShared(const WarpRequest& request);

/// Global memory is moved in sectors of 32 bytes. Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global
/// Memory".
struct GlobalCost {
  uint32_t sectors = 0;
  uint32_t ideal = 0;  ///< Sectors that the same bytes would fill if they were contiguous and aligned.
};
GlobalCost CostInGlobal(const WarpRequest& request);

/// Offsets of the lanes of a warp, in floats.
using LaneOffsets = std::array<int64_t, 32>;

/// Returns the wavefronts of a request of `width` (1, 2 or 4) floats per lane, at offsets that are non-negative
/// multiples of it: SharedCost::merged when it `merges`, as loads do, else SharedCost::wavefronts.
int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges);

}  // namespace mmtune
