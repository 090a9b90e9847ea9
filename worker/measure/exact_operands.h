// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands on which every correct kernel gives the same bits, and exact arithmetic on them (docs/numerics.md).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/host_function.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// The operands. Real is float, or double for problems that NeedsDoubles().
template <typename Real>
struct ExactOperandsOf {
  /// Values representable in the operands' types, laid out as the problem says; the last two may be empty.
  std::vector<Real> a, b, bias, addend;
  /// A*B of every matrix for a problem with an epilogue or an output other than f32; else empty.
  std::vector<Real> product;
  Real bound = 0;  ///< The largest magnitude of a sum of products, if there is no `product`.
  int scales = 1;  ///< The number of operand scales that together expose every step of the epilogue.

  /// Returns a source of these operands for the problem that they were made for. It reads the vectors when called, so
  /// they must stay in place.
  OperandSource Source(const MatmulProblem& problem) const;
};
using ExactOperands = ExactOperandsOf<float>;

/// Makes operands for a valid problem. Deterministic in `seed`, up to a power of two that `scale`, counted from 0,
/// chooses.
template <typename Real>
ExactOperandsOf<Real> MakeExactOperandsOf(const MatmulProblem& problem, uint64_t seed, int scale = 0);

/// The operands encoded in the problem's types. Uses the vectors of `values`, which must stay in place, for types that
/// need no encoding, and arrays of its own for others.
class EncodedOperands {
 public:
  template <typename Real>
  EncodedOperands(const MatmulProblem& problem, const ExactOperandsOf<Real>& values);
  EncodedOperands(const EncodedOperands&) = delete;
  EncodedOperands& operator=(const EncodedOperands&) = delete;
  /// Returns pointers that are valid as long as this object.
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

/// Computes row-major c[m][n] = a[m][k] * b[k][n]; exact if every partial sum is.
template <typename Real>
void MultiplyExact(const Real* a, const Real* b, Real* c, int64_t m, int64_t n, int64_t k);

/// Applies a step other than a transcendental activation to a row of `n` elements, rounding each to Real. `operand`:
/// the begin of the row of bias or addend; null if the step has none.
template <typename Real>
void ApplyRoundedStep(const EpilogueOp& op, const Real* operand, int64_t n, Real* row);

/// A constant added to each element of a projected row, so that none is negative.
inline constexpr uint32_t kProjectionShift = uint32_t{1} << 25;

/// Multiplies a row of small integers with two vectors: sums[v] = the sum of (values[j] + kProjectionShift) * x[v][j]
/// modulo 2^64. Returns false, with sums undefined, unless each element is an integer of magnitude at most `bound` <=
/// 2^24.
bool ProjectRow(const float* values, int64_t count, float bound, const uint32_t* const x[2], uint64_t sums[2]);

}  // namespace mmtune
