// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises activation functions in the body of a linalg operation: gelu, silu, and minima and maxima with a constant.
#pragma once

#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Returns the float that `value`, in the body of `op`, always has: a constant in the body, around it or passed as a
/// scalar operand.
inline std::optional<llvm::APFloat> constantOf(mlir::linalg::LinalgOp op, mlir::Value value) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    value = op.getMatchingOpOperand(argument)->get();
  llvm::APFloat constant(0.0f);
  if (!mlir::matchPattern(value, mlir::m_ConstantFloat(&constant))) return std::nullopt;
  return constant;
}

/// max(x, bound) if `isLower`, otherwise min(x, bound). NaN is kept and -0 is below +0, as in arith.maximumf and
/// minimumf.
struct ClampForm {
  mlir::Value x;
  llvm::APFloat bound;
  bool isLower;
};

/// Matches a value in the body of `op` that is, bit for bit, a minimum or maximum with a constant: an operation, or a
/// comparison with a selection. Sets `dropsNan` if the match failed only because NaN is replaced.
std::optional<ClampForm> matchClamp(mlir::linalg::LinalgOp op, mlir::Value value, bool& dropsNan);

/// gelu, gelu_tanh or silu of x.
struct ActivationForm {
  EpilogueOp::Kind kind;
  mlir::Value x;
  /// The factor used in place of sqrt(2/pi), if it is not the f32 nearest to that.
  std::optional<float> inexactFactor;
};

/// Matches an f32 value in the body of `op`, in any order and nesting of its factors:
///   gelu       x * 1/2 * (1 + erf(x / sqrt(2))), or erfc(-x / sqrt(2)) for the sum
///   gelu_tanh  x * 1/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))), also with torch-mlir's 0.797724 for sqrt(2/pi)
///   silu       x * (1 / (1 + exp(-x))), x / (1 + exp(-x))
/// Constants are those of the formula in f32, or products of constants that overflow for no x where the formula does
/// not.
std::optional<ActivationForm> matchActivation(mlir::linalg::LinalgOp op, mlir::Value value);

}  // namespace mmtune
