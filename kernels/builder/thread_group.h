// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of threads of a block that work together and synchronise without the others: the block itself, or the warps of
// one role, such as a warpgroup that multiplies while another one copies.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

inline constexpr int64_t kWarpThreads = 32;
inline constexpr int64_t kWarpgroupThreads = 128;

/// Consecutive threads of a block, along x. Emits at the builder's insertion point, in code that all of the group's
/// threads execute.
struct ThreadGroup {
  int64_t threads = 0;       ///< Number of threads, a multiple of 32 unless the group is the block.
  mlir::Value barrier = {};  ///< Number of the group's named barrier (an i32), 1 to 15; null for the block.
  mlir::Value first = {};    ///< The group's first thread (an i32); null for the block.

  /// Returns the group of all threads of a block of `threads` threads.
  static ThreadGroup block(int64_t threads) { return {threads}; }

  /// Returns the number of the thread within the group.
  mlir::Value thread(KernelBuilder& builder) const;
  /// Synchronises the threads of the group (bar.sync).
  void synchronize(KernelBuilder& builder) const;
};

/// Waits at the named barrier number `barrier` (an i32) until `threads` threads have arrived there. Threads that arrive
/// without waiting are counted, too.
void waitAtBarrier(KernelBuilder& builder, mlir::Value barrier, int64_t threads);
/// Arrives at a named barrier without waiting (bar.arrive).
void arriveAtBarrier(KernelBuilder& builder, mlir::Value barrier, int64_t threads);

/// Returns the number of the thread's warpgroup, as a value that ptxas knows to be the same in all lanes of a warp:
/// branches and addresses that depend on it are uniform.
mlir::Value warpgroupIndex(KernelBuilder& builder);
/// Returns true in one lane of the warp. All its lanes execute it together.
mlir::Value isElectedLane(KernelBuilder& builder);
/// Sets the number of registers of each of the warpgroup's threads, a multiple of 8 from 24 to 256 (setmaxnreg). All
/// its warps execute it, once. `isIncrease` must say whether that is more than the kernel starts with; an increase
/// waits until the other warpgroups have given back enough.
void setMaxRegisters(KernelBuilder& builder, int64_t registers, bool isIncrease);

}  // namespace mmtune
