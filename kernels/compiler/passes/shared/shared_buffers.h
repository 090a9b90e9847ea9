// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared-memory buffers of a kernel: how large they are, where they are used, which may share
// space.
#pragma once

#include <optional>

#include "kernels/compiler/passes/shared/uniform_control_flow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mmtune {

/// Whether the kernel takes dynamic shared memory by itself (gpu.dynamic_shared_memory).
bool usesDynamicShared(mlir::gpu::GPUFuncOp kernel);

/// Whether `type` is a memref in memory space 3 or #gpu.address_space<workgroup>.
bool isInSharedMemory(mlir::Type type);

struct SharedBuffer {
  mlir::Value value;  ///< The result of an allocation, or a workgroup attribution.
  int64_t bytes = 0;
  int64_t alignment = 0;
  int64_t offset = 0;  ///< From the beginning of dynamic shared memory.

  /// What reads or writes it, through views too; the allocation itself when nothing does.
  llvm::SmallVector<mlir::Operation*> uses;
  llvm::SmallVector<mlir::Operation*> deallocations;  ///< Of the buffer or a view of it; not among the uses.
  /// A use that makes other values of it, which are not followed: a yield, a branch, a select.
  mlir::Operation* escape = nullptr;
  /// It may be used at other times than its uses show, as by an asynchronous copy.
  bool opaque = false;

  /// The block of the allocation, the kernel's entry for an attribution.
  mlir::Block* home() const { return mlir::Value(value).getParentBlock(); }
};

/// The allocations in shared memory and the workgroup attributions of `kernel`, in its order,
/// without offsets. Fails with a diagnostic where a size is not constant.
mlir::FailureOr<llvm::SmallVector<SharedBuffer>> findSharedBuffers(mlir::gpu::GPUFuncOp kernel);

/// The operations of one block between which a buffer is used, both included.
struct BufferSpan {
  mlir::Operation* first;
  mlir::Operation* last;
};

/// Nothing when `buffer` has uses outside of `block`, or may be used at times that cannot be seen.
std::optional<BufferSpan> spanIn(mlir::Block* block, const SharedBuffer& buffer);

/// Two buffers that are never in use together: in `block`, which all threads execute together, all
/// uses of one come before all uses of the other.
struct DisjointBuffers {
  mlir::Block* block;
  BufferSpan earlier, later;
};

/// Nothing unless the two are seen to be disjoint.
std::optional<DisjointBuffers> findDisjoint(const SharedBuffer& a, const SharedBuffer& b, UniformControlFlow& flow);

}  // namespace mmtune
