// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of an epilogue in double, with a bound of the error of a correct kernel. Both tiers of the check use it.
//
// Where the value so far is x, off by at most e, a bias or an addend makes it e + u*(|x + b| + e), a scale |f|*e +
// u*|f|*(|x| + e) and half the smallest subnormal number; u is 2^-24, that of f32. In f64 it is 2^-52: 2^-53 for the
// kernel, and as much for what is computed here. relu and clamp leave e: what they
// return differs by no more than what they are given. A transcendental activation f has a slope of at most s (gelu and
// gelu_tanh: 1.13, silu: 1.1, tanh: 1), and is itself off by r*|f| + a (kernels/compiled_kernel.h):
// s*e + r*(|f(x)| + s*e) + a.
#pragma once

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The value of an element with the error that a correct kernel may have.
struct BoundedValue {
  double value = 0;
  double bound = 0;  ///< Infinite if accumulators or the type of C may overflow.
};

/// True if kernels approximate the step (a transcendental activation), so that correct ones may differ.
bool IsCurved(const EpilogueOp& op);

/// Applies a step. `operand` is the element of bias or addend, if the step has one; `type`, f32 or f64, is the type in
/// which kernels compute steps.
void ApplyStep(const EpilogueOp& op, double operand, DataType type, BoundedValue& element);

}  // namespace mmtune
