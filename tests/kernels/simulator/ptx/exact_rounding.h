// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference arithmetic for tests: sums and products in 113 bits, rounded to odd, and one rounding to a narrower type by
// integers.
#pragma once

#include <bit>
#include <cstdint>

namespace mmtune::ptx {

using Wide = __float128;

enum class Direction { kNearest, kZero, kDown, kUp };

/// A binary floating-point type: bits of its significand (with the leading one), and its exponents.
struct Format {
  int significand, least_exponent, greatest_exponent, bits;
};
inline constexpr Format kF16 = {11, -14, 15, 16}, kBf16 = {8, -126, 127, 16}, kF32 = {24, -126, 127, 32},
                        kF64 = {53, -1022, 1023, 64};

inline bool IsNan(Wide x) { return x != x; }

/// Returns a + b, with the last of its 113 bits set where it is not exact.
inline Wide OddSum(Wide a, Wide b) {
  const Wide sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
  auto bits = std::bit_cast<unsigned __int128>(sum);
  if (!(error < 0 || error > 0) || (bits & 1)) return sum;
  const bool away = (error > 0) == (sum > 0);
  return std::bit_cast<Wide>(away ? bits + 1 : bits - 1);
}

/// Returns the bits of a number rounded to a format; NaN is all ones but the sign.
inline uint64_t Rounded(Wide x, const Format& f, Direction direction) {
  const auto bits = std::bit_cast<unsigned __int128>(x);
  const bool negative = bits >> 127;
  const uint64_t sign = negative ? uint64_t{1} << (f.bits - 1) : 0;
  const int fraction_bits = f.significand - 1;
  const uint64_t infinity = uint64_t(f.greatest_exponent - f.least_exponent + 2) << fraction_bits;
  if (IsNan(x)) return (uint64_t{1} << (f.bits - 1)) - 1;
  int exponent = int(bits >> 112 & 0x7FFF) - 16383;
  if (exponent == 16384) return sign | infinity;
  if (x == 0) return sign;
  const unsigned __int128 one = 1;
  const unsigned __int128 significand = (bits & ((one << 112) - 1)) | (one << 112);
  if (exponent < f.least_exponent - f.significand - 1) exponent = f.least_exponent - f.significand - 1;
  const int least = exponent < f.least_exponent ? f.least_exponent : exponent;
  const int dropped = 112 - fraction_bits + (least - exponent);
  uint64_t kept = dropped >= 128 ? 0 : uint64_t(significand >> dropped);
  const unsigned __int128 rest = dropped >= 128 ? significand : significand & ((one << dropped) - 1);
  const unsigned __int128 half = one << (dropped - 1);
  bool up = false;
  if (direction == Direction::kNearest) up = rest > half || (rest == half && (kept & 1));
  if (direction == Direction::kDown) up = negative && rest != 0;
  if (direction == Direction::kUp) up = !negative && rest != 0;
  kept += up;
  const uint64_t magnitude = (uint64_t(least - f.least_exponent) << fraction_bits) + kept;
  if (magnitude < infinity) return sign | magnitude;
  const bool to_infinity =
      direction == Direction::kNearest || direction == (negative ? Direction::kDown : Direction::kUp);
  return sign | (to_infinity ? infinity : infinity - 1);
}

/// Returns the number of bits in a format.
inline Wide Number(uint64_t bits, const Format& f) {
  const int fraction_bits = f.significand - 1;
  const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
  const bool negative = bits >> (f.bits - 1) & 1;
  const int field = int((bits & ((uint64_t{1} << (f.bits - 1)) - 1)) >> fraction_bits);
  const int greatest = f.greatest_exponent - f.least_exponent + 2;
  Wide x = 0;
  if (field == greatest) {
    x = fraction != 0 ? Wide(__builtin_nan("")) : Wide(__builtin_inf());
  } else {
    const uint64_t significand = field == 0 ? fraction : fraction | uint64_t{1} << fraction_bits;
    x = Wide(significand);
    int scale = (field == 0 ? f.least_exponent : f.least_exponent + field - 1) - fraction_bits;
    for (; scale > 0; --scale) x *= 2;
    for (; scale < 0; ++scale) x /= 2;
  }
  return negative ? -x : x;
}

}  // namespace mmtune::ptx
