// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes integer operands and computes with them exactly. All partial sums are exact, so every correct kernel gives the
// same bits. The exact check (checker.h) uses them; docs/numerics.md has the argument.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/host_function.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// The operands of a problem. Real is float, or double for problems that NeedsDoubles() (element_types.h).
template <typename Real>
struct TypedExactOperands {
  /// Values that the operands' types can represent, in the layout of the problem. `bias` and `addend` are empty if no
  /// step of the epilogue uses them.
  std::vector<Real> a, b, bias, addend;
  /// A*B of every matrix, if the problem has an epilogue or an output other than f32; else empty.
  std::vector<Real> product;
  /// An upper bound of the absolute values of A*B, if `product` is empty.
  Real bound = 0;
  /// The number of scales (MakeExactOperands()) with which a kernel must be run to detect an error in any step of the
  /// epilogue. With a single scale, a step such as a clamp may hide an error in another one.
  int scales = 1;

  /// Returns a function that writes these operands. It reads the vectors when it is called, so they must not be moved
  /// or destroyed.
  OperandSource Source(const MatmulProblem& problem) const;
};
using ExactOperands = TypedExactOperands<float>;

/// Makes operands for a valid problem. Depends only on the arguments. `scale`, from 0 to the result's `scales` - 1,
/// chooses a power of two by which B, bias and addend are multiplied. All partial sums stay exact. If `operand_bits` is
/// not 0, elements of A and B have at most that many bits of precision.
template <typename Real>
TypedExactOperands<Real> MakeExactOperands(const MatmulProblem& problem, uint64_t seed, int scale = 0,
                                           int operand_bits = 0);

/// The operands encoded in the problem's element types. Types that need no encoding use the vectors of `values`, which
/// must not be moved or destroyed.
class EncodedOperands {
 public:
  template <typename Real>
  EncodedOperands(const MatmulProblem& problem, const TypedExactOperands<Real>& values);
  EncodedOperands(const EncodedOperands&) = delete;
  EncodedOperands& operator=(const EncodedOperands&) = delete;
  /// Returns pointers to the operands, valid as long as this object.
  HostOperands View() const { return {arrays_[0].data, arrays_[1].data, arrays_[2].data, arrays_[3].data}; }
  /// Returns a hash of all bits, to detect changes.
  size_t HashOfBits() const;

 private:
  struct Array {
    const void* data = nullptr;
    size_t bytes = 0;
    std::vector<char> own = {};
  };
  std::vector<Array> arrays_;  // A, B, bias, addend
};

/// Computes the row-major c[m][n] = a[m][k] * b[k][n]. The result is exact if every partial sum is.
template <typename Real>
void MultiplyExact(const Real* a, const Real* b, Real* c, int64_t m, int64_t n, int64_t k);

/// Applies an epilogue step that is not a transcendental activation to a row of `n` elements, rounding each to Real.
/// `operand` is the start of the row of bias or addend; null if the step has none.
template <typename Real>
void ApplyRoundedStep(const EpilogueOp& op, const Real* operand, int64_t n, Real* row);

// For a large problem with f32 output and no epilogue, the check does not compare the elements of a row of C. Instead
// it compares the dot products of the row with two random vectors (Freivalds' algorithm, checker.h).

/// The number that ProjectRow() adds to each element of a row, so that none is negative.
inline constexpr uint32_t kProjectionShift = uint32_t{1} << 25;

/// Multiplies a row of C, of small integers, with the vectors x[0] and x[1]: sums[v] is the sum of (values[j] +
/// kProjectionShift) * x[v][j], modulo 2^64. Returns false, with sums undefined, unless each element is an integer of
/// absolute value at most `bound`, which must not exceed 2^24.
bool ProjectRow(const float* values, int64_t count, float bound, const uint32_t* const x[2], uint64_t sums[2]);

}  // namespace mmtune
