// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the memory that operations of a host function access, and which accesses conflict. The pass assign-gpu-streams
// lets operations overlap if they do not conflict.
//
//   launch @f(%a reads, %c writes)   and   launch @g(%b reads, %d writes)     do not conflict: they may overlap
#pragma once

#include "kernels/compiler/passes/buffers/call_facts.h"
#include "kernels/compiler/passes/buffers/host_buffers.h"

namespace mmtune {

/// An access to a buffer, to the global variables of a gpu.module, or to unknown memory.
struct MemoryAccess {
  mlir::Value root;  ///< The buffer; null if the access is to something else.
  /// Name of the gpu.module whose variables are accessed. If both `variables` and `root` are null, any memory may be
  /// accessed.
  mlir::Attribute variables;
  bool reads = true;
  bool writes = true;
};

using MemoryAccesses = llvm::SmallVector<MemoryAccess, 4>;

/// Finds the accesses of the operations of one function. While the object is in use, operations of the function may be
/// moved, but not changed, added or removed.
class AccessAnalysis {
 public:
  /// `calls` has the globals and overlapping arguments of the module's functions. If `distinctArguments` is true, two
  /// arguments are assumed not to overlap, unless a call in the module passes overlapping memory.
  AccessAnalysis(mlir::func::FuncOp function, const CallFacts& calls, bool distinctArguments)
      : buffers(function), function(function), calls(calls), distinctArguments(distinctArguments) {}

  /// Returns the accesses of an operation and of everything in its regions. A deallocation counts as a write, and an
  /// allocation not as an access.
  MemoryAccesses accessesOf(mlir::Operation* op);

  /// True if the order of two operations with these accesses matters.
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
