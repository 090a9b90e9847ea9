// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounding tier of the check: compares C = epilogue(A*B) on random normal operands with a reference, element by
// element, within the largest error that any order of summation can have (Higham's gamma_K), widened for tensor cores,
// which truncate, and for split precision. Derivation and sources: docs/numerics.md, "The rounding check".
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

/// The range of c, the number of values of k whose products of split precision are summed on tensor cores before the
/// sums are added in f32.
inline constexpr int64_t kLeastPlaneSum = 8, kMostPlaneSum = 16;

/// The rounding tier of one problem. Immutable; thread-safe.
class RoundingChecker {
 public:
  /// True if the bound is meaningful: K*u, N*u or e is less than 1/2.
  static bool Applies(const MatmulProblem& problem);

  /// Computes the references of a valid problem that Applies(). Deterministic in `seed`.
  RoundingChecker(const MatmulProblem& problem, uint64_t seed);

  const MatmulProblem& problem() const { return problem_; }
  const RandomOperandStream& operands() const { return operands_; }

  /// Returns the compared rows of C, counted through the batch, ascending.
  const std::vector<int64_t>& rows() const { return rows_; }
  /// Returns the reference of an element of C.
  const BoundedValue& reference(size_t sampled_row, int64_t column) const {
    return references_[sampled_row * static_cast<size_t>(problem_.n) + static_cast<size_t>(column)];
  }

  /// Judges a result whose rows are added in order.
  class Judgement {
   public:
    explicit Judgement(const RoundingChecker& checker) : checker_(checker) {}
    /// Adds rows of values. Real is float, or double for problems that NeedsDoubles().
    template <typename Real>
    void AddRows(const Real* rows, int64_t count);
    /// Adds elements of C.
    void AddElements(const void* elements, int64_t count);
    /// Returns the report of all rows: tier "rounding", the largest errors, and on a mismatch the first wrong element
    /// of a sampled row, or the first that is not finite.
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
  /// Returns the elements of A in the sampled rows [first, end), which are of one matrix, each row in the order of k.
  template <typename Real>
  std::vector<Real> RowsOfA(size_t first, size_t end) const;
  /// Adds, for the sampled rows [first, end) of one matrix, the sums of products and of their magnitudes.
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

/// Judges a kernel's first two runs, which are its warm-up, too. `timer` has the operands of `checker`. Both runs have
/// to pass, and no kernel may have written to an input or outside of its buffers. Whether both gave the same bits (by a
/// 64-bit hash) is recorded, and not required, because atomic additions need not. Returns errors of the device.
absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker);

}  // namespace mmtune
