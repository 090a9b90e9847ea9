// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits asynchronous copies between shared memory and tensors in global memory (cp.async.bulk.tensor). One thread
// issues a copy of a box, whose size and swizzle a tensor map describes. `map` is a generic pointer to it, as of a
// parameter passed by value. Coordinates are i32, in elements, those of the contiguous dimension first. Parts of a box
// beyond the tensor are zeros when loaded, and are not stored.
//
//   loads:    arriveExpectingBytes(full, bytes of the box);  loadTensor({..., full});  others: waitMbarrier(full,
//   phase) stores:   writers: fenceAsyncProxy();  barrier;  one thread: storeTensor(), commitStores();
//             before that memory is written again: waitForStores(groups, /*readOnly=*/true), barrier
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
  mlir::Value mbarrier;  ///< Counts the bytes.
  /// The blocks of the cluster that get the box (an i32, a bit for each rank), all at the same address of their shared
  /// memory; the mbarrier at the same address counts there. Null means this block only.
  mlir::Value blocks = {};
  L2Hint hint = L2Hint::kNone;
};

/// Fetches a tensor map, before the first copy needs it.
void prefetchTensorMap(KernelBuilder& builder, mlir::Value map);
/// Copies a box from global to shared memory.
void loadTensor(KernelBuilder& builder, const TensorLoad& load);
/// Copies a box from shared to global memory.
void storeTensor(KernelBuilder& builder, mlir::Value map, mlir::Value shared, llvm::ArrayRef<mlir::Value> coordinates,
                 L2Hint hint = L2Hint::kNone);
/// Adds a box in shared memory to global memory, each element atomically, in no particular order.
void addTensor(KernelBuilder& builder, mlir::Value map, mlir::Value shared, llvm::ArrayRef<mlir::Value> coordinates,
               L2Hint hint = L2Hint::kNone);
/// Ends a group of this thread's stores and additions.
void commitStores(KernelBuilder& builder);
/// Waits until at most `groups` groups of this thread are incomplete. With `readOnly` a group is complete once shared
/// memory has been read, otherwise once global memory is written, too.
void waitForStores(KernelBuilder& builder, int64_t groups, bool readOnly);
/// Makes what this thread has written to shared memory visible to asynchronous copies and wgmma, which are issued after
/// it: by this thread, or by others after a barrier.
void fenceAsyncProxy(KernelBuilder& builder);

}  // namespace mmtune
