// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of a problem's operands, and conversions of values to and from them. The host computes in float and
// double; elements of other types exist only in buffers.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Returns the type of an operand's elements; f32 for the workspace.
DataType TypeOf(const MatmulProblem& problem, PlanBuffer buffer);

/// True if the values of the operands and of C need doubles on the host, because accumulators are s32 or f64.
bool NeedsDoubles(const MatmulProblem& problem);

/// Returns the precision in bits (with the implicit one) with which A and B are multiplied: 53 (f64), 24 (f32, also in
/// split precision), 11 (f16, tf32), 8 (bf16) or 7 (s8).
int OperandBits(const MatmulProblem& problem);

/// True if sums of products can exceed the range of the type, as with f16, and must be scaled.
bool HasSmallRange(DataType type);

/// Converts values to elements of the type, rounding to nearest. Real is float or double.
template <typename Real>
void EncodeElements(DataType type, const Real* values, int64_t count, void* elements) {
  if constexpr (std::is_same_v<Real, float>) TraitsOf(type).encode(values, count, elements);
  if constexpr (std::is_same_v<Real, double>) TraitsOf(type).encode_double(values, count, elements);
}
/// Converts elements of the type to values. Real is float or double.
template <typename Real>
void DecodeElements(DataType type, const void* elements, int64_t count, Real* values) {
  if constexpr (std::is_same_v<Real, float>) TraitsOf(type).decode(elements, count, values);
  if constexpr (std::is_same_v<Real, double>) TraitsOf(type).decode_double(elements, count, values);
}
/// True if elements of the type are stored as Real.
template <typename Real>
bool IsTypeOf(DataType type) {
  return type == (std::is_same_v<Real, float> ? DataType::kF32 : DataType::kF64);
}

/// Rounds values to the nearest ones of the type, ties to even. Real is float or double.
template <typename Real>
void RoundToType(DataType type, int64_t count, Real* values) {
  if (IsTypeOf<Real>(type)) return;
  std::vector<char> elements(static_cast<size_t>(count * DataTypeBytes(type)));
  EncodeElements(type, values, count, elements.data());
  DecodeElements(type, elements.data(), count, values);
}

/// Rounds values to the nearest ones that A and B can have: numbers of the element type and, for tf32, with 11 bits of
/// precision.
void RoundToOperandType(const MatmulProblem& problem, int64_t count, float* values);

/// Rounds values to `bits` bits of precision (with the implicit one), and to multiples of 2^-9. If their absolute
/// values are at most 240, the results are numbers of e4m3 for 4 bits, and of e5m2 for 3 bits.
void RoundToNarrow(int bits, int64_t count, float* values);

}  // namespace mmtune
