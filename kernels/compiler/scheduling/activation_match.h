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

/// Returns the float that `value`, in the body of `op`, always has: a constant, or a scalar operand that is one.
inline std::optional<llvm::APFloat> constantOf(mlir::linalg::LinalgOp op, mlir::Value value) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    value = op.getMatchingOpOperand(argument)->get();
  llvm::APFloat constant(0.0f);
  if (!mlir::matchPattern(value, mlir::m_ConstantFloat(&constant))) return std::nullopt;
  return constant;
}

/// max(x, bound) if `isLower`, otherwise min(x, bound). NaN is kept and -0 is less than +0, as in arith.maximumf and
/// arith.minimumf.
struct ClampForm {
  mlir::Value x;
  llvm::APFloat bound;
  bool isLower;
};

/// Matches a value in the body of `op` that is, in every bit, a minimum or maximum with a constant. It may be an
/// operation, or a comparison with a select. Sets `dropsNan` if the match failed only because NaN would be replaced.
std::optional<ClampForm> matchClamp(mlir::linalg::LinalgOp op, mlir::Value value, bool& dropsNan);

/// gelu, gelu_tanh or silu of x.
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
/// Constants must be those of the formula in f32, or products of constants. Such a product must not overflow for an x
/// for which the formula does not.
std::optional<ActivationForm> matchActivation(mlir::linalg::LinalgOp op, mlir::Value value);

}  // namespace mmtune
