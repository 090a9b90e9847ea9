// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on scalars that the compiler can compute.
#pragma once

#include <functional>

#include "kernels/compiler/fusion/constant_tensor.h"
#include "mlir/IR/Operation.h"

namespace mmtune {

/// Of its operands; nothing where the result is not defined, or left to the machine.
using ConstantOperation = std::function<std::optional<ConstantElement>(mlir::ArrayRef<ConstantElement>)>;

/// How to compute the one result of an operation of arith or math; null where that is not known.
ConstantOperation constantOperation(mlir::Operation* op);

}  // namespace mmtune
