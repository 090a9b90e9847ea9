// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that were on tensors.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

/// On a linalg operation, a launch, or the loop that is a kernel's body, a unit attribute: it was
/// on tensors, which are values. What it reads is what was there before it wrote anything, even
/// where an output got the memory of an input: separate copies of the two do not change what it
/// computes.
inline constexpr char kValueSemanticsAttrName[] = "mmtune.value_semantics";

inline bool hasValueSemantics(mlir::Operation* op) { return op->hasAttr(kValueSemanticsAttrName); }

inline void setValueSemantics(mlir::Operation* op) {
  op->setAttr(kValueSemanticsAttrName, mlir::UnitAttr::get(op->getContext()));
}

}  // namespace mmtune
