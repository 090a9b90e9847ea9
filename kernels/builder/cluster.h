// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits operations of clusters: blocks of a grid that run at the same time, and reach each other's shared memory.
// Without a cluster each block is one of its own, of rank 0.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// Returns the rank of the block within its cluster.
mlir::Value blockRankInCluster(KernelBuilder& builder);
/// Returns the number of the block's cluster along x, and the number of clusters along x.
mlir::Value clusterX(KernelBuilder& builder);
mlir::Value clusterCountX(KernelBuilder& builder);
/// Returns the address, in the shared memory of the cluster, that block `rank` (an i32) has for what this block has at
/// `shared` (mapa).
mlir::Value sharedOfBlock(KernelBuilder& builder, mlir::Value shared, mlir::Value rank);

/// Arrives at the barrier of the cluster. With `isRelaxed` it orders no memory accesses, which suffices to begin a
/// kernel after fenceMbarrierInit(), and to end one.
void arriveAtClusterBarrier(KernelBuilder& builder, bool isRelaxed = false);
/// Waits until all threads of the cluster have arrived at its barrier.
void waitForClusterBarrier(KernelBuilder& builder);

/// Waits until the kernels before this one, of which it does not wait for the end otherwise, are complete and their
/// writes visible (griddepcontrol.wait).
void waitForEarlierKernels(KernelBuilder& builder);
/// Allows kernels behind this one to start before its end (griddepcontrol.launch_dependents).
void allowLaterKernels(KernelBuilder& builder);

}  // namespace mmtune
