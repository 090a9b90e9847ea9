// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of one memory instruction of a warp: wavefronts of shared memory (bank conflicts) and sectors of global
// memory (coalescing). The simulator, the time model and the profiles all use these two rules; docs/profile.md has the
// sources.
//
//   lanes 0..31 load 4 bytes at 4 * lane:     1 wavefront
//   lanes 0..31 load 4 bytes at 128 * lane:  32 wavefronts, as all addresses are in one bank
#pragma once

#include <array>
#include <cstdint>

namespace mmtune {

/// One memory instruction of a warp. Each lane in `lanes` (bit i is lane i) accesses `bytes` (1, 2, 4, 8 or 16) at its
/// address, which is aligned to `bytes`. Addresses of shared memory are offsets in it.
struct WarpRequest {
  std::array<uint64_t, 32> address = {};
  uint32_t lanes = 0;
  uint32_t bytes = 4;
};

/// The cost of a request to shared memory, which has 32 banks of 4 bytes. A request is served in parts of at most 128
/// bytes: all lanes are one part if each accesses up to 4 bytes; there are two parts for 8 bytes per lane, and four for
/// 16. In one wavefront, each bank returns one word to all lanes of the part that asked for it. ldmatrix and stmatrix
/// serve the 8 rows of a tile as one part, in which a row of 16 bytes counts as a lane.
///
/// Source for banks and broadcast: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x. Source for
/// the parts of 64-bit and 128-bit accesses: its editions up to version 8, for compute capability 2.x; later hardware
/// is observed to behave in the same way.
struct SharedCost {
  uint32_t wavefronts = 0;
  uint32_t ideal = 0;  ///< Wavefronts without bank conflicts: one for each part that has a lane.
  uint32_t ways = 0;   ///< Wavefronts of the slowest part; 1 means that the request has no bank conflicts.
  /// Wavefronts if hardware serves two parts at once. It is observed to do so if, in both parts, lanes i and i^1 (or i
  /// and i^2) have the same address for every i. NVIDIA does not document this: models may use it, validity rules may
  /// not.
  uint32_t merged = 0;
};
/// Returns the cost of a request to shared memory.
SharedCost CostInShared(const WarpRequest& request);

/// The cost of a request to global memory, which is transferred in sectors of 32 bytes. Source: CUDA C++ Best Practices
/// Guide, "Coalesced Access to Global Memory".
struct GlobalCost {
  uint32_t sectors = 0;
  uint32_t ideal = 0;  ///< Sectors that the same bytes would fill if they were contiguous and aligned.
};
/// Returns the cost of a request to global memory.
GlobalCost CostInGlobal(const WarpRequest& request);

/// The offset of each lane of a warp, in floats.
using LaneOffsets = std::array<int64_t, 32>;

/// Returns the wavefronts of a request of `width` (1, 2 or 4) floats per lane. Offsets are non-negative multiples of
/// `width`. Returns SharedCost::merged if `merges` is true, as for loads, otherwise SharedCost::wavefronts.
int64_t SharedWavefronts(const LaneOffsets& offsets, int64_t width, bool merges);

}  // namespace mmtune
