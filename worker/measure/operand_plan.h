// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the sizes of the integers in A and B for the exact check, so that all partial sums are exact, and yet an
// error in any bit of any operand changes the result. exact_operands.h fills the matrices by this plan.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/base/split_mix64.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Returns the largest absolute value up to which sums of integer products are exact in the accumulators: 2^24 for f32,
/// 2^53 for f64. For s32 it is 2^30: sums do not overflow, and none equals the pattern that fills C before a run
/// (GuardedBuffers::Poison(), 0x7ff87ff8).
int64_t ExactLimit(const MatmulProblem& problem);

/// Returns a random integer, uniform in [-v, v]; v < 2^31.
double SmallInteger(SplitMix64& random, int64_t v);

/// The plan for one problem. The absolute values of the products that are summed in one element of C add up to at most
/// ExactLimit(). There are three sizes of integers:
/// - small: in [-v, v];
/// - wide: odd, and with as many bits as the operand's precision (so many that all parts of split precision are used;
///   40 for f64), so that a kernel that drops bits computes a wrong result;
/// - middle: odd, with so many bits that two of the three bf16 parts are used; for bf16x6 only, to test the product of
///   the second parts of both operands.
///
/// The size of an element depends on its index k alone. Where one operand has wide integers, the other has small ones,
/// except that both may be wide if K is 1. Where one has middle integers, so has the other. Immutable and thread-safe.
class OperandPlan {
 public:
  enum class Size : uint8_t { kSmall, kWide, kMiddle };

  /// Makes a plan for a valid problem. Deterministic in `seed`. If `operand_bits` is not 0, integers have at most that
  /// many bits of precision, so that fp8 can represent them (RoundToNarrow()).
  OperandPlan(const MatmulProblem& problem, uint64_t seed, int operand_bits = 0);

  /// Returns the number of different sizes, 1 to 3.
  int64_t sizes() const { return HasWide() ? (middle_ ? 3 : 2) : 1; }
  /// Returns the period p: of every p columns of A, only one is not zero. p is 1 unless K is so large that sums would
  /// exceed ExactLimit().
  int64_t period() const { return period_; }
  /// Returns a bound for the sum of the absolute values of the products of one element of C.
  int64_t bound() const { return BoundFor(v_); }

  /// Returns roughly the standard deviation of the elements of A*B.
  double Deviation() const;

  /// Returns the size of the elements of column k of A.
  Size SizeA(int64_t k) const { return SizeAt(k, kWideA); }
  /// Returns the size of the elements of row k of B.
  Size SizeB(int64_t k) const { return SizeAt(k, kWideB); }

  /// Returns a random integer of a size, which the element type can represent.
  double Draw(Size size, SplitMix64& random) const;

 private:
  /// True if there are wide integers. There are none for f32, which has the precision of its accumulators, nor for s8.
  bool HasWide() const { return bits_ > 0; }
  int64_t LargestWide() const;
  /// True if K is 1 and both operands are wide.
  bool BothWide() const;
  int64_t BoundFor(int64_t v) const;
  void ChooseWide(uint64_t seed);
  Size SizeAt(int64_t k, uint8_t side) const;

  static constexpr uint8_t kWideA = 1, kWideB = 2, kMiddle = 4;

  int64_t limit_;
  int64_t most_;  // the largest small integer
  int bits_;      // bits of wide integers; 0: none
  bool split_;    // split precision
  bool middle_;   // there are middle integers
  int64_t period_ = 1;
  int64_t terms_ = 1;  // the most nonzero products in one element of C
  int64_t wide_terms_ = 0;
  std::vector<uint8_t> sides_;  // for each term: the operands that have wide integers; empty: none has
  int64_t v_ = 1;
};

}  // namespace mmtune
