// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder, which lay out the shared memory of kernels. Also declares the
// analysis that they use. It finds the shared buffers of a kernel, where each is used, and which of them may use the
// same bytes.
//
//   uses of %a;  gpu.barrier;  uses of %b     ->   findDisjoint(a, b): the two may have the same offset
#pragma once

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/shared/Passes.h.inc"

/// Finds out, conservatively, which MLIR blocks all threads of a thread block execute together, and which values are
/// the same for all of them. Such blocks and values are called uniform. While the object is in use, the kernel may only
/// be changed by adding barriers.
class UniformControlFlow {
 public:
  /// True if all threads are known to execute `block` equally often. That holds for the kernel's entry, for a block
  /// reached by uniform conditions and bounds only, and for one with a barrier, because a divergent barrier is not
  /// allowed.
  bool isUniform(mlir::Block* block);

  /// True if `value` is known to be the same for all threads.
  bool isUniform(mlir::Value value);

 private:
  bool compute(mlir::Value value);

  llvm::DenseMap<mlir::Value, bool> known;
};

/// True if a thread may execute `block` more than once.
bool isInLoop(mlir::Block* block);

/// Returns the first barrier of `block` after `first` and before `last`, or null if there is none. If `first` is null,
/// the search begins at the beginning of the block; if `last` is null, it ends at the end. Nested regions are not
/// searched.
mlir::Operation* barrierBetween(mlir::Block* block, mlir::Operation* first, mlir::Operation* last);

/// True if the kernel uses dynamic shared memory directly (gpu.dynamic_shared_memory).
bool usesDynamicShared(mlir::gpu::GPUFuncOp kernel);

/// True if `type` is a memref in memory space 3 or #gpu.address_space<workgroup>.
bool isInSharedMemory(mlir::Type type);

/// A buffer of a kernel in shared memory.
struct SharedBuffer {
  mlir::Value value;  ///< The result of an allocation, or a workgroup attribution of the kernel.
  int64_t bytes = 0;
  int64_t alignment = 0;
  int64_t offset = 0;  ///< Offset in dynamic shared memory, in bytes.
  /// The operations that read or write it, also through views. If there are none, the allocation itself.
  llvm::SmallVector<mlir::Operation*> uses;
  /// The deallocations of the buffer or of a view of it; they are not in `uses`.
  llvm::SmallVector<mlir::Operation*> deallocations;
  /// An operation in `uses` through which other values may come to refer to the buffer, such as a yield, a branch or a
  /// select. The analysis does not follow these values. Null if there is no such operation.
  mlir::Operation* escape = nullptr;
  /// True if the buffer may be accessed at other times than when one of `uses` executes, as by an asynchronous copy.
  bool opaque = false;

  /// Returns the MLIR block of the allocation, or the kernel's entry block for a workgroup attribution.
  mlir::Block* home() const { return mlir::Value(value).getParentBlock(); }
};

/// Returns the workgroup attributions of `kernel` and its allocations in shared memory, in order. Their offsets are not
/// set. Fails with a diagnostic if a size is not constant.
mlir::FailureOr<llvm::SmallVector<SharedBuffer>> findSharedBuffers(mlir::gpu::GPUFuncOp kernel);

/// The first and the last operation of a block that use a buffer.
struct BufferSpan {
  mlir::Operation* first;
  mlir::Operation* last;
};

/// Returns the span of a buffer in `block`. Returns nothing if the buffer is used outside of the block, or may be
/// accessed at unknown times.
std::optional<BufferSpan> spanIn(mlir::Block* block, const SharedBuffer& buffer);

/// Two buffers that are never in use at the same time. In `block`, which all threads execute together, all uses of one
/// come before all uses of the other.
struct DisjointBuffers {
  mlir::Block* block;
  BufferSpan earlier, later;
};

/// Returns the spans of two buffers that are known to be disjoint, otherwise nothing.
std::optional<DisjointBuffers> findDisjoint(const SharedBuffer& a, const SharedBuffer& b, UniformControlFlow& flow);

}  // namespace mmtune
