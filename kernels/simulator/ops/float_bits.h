// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits as tensor cores read them, and the NaN that GPU arithmetic returns whatever NaN it was given.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "proto/types/data_type.h"

namespace mmtune::simt {

inline constexpr uint32_t kCanonicalNan = 0x7fffffff;

/// A tensor core reads the upper 19 bits of a TF32 operand.
inline float FromTf32(uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000u); }

inline float Canonical(float value) { return value != value ? std::bit_cast<float>(kCanonicalNan) : value; }

/// min.f32 and max.f32: -0 is less than +0; NaN only of two NaNs, or of one with .NaN.
inline float MinMax(float x, float y, bool is_min, bool propagate_nan) {
  const bool x_nan = std::isnan(x), y_nan = std::isnan(y);
  if (propagate_nan ? x_nan || y_nan : x_nan && y_nan) return std::bit_cast<float>(kCanonicalNan);
  if (x_nan) return y;
  if (y_nan) return x;
  const bool x_less = x < y || (x == y && std::signbit(x));
  return x_less == is_min ? x : y;
}

}  // namespace mmtune::simt
