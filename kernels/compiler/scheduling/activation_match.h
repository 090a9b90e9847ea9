// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants in the body of a linalg operation.
//
// Minima and maxima with a constant, as operations and as a comparison and a selection.
//
// The forms in which exporters write gelu and silu.
#pragma once

#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "proto/types/matmul_problem.h"

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

/// max(x, bound) where `isLower`, else min(x, bound): as arith.maximumf and arith.minimumf have it, which keep NaN and
/// take -0 to be below +0.
struct ClampForm {
  mlir::Value x;
  llvm::APFloat bound;
  bool isLower;
};

/// What a value in the body of `op` is a minimum or maximum of, bit by bit; nothing of others. `dropsNan` (never
/// cleared) says whether it would be one if it kept NaN.
std::optional<ClampForm> matchClamp(mlir::linalg::LinalgOp op, mlir::Value value, bool& dropsNan);

/// gelu, gelu_tanh or silu of x.
struct ActivationForm {
  EpilogueOp::Kind kind;
  mlir::Value x;
  /// The factor in place of sqrt(2/pi), where it is not that number in f32.
  std::optional<float> inexactFactor;
};

/// Reads a value of f32 in the body of `op`, whatever the order and nesting of its factors:
///   gelu       x * 1/2 * (1 + erf(x / sqrt(2))), or erfc(-x / sqrt(2)) for the sum
///   gelu_tanh  x * 1/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))), also with torch-mlir's 0.797724 for sqrt(2/pi)
///   silu       x * (1 / (1 + exp(-x))), x / (1 + exp(-x))
/// Constants are those of the formula, rounded to f32. They may be matmuls of constants, of which none would let x
/// overflow where the formula does not.
std::optional<ActivationForm> matchActivation(mlir::linalg::LinalgOp op, mlir::Value value);

}  // namespace mmtune
