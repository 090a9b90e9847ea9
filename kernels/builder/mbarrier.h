// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits operations on mbarriers: objects of 8 bytes in shared memory on which threads wait for arrivals of others, and
// for bytes of asynchronous copies. A ring of stages has two per stage. The producer waits for `empty` and copies; the
// copies complete `full`, for which consumers wait:
//
//   one thread:   initMbarrier(full, 1);  initMbarrier(empty, consumers);  fenceMbarrierInit()
//   all threads:  barrier of the block, or with a cluster that of the cluster
//   producer:     waitMbarrier(empty, phase ^ 1);  arriveExpectingBytes(full, bytes);  copies
//   consumer:     waitMbarrier(full, phase);       multiply;                           arriveMbarrier(empty)
//
// A phase is the parity (0 or 1) of an mbarrier's number of completions. Before the first completion, a wait for parity
// 1 returns at once.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

inline constexpr int64_t kMbarrierBytes = 8;

/// Initialises the mbarrier at `barrier`, whose phases complete after `count` arrivals.
void initMbarrier(KernelBuilder& builder, mlir::Value barrier, int64_t count);
/// Makes the mbarriers that this thread has initialised visible to the cluster, and to asynchronous copies. The other
/// threads may use them after the next barrier of the block or cluster.
void fenceMbarrierInit(KernelBuilder& builder);
/// Arrives at the block's mbarrier, with release semantics within the block.
void arriveMbarrier(KernelBuilder& builder, mlir::Value barrier);
/// Arrives, and adds `bytes` to those that copies must transfer before the phase completes. Bytes beyond a tensor
/// count, and so do those that other blocks send by multicast.
void arriveExpectingBytes(KernelBuilder& builder, mlir::Value barrier, mlir::Value bytes);
/// Arrives at the mbarrier at the same address of shared memory in block `rank` (an i32) of the cluster. As its release
/// has the scope of the block, it orders only asynchronous reads that are complete, as those of wgmma after
/// waitWgmma(), before the other block's next copy; it does not order ordinary writes.
void arriveMbarrierOf(KernelBuilder& builder, mlir::Value barrier, mlir::Value rank);
/// Waits until the phase of `parity` (an i32) of the block's mbarrier is complete. Acquires within the block.
void waitMbarrier(KernelBuilder& builder, mlir::Value barrier, mlir::Value parity);

}  // namespace mmtune
