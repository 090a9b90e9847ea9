// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of an epilogue as problems define them, written a second time, for tests to compare with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Computes a transcendental activation to about 16 digits.
inline double CurveValue(EpilogueOp::Kind kind, double value) {
  const long double x = value;
  switch (kind) {
    case EpilogueOp::Kind::kGelu:
      return static_cast<double>(x / 2 * std::erfc(-x / std::sqrt(2.0L)));
    case EpilogueOp::Kind::kGeluTanh: {
      const long double pi = std::acos(-1.0L);
      return static_cast<double>(x / (1 + std::exp(-2 * std::sqrt(2 / pi) * (x + 0.044715L * x * x * x))));
    }
    case EpilogueOp::Kind::kSilu:
      return static_cast<double>(x / (1 + std::exp(-x)));
    case EpilogueOp::Kind::kTanh:
      return static_cast<double>(std::tanh(x));
    default:
      return value;
  }
}

inline bool IsCurve(const EpilogueOp& op) {
  return op.kind == EpilogueOp::Kind::kGelu || op.kind == EpilogueOp::Kind::kGeluTanh ||
         op.kind == EpilogueOp::Kind::kSilu || op.kind == EpilogueOp::Kind::kTanh;
}

/// True if a correct kernel may compute `got` where correctly rounded steps give `expected`: activations are exact to 4
/// units in the last place of f32, or 2^-28. Values before the last step are of the size of 4, and no step is steep.
inline testing::AssertionResult IsAsExpected(const MatmulProblem& problem, float got, float expected) {
  const auto curves = static_cast<double>(std::count_if(problem.epilogue.begin(), problem.epilogue.end(), IsCurve));
  const DataTypeTraits& type = TraitsOf(problem.TypeOfC());
  double bound = 0;
  if (curves > 0) bound = curves * 0x1p-20 * (std::fabs(double{expected}) + 4);
  if (curves > 0 && type.type != DataType::kF32) {
    bound += std::ldexp(std::fabs(double{expected}), 1 - type.significand_bits) + type.smallest;
  }
  if (got == expected || std::fabs(double{got} - double{expected}) <= bound) return testing::AssertionSuccess();
  return testing::AssertionFailure() << got << " is not " << expected << " within " << bound;
}

/// One step in f32, rounded once; `operand` is the bias's or the addend's.
inline float StepInF32(const EpilogueOp& op, float x, float operand) {
  switch (op.kind) {
    case EpilogueOp::Kind::kBias:
    case EpilogueOp::Kind::kAdd:
      return x + operand;
    case EpilogueOp::Kind::kSub:
      return x - operand;
    case EpilogueOp::Kind::kRelu:
      return x > 0 || x != x ? x : 0.0f;
    case EpilogueOp::Kind::kScale:
      return x * op.factor;
    case EpilogueOp::Kind::kClamp:
      return x != x ? x : std::min(std::max(x, op.low), op.high);
    case EpilogueOp::Kind::kGelu:
    case EpilogueOp::Kind::kGeluTanh:
    case EpilogueOp::Kind::kSilu:
    case EpilogueOp::Kind::kTanh:
      return static_cast<float>(CurveValue(op.kind, double{x}));
  }
  return x;
}

}  // namespace mmtune
