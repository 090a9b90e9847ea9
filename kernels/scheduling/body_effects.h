// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the body of a linalg operation does besides computing the value that it yields.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mmtune {

/// Whether nothing is lost when the body is replaced by something that yields the same value.
inline bool isPureBody(mlir::Block& body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation& op) { return isPure(&op); });
}

}  // namespace mmtune
