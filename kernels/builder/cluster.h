// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits operations on clusters: groups of blocks that run at the same time and can access each other's shared memory.
// In a kernel without clusters each block counts as a cluster of its own, with rank 0.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// Returns the rank of the block within its cluster.
mlir::Value blockRankInCluster(KernelBuilder& builder);
/// Return the index of the block's cluster along x, and the number of clusters along x.
mlir::Value clusterX(KernelBuilder& builder);
mlir::Value clusterCountX(KernelBuilder& builder);
/// Maps `shared`, an address in this block's shared memory, to the same place in the shared memory of block `rank` (an
/// i32) of the cluster (mapa).
mlir::Value sharedOfBlock(KernelBuilder& builder, mlir::Value shared, mlir::Value rank);

/// Arrives at the barrier of the cluster. With `isRelaxed`, the barrier does not order memory accesses. That is
/// sufficient at the start of a kernel, after fenceMbarrierInit(), and at its end.
void arriveAtClusterBarrier(KernelBuilder& builder, bool isRelaxed = false);
/// Waits until all threads of the cluster have arrived at its barrier.
void waitForClusterBarrier(KernelBuilder& builder);

/// For programmatic dependent launch: waits until earlier kernels of the stream are complete and their writes are
/// visible (griddepcontrol.wait).
void waitForEarlierKernels(KernelBuilder& builder);
/// For programmatic dependent launch: allows the next kernel of the stream to start before this one ends
/// (griddepcontrol.launch_dependents).
void allowLaterKernels(KernelBuilder& builder);

}  // namespace mmtune
