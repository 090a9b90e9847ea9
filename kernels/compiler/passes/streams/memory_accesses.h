// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory accesses of operations of a host function, and which of them conflict.
#pragma once

#include "kernels/compiler/passes/buffers/call_facts.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"

namespace mmtune {

/// An access to a buffer, to the global variables of a gpu.module, or to any memory.
struct MemoryAccess {
  mlir::Value root;           ///< The buffer; null: see `variables`.
  mlir::Attribute variables;  ///< Name of the gpu.module; null: any memory.
  bool reads = true;
  bool writes = true;
};

using MemoryAccesses = llvm::SmallVector<MemoryAccess, 4>;

/// Finds accesses of operations of one function. While it is in use, operations of the function may only be moved.
class AccessAnalysis {
 public:
  /// With `distinctArguments`, no two arguments overlap unless a call in the module passes overlapping memory.
  AccessAnalysis(mlir::func::FuncOp function, const CallFacts& calls, bool distinctArguments)
      : buffers(function), function(function), calls(calls), distinctArguments(distinctArguments) {}

  /// Returns the accesses of an operation and of everything in its regions. Allocating is no access, freeing is a
  /// write.
  MemoryAccesses accessesOf(mlir::Operation* op);

  /// True if the order of the two matters.
  bool conflict(llvm::ArrayRef<MemoryAccess> a, llvm::ArrayRef<MemoryAccess> b);

 private:
  void addLaunch(mlir::gpu::LaunchFuncOp launch, MemoryAccesses& accesses);
  void addEffects(mlir::Operation* op, MemoryAccesses& accesses);
  void addBuffer(mlir::Value value, bool reads, bool writes, MemoryAccesses& accesses);
  bool mayOverlap(const MemoryAccess& a, const MemoryAccess& b);
  bool mayAlias(mlir::Value a, mlir::Value b);
  bool isEntryArgument(mlir::Value root);

  HostBuffers buffers;
  mlir::func::FuncOp function;
  const CallFacts& calls;
  bool distinctArguments;
};

}  // namespace mmtune
