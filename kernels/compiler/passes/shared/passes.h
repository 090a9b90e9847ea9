// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td (create<Name>Pass(), option structs, registerMmtuneSharedPasses()), and the analysis of a
// kernel's shared-memory buffers that they use: sizes, uses, and which buffers may share space.
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

/// Conservative analysis of a kernel's uniform control flow. Barriers may be added while it is in use; nothing else may
/// change.
class UniformControlFlow {
 public:
  /// True if all threads of a block are known to execute `block` equally often: it is the kernel's entry, only uniform
  /// conditions and bounds lead to it, or it contains a barrier, which would otherwise be invalid.
  bool isUniform(mlir::Block* block);

  /// True if `value` is known to be the same for all threads of a block.
  bool isUniform(mlir::Value value);

 private:
  bool compute(mlir::Value value);

  llvm::DenseMap<mlir::Value, bool> known;
};

/// True if a thread may execute `block` more than once.
bool isInLoop(mlir::Block* block);

/// Returns the first barrier among the operations of `block` itself, after `first` (its begin when null) and before
/// `last` (its end when null); null when there is none.
mlir::Operation* barrierBetween(mlir::Block* block, mlir::Operation* first, mlir::Operation* last);

/// True if the kernel uses dynamic shared memory directly (gpu.dynamic_shared_memory).
bool usesDynamicShared(mlir::gpu::GPUFuncOp kernel);

/// True if `type` is a memref in memory space 3 or #gpu.address_space<workgroup>.
bool isInSharedMemory(mlir::Type type);

struct SharedBuffer {
  mlir::Value value;  ///< The result of an allocation, or a workgroup attribution.
  int64_t bytes = 0;
  int64_t alignment = 0;
  int64_t offset = 0;  ///< From the beginning of dynamic shared memory.
  /// The operations that read or write it, also through views; the allocation itself when there are none.
  llvm::SmallVector<mlir::Operation*> uses;
  /// The deallocations of the buffer or of a view of it, which are not among the uses.
  llvm::SmallVector<mlir::Operation*> deallocations;
  /// A use whose results may refer to the buffer and are not followed: a yield, a branch, a select.
  mlir::Operation* escape = nullptr;
  /// It may be accessed outside of its uses, as by an asynchronous copy.
  bool opaque = false;

  /// Returns the block of the allocation, the kernel's entry for an attribution.
  mlir::Block* home() const { return mlir::Value(value).getParentBlock(); }
};

/// Returns the allocations in shared memory and the workgroup attributions of `kernel`, in order, without offsets.
/// Fails with a diagnostic where a size is not constant.
mlir::FailureOr<llvm::SmallVector<SharedBuffer>> findSharedBuffers(mlir::gpu::GPUFuncOp kernel);

/// The operations of one block between which a buffer is used, both included.
struct BufferSpan {
  mlir::Operation* first;
  mlir::Operation* last;
};

/// Returns nothing when `buffer` has uses outside of `block`, or accesses at unknown times.
std::optional<BufferSpan> spanIn(mlir::Block* block, const SharedBuffer& buffer);

/// Two buffers that are never in use together: in `block`, which all threads execute together, all uses of one come
/// before all uses of the other.
struct DisjointBuffers {
  mlir::Block* block;
  BufferSpan earlier, later;
};

/// Returns nothing unless the two are known to be disjoint.
std::optional<DisjointBuffers> findDisjoint(const SharedBuffer& a, const SharedBuffer& b, UniformControlFlow& flow);

}  // namespace mmtune
