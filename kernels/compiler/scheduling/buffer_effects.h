// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the operations between two points of a block do with a buffer.
#pragma once

#include "kernels/compiler/passes/buffers/call_facts.h"

namespace mmtune {

class BufferEffects {
 public:
  explicit BufferEffects(const CallFacts& calls) : calls(calls) {}

  /// Whether two memrefs may share memory. Allocations share none with each other or with what else
  /// is known to exist; arguments are taken not to overlap unless a call in the module passes them
  /// so, as convert-memcpy-to-gpu takes them.
  bool mayAlias(mlir::Value x, mlir::Value y) const;

  /// Whether `op`, nested operations included, may write the buffer.
  bool mayWrite(mlir::Operation* op, mlir::Value buffer) const { return mayAffectNested(op, buffer, true); }

  /// Whether `op`, nested operations included, may read, write or free the buffer.
  bool mayTouch(mlir::Operation* op, mlir::Value buffer) const { return mayAffectNested(op, buffer, false); }

 private:
  bool mayOriginsAlias(mlir::Value x, mlir::Value y) const;
  bool mayAffect(mlir::Operation* op, mlir::Value buffer, bool onlyWrites) const;
  bool mayAffectNested(mlir::Operation* op, mlir::Value buffer, bool onlyWrites) const;

  const CallFacts& calls;
};

}  // namespace mmtune
