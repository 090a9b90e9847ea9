// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/epilogue_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/compiled_kernel.h"

namespace mmtune {
namespace {

struct Rounding {
  double unit, half_subnormal, largest;
};
constexpr Rounding kOfF32 = {0x1p-24, 0x1p-150, std::numeric_limits<float>::max()};
constexpr Rounding kOfF64 = {0x1p-52, 0x1p-1074, std::numeric_limits<double>::max()};

// Slightly more than the largest slopes: 1.12890 (gelu), 1.12900 (gelu_tanh) and 1.09984.
constexpr double kSteepestGelu = 1.13, kSteepestSilu = 1.1, kSteepestTanh = 1;

double Gelu(double x) { return x / 2 * std::erfc(-x / std::numbers::sqrt2); }

double Silu(double x) { return x / (1 + std::exp(-x)); }

// x/2 * (1 + tanh(u)), without the difference of two numbers close to each other.
double GeluTanh(double x) {
  const double u = std::numbers::sqrt2 * std::numbers::inv_sqrtpi * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}

void ApplyCurve(double value, double steepest, BoundedValue& element, double absolute = kActivationAbsoluteError) {
  const double carried = steepest * element.bound;
  element.value = value;
  element.bound = carried + kActivationRelativeError * (std::fabs(value) + carried) + absolute;
}

}  // namespace

bool IsTranscendental(const EpilogueOp& op) {
  return op.kind == EpilogueOp::Kind::kGelu || op.kind == EpilogueOp::Kind::kGeluTanh ||
         op.kind == EpilogueOp::Kind::kSilu || op.kind == EpilogueOp::Kind::kTanh;
}

void ApplyStep(const EpilogueOp& op, double operand, DataType type, BoundedValue& element) {
  const Rounding& rounding = type == DataType::kF64 ? kOfF64 : kOfF32;
  double& x = element.value;
  double& bound = element.bound;
  switch (op.kind) {
    case EpilogueOp::Kind::kBias:
    case EpilogueOp::Kind::kAdd:
    case EpilogueOp::Kind::kSub:
      x += op.kind == EpilogueOp::Kind::kSub ? -operand : operand;
      bound += rounding.unit * (std::fabs(x) + bound);
      break;
    case EpilogueOp::Kind::kRelu:
      x = std::max(x, 0.0);
      break;
    case EpilogueOp::Kind::kScale: {
      const double factor = std::fabs(double{op.factor});
      bound = factor * bound + rounding.unit * factor * (std::fabs(x) + bound) + rounding.half_subnormal;
      x *= op.factor;
      break;
    }
    case EpilogueOp::Kind::kGelu:
      ApplyCurve(Gelu(x), kSteepestGelu, element);
      break;
    case EpilogueOp::Kind::kGeluTanh:
      ApplyCurve(GeluTanh(x), kSteepestGelu, element);
      break;
    case EpilogueOp::Kind::kSilu:
      ApplyCurve(Silu(x), kSteepestSilu, element);
      break;
    case EpilogueOp::Kind::kTanh:
      // Relative everywhere; four units of numbers below the normal ones, too.
      ApplyCurve(std::tanh(x), kSteepestTanh, element, 8 * rounding.half_subnormal);
      break;
    case EpilogueOp::Kind::kClamp:
      x = std::clamp(x, double{op.low}, double{op.high});
      break;
  }
  if (!(std::fabs(x) + bound < rounding.largest)) bound = std::numeric_limits<double>::infinity();
}

}  // namespace mmtune
