// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises activation functions in the body of a linalg operation, so that they can become steps of a matmul's
// epilogue. They are gelu, silu, and minimum or maximum with a constant (relu, clamp).
//
//   %0 = arith.negf %x;  %1 = math.exp %0;  %2 = arith.addf %1, %one;  %3 = arith.divf %x, %2     ->  silu(x)
#pragma once

#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Returns the floating-point constant that `value`, in the body of `op`, equals: `value` is a constant, or an argument
/// of the body whose operand is a scalar constant. Returns nothing for other values.
inline std::optional<llvm::APFloat> constantOf(mlir::linalg::LinalgOp op, mlir::Value value) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    value = op.getMatchingOpOperand(argument)->get();
  llvm::APFloat constant(0.0f);
  if (!mlir::matchPattern(value, mlir::m_ConstantFloat(&constant))) return std::nullopt;
  return constant;
}

/// The value max(x, bound) if `isLower`, otherwise min(x, bound). The result for a NaN is NaN, and -0 is less than +0,
/// as in arith.maximumf and arith.minimumf.
struct ClampForm {
  mlir::Value x;
  llvm::APFloat bound;
  bool isLower;
};

/// Matches a value in the body of `op` that equals, bit for bit, a minimum or maximum with a constant. It may be
/// computed by one operation, or by a comparison and a select. Sets `dropsNan` to true if the match failed only because
/// the body replaces NaN by a number; otherwise leaves it as it is.
std::optional<ClampForm> matchClamp(mlir::linalg::LinalgOp op, mlir::Value value, bool& dropsNan);

/// The value gelu(x), gelu_tanh(x) or silu(x).
struct ActivationForm {
  EpilogueOp::Kind kind;
  mlir::Value x;
  /// The constant used for sqrt(2/pi), if it is not the nearest f32.
  std::optional<float> inexactFactor;
};

/// Matches an f32 value in the body of `op` to one of these formulas. Factors may be in any order and nesting.
///
///   gelu       x * 1/2 * (1 + erf(x / sqrt(2))), or erfc(-x / sqrt(2)) for the sum
///   gelu_tanh  x * 1/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))), also with torch-mlir's 0.797724 for sqrt(2/pi)
///   silu       x * (1 / (1 + exp(-x))), or x / (1 + exp(-x))
///
/// Constants must be those of the formula in f32, possibly multiplied together. A product with such a constant must not
/// overflow for an x for which the formula does not.
std::optional<ActivationForm> matchActivation(mlir::linalg::LinalgOp op, mlir::Value value);

}  // namespace mmtune
