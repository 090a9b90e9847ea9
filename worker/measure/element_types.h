// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of which types the operands of a problem are, and which values those types have. The host computes in f32 and double;
// elements of other types exist only in buffers.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/compiled_kernel.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The type of an operand's elements. The workspace, which a kernel lays out as it likes, counts as f32.
DataType TypeOf(const MatmulProblem& problem, PlanBuffer buffer);

/// Whether floats are not enough for the values of a problem's C: sums of s32 or f64. The host has them, and the
/// operands, as doubles.
bool NeedsDoubles(const MatmulProblem& problem);

/// Bits of significand, with the one that is not stored, of A and B as they are multiplied: 53 (f64), 24 (f32, as it is
/// or in planes), 11 (f16, tf32), 8 (bf16) or 7 (s8).
int FactorBits(const MatmulProblem& problem);

/// Whether sums of products leave the range of the type, as those of f16 do: they have to be scaled.
bool HasSmallRange(DataType type);

/// Elements of the type, to the nearest, and back. Real is float or double.
template <typename Real>
void EncodeElements(DataType type, const Real* values, int64_t count, void* elements) {
  if constexpr (std::is_same_v<Real, float>) TraitsOf(type).encode(values, count, elements);
  if constexpr (std::is_same_v<Real, double>) TraitsOf(type).encode_double(values, count, elements);
}
template <typename Real>
void DecodeElements(DataType type, const void* elements, int64_t count, Real* values) {
  if constexpr (std::is_same_v<Real, float>) TraitsOf(type).decode(elements, count, values);
  if constexpr (std::is_same_v<Real, double>) TraitsOf(type).decode_double(elements, count, values);
}
/// Whether elements are such values as they are.
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

/// Rounds values to the nearest ones that A and B can have and that are multiplied as they are: of the element type,
/// and for tf32 math of 11 bits.
void RoundToFactors(const MatmulProblem& problem, int64_t count, float* values);

}  // namespace mmtune
