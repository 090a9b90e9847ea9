// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers whether an operation may read or write a buffer.
#pragma once

#include "kernels/compiler/passes/buffers/call_facts.h"

namespace mmtune {

class BufferEffects {
 public:
  explicit BufferEffects(const CallFacts& calls) : calls(calls) {}

  /// True if two memrefs may share memory. Allocations share none with anything else known. Arguments are assumed not
  /// to overlap unless a call in the module passes overlapping ones, as in convert-memcpy-to-gpu.
  bool mayAlias(mlir::Value x, mlir::Value y) const;

  /// True if `op`, including nested operations, may write the buffer.
  bool mayWrite(mlir::Operation* op, mlir::Value buffer) const { return mayAffectNested(op, buffer, true); }

  /// True if `op`, including nested operations, may read, write or free the buffer.
  bool mayTouch(mlir::Operation* op, mlir::Value buffer) const { return mayAffectNested(op, buffer, false); }

 private:
  bool mayOriginsAlias(mlir::Value x, mlir::Value y) const;
  bool mayAffect(mlir::Operation* op, mlir::Value buffer, bool onlyWrites) const;
  bool mayAffectNested(mlir::Operation* op, mlir::Value buffer, bool onlyWrites) const;

  const CallFacts& calls;
};

}  // namespace mmtune
