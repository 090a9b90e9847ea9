// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against rounding by the C library: a value scaled so that the last place kept is one, and rounded to an integer.
#include "kernels/runtime/jit/loaded_object.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>

namespace mmtune {
namespace {

/// A format of 16 bits.
struct Narrow {
  int fraction, smallest_exponent, largest_exponent;  ///< Exponents of normal numbers.
};
constexpr Narrow kHalf = {10, -14, 15}, kBfloat = {7, -126, 127};

void* Routine(const std::string& name) {
  static const auto* routines = [] {
    auto* map = new std::map<std::string, void*>;
    for (const auto& [symbol, address] : SupportRoutines()) map->emplace(symbol, address);
    return map;
  }();
  return routines->at(name);
}

/// Returns the low bits of the float register after a call of the routine `name` with a value of type T.
template <typename T>
uint16_t Narrowed(const std::string& name, T value) {
  const float result = reinterpret_cast<float (*)(T)>(Routine(name))(value);
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(result));
}

/// The value of a pattern.
long double ValueOf(uint16_t bits, const Narrow& format) {
  const int fraction = bits & ((1 << format.fraction) - 1), exponent = (bits & 0x7fff) >> format.fraction;
  const int leading = exponent == 0 ? 0 : 1 << format.fraction;
  const long double magnitude = std::ldexp(static_cast<long double>(leading + fraction),
                                           std::max(exponent, 1) - 1 + format.smallest_exponent - format.fraction);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Finite values only.
template <typename T>
uint16_t Expected(T value, const Narrow& format) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  int exponent = format.smallest_exponent;
  if (value != 0) exponent = std::max(std::ilogb(value), exponent);
  const int last_place = exponent - format.fraction;
  const auto units = static_cast<int64_t>(std::nearbyint(std::ldexp(std::abs(value), -last_place)));
  const int64_t magnitude = (int64_t{exponent - format.smallest_exponent} << format.fraction) + units;
  const int64_t infinity = int64_t{format.largest_exponent - format.smallest_exponent + 2} << format.fraction;
  return static_cast<uint16_t>(sign | (exponent > format.largest_exponent ? infinity : std::min(magnitude, infinity)));
}

/// Every pattern of 16 bits, what lies halfway to the next one, and what lies beside that; random values.
template <typename T>
void ExpectRounded(const std::string& name, const Narrow& format) {
  const auto expect = [&](T value) {
    ASSERT_EQ(Narrowed(name, value), Expected(value, format)) << name << " of " << value;
  };
  const int infinity = (format.largest_exponent - format.smallest_exponent + 2) << format.fraction;
  for (int bits = 0; bits < infinity; ++bits) {
    for (int sign : {0, 0x8000}) {
      const auto pattern = static_cast<uint16_t>(bits | sign);
      const auto value = static_cast<T>(ValueOf(pattern, format));
      ASSERT_EQ(Narrowed(name, value), pattern) << name << " of " << value;
      const auto next = static_cast<T>(ValueOf(static_cast<uint16_t>(pattern + 1), format));
      const T halfway = value + (next - value) / 2;
      for (T near : {std::nextafter(halfway, T(0)), halfway,
                     std::nextafter(halfway, std::copysign(std::numeric_limits<T>::infinity(), value))}) {
        if (std::isfinite(near)) expect(near);
      }
    }
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-2, 2);
  for (int i = 0; i < 100000; ++i) {
    const auto value =
        static_cast<T>(std::ldexp(static_cast<T>(mantissa(random)), static_cast<int>(random() % 320) - 160));
    if (std::isfinite(value)) expect(value);
  }
}

TEST(SupportRoutinesTest, RoundsToNearestTiesToEven) {
  ExpectRounded<float>("__truncsfhf2", kHalf);
  ExpectRounded<float>("__truncsfbf2", kBfloat);
  ExpectRounded<double>("__truncdfhf2", kHalf);
  ExpectRounded<double>("__truncdfbf2", kBfloat);
  ExpectRounded<long double>("__truncxfhf2", kHalf);
  ExpectRounded<long double>("__truncxfbf2", kBfloat);
}

TEST(SupportRoutinesTest, QuadruplesRoundAsDoublesDo) {
  __extension__ using Quadruple = __float128;
  for (double value :
       {0.0, -0.0, 1.0, -1.0 / 3, 65519.999, 65520.0, 1e-40, 3e-8, 5.9604644775390625e-08, 1e39, -1e308}) {
    EXPECT_EQ(Narrowed("__trunctfhf2", Quadruple(value)), Narrowed("__truncdfhf2", value)) << value;
    EXPECT_EQ(Narrowed("__trunctfbf2", Quadruple(value)), Narrowed("__truncdfbf2", value)) << value;
  }
  // Closer to a tie than a double can tell.
  const Quadruple tie = Quadruple(1) + Quadruple(0x1p-8), little = Quadruple(0x1p-100);
  EXPECT_EQ(Narrowed("__trunctfbf2", tie), 0x3f80);
  EXPECT_EQ(Narrowed("__trunctfbf2", tie + little), 0x3f81);
}

TEST(SupportRoutinesTest, KeepsNansAndInfinities) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto not_a_number = [](uint32_t bits) { return std::bit_cast<float>(bits); };
  EXPECT_EQ(Narrowed("__truncsfbf2", infinity), 0x7f80);
  EXPECT_EQ(Narrowed("__truncsfbf2", -infinity), 0xff80);
  EXPECT_EQ(Narrowed("__truncsfbf2", std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(Narrowed("__truncsfbf2", not_a_number(0x7f800001)), 0x7fc0);  // Its bits would all be cut off.
  EXPECT_EQ(Narrowed("__truncsfbf2", not_a_number(0xffffffff)), 0xffff);
  EXPECT_EQ(Narrowed("__truncsfhf2", -infinity), 0xfc00);
  EXPECT_EQ(Narrowed("__truncdfhf2", 1e300), 0x7c00);
  EXPECT_EQ(Narrowed("__truncdfbf2", -std::numeric_limits<double>::infinity()), 0xff80);
  EXPECT_EQ(Narrowed("__truncdfhf2", std::numeric_limits<double>::quiet_NaN()) & 0x7e00, 0x7e00);
  EXPECT_EQ(Narrowed("__truncxfbf2", std::numeric_limits<long double>::infinity()), 0x7f80);
  EXPECT_EQ(Narrowed("__truncxfhf2", std::numeric_limits<long double>::quiet_NaN()) & 0x7e00, 0x7e00);
}

TEST(SupportRoutinesTest, WidensEveryHalf) {
  const auto widen = reinterpret_cast<float (*)(float)>(Routine("__extendhfsf2"));
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    // The rest of the register is undefined.
    const float value = widen(std::bit_cast<float>(bits | 0x2b2b0000u));
    if ((bits & 0x7fff) > 0x7c00) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_EQ(Narrowed("__truncsfhf2", value), bits | 0x0200) << bits;
    } else if ((bits & 0x7fff) == 0x7c00) {
      ASSERT_EQ(value, bits == 0x7c00 ? HUGE_VALF : -HUGE_VALF);
    } else {
      ASSERT_EQ(value, ValueOf(static_cast<uint16_t>(bits), kHalf)) << bits;
      ASSERT_EQ(std::signbit(value), bits > 0x7fff) << bits;
    }
  }
}

}  // namespace
}  // namespace mmtune
