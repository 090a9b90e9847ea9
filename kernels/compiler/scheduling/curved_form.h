// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms in which exporters write gelu and silu.
#pragma once

#include "kernels/compiler/scheduling/constant_of.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// gelu, gelu_tanh or silu of x.
struct CurvedForm {
  EpilogueOp::Kind kind;
  mlir::Value x;
  /// The factor in place of sqrt(2/pi), where it is not that number in f32.
  std::optional<float> inexactFactor;
};

/// Reads a value of f32 in the body of `op`, whatever the order and nesting of its factors:
///   gelu       x * 1/2 * (1 + erf(x / sqrt(2))), or erfc(-x / sqrt(2)) for the sum
///   gelu_tanh  x * 1/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3))), also with torch-mlir's 0.797724 for sqrt(2/pi)
///   silu       x * (1 / (1 + exp(-x))), x / (1 + exp(-x))
/// Constants are those of the formula, rounded to f32. They may be products of constants, of which none would let x
/// overflow where the formula does not.
std::optional<CurvedForm> matchCurvedForm(mlir::linalg::LinalgOp op, mlir::Value value);

}  // namespace mmtune
