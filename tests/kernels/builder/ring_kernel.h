// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul kernel for Hopper, as small as one can be that has everything: a warpgroup whose first warp copies tiles
// into a ring of stages, another one that multiplies them with one group of wgmma in flight, and stores by tensor
// copies through shared memory. Both go on from tile to tile of C. C = A * B, all bf16.
//
//   copying:      for each tile, for each k step:  wait for empty[stage];  expect its bytes at full[stage];  load A, B
//   multiplying:  for each tile:
//                   for each k step:  wait for full[stage];  multiply;  wait for the group before;  release its stage
//                   wait for the last group;  release its stage
//                   wait until the tile before is stored;  write this one to shared memory;  store it
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// Sizes of the matmul that RingKernel computes; all of them are ragged.
struct RingProblem {
  int64_t m = 136, n = 72, k = 152;
  bool isMnMajorB = true;  ///< B is KxN; otherwise NxK.
};
inline constexpr int64_t kRingTile = 64;  ///< Rows, columns and k of a tile.
inline constexpr int64_t kRingStages = 2;
inline constexpr int64_t kRingBlocks = 2;
inline constexpr int64_t kRingThreads = 256;
/// Stages, the tile that is stored, and mbarriers.
inline constexpr int64_t kRingShared = kRingStages * 2 * 8192 + 8192 + 16 * kRingStages;

/// Mistakes that can be planted in the kernel.
enum class RingMistake {
  kNone,
  kNoInitFence,       ///< No fence behind the initialisation of mbarriers.
  kNoInitBarrier,     ///< No barrier behind it.
  kNoEmptyWait,       ///< A stage is filled before it is released.
  kWrongEmptyParity,  ///< The first wait for an empty stage waits for ever.
  kNoFullWait,        ///< A stage is multiplied before it is filled.
  kWrongFullParity,   ///< The multiplying role waits for the phase before.
  kTooFewBytes,       ///< The bytes of A only are expected.
  kTooManyBytes,      ///< More bytes are expected than are copied.
  kNoRelease,         ///< Stages are not released.
  kEarlyRelease,      ///< A stage is released in the k step that multiplies it.
  kNoWgmmaFence,      ///< No wgmma.fence before the first wgmma of a k step.
  kNoCommit,          ///< Groups of wgmma are not committed.
  kNoGroupWait,       ///< The wait in the loop leaves two groups in flight.
  kNoLastWait,        ///< Accumulators are read while the last group is in flight.
  kNoStoreFence,      ///< No proxy fence between writing the tile and its store.
  kNoStoreBarrier,    ///< No barrier behind it.
  kNoStoreReadWait,   ///< The tile in shared memory is overwritten while it is stored.
  kNoReuseBarrier,    ///< Only the thread that stores waits for that.
  kNoFinalStoreWait,  ///< The kernel ends while stores read shared memory.
  kCount,
};

/// Adds the kernel `ring(map of A, map of B, map of C)` to the builder's module.
void EmitRingKernel(KernelBuilder& builder, const RingProblem& problem, RingMistake mistake = RingMistake::kNone);

}  // namespace mmtune
