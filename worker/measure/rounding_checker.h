// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds the rounding errors of C = epilogue(A*B) on random normal operands.
//
// Bound. A sum of K products of f32, in any order, with or without fused multiply-add, in any number of partial sums
// that start from 0, is off by at most gamma_K * (|A||B|)[i][j], where gamma_K = K*u / (1 - K*u) and u = 2^-24
// (Higham: Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.1). It is a bound for every element
// by itself, not a tolerance: a kernel that drops to a narrower type somewhere, or adds a product twice, is over it.
//
// Tensor cores, which multiply f16, bf16 and tf32, do not round sums as IEEE 754 says. Their products are exact (the
// operands are drawn so that they are of 11 or 8 bits of significand). A block of them, 4 at least, is added to a sum
// of f32 in one step: all addends are aligned to the one of the largest exponent and truncated, and the result is
// truncated to f32. V100 has blocks of 4 and keeps no bits below those 24 [1]. A100, A2 and L40S (sm_80, sm_86, sm_89)
// have blocks of 8, of tf32 4, and keep one bit more; H100 and B200 (sm_90, sm_100) have blocks of 16, of tf32 8, and
// keep two more [2; 3 of A100 and H100]. As B200 the models of [2] have a chip of sm_120, RTX PRO 6000, too. With more
// bits and larger blocks sums lose no more than V100's. So each of the K products, and of the ceil(K/4) sums that go
// into a block and again come out of it, loses less than 2^-23 of a magnitude that (|A||B|)[i][j] bounds but for the
// losses themselves: gamma_N with N = K + 2*ceil(K/4) and u = 2^-23. A kernel that adds such sums up in f32, in any
// order, or all of its products by fused multiply-adds, is within it.
//
// [1] M. Fasi, N. J. Higham, M. Mikaitis, S. Pranesh: Numerical behavior of NVIDIA tensor cores. PeerJ Computer Science
//     7:e330, 2021. Of V100, T4 and A100.
// [2] F. A. Khattak, M. Mikaitis: Accurate Models of NVIDIA Tensor Cores. arXiv:2512.07004, 2025. The numbers are those
//     of its models (github.com/north-numerical-computing/MATLAB-tensor-core), refined until they agreed bit by bit.
// [3] X. Li, A. Li, B. Fang, K. Swirydowicz, I. Laguna, G. Gopalakrishnan: FTTN: Feature-Targeted Testing for Numerical
//     Properties of NVIDIA & AMD Matrix Accelerators. CCGrid 2024, pages 39-46. Of V100, A100 and H100.
//
// f32 that is multiplied as planes (math tf32x3, bf16x6). Per product, in units of |a||b|:
//
// - tf32x3: hi is a rounded to 11 bits of significand, lo the rest, which is exact in f32, rounded likewise: |lo| <=
//   2^-11, and |a - hi - lo| <= 2^-23. Summed are hi*lo, lo*hi, hi*hi. Left out are lo*lo, at most 2^-22, and the rests
//   of both factors, at most 2^-23 each: 2^-21.
// - bf16x6: three planes of 8 bits, of which the second is at most 2^-8, the third at most 2^-17, and all three are a.
//   Of their nine products three are left out, two of at most 2^-25 and one of 2^-34: 2^-24.
//
// (Each plus 2^-8 of itself, for the products of errors. None of this holds where factors are below 2^-110, as planes
// are subnormal then; those drawn are not.) These products, the smaller ones first, are summed on tensor cores from 0
// for c values of k, 8 <= c <= 16, and the sums are added in f32, rounded to the nearest. Tensor cores lose, in a sum
// of c products of first planes, N_c = c + 2*ceil(c/4) times 2^-23 of that sum's own magnitudes, as above; those of the
// smaller products, of which there are 2 or 5 times as many, are of sums that are smaller by 2^-9.9 (tf32x3) or by
// 2^-15 and 2^-6.9 (bf16x6), and first planes may be larger than their elements by 2^-11 or 2^-8: all that is less
// than 2^-7, or 2^-4, of the first. As each sum begins from 0, the magnitudes of all of them add up to those of one. So
// the bound is gamma form, e / (1 - e), of e = 2^-21 + (1 + 2^-7) * N_c * 2^-23 + ceil(K/8) * 2^-24 for tf32x3, with c
// = min(K, 16), and e = 2^-24 + (1 + 2^-4) * N_c * 2^-23 + ceil(K/8) * 2^-24 for bf16x6: at K = 1024, 184 and 180 times
// 2^-24, where f32 on CUDA cores has 1024 and tf32, whose operands are rounded before, 3072.
//
// f64, which is rounded to the nearest on CUDA and on tensor cores, is summed as plain f32 is, with u = 2^-53. Sums of
// integers do not round: of s8 the bound is 0, and a result that is off by anything is wrong.
//
// The epilogue is followed step by step (epilogue_reference.h). The output, where it is of 16 bits, is rounded once:
// that adds u*(|x| + e), u = 2^-11 for f16 and 2^-8 for bf16, and half the smallest subnormal number of that type.
//
// Reference. In double, whose own error, K*2^-53*(|A||B|), is added to the bound (of integers there is none); of f64 in
// long double, whatever the host makes of that, with K times its roundoff and 2^-53 for being rounded to double. Every
// element of problems of up to kReferenceProducts products and kReferenceElements elements of C; of larger ones whole
// rows of C, as many as fit both: the first, the last, and others drawn at random. Every element of C has to be finite,
// sampled or not. The reference is made once for a problem. The checker holds it alone: operands are a stream, and C is
// judged in panels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "worker/measure/epilogue_reference.h"
#include "worker/measure/kernel_timer.h"
#include "worker/measure/operand_sets.h"

namespace mmtune {

/// Over how many values of k tensor cores sum the products of planes before the sums are added in f32: c above.
inline constexpr int64_t kLeastPlaneSum = 8, kMostPlaneSum = 16;

/// Const, and so thread-safe, once it is made.
class RoundingChecker {
 public:
  /// Whether the bound says anything: K*u, N*u or e is less than 1/2.
  static bool Applies(const MatmulProblem& problem);

  /// `problem` is valid, and Applies(). The same seed gives the same operands.
  RoundingChecker(const MatmulProblem& problem, uint64_t seed);

  const MatmulProblem& problem() const { return problem_; }
  const RandomOperandStream& operands() const { return operands_; }

  /// The rows of C, counted through the batch, that are compared; ascending.
  const std::vector<int64_t>& rows() const { return rows_; }
  /// What an element of C should be.
  const BoundedValue& reference(size_t sampled_row, int64_t column) const {
    return references_[sampled_row * static_cast<size_t>(problem_.n) + static_cast<size_t>(column)];
  }

  /// Judges a result whose rows come in order, some at a time.
  class Judgement {
   public:
    explicit Judgement(const RoundingChecker& checker) : checker_(checker) {}
    /// Real is float, or double for problems that NeedsDoubles().
    template <typename Real>
    void AddRows(const Real* rows, int64_t count);
    /// The same of elements of C.
    void AddElements(const void* elements, int64_t count);
    /// Of all rows: tier "rounding"; the errors achieved, and on a mismatch the first wrong element of a sampled row,
    /// or the first that is not finite.
    CheckReport Report() const;

   private:
    template <typename Real>
    void Compare(const Real* row);

    const RoundingChecker& checker_;
    int64_t row_ = 0;     // the next
    size_t sampled_ = 0;  // the next of those
    double fraction_ = 0, error_ = 0;
    std::optional<CheckReport> mismatch_, not_finite_;  // the first of each
  };

  static constexpr int64_t kReferenceProducts = int64_t{1} << 24;
  static constexpr int64_t kReferenceElements = int64_t{1} << 18;

 private:
  void ChooseRows(uint64_t seed);
  /// The elements of A in the sampled rows [first, end), which are of one matrix, each row in the order of k.
  template <typename Real>
  std::vector<Real> RowsOfA(size_t first, size_t end) const;
  /// Of the sampled rows [first, end), which are of one matrix: the sums of products, and of their magnitudes.
  template <typename Real, typename Sum>
  void AddProducts(size_t first, size_t end, Sum* sums) const;
  void SumRows(size_t first, size_t end);
  template <typename Real>
  void FinishRow(int64_t row, BoundedValue* references) const;

  MatmulProblem problem_;
  RandomOperandStream operands_;
  std::vector<int64_t> rows_;
  std::vector<BoundedValue> references_;  // rows_ x n
  double largest_ = 0;                    // magnitude of a reference value
  bool may_overflow_ = false;             // somewhere in C
};

/// Judges a kernel's first two runs, which are its warm-up, too: `timer` was made with the operands of `checker`. Both
/// runs have to pass, and no kernel may have written outside its buffers or to an input. Whether they gave the same
/// bits (the same 64-bit hash of them) is recorded, and is no failure: atomic additions need not. Errors are those of
/// the device.
absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker);

}  // namespace mmtune
