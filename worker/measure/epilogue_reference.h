// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the steps of an epilogue in double, together with a bound of the error that a correct kernel may have. Both
// checks of results (checker.h, rounding_checker.h) use it.
//
// Let x be the value so far, with an error of at most e, and u = 2^-24, the unit roundoff of f32. (In f64, u is 2^-52:
// 2^-53 for the kernel, plus the same for this computation.) The new error is at most
// - for a bias or addend b: e + u*(|x + b| + e);
// - for a scale f: |f|*e + u*|f|*(|x| + e), plus half the smallest subnormal number;
// - for relu and clamp: e;
// - for a transcendental activation f of slope at most s: s*e + r*(|f(x)| + s*e) + a. The kernel's own error is r*|f| +
//   a (kernels/compiled_kernel.h). s is 1.13 for gelu and gelu_tanh, 1.1 for silu, and 1 for tanh.
#pragma once

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The value of an element, and the largest error that a correct kernel may have.
struct BoundedValue {
  double value = 0;
  double bound = 0;  ///< Infinite if accumulators or the type of C may overflow.
};

/// True if kernels approximate the step (a transcendental activation), so that the results of correct kernels may
/// differ.
bool IsTranscendental(const EpilogueOp& op);

/// Applies a step to `element`. `operand` is the element of bias or addend, if the step has one. `type`, f32 or f64, is
/// the type in which kernels compute steps.
void ApplyStep(const EpilogueOp& op, double operand, DataType type, BoundedValue& element);

}  // namespace mmtune
