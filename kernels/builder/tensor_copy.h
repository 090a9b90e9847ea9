// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits asynchronous copies between shared memory and tensors in global memory (cp.async.bulk.tensor). One thread
// issues a copy of a box, whose size and swizzle a tensor map describes. `map` is a generic pointer to the tensor map,
// such as to a parameter passed by value. Coordinates are i32, in elements, the contiguous dimension first. Parts of a
// box outside the tensor are zeros when loaded, and are not stored.
//
//   load    one thread:   arriveExpectingBytes(full, bytes of the box), loadTensor({..., full})
//           its users:    waitMbarrier(full, phase)
//   store   all writers:  fenceAsyncProxy(), barrier
//           one thread:   storeTensor(), commitStores()
//           before the shared memory is written again:  waitForStores(groups, /*readOnly=*/true), barrier
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// Says which lines the L2 cache keeps when it is full; kNone gives no hint.
enum class L2Hint { kNone, kEvictFirst, kEvictNormal, kEvictLast };

/// Operands of loadTensor().
struct TensorLoad {
  mlir::Value shared;  ///< Destination, aligned to 128 bytes; to 1024 for a swizzle of 128 bytes.
  mlir::Value map;
  llvm::ArrayRef<mlir::Value> coordinates;
  mlir::Value mbarrier;  ///< The mbarrier that counts the transferred bytes.
  /// The blocks of the cluster that receive the box (multicast): an i32 with a bit for each rank. Each receives it at
  /// the same address of its shared memory, and its mbarrier at the same address counts the bytes. Null means this
  /// block only.
  mlir::Value blocks = {};
  L2Hint hint = L2Hint::kNone;
};

/// Prefetches a tensor map, so that the first copy does not wait for it.
void prefetchTensorMap(KernelBuilder& builder, mlir::Value map);
/// Copies a box from global to shared memory.
void loadTensor(KernelBuilder& builder, const TensorLoad& load);
/// Copies a box from shared to global memory.
void storeTensor(KernelBuilder& builder, mlir::Value map, mlir::Value shared, llvm::ArrayRef<mlir::Value> coordinates,
                 L2Hint hint = L2Hint::kNone);
/// Adds a box in shared memory to global memory (a reduction). Each element is added atomically, in no particular
/// order.
void addTensor(KernelBuilder& builder, mlir::Value map, mlir::Value shared, llvm::ArrayRef<mlir::Value> coordinates,
               L2Hint hint = L2Hint::kNone);
/// Ends a group of this thread's storeTensor() and addTensor() operations.
void commitStores(KernelBuilder& builder);
/// Waits until at most `groups` groups of this thread are incomplete. With `readOnly`, a group counts as complete once
/// its shared memory has been read; otherwise only once global memory has been written.
void waitForStores(KernelBuilder& builder, int64_t groups, bool readOnly);
/// Makes this thread's earlier writes to shared memory visible to asynchronous copies and wgmma that are issued later
/// by this thread, or by other threads after a barrier.
void fenceAsyncProxy(KernelBuilder& builder);

}  // namespace mmtune
