// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of every type and math on which sums are exact in any order, and what comes of them.
#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "proto/types/matmul_problem.h"
#include "tests/epilogue_steps.h"

namespace mmtune {

/// Rounds like cvt.rna.tf32.f32: 11 bits of significand, ties away from zero.
inline float RoundedToTf32(float value) {
  return std::bit_cast<float>((std::bit_cast<uint32_t>(value) + 0x1000) & ~0x1fffu);
}

/// An operand as floats that its type holds exactly, and its bytes.
struct Operand {
  std::vector<float> values;
  std::vector<char> bytes;

  Operand() = default;
  Operand(DataType type, std::vector<float> floats)
      : values(std::move(floats)), bytes(values.size() * DataTypeBytes(type)) {
    TraitsOf(type).encode(values.data(), static_cast<int64_t>(values.size()), bytes.data());
  }
};

/// Small enough that every partial sum up to k = 2^20 is exact in f32, in any order.
inline std::vector<float> SmallIntegers(int64_t count, std::mt19937_64& rng) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(rng() % 7) - 3);
  return values;
}

/// All that s8 has; partial sums up to k = 1024 are exact in f32, in any order.
inline std::vector<float> AllBytes(int64_t count, std::mt19937_64& rng) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<int>(rng() % 256) - 128);
  return values;
}

/// 1 to 4 with either sign, in steps of 2^-13: rounding to tf32 changes most, and sums of products with small integers
/// stay exact.
inline std::vector<float> FineFractions(int64_t count, std::mt19937_64& rng) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = 1 + static_cast<float>(rng() % (3 << 13)) * 0x1p-13f;
    if (rng() % 2) value = -value;
  }
  return values;
}

/// Odd, of up to so many bits, with either sign.
inline float OddInteger(int bits, std::mt19937_64& rng) {
  const auto value = static_cast<float>(rng() % (uint64_t{1} << bits) | 1);
  return rng() % 2 != 0 ? -value : value;
}

/// Bits of the two factors of product `k` of a sum, where they are not small: as many as need every plane of f32, and
/// every product of planes, while partial sums practically always stay below 2^24 (the sum of magnitudes may not).
inline std::pair<int, int> WideFactors(const MatmulProblem& p, int64_t k) {
  if (p.math == MathMode::kTf32x3) return k % 2 == 0 ? std::pair(13, 0) : std::pair(0, 13);
  if (p.math != MathMode::kBf16x6 || k / 3 % ((p.k + 47) / 48) != 0) return {0, 0};
  constexpr std::pair<int, int> kInTurn[] = {{18, 0}, {0, 18}, {9, 9}};
  return kInTurn[k % 3];
}

struct Operands {
  Operand a, b, bias, addend;

  Operands(const MatmulProblem& p, uint64_t seed) {
    std::mt19937_64 rng(seed);
    const bool tf32 = p.math == MathMode::kTf32;
    auto integers = p.dtype == DataType::kS8 && p.k <= 1024 ? AllBytes : SmallIntegers;
    std::vector<float> in_a = tf32 ? FineFractions(p.ElementsA(), rng) : integers(p.ElementsA(), rng);
    std::vector<float> in_b = integers(p.ElementsB(), rng);
    for (int64_t i = 0; i < p.ElementsA(); ++i) {
      const int bits = WideFactors(p, (p.transpose_a ? i / p.m : i) % p.k).first;
      if (bits > 0) in_a[i] = OddInteger(bits, rng);
    }
    for (int64_t i = 0; i < p.ElementsB(); ++i) {
      const int bits = WideFactors(p, (p.transpose_b ? i : i / p.n) % p.k).second;
      if (bits > 0) in_b[i] = OddInteger(bits, rng);
    }
    a = Operand(p.dtype, in_a);
    b = Operand(p.dtype, in_b);
    bias = Operand(p.TypeOfC(), SmallIntegers(p.ElementsBias(), rng));
    addend = Operand(p.TypeOfC(), SmallIntegers(p.ElementsAddend(), rng));
  }
  const Operand* Find(PlanBuffer buffer) const {
    switch (buffer) {
      case PlanBuffer::kA:
        return &a;
      case PlanBuffer::kB:
        return &b;
      case PlanBuffer::kBias:
        return &bias;
      case PlanBuffer::kAddend:
        return &addend;
      default:
        return nullptr;
    }
  }
};

/// Sums are exact in any order; each step of the epilogue rounds to f32.
inline std::vector<float> ExactResult(const MatmulProblem& p, const Operands& in) {
  std::vector<float> c(p.ElementsC(), 0.0f);
  const bool tf32 = p.math == MathMode::kTf32;
  for (int64_t row = 0; row < p.batch * p.m; ++row) {
    const float* a = in.a.values.data() + row / p.m * p.m * p.k;
    const float* b = in.b.values.data() + row / p.m * p.k * p.n;
    const int64_t i = row % p.m;
    for (int64_t l = 0; l < p.k; ++l) {
      float x = a[p.transpose_a ? l * p.m + i : i * p.k + l];
      if (tf32) x = RoundedToTf32(x);
      for (int64_t j = 0; j < p.n; ++j) c[row * p.n + j] += x * b[p.transpose_b ? j * p.k + l : l * p.n + j];
    }
  }
  for (const EpilogueOp& op : p.epilogue) {
    for (int64_t i = 0; i < p.ElementsC(); ++i) {
      const bool bias = op.kind == EpilogueOp::Kind::kBias, add = op.ReadsAddend();
      c[i] = StepInF32(op, c[i], bias ? in.bias.values[i % p.n] : add ? in.addend.values[i] : 0);
    }
  }
  return c;
}

/// The exact result, rounded to the type of C, and back.
inline std::vector<float> RoundedResult(const MatmulProblem& problem, const Operands& in) {
  std::vector<float> c = ExactResult(problem, in);
  const Operand rounded(problem.TypeOfC(), c);
  TraitsOf(problem.TypeOfC()).decode(rounded.bytes.data(), problem.ElementsC(), c.data());
  return c;
}

}  // namespace mmtune
