// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operations of a host function do with memory, and which of them conflict.
#pragma once

#include "kernels/compiler/passes/buffers/call_facts.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"

namespace mmtune {

/// One access: to a buffer, to the global variables of a gpu.module, or to any memory.
struct MemoryAccess {
  mlir::Value root;           ///< The buffer; null: see `variables`.
  mlir::Attribute variables;  ///< Name of the gpu.module; null: any memory.
  bool reads = true;
  bool writes = true;
};

using MemoryAccesses = llvm::SmallVector<MemoryAccess, 4>;

/// Knows the buffers of one function, which must not change other than by moving operations.
class AccessAnalysis {
 public:
  /// `distinctArguments`: no two arguments overlap, unless a call in the module passes them so.
  AccessAnalysis(mlir::func::FuncOp function, const CallFacts& calls, bool distinctArguments)
      : buffers(function), function(function), calls(calls), distinctArguments(distinctArguments) {}

  /// What an operation and everything in its regions accesses. Allocating is no access, freeing is a write.
  MemoryAccesses accessesOf(mlir::Operation* op);

  /// Whether the order of the two matters.
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
