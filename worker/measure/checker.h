// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact check of a kernel's result at full size: with integer operands every partial sum is exact, so every correct
// kernel, whatever its order of summation, gives the same bits.
//
// For a small problem, C is compared element by element. For a large problem with f32 output and no epilogue, each row
// of C is compared by random projections (Freivalds' algorithm), which miss a wrong row with probability 2^-64.
// Projections need a result that is linear in B. For any other large problem, C is compared element by element, and B
// consists of few distinct rows and their negatives, so that the expected A*B can be computed quickly.
//
// docs/numerics.md, "The exact check", has the argument for each type and epilogue.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "worker/measure/exact_operands.h"

namespace mmtune {

/// The exact check of one problem: its operands, and the expected result. CheckElements() is thread-safe.
class ExactCheck {
 public:
  /// The largest number of products, of all matrices of the batch together, for which problems with f32 output and no
  /// epilogue are compared element by element.
  static constexpr int64_t kElementwiseLimit = int64_t{1} << 22;

  /// Prepares the check of a valid problem. The same seed gives the same operands. `elementwise_limit` replaces
  /// kElementwiseLimit. If `operand_bits` is not 0, elements of A and B have at most that many bits of precision, so
  /// that a narrower type, such as fp8, can represent them.
  static std::unique_ptr<ExactCheck> Create(const MatmulProblem& problem, uint64_t seed,
                                            int64_t elementwise_limit = kElementwiseLimit, int operand_bits = 0);
  virtual ~ExactCheck() = default;

  /// Returns how often the kernel must be run, each time with other operands: once for each scale of the operands. A
  /// scale is a power of two that brings values into the range in which an error in some step of the epilogue is
  /// visible, such as near the bounds of a clamp. If a step maps many values to one (relu, clamp, gelu), there is a
  /// second run for each scale, with A, bias and addend negated.
  virtual int passes() const = 0;
  /// Changes the operands to those of a pass, counted from 0. Initially they are those of pass 0.
  virtual void SetPass(int pass) = 0;

  /// Returns a function that writes any part of the current pass's operands, for upload. Valid until the next
  /// SetPass().
  virtual OperandSource Source() const = 0;
  /// Returns the current pass's operands as bytes in the element types of the problem. Valid until the next SetPass().
  virtual EncodedOperands Encoded() const = 0;

  /// Checks the elements of C. Returns a report of the tier "exact" (CheckReport::tier). If elements are wrong, the
  /// report has the first of them in row-major order, its value, and the number of wrong rows. Row indices continue
  /// from one matrix of the batch to the next.
  virtual CheckReport CheckElements(const void* c) const = 0;
};

/// The implementation of ExactCheck. Real is float, or double for problems that NeedsDoubles() (element_types.h).
template <typename Real>
class TypedExactChecker : public ExactCheck {
 public:
  TypedExactChecker(const MatmulProblem& problem, uint64_t seed, int64_t elementwise_limit = kElementwiseLimit,
                    int operand_bits = 0);

  const TypedExactOperands<Real>& operands() const { return operands_; }
  int passes() const override { return operands_.scales * signs_; }
  void SetPass(int pass) override;
  OperandSource Source() const override { return operands_.Source(problem_); }
  EncodedOperands Encoded() const override { return EncodedOperands(problem_, operands_); }
  CheckReport CheckElements(const void* c) const override;
  /// Checks the values of the elements of C; see CheckElements().
  CheckReport Check(const Real* c) const;

 private:
  /// A random vector x, and A*B*x.
  struct Projection {
    std::vector<uint32_t> x;    // N elements
    std::vector<uint64_t> abx;  // for each row of C: ProjectRow() of a correct row
  };

  int64_t rows() const { return problem_.batch * problem_.m; }
  bool IsNegated() const { return pass_ % signs_ != 0; }
  void Project(uint64_t seed);
  void ProjectMatrix(int64_t matrix, Projection& projection) const;
  /// Returns row `row` of A, in the order of k.
  std::vector<Real> RowOfA(int64_t row) const;
  /// Returns row `row` of A*B.
  std::vector<Real> ProductRow(int64_t row) const;
  /// The range of the values that correct kernels compute, for each element of a row of C.
  struct Row {
    std::vector<Real> low;
    std::vector<Real> high;  ///< Empty: equal to `low`.
    bool Has(int64_t column, Real value) const {
      const auto j = static_cast<size_t>(column);
      return low[j] <= value && value <= (high.empty() ? low : high)[j];
    }
  };
  Row ExpectedRow(int64_t row) const;
  /// Applies the epilogue's steps from number `step` on, which is the first transcendental activation, and returns the
  /// row. `exact` has the values before that step.
  Row BoundedRow(size_t step, int64_t row, const std::vector<Real>& exact) const;
  /// Returns the start of the row in the operand of an epilogue step; null if it has none.
  const Real* OperandOf(const EpilogueOp& op, int64_t row) const;
  bool RowIsRight(const Real* values, int64_t row) const;
  CheckReport Mismatch(const Real* c, int64_t row, int64_t wrong_rows) const;

  MatmulProblem problem_;
  uint64_t seed_;
  int operand_bits_;
  TypedExactOperands<Real> operands_;
  int signs_ = 1;  // 2: one pass with the operands and one with their negatives
  int pass_ = 0;
  Projection projections_[2];  // for large problems with f32 output and no epilogue; otherwise empty
};
using ExactChecker = TypedExactChecker<float>;

/// Returns the report of a check that was performed.
CheckReport ReportOf(std::string_view tier, bool passed);
/// Returns the report of a check that failed at an element: "C[1][2] is 3, " followed by `what`. `row` continues from
/// one matrix of the batch to the next.
CheckReport WrongElement(std::string_view tier, const MatmulProblem& problem, int64_t row, int64_t column, double got,
                         std::string_view what);

}  // namespace mmtune
