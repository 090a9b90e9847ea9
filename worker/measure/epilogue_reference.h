// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the steps of an epilogue make of a value that is known up to a bound, in double. Both tiers of the check use it.
//
// Where the value so far is x, off by at most e, a bias or an addend makes it e + u*(|x + b| + e), a scale |f|*e +
// u*|f|*(|x| + e) and half the smallest subnormal number; u is 2^-24, that of f32. In f64 it is 2^-52: 2^-53 for the
// kernel, and as much for what is computed here. relu and clamp leave e: what they
// return differs by no more than what they are given. A curved step f is steep by at most s (gelu and gelu_tanh: 1.13,
// silu: 1.1, tanh: 1), and is itself off by r*|f| + a (kernels/families/common/curved_step_error.h): s*e + r*(|f(x)| +
// s*e) + a.
#pragma once

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// An element as a correct kernel may have it.
struct BoundedValue {
  double value = 0;
  double bound = 0;  ///< Of the error of a correct kernel; infinite where sums, or the type of C, may overflow.
};

/// Whether kernels approximate the step, so that correct ones may differ.
bool IsCurved(const EpilogueOp& op);

/// `operand` is the element of the bias or the addend, where the step has one; `type` is f32 or f64, that of the steps.
void ApplyStep(const EpilogueOp& op, double operand, DataType type, BoundedValue& element);

}  // namespace mmtune
