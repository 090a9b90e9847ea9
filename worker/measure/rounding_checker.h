// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounding check of a kernel's result: on random operands, the elements of C must be within an error bound that
// holds for every order of summation. In a large problem, only a random sample of the rows is compared. The reference
// is computed on the host. The bound is Higham's gamma_K, widened for tensor cores, which truncate, and for split
// precision. docs/numerics.md, "The rounding check", derives it. It complements the exact check (checker.h), whose
// operands are integers.
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

/// In split precision, each f32 operand is the sum of two or three narrower numbers (MathMode::kTf32x3, kBf16x6).
/// Tensor cores then sum the products of some values of k from zero, and that sum is added in f32. These are the least
/// and the most values of k in such a sum; the bound holds for every number between.
inline constexpr int64_t kMinTensorCoreSum = 8, kMaxTensorCoreSum = 16;

/// The rounding check of one problem. Immutable and thread-safe.
class RoundingChecker {
 public:
  /// True if the bound is meaningful for the problem: the relative error that it allows is less than 1/2.
  static bool Applies(const MatmulProblem& problem);

  /// Computes the reference of a valid problem to which the check Applies(). Depends only on the arguments. If
  /// `operand_bits` is not 0, A and B have only that many bits of precision.
  RoundingChecker(const MatmulProblem& problem, uint64_t seed, int operand_bits = 0);

  const MatmulProblem& problem() const { return problem_; }
  const RandomOperandStream& operands() const { return operands_; }

  /// Returns the rows of C that are compared, in ascending order. Row indices continue from one matrix of the batch to
  /// the next.
  const std::vector<int64_t>& rows() const { return rows_; }
  /// Returns the reference of an element of C, and its error bound. `sampled_row` is an index into rows().
  const BoundedValue& reference(size_t sampled_row, int64_t column) const {
    return references_[sampled_row * static_cast<size_t>(problem_.n) + static_cast<size_t>(column)];
  }

  /// Compares one result with the reference. The rows of the result must be added in order.
  class ResultComparison {
   public:
    explicit ResultComparison(const RoundingChecker& checker) : checker_(checker) {}
    /// Adds the next `count` rows of C, both those that are compared and those that are not. Real is float, or double
    /// for problems that NeedsDoubles().
    template <typename Real>
    void AddRows(const Real* rows, int64_t count);
    /// Adds the next `count` elements of C, in the element type of C.
    void AddElements(const void* elements, int64_t count);
    /// Returns the report of the tier "rounding" (CheckReport::tier) for all rows, with the largest errors. If there is
    /// a mismatch, the report has the first wrong element of a compared row, or the first element that is not finite.
    CheckReport Report() const;

   private:
    template <typename Real>
    void Compare(const Real* row);

    const RoundingChecker& checker_;
    int64_t row_ = 0;     // the next row
    size_t sampled_ = 0;  // the next entry of rows()
    double fraction_ = 0, error_ = 0;
    std::optional<CheckReport> mismatch_, not_finite_;  // the first of each
  };

  /// Limits of the work for the reference, in multiply-adds and in elements of C. They limit the number of compared
  /// rows.
  static constexpr int64_t kReferenceProducts = int64_t{1} << 24;
  static constexpr int64_t kReferenceElements = int64_t{1} << 18;

 private:
  void ChooseRows(uint64_t seed);
  /// Returns the elements of A in the compared rows [first, end), which belong to one matrix.
  template <typename Real>
  std::vector<Real> RowsOfA(size_t first, size_t end) const;
  /// Adds, for the compared rows [first, end) of one matrix, the sums of products and of their absolute values.
  template <typename Real, typename Sum>
  void AddProducts(size_t first, size_t end, Sum* sums) const;
  void SumRows(size_t first, size_t end);
  template <typename Real>
  void FinishRow(int64_t row, BoundedValue* references) const;

  MatmulProblem problem_;
  RandomOperandStream operands_;
  std::vector<int64_t> rows_;
  std::vector<BoundedValue> references_;  // rows_ x n
  double largest_ = 0;                    // largest absolute value of the reference
  bool may_overflow_ = false;             // an element of C may overflow
};

/// Checks the first two runs of a kernel, which are also part of its warm-up. `timer` must have the operands of
/// `checker`. Both results must pass, and no kernel may have written to an input or out of bounds. The report records
/// whether both results have the same bits (compared by a 64-bit hash). This is not required, because atomic additions
/// may be done in any order. Returns errors of the device.
absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker);

}  // namespace mmtune
