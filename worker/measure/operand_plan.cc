// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/operand_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

constexpr int64_t kLargestOperand = 127;

/// Bits of middle integers, which are odd and need two bf16 parts but not a third one. The product of two is as large
/// as a wide integer.
constexpr int kMiddleBits = 9;

/// Bits of wide integers of f64: so many that neither one f32 number nor a pair of them can represent a sum of up to
/// 2^6 of their products with small integers.
constexpr int kWideBitsOfF64 = 40;

uint32_t RandomBits(SplitMix64& random) { return static_cast<uint32_t>(random.Next() >> 32); }

bool IsSplit(MathMode math) { return math == MathMode::kTf32x3 || math == MathMode::kBf16x6; }

/// Returns the bits of wide integers; 0 if the problem has none. In split precision, they need both tf32 parts, or all
/// three bf16 parts.
int WideBits(const MatmulProblem& problem) {
  if (problem.math == MathMode::kTf32x3) return 13;
  if (problem.math == MathMode::kBf16x6) return 18;
  if (problem.dtype == DataType::kF64) return kWideBitsOfF64;
  return problem.IsPlainF32() || TraitsOf(problem.dtype).is_integer ? 0 : OperandBits(problem);
}

}  // namespace

int64_t ExactLimit(const MatmulProblem& problem) {
  const DataTypeTraits& sums = TraitsOf(problem.AccumulatorType());
  return int64_t{1} << (sums.is_integer ? sums.significand_bits - 1 : sums.significand_bits);
}

double SmallInteger(SplitMix64& random, int64_t v) {
  const auto span = static_cast<uint64_t>(2 * v + 1);
  return static_cast<double>(static_cast<int64_t>((RandomBits(random) * span) >> 32) - v);
}

OperandPlan::OperandPlan(const MatmulProblem& problem, uint64_t seed, int operand_bits)
    : limit_(ExactLimit(problem)),
      most_(operand_bits > 0 ? (int64_t{1} << operand_bits) - 1 : kLargestOperand),
      bits_(operand_bits > 0 ? operand_bits : WideBits(problem)),
      split_(IsSplit(problem.math)),
      middle_(problem.math == MathMode::kBf16x6) {
  const int64_t most_terms = HasWide() ? limit_ / 2 : limit_;  // half of the limit is reserved for wide integers
  period_ = (problem.k + most_terms - 1) / most_terms;
  terms_ = (problem.k + period_ - 1) / period_;
  if (HasWide()) ChooseWide(seed ^ 0x3c6ef372fe94f82b);
  while (v_ < most_ && BoundFor(v_ + 1) <= limit_) ++v_;
}

// Middle integers count like a wide one and a small one.
double OperandPlan::Deviation() const {
  const double small = static_cast<double>(v_ * (v_ + 1)) / 3;  // mean square
  const double wide = 7.0 / 12 * std::ldexp(1.0, 2 * bits_);    // mean square
  const double other = BothWide() ? wide : small;               // of the other operand's integer
  return std::sqrt(static_cast<double>(wide_terms_) * wide * other +
                   static_cast<double>(terms_ - wide_terms_) * small * small);
}

double OperandPlan::Draw(Size size, SplitMix64& random) const {
  if (size == Size::kSmall) return SmallInteger(random, v_);
  const int own = size == Size::kWide ? bits_ : kMiddleBits;
  const uint64_t bits = own > 32 ? random.Next() : RandomBits(random);
  const auto odd = static_cast<double>((uint64_t{1} << (own - 1)) + (bits >> 1) % (uint64_t{1} << (own - 2)) * 2 + 1);
  return (bits & 1) != 0 ? -odd : odd;
}

// In split precision, the result is above the sum of the magnitudes of a wide integer's parts, and not below that of
// the product of two middle integers, 2^18 + 2^10 + 1.
int64_t OperandPlan::LargestWide() const {
  return split_ ? (int64_t{1} << bits_) + (int64_t{1} << (bits_ - 7)) : (int64_t{1} << bits_) - 1;
}

bool OperandPlan::BothWide() const { return terms_ == 1 && HasWide() && sides_[0] == (kWideA | kWideB); }

int64_t OperandPlan::BoundFor(int64_t v) const {
  if (BothWide()) return LargestWide() * LargestWide();
  return wide_terms_ * LargestWide() * v + (terms_ - wide_terms_) * v * v;
}

// Chooses as many terms for wide integers as the limit allows. The terms are divided into that many runs, with one such
// term in each. Its position in its run follows multiples of the golden ratio, so that every position within an
// instruction's k and a tile's k occurs. Of every two such terms, in random order, one is wide in A and one in B; for
// bf16x6, of every three, a third is middle in both. A single term is wide in both operands if that is within the
// limit.
void OperandPlan::ChooseWide(uint64_t seed) {
  constexpr uint8_t kSides[] = {kWideA, kWideB, kMiddle};
  const uint64_t kinds = middle_ ? 3 : 2;
  wide_terms_ = std::min(terms_, (limit_ - terms_) / (LargestWide() - 1));
  sides_.resize(static_cast<size_t>(terms_));
  auto begin_of = [this](int64_t run) { return (run * terms_ + wide_terms_ - 1) / wide_terms_; };
  for (int64_t run = 0; run < wide_terms_; ++run) {
    const double turns = static_cast<double>(run) * (std::numbers::phi - 1) + static_cast<double>(seed % 1024) / 1024;
    const auto length = static_cast<double>(begin_of(run + 1) - begin_of(run));
    const int64_t term = begin_of(run) + static_cast<int64_t>((turns - std::floor(turns)) * length);
    const auto number = static_cast<uint64_t>(run);
    sides_[static_cast<size_t>(term)] = kSides[(number + SplitMix64::At(seed, number / kinds) % kinds) % kinds];
  }
  if (terms_ == 1 && LargestWide() <= limit_ / LargestWide()) sides_[0] = kWideA | kWideB;
}

OperandPlan::Size OperandPlan::SizeAt(int64_t k, uint8_t side) const {
  if (sides_.empty()) return Size::kSmall;
  const uint8_t sides = sides_[static_cast<size_t>(k / period_)];
  if (sides == kMiddle) return Size::kMiddle;
  return (sides & side) != 0 ? Size::kWide : Size::kSmall;
}

}  // namespace mmtune
