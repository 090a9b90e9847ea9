// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits of the 16-bit floating-point types, and the NaN that GPU arithmetic returns whatever NaN it was given.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace mmtune::simt {

inline constexpr uint32_t kCanonicalNan = 0x7fffffff;
inline constexpr uint16_t kCanonicalNan16 = 0x7fff;  ///< Of f16 and of bf16.

inline float FromF16(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x0400) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return sign == 0 ? subnormal : -subnormal;
}

/// To the nearest, ties to even; too large values become infinite.
inline uint16_t ToF16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffffu;
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (magnitude > 0x7f800000u) return kCanonicalNan16;
  if (magnitude >= 0x47800000u) return sign | 0x7c00;
  if (magnitude < 0x38800000u) {
    // The float's own rounding at the place of an F16 subnormal's last bit.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | rounded >> 13);
}

inline float FromBf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

inline uint16_t ToBf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return kCanonicalNan16;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

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
