// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves C = epilogue(A*B) for operands on which every correct kernel, whatever its order of summation, has one answer.
//
// Operands of f32. A and B hold integers in [-v, v] with K*v*v <= 2^24 (v is also at most 127). Every partial sum of
// every order, with or without fused multiply-add, is then an integer of magnitude at most 2^24 and so exact in f32: a
// correct product is bit-equal to the true one (up to the sign of zero). Where K > 2^24 even v = 1 is too much, and
// A is zero except in one column, drawn at random, of each run of ceil(K / 2^24) columns. The matrices of a batch are
// drawn one after the other, so that no two are alike; of a transposed A or B only the place of its elements differs.
//
// Operands of f16, bf16 and tf32. They have p = 11, 8 and 11 bits of significand, and sums are of f32. Beside the small
// integers there are *wide* ones, odd and in (2^(p-1), 2^p): all p bits are needed to write them. For as many k as the
// limit allows, evenly spread, either the column k of A or the row k of B is wide (both where K is 1) and the other one
// small, so that the magnitudes of the products of an element of C still add up to 2^24 at most. All of it is exact:
// each operand in its type (and in tf32, whether a kernel rounds or truncates to it), each product and each partial sum
// in f32, also in tensor cores, which align the addends of a block to the largest of them and drop what lies below 24
// bits of it: below 1 there is nothing, and the largest is 2^24 only when all others are 0. A kernel that multiplies in
// a type of fewer bits loses the last bit of the wide operands, and one that adds up in f16 or bf16 has no place for
// the last bits of sums beyond 2^11 or 2^8.
//
// Operands of f64 have wide integers of 40 bits in the same way, and sums of up to 2^53: neither f32 nor a pair of f32
// holds them. Those of s8 are any in [-v, v], v at most 127, and -128 in A, with sums of up to 2^30 of s32: a kernel
// that adds up in f32, or in 16 bits, has no place for them, and none wraps around. Of both, every element is compared,
// as it is below. The host has their values as doubles.
//
// Operands of f32 that is multiplied as planes. Wide integers have 13 bits for tf32x3, all of whose odd ones need a
// second plane of 11 bits, and 18 for bf16x6, of which half need a third one of 8. They are as above otherwise, but
// that the magnitudes of planes, which are as integer as their sum, add up to a little more than it; the limit counts
// that. A kernel that leaves out a plane, or the product of a small operand's first plane with one of a wide operand,
// is wrong. For bf16x6, of which the product of two second planes is a part, both factors are odd integers of 9 bits at
// some k, whose products are as large as those of wide ones. (Where K is 1 only one factor is wide, or both have 9
// bits.)
//
// Proof of sums as they are: no epilogue, and an output of f32. First, every element of C must be an integer of
// magnitude at most K*v*v; NaN (which new device memory is filled with) and infinity are not. (With wide operands the
// bound is another one, of 2^24 at most.) Then D = C - A*B is an integer matrix with |D[i][j]| <= 2^25. Small problems
// are compared element by element. The others by Freivalds' method, each matrix of the batch by itself: C*x == A*(B*x)
// in arithmetic modulo 2^64, for two vectors x of independent, uniform entries in [0, 2^32). Should D[i][j] not be 0,
// fix all entries of x but x[j]: row i of D*x vanishes modulo 2^64 for at most one x[j], because |D[i][j]*(x[j]-x'[j])|
// < 2^25 * 2^32 = 2^57 < 2^64 makes distinct x[j] give distinct sums. So one vector misses a wrong row with chance at
// most 2^-32, and two with 2^-64. The vectors are seeded, and no kernel sees them. The product itself costs O(M*N*K),
// this O(M*N + N*K + M*K), all but M*N of it once for a problem.
//
// Proof with an epilogue, or an output other than f32. A random projection does not pass through relu or rounding, so
// every element is compared. The true product is exact, as above; kernels apply each step of the epilogue to it with a
// rounding of its own (no step is contracted with another into a fused multiply-add), and so does the reference:
// bit-equality holds again, scales that are no power of two included. To know the whole product in O(M*N*min(K, 128) +
// M*K), each row of B is, with a random sign, one drawn at random of 128 random rows (all its own where K <= 128):
// summing the columns of A by drawn row, an exact M x 128 matrix, and multiplying that with the 128 rows is A*B. A
// kernel that takes one row of B for another goes unseen with chance 2^-8 for each such pair, and unseen everywhere
// when they all coincide. (Where rows of B are of several sizes, as many are drawn of each.) Outputs of 16 bits are
// what the epilogue gives in f32, or else the exact sum, rounded once, to the nearest, ties to even. Sums are mostly
// far larger than the 2^11 or 2^8 up to which integers are exact, so that a result that is truncated, rounded twice or
// rounded too early is wrong. Infinite ones are compared, too; so that sums are finite, B of a problem with an output
// of f16 is multiplied with 2^-9, and with what makes up for the scales: 2^24 becomes 2^15. Bias and addend are nonzero
// integers of up to 4096 (2^14 beside an output of 16 bits), times the scales that come before them, rounded to their
// type: as large as sums of products are, so that leaving one out, or taking it from elsewhere, shows. Where scales
// leave the middle of f32's range, B is multiplied with a power of two that brings them back: nothing overflows or
// becomes subnormal. What relu clips says nothing of the sum. So a problem with relu has two passes, the second with A,
// bias and addend negated: up to the first relu all steps are odd functions, rounding included, and each sum that one
// pass clips the other shows.
//
// Curved steps (gelu, gelu_tanh, silu, tanh) and clamp. Of a curved step, which kernels approximate, correct ones may
// differ: from the first one on, an element is right when it lies between two numbers. Its argument is known exactly,
// as above; the step in double, and a bound of the error that a correct kernel has there, are carried through what
// follows (epilogue_reference.h), and both ends of that range are rounded to the type of C. Rounding is monotonic: a
// result that a correct kernel rounds once lies between them. In f32 the range is some units in the last place, and of
// 16 bits its ends are mostly the same number. What a curve does shows where it bends, and gelu is told from gelu_tanh
// there alone. So B is multiplied with the power of two with which the argument's standard deviation is about 2.5. The
// sums' own is known of their distribution, and the scales before the step count; where A and B are of plain f32 or
// bf16, a sum that is off by 1 moves the argument by more than the range of an f32 C is wide. Of f16, tf32 and tf32x3,
// whose sums are larger, this holds where |f| is small (below about 1 for the worst K); of bf16x6 the argument moves by
// less, the least for K of 1 or 2, and only larger errors of a sum are sure to show. Where the curve is flat, far below
// 0, it hides the sum as relu does: there are two passes here, too, and what is below 0 in one is above it in the
// other. So are there for clamp, and there B makes the argument's standard deviation two thirds of the bound that is
// farther from 0: one of eight lies beyond that, and shows in neither pass. Of bounds that are both above 0, or both
// below, only the arguments between them show. Where several steps ask for different powers of two, each of them has
// its passes.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "worker/measure/exact_operands.h"

namespace mmtune {

/// The exact tier of one problem: operands, and what a result must be. CheckElements() is const and thread-safe.
class ExactTier {
 public:
  /// Problems without epilogue are compared element by element where a batch has up to this many products.
  static constexpr int64_t kElementwiseLimit = int64_t{1} << 22;

  /// `problem` is valid. The same seed gives the same operands.
  static std::unique_ptr<ExactTier> Create(const MatmulProblem& problem, uint64_t seed,
                                           int64_t elementwise_limit = kElementwiseLimit);
  virtual ~ExactTier() = default;

  /// How many passes a result has to pass: 1 or 2 for each scale of the operands.
  virtual int passes() const = 0;
  /// Changes the operands to those of a pass, counted from 0, which is the first one.
  virtual void SetPass(int pass) = 0;

  // Operands of the current pass; valid until the next SetPass().
  virtual OperandSource Source() const = 0;
  virtual EncodedOperands Encoded() const = 0;

  /// `c` has the elements of C, of its type. Tier "exact"; on a mismatch the first wrong element in row-major order,
  /// rows counted through the batch, and how many rows are wrong. `got` is what was found, NaN and infinity included.
  virtual CheckReport CheckElements(const void* c) const = 0;
};

/// Real is float, or double for problems that NeedsDoubles().
template <typename Real>
class ExactCheckerOf : public ExactTier {
 public:
  ExactCheckerOf(const MatmulProblem& problem, uint64_t seed, int64_t elementwise_limit = kElementwiseLimit);

  const ExactOperandsOf<Real>& operands() const { return operands_; }
  int passes() const override { return operands_.scales * signs_; }
  void SetPass(int pass) override;
  OperandSource Source() const override { return operands_.Source(problem_); }
  EncodedOperands Encoded() const override { return EncodedOperands(problem_, operands_); }
  CheckReport CheckElements(const void* c) const override;
  /// As CheckElements, of the values of the elements.
  CheckReport Check(const Real* c) const;

 private:
  struct Projection {
    std::vector<uint32_t> x;    // N
    std::vector<uint64_t> abx;  // M of each matrix: what ProjectRow gives for a right row
  };

  int64_t rows() const { return problem_.batch * problem_.m; }
  bool IsNegated() const { return pass_ % signs_ != 0; }
  void Project(uint64_t seed);
  void ProjectMatrix(int64_t matrix, Projection& projection) const;
  /// Row `row` of A, in the order of k.
  std::vector<Real> RowOfA(int64_t row) const;
  /// Row `row` of A*B.
  std::vector<Real> ProductRow(int64_t row) const;
  /// The elements of C between which, themselves included, those of a correct kernel are.
  struct Row {
    std::vector<Real> low;
    std::vector<Real> high;  ///< Empty where it is `low`.
    bool Has(int64_t column, Real value) const {
      const auto j = static_cast<size_t>(column);
      return low[j] <= value && value <= (high.empty() ? low : high)[j];
    }
  };
  Row ExpectedRow(int64_t row) const;
  /// From the first curved step on, which is `step`, of values that are exact up to there.
  Row BoundedRow(size_t step, int64_t row, const std::vector<Real>& exact) const;
  /// Where the row begins in what the step reads; null where it reads nothing.
  const Real* OperandOf(const EpilogueOp& op, int64_t row) const;
  bool RowIsRight(const Real* values, int64_t row) const;
  CheckReport Mismatch(const Real* c, int64_t row, int64_t wrong_rows) const;

  MatmulProblem problem_;
  uint64_t seed_;
  ExactOperandsOf<Real> operands_;
  int signs_ = 1;  // 2: operands as they are drawn, and negated
  int pass_ = 0;
  Projection projections_[2];  // empty where the product is known
};
using ExactChecker = ExactCheckerOf<float>;

/// The report of a check that a tier performed.
CheckReport ReportOf(std::string_view tier, bool passed);
/// The report of a check that failed at an element, with rows counted through the batch: "C[1][2] is 3, " and `what` is
/// wrong with that.
CheckReport WrongElement(std::string_view tier, const MatmulProblem& problem, int64_t row, int64_t column, double got,
                         std::string_view what);

}  // namespace mmtune
