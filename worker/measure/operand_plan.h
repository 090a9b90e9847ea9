// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choice of integers for the operands of the exact tier.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/base/split_mix64.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Returns the largest magnitude of partial sums of products, which are integers times a power of two: 2^24 for f32,
/// 2^53 for f64, 2^30 for s32, which does not wrap around and is no pattern of poisoned memory.
int64_t ExactLimit(const MatmulProblem& problem);

/// Returns an integer uniform in [-v, v]; v < 2^31.
double SmallInteger(SplitMix64& random, int64_t v);

/// Plans the integers in A and B so that the magnitudes of the products of one element of C add up to at most
/// ExactLimit(). *Small* integers are in [-v, v]. *Wide* ones are odd and need all bits of the operand's significand,
/// all parts of split precision, or 40 bits of f64, so that a kernel that drops bits is wrong. Whether an element is
/// wide depends on k alone: a column of A or the row of B beside it is. For bf16x6, which sums products of two second
/// parts, both are *middle* integers for other k. Immutable; thread-safe.
class OperandPlan {
 public:
  enum class Size : uint8_t { kSmall, kWide, kMiddle };

  /// Makes a plan for a valid problem. Deterministic in `seed`.
  OperandPlan(const MatmulProblem& problem, uint64_t seed);

  /// Returns the number of sizes of integers, 1 to 3.
  int64_t sizes() const { return HasWide() ? (middle_ ? 3 : 2) : 1; }
  /// Returns the period p: of each p columns of A all but one are zero.
  int64_t period() const { return period_; }
  /// Returns a bound of the summed magnitudes of the products of one element of C.
  int64_t bound() const { return BoundFor(v_); }

  /// Returns roughly the standard deviation of elements of A*B.
  double Deviation() const;

  Size SizeA(int64_t k) const { return SizeAt(k, kWideA); }
  Size SizeB(int64_t k) const { return SizeAt(k, kWideB); }

  /// Draws an integer of a size, representable in the element type.
  double Draw(Size size, SplitMix64& random) const;

 private:
  /// True if there are wide integers: not for f32, whose significand is as long as the accumulators', nor for s8.
  bool HasWide() const { return bits_ > 0; }
  int64_t LargestWide() const;
  /// True if K is 1 and both operands are wide.
  bool BothWide() const;
  int64_t BoundFor(int64_t v) const;
  void ChooseWide(uint64_t seed);
  Size SizeAt(int64_t k, uint8_t side) const;

  static constexpr uint8_t kWideA = 1, kWideB = 2, kMiddle = 4;

  int64_t limit_;
  int bits_;     // bits of wide integers; 0: none
  bool split_;   // split precision
  bool middle_;  // there are middle integers
  int64_t period_ = 1;
  int64_t terms_ = 1;  // the most nonzero products in one element of C
  int64_t wide_terms_ = 0;
  std::vector<uint8_t> sides_;  // for each term; empty: no wide ones
  int64_t v_ = 1;
};

}  // namespace mmtune
