// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands on which every correct kernel has one answer, and exact arithmetic on them. The argument is in checker.h.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/host_function.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// Real is float, or double for problems that NeedsDoubles().
template <typename Real>
struct ExactOperandsOf {
  /// Values that the operands' types have, as the problem lays them out; the last two are empty where it has none.
  std::vector<Real> a, b, bias, addend;
  /// A*B of every matrix; only of a problem whose elements of C are not all sums of f32 as they are: one with an
  /// epilogue or another output. Else empty.
  std::vector<Real> product;
  Real bound = 0;  ///< The largest magnitude of a sum of products, where there is no `product`.
  int scales = 1;  ///< How many sizes of sums it takes for every step of the epilogue to show.

  /// Of the problem that they were made for. Valid as long as the vectors stay where they are; gives what they hold
  /// when it is called.
  OperandSource Source(const MatmulProblem& problem) const;
};
using ExactOperands = ExactOperandsOf<float>;

/// `problem` is valid. The same seed gives the same operands but for a power of two, which `scale`, counted from 0,
/// chooses.
template <typename Real>
ExactOperandsOf<Real> MakeExactOperandsOf(const MatmulProblem& problem, uint64_t seed, int scale = 0);

/// Exact operands as a user's program holds them, of the problem's types: where values are elements as they are, the
/// vectors of `values`, which have to stay where they are; others are arrays of its own.
class EncodedOperands {
 public:
  template <typename Real>
  EncodedOperands(const MatmulProblem& problem, const ExactOperandsOf<Real>& values);
  EncodedOperands(const EncodedOperands&) = delete;
  EncodedOperands& operator=(const EncodedOperands&) = delete;
  /// Valid as long as this object.
  HostOperands View() const { return {arrays_[0].data, arrays_[1].data, arrays_[2].data, arrays_[3].data}; }
  size_t HashOfBits() const;

 private:
  struct Array {
    const void* data = nullptr;
    size_t bytes = 0;
    std::vector<char> own = {};
  };
  std::vector<Array> arrays_;  // A, B, bias, addend
};

/// Row-major c[m][n] = a[m][k] * b[k][n]; exact where every partial sum is.
template <typename Real>
void MultiplyExact(const Real* a, const Real* b, Real* c, int64_t m, int64_t n, int64_t k);

/// Applies a step that is not curved to a row of `n` elements, each rounded to Real. `operand` is where the row of the
/// bias or the addend begins; null where the step reads none.
template <typename Real>
void ApplyRoundedStep(const EpilogueOp& op, const Real* operand, int64_t n, Real* row);

/// Added to each element of a projected row, so that none is negative.
inline constexpr uint32_t kProjectionShift = uint32_t{1} << 25;

/// A row of small integers times two vectors: sums[v] = the sum of (values[j] + kProjectionShift) * x[v][j] modulo
/// 2^64. False, and the sums say nothing, unless each element is an integer of magnitude at most `bound`, which is at
/// most 2^24.
bool ProjectRow(const float* values, int64_t count, float bound, const uint32_t* const x[2], uint64_t sums[2]);

}  // namespace mmtune
