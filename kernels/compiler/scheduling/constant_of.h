// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants in the body of a linalg operation.
#pragma once

#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

namespace mmtune {

/// The float that a value of the body of `op` always is: a constant in the body, around it or passed as a scalar
/// operand; nothing of others.
inline std::optional<llvm::APFloat> constantOf(mlir::linalg::LinalgOp op, mlir::Value value) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    value = op.getMatchingOpOperand(argument)->get();
  llvm::APFloat constant(0.0f);
  if (!mlir::matchPattern(value, mlir::m_ConstantFloat(&constant))) return std::nullopt;
  return constant;
}

}  // namespace mmtune
