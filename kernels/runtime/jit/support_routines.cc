// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/jit/support_routines.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace mmtune {
namespace {

__extension__ using Bits = unsigned __int128;
__extension__ using Float128 = __float128;

/// An IEEE format: sign, exponent, fraction.
struct Format {
  int exponent, fraction;

  constexpr int largest() const { return (1 << exponent) - 1; }
  constexpr int bias() const { return largest() / 2; }
};

constexpr Format kHalf = {5, 10}, kBfloat = {8, 7}, kSingle = {8, 23}, kDouble = {11, 52}, kX87 = {15, 63},
                 kQuadruple = {15, 112};

constexpr Bits Ones(int count) { return (Bits{1} << count) - 1; }

/// `to` has 16 bits and no larger an exponent than `from`.
uint16_t Narrow(Bits value, Format from, Format to) {
  const auto sign = static_cast<uint16_t>((value >> (from.exponent + from.fraction) & 1) << 15);
  const auto infinity = static_cast<uint16_t>(to.largest() << to.fraction);
  const int exponent = static_cast<int>(value >> from.fraction & Ones(from.exponent));
  const Bits fraction = value & Ones(from.fraction);
  int dropped = from.fraction - to.fraction;
  if (exponent == from.largest()) {
    const int quiet = fraction == 0 ? 0 : 1 << (to.fraction - 1) | static_cast<int>(fraction >> dropped);
    return static_cast<uint16_t>(sign | infinity | quiet);
  }
  // What is subnormal has no leading one, and the exponent of the smallest normal number.
  const Bits significand = exponent == 0 ? fraction : fraction | Bits{1} << from.fraction;
  int target = std::max(exponent, 1) - from.bias() + to.bias();
  if (target >= to.largest()) return sign | infinity;
  if (target < 1) {
    dropped = std::min(dropped + 1 - target, from.fraction + 2);  // All is below half of the last place, at most.
    target = 1;
  }
  Bits rounded = significand >> dropped;
  const Bits rest = significand & Ones(dropped), half = Bits{1} << (dropped - 1);
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  // A leading one, and a carry out of the fraction, count the exponent up.
  const Bits magnitude = (Bits(target - 1) << to.fraction) + rounded;
  return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::min<Bits>(magnitude, infinity)));
}

/// Callers pass and take 16 bits in the low end of the register that a float is passed in.
float InRegister(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits}); }

float Narrow(float value, Format to) { return InRegister(Narrow(std::bit_cast<uint32_t>(value), kSingle, to)); }
float Narrow(double value, Format to) { return InRegister(Narrow(std::bit_cast<uint64_t>(value), kDouble, to)); }
float Narrow(Float128 value, Format to) { return InRegister(Narrow(std::bit_cast<Bits>(value), kQuadruple, to)); }

float Narrow(long double value, Format to) {
  uint64_t significand;
  uint16_t sign_and_exponent;
  std::memcpy(&significand, &value, sizeof(significand));
  std::memcpy(&sign_and_exponent, reinterpret_cast<char*>(&value) + sizeof(significand), sizeof(sign_and_exponent));
  // Its leading one is not left out.
  return InRegister(Narrow(Bits{sign_and_exponent} << kX87.fraction | (significand & Ones(kX87.fraction)), kX87, to));
}

/// Exact.
float Widen(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0)
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
  constexpr uint32_t kQuiet = 1 << 22;
  const uint32_t quiet = exponent == 0x1f && fraction != 0 ? kQuiet : 0;
  const uint32_t widened = exponent == 0x1f ? 0xff : exponent - kHalf.bias() + kSingle.bias();
  return std::bit_cast<float>(sign | widened << 23 | fraction << 13 | quiet);
}

}  // namespace

extern "C" {

float __extendhfsf2(float half) { return Widen(static_cast<uint16_t>(std::bit_cast<uint32_t>(half))); }
float __truncsfhf2(float value) { return Narrow(value, kHalf); }
float __truncdfhf2(double value) { return Narrow(value, kHalf); }
float __truncxfhf2(long double value) { return Narrow(value, kHalf); }
float __trunctfhf2(Float128 value) { return Narrow(value, kHalf); }
float __truncsfbf2(float value) { return Narrow(value, kBfloat); }
float __truncdfbf2(double value) { return Narrow(value, kBfloat); }
float __truncxfbf2(long double value) { return Narrow(value, kBfloat); }
float __trunctfbf2(Float128 value) { return Narrow(value, kBfloat); }

}  // extern "C"

std::vector<std::pair<std::string, void*>> SupportRoutines() {
#define ROUTINE(name)                     \
  {                                       \
    #name, reinterpret_cast<void*>(&name) \
  }
  return {ROUTINE(__extendhfsf2), ROUTINE(__truncsfhf2), ROUTINE(__truncdfhf2),
          ROUTINE(__truncxfhf2),  ROUTINE(__trunctfhf2), ROUTINE(__truncsfbf2),
          ROUTINE(__truncdfbf2),  ROUTINE(__truncxfbf2), ROUTINE(__trunctfbf2)};
#undef ROUTINE
}

}  // namespace mmtune
