// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits operations on mbarriers: objects of 8 bytes in shared memory, on which threads wait for arrivals of other
// threads and for the bytes of asynchronous copies. A pipeline consists of several buffers in shared memory (stages),
// which are used in turn. Each stage has two mbarriers, `full` and `empty`. The producer waits for `empty` and starts
// copies, which complete `full`; consumers wait for `full`:
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
/// Makes the mbarriers that this thread has initialised visible to the other threads of the cluster, and to
/// asynchronous copies. The other threads may use them after the next barrier of the block or cluster.
void fenceMbarrierInit(KernelBuilder& builder);
/// Arrives at the block's mbarrier, with release semantics within the block.
void arriveMbarrier(KernelBuilder& builder, mlir::Value barrier);
/// Arrives, and adds `bytes` to the number of bytes that copies must transfer before the phase completes. Zeros that a
/// tensor copy (tensor_copy.h) writes for the part of its box outside the tensor count as transferred bytes, and so do
/// bytes that other blocks send by multicast.
void arriveExpectingBytes(KernelBuilder& builder, mlir::Value barrier, mlir::Value bytes);
/// Arrives at the mbarrier at the same address of shared memory in block `rank` (an i32) of the cluster. Its release
/// semantics are within this block only. It may be used to tell the other block that this block's asynchronous reads
/// are complete (such as those of wgmma after waitWgmma()), so that it may copy again. It does not make ordinary writes
/// visible to the other block.
void arriveMbarrierOf(KernelBuilder& builder, mlir::Value barrier, mlir::Value rank);
/// Waits until the phase of `parity` (an i32) of the block's mbarrier is complete. It has acquire semantics within the
/// block.
void waitMbarrier(KernelBuilder& builder, mlir::Value barrier, mlir::Value parity);

}  // namespace mmtune
