// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells whether an operation may read or write a buffer. The fusion of epilogues, and of operations that become one
// kernel over rows, uses it to decide if operations may be moved past others.
//
//   linalg.add ins(%a, %b) outs(%c)        mayWrite(add, %c) is true, mayWrite(add, %a) is false
#pragma once

#include "kernels/compiler/passes/buffers/call_facts.h"

namespace mmtune {

/// Alias and effect queries on memrefs of a function. Immutable; `calls` (call_facts.h) must outlive it.
class BufferEffects {
 public:
  explicit BufferEffects(const CallFacts& calls) : calls(calls) {}

  /// True if two memrefs may share memory. An allocation shares memory with nothing but its views. Function arguments
  /// are assumed not to overlap, unless a call in the module passes overlapping ones. The pass convert-memcpy-to-gpu
  /// assumes the same.
  bool mayAlias(mlir::Value x, mlir::Value y) const;

  /// True if `op`, or an operation in its regions, may write the buffer.
  bool mayWrite(mlir::Operation* op, mlir::Value buffer) const { return mayAffectNested(op, buffer, true); }

  /// True if `op`, or an operation in its regions, may read, write or free the buffer.
  bool mayTouch(mlir::Operation* op, mlir::Value buffer) const { return mayAffectNested(op, buffer, false); }

 private:
  bool mayOriginsAlias(mlir::Value x, mlir::Value y) const;
  bool mayAffect(mlir::Operation* op, mlir::Value buffer, bool onlyWrites) const;
  bool mayAffectNested(mlir::Operation* op, mlir::Value buffer, bool onlyWrites) const;

  const CallFacts& calls;
};

}  // namespace mmtune
