// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which integers the exact tier multiplies.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/base/split_mix64.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Every partial sum of products is an integer of at most this magnitude, times a power of two: 2^24 of f32, 2^53 of
/// f64, 2^30 of s32, in which it is no pattern of poisoned memory and does not wrap around.
int64_t ExactLimit(const MatmulProblem& problem);

/// Uniform in [-v, v]; v < 2^31.
double SmallInteger(SplitMix64& random, int64_t v);

/// Which integers stand where in A and B, so that the magnitudes of the products of one element of C add up to
/// ExactLimit() at most. *Small* ones are in [-v, v]. *Wide* ones are odd and have as many bits as the significand of a
/// factor, or as its planes are to hold, and of f64 40: the product of a wide and a small one is wrong unless all of
/// these bits are used. Which factors of C = A*B are wide depends on k alone: a column of A or the row of B beside it.
/// For bf16x6, which sums a product of two second planes, both are *middle* ones for other k.
class OperandPlan {
 public:
  enum class Size : uint8_t { kSmall, kWide, kMiddle };

  /// `problem` is valid. The same seed gives the same plan.
  OperandPlan(const MatmulProblem& problem, uint64_t seed);

  /// How many sizes of integers there are.
  int64_t sizes() const { return HasWide() ? (middle_ ? 3 : 2) : 1; }
  /// Of A, all but one of so many columns in a row are zero.
  int64_t period() const { return period_; }
  /// Of the sum of the magnitudes of the products of one element of C.
  int64_t bound() const { return BoundFor(v_); }

  /// Of the sums, roughly the standard deviation.
  double Deviation() const;

  Size SizeA(int64_t k) const { return SizeAt(k, kWideA); }
  Size SizeB(int64_t k) const { return SizeAt(k, kWideB); }

  /// One that the element type has.
  double Draw(Size size, SplitMix64& random) const;

 private:
  /// Of f32, whose significand is as long as that of the sums, there are none, nor of s8, of which small ones are all.
  bool HasWide() const { return bits_ > 0; }
  int64_t LargestWide() const;
  /// Whether the one product of a sum is of two wide integers.
  bool BothWide() const;
  int64_t BoundFor(int64_t v) const;
  void ChooseWide(uint64_t seed);
  Size SizeAt(int64_t k, uint8_t side) const;

  static constexpr uint8_t kWideA = 1, kWideB = 2, kMiddle = 4;

  int64_t limit_;
  int bits_;     // of wide integers; 0: there are none
  bool split_;   // f32 is, into planes
  bool middle_;  // some integers are
  int64_t period_ = 1;
  int64_t terms_ = 1;  // nonzero products in one element of C, at most
  int64_t wide_terms_ = 0;
  std::vector<uint8_t> sides_;  // of each term, where there are wide ones
  int64_t v_ = 1;
};

}  // namespace mmtune
