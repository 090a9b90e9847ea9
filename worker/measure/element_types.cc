// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/element_types.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mmtune {
namespace {

constexpr int kTf32Bits = 11;

float RoundToTf32(float value) {
  constexpr uint32_t kDropped = 24 - kTf32Bits;
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t half = (1u << (kDropped - 1)) - 1 + (bits >> kDropped & 1);
  return std::bit_cast<float>((bits + half) >> kDropped << kDropped);
}

}  // namespace

DataType TypeOf(const MatmulProblem& problem, PlanBuffer buffer) {
  switch (buffer) {
    case PlanBuffer::kA:
    case PlanBuffer::kB:
      return problem.dtype;
    case PlanBuffer::kC:
    case PlanBuffer::kBias:
    case PlanBuffer::kAddend:
      return problem.TypeOfC();
    case PlanBuffer::kWorkspace:
      break;
  }
  return DataType::kF32;
}

int OperandBits(const MatmulProblem& problem) {
  return problem.math == MathMode::kTf32 ? kTf32Bits : TraitsOf(problem.dtype).significand_bits;
}

bool NeedsDoubles(const MatmulProblem& problem) { return problem.AccumulatorType() != DataType::kF32; }

bool HasSmallRange(DataType type) { return TraitsOf(type).largest < 0x1p24; }

void RoundToOperandType(const MatmulProblem& problem, int64_t count, float* values) {
  RoundToType(problem.dtype, count, values);
  if (problem.math != MathMode::kTf32) return;
  for (int64_t i = 0; i < count; ++i) values[i] = RoundToTf32(values[i]);
}

void RoundToNarrow(int bits, int64_t count, float* values) {
  constexpr int kSmallestExponent = -9;
  for (int64_t i = 0; i < count; ++i) {
    if (values[i] == 0) continue;
    const int exponent = std::max(std::ilogb(values[i]) - bits + 1, kSmallestExponent);
    values[i] = std::ldexp(std::nearbyint(std::ldexp(values[i], -exponent)), exponent);
  }
}

}  // namespace mmtune
