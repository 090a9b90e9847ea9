// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of threads of a block that work together and synchronise without the other threads: all threads of the block,
// or the warps with one task, such as a warpgroup that multiplies while another one copies.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

inline constexpr int64_t kWarpThreads = 32;
inline constexpr int64_t kWarpgroupThreads = 128;

/// Consecutive threads of a block, along x. Emits at the builder's insertion point, in code that all of the group's
/// threads execute.
struct ThreadGroup {
  int64_t threads = 0;       ///< Number of threads, a multiple of 32 unless the group is the block.
  mlir::Value barrier = {};  ///< Number of the group's named barrier (an i32), 1 to 15; null if the group is the block.
  mlir::Value first = {};  ///< Index of the group's first thread in the block (an i32); null if the group is the block.

  /// Returns the group of all threads of a block of `threads` threads.
  static ThreadGroup block(int64_t threads) { return {threads}; }

  /// Returns the index of the thread within the group.
  mlir::Value thread(KernelBuilder& builder) const;
  /// Synchronises the threads of the group (bar.sync).
  void synchronize(KernelBuilder& builder) const;
};

/// Waits at the named barrier number `barrier` (an i32) until `threads` threads have arrived there, which includes
/// threads that called arriveAtBarrier().
void waitAtBarrier(KernelBuilder& builder, mlir::Value barrier, int64_t threads);
/// Arrives at a named barrier without waiting (bar.arrive). `barrier` and `threads` are as for waitAtBarrier().
void arriveAtBarrier(KernelBuilder& builder, mlir::Value barrier, int64_t threads);

/// Returns the index of the thread's warpgroup. ptxas knows that the value is the same in all lanes of a warp, so
/// branches and addresses that depend on it are uniform.
mlir::Value warpgroupIndex(KernelBuilder& builder);
/// Returns true in one lane of the warp, and false in the others. All lanes must execute it together.
mlir::Value isElectedLane(KernelBuilder& builder);
/// Sets the number of registers of each of the warpgroup's threads, a multiple of 8 from 24 to 256 (setmaxnreg). All
/// warps of the warpgroup execute it, once. `isIncrease` must be true if `registers` is more than the threads have at
/// the start of the kernel. An increase waits until the other warpgroups have released enough registers.
void setMaxRegisters(KernelBuilder& builder, int64_t registers, bool isIncrease);

}  // namespace mmtune
