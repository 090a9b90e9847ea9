// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions: cvt, all forms.
#include <algorithm>
#include <cmath>

#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {
namespace {

using Integer = __int128;

const Wide kInfinity = Wide(__builtin_inf());

Integer leastOf(const TypeInfo& type) { return type.isSigned ? -(Integer{1} << (type.bits - 1)) : 0; }
Integer mostOf(const TypeInfo& type) { return (Integer{1} << (type.isSigned ? type.bits - 1 : type.bits)) - 1; }

/// Returns the number rounded to an integer of the type, and clamped to its range.
Integer roundedInteger(Wide number, Direction direction, const TypeInfo& type) {
  // 2^112 and beyond are integers, and out of range.
  if (number >= Wide(0x1p100)) return mostOf(type);
  if (number <= Wide(-0x1p100)) return leastOf(type);
  Integer whole = static_cast<Integer>(number);  // Towards zero.
  const Wide rest = number - static_cast<Wide>(whole);
  const Wide half = Wide(0.5);
  if (direction == Direction::kDown && rest < 0) --whole;
  if (direction == Direction::kUp && rest > 0) ++whole;
  if (direction == Direction::kNearest) {
    if (rest > half || (rest == half && whole % 2 != 0)) ++whole;
    if (rest < -half || (rest == -half && whole % 2 != 0)) --whole;
  }
  return std::clamp(whole, leastOf(type), mostOf(type));
}

/// Returns the number rounded to an integer; zeros keep the number's sign.
Wide integral(Wide number, Direction direction) {
  const Wide magnitude = number < 0 ? -number : number;
  if (!(magnitude < Wide(0x1p112))) return number;  // An integer, infinite or NaN.
  Wide rounded = static_cast<Wide>(static_cast<Integer>(number));
  const Wide rest = number - rounded, half = Wide(0.5);
  const bool isOdd = static_cast<Integer>(number) % 2 != 0;
  if (direction == Direction::kDown && rest < 0) rounded -= 1;
  if (direction == Direction::kUp && rest > 0) rounded += 1;
  if (direction == Direction::kNearest) {
    if (rest > half || (rest == half && isOdd)) rounded += 1;
    if (rest < -half || (rest == -half && isOdd)) rounded -= 1;
  }
  return rounded == 0 && (std::bit_cast<unsigned __int128>(number) >> 127) != 0 ? -Wide(0) : rounded;
}

bool hasWord(const Opcode& opcode, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return opcode.has(word); });
}
bool roundsToInteger(const Opcode& opcode) { return hasWord(opcode, {"rni", "rzi", "rmi", "rpi"}); }
bool roundsToFloat(const Opcode& opcode) { return hasWord(opcode, {"rn", "rz", "rm", "rp"}); }

/// Registers may be wider than types, and are extended by the sign of a signed type: those of 8 bits have 32 here.
U extendedResult(Integer value, const TypeInfo& type) { return static_cast<U>(integerOf(static_cast<U>(value), type)); }

std::optional<Case> integerResult(const Opcode& opcode, const TypeInfo& to, const TypeInfo& from) {
  const std::string code = opcode.text() + " $r0, $a;", result(1, to.kind), operand(1, from.kind);
  const bool saturates = opcode.has("sat");
  // .sat is for types that lack values of the source's.
  if (saturates && !from.isFloat && leastOf(to) <= leastOf(from) && mostOf(to) >= mostOf(from)) return std::nullopt;
  if (!from.isFloat)
    return oneResult(code, result, operand, [=](const U* x) {
      const Integer number = integerOf(x[0], from);
      return extendedResult(saturates ? std::clamp(number, leastOf(to), mostOf(to)) : number, to);
    });
  if (opcode.has("ftz") && from.kind != 'f') return std::nullopt;
  const Format& format = *formatOf(from.kind);
  const Direction direction = directionOf(opcode);
  const bool flushes = opcode.has("ftz"), isWide = from.bits == 64 || to.bits == 64;
  return oneResult(code, result, operand, [=, &format](const U* x) {
    const Wide number = Number(flushes ? flushedBits(x[0], format) : x[0], format);
    if (IsNan(number)) return isWide ? extendedResult(Integer{1} << (to.bits - 1), to) : 0;
    return extendedResult(roundedInteger(number, direction, to), to);
  });
}

/// Returns the bits of a number in a format, as .ftz, .satfinite, .sat and .relu say.
U converted(const Opcode& opcode, Wide number, const Format& format, char kind) {
  U bits;
  if (roundsToInteger(opcode)) {
    bits = Rounded(integral(number, directionOf(opcode)), format, Direction::kNearest);
  } else {
    bits = Rounded(number, format, directionOf(opcode));
  }
  if (opcode.has("ftz") && kind == 'f') bits = flushedBits(bits, format);
  const Wide result = Number(bits, format);
  if (opcode.has("satfinite") && (result == kInfinity || result == -kInfinity)) bits -= 1;
  if (opcode.has("sat")) bits = saturatedBits(bits, format);
  if (opcode.has("relu")) bits = rectifiedBits(bits, format);
  return bits;
}

std::optional<Case> floatResult(const Opcode& opcode, const TypeInfo& to, const TypeInfo& from) {
  const std::string code = opcode.text() + " $r0, $a;", result(1, to.kind), operand(1, from.kind);
  const Format& format = *formatOf(to.kind);
  const char kind = to.kind;
  if (!from.isFloat) {
    if (to.bits == 64 && from.bits == 64 && directionOf(opcode) != Direction::kNearest) {
      Case refused;
      refused.code = opcode.text() + " %rd0, %rd8;";
      refused.refusal = "this rounding of 64-bit integers to f64 is not supported";
      return refused;
    }
    return oneResult(code, result, operand, [=, &format](const U* x) {
      return converted(opcode, static_cast<Wide>(integerOf(x[0], from)), format, kind);
    });
  }
  // Narrowing has a rounding, widening has none; among equal types numbers may be rounded to integers. Those of bf16
  // take any rounding.
  const bool isSame = to.kind == from.kind, isNarrowing = to.bits < from.bits || (to.bits == from.bits && !isSame);
  const bool takesAny = from.kind == 'b' && to.kind != 'f';
  if (!takesAny && isNarrowing != roundsToFloat(opcode)) return std::nullopt;
  if (!takesAny && roundsToInteger(opcode) && !isSame) return std::nullopt;
  if (opcode.has("ftz") && to.kind != 'f' && from.kind != 'f') return std::nullopt;
  const Format& source = *formatOf(from.kind);
  const bool flushes = opcode.has("ftz") && from.kind == 'f';
  return oneResult(code, result, operand, [=, &format, &source](const U* x) {
    return converted(opcode, Number(flushes ? flushedBits(x[0], source) : x[0], source), format, kind);
  });
}

Case pairOfFloats(const Opcode& opcode, const TypeInfo& to) {
  const Format& format = *formatOf(to.kind);
  return oneResult(opcode.text() + " $r0, $a, $b;", std::string(1, to.kind), "ff", [=, &format](const U* x) {
    auto half = [&](U value) { return converted(opcode, Number(value, kF32), format, to.kind); };
    return half(x[1]) | half(x[0]) << 16;
  });
}

/// tf32: an f32 with a significand of 11 bits, the lower 13 bits of which are 0. Ties are rounded to even, by .rna away
/// from zero.
Case tensorFloat(const Opcode& opcode) {
  const bool isAway = opcode.has("rna"), isZero = opcode.has("rz");
  return oneResult(opcode.text() + " $r0, $a;", "w", "f", [=](const U* x) {
    if (isNanBits(x[0], kF32)) return U{0x7FFFFFFF};
    const U sign = x[0] & 0x80000000, magnitude = x[0] & 0x7FFFFFFF, rest = magnitude & 0x1FFF;
    U kept = magnitude >> 13;
    if (!isZero && (rest > 0x1000 || (rest == 0x1000 && (isAway || kept % 2 != 0)))) ++kept;
    U result = kept << 13;
    if (opcode.has("satfinite") && result >= 0x7F800000) result = 0x7F7FE000;
    return opcode.has("relu") && sign != 0 ? 0 : sign | result;
  });
}

/// A format of 8 bits: the numbers of its codes from 0 on, and the code of the largest.
Wide numberOf8(U code, bool isE4m3) {
  const U magnitude = code & 0x7F;
  const int fraction_bits = isE4m3 ? 3 : 2, bias = isE4m3 ? 7 : 15;
  const int field = static_cast<int>(magnitude >> fraction_bits);
  const U fraction = magnitude & ((U{1} << fraction_bits) - 1);
  if (isE4m3 ? magnitude == 0x7F : magnitude > 0x7C) return Wide(__builtin_nan(""));
  if (!isE4m3 && magnitude == 0x7C) return code & 0x80 ? -kInfinity : kInfinity;
  const double significand = static_cast<double>(field == 0 ? fraction : fraction | U{1} << fraction_bits);
  const Wide number = Wide(std::ldexp(significand, std::max(field, 1) - bias - fraction_bits));
  return code & 0x80 ? -number : number;
}

/// Returns the code of the nearest number; beyond the largest it is the largest.
U codeOf(Wide number, bool isE4m3) {
  if (IsNan(number)) return 0x7F;
  const U largest = isE4m3 ? 0x7E : 0x7B;
  const bool isNegative = std::bit_cast<unsigned __int128>(number) >> 127 != 0;
  const Wide magnitude = isNegative ? -number : number;
  U code = 0;
  while (code < largest && numberOf8(code + 1, isE4m3) <= magnitude) ++code;
  if (code < largest) {
    const Wide below = magnitude - numberOf8(code, isE4m3), above = numberOf8(code + 1, isE4m3) - magnitude;
    if (above < below || (above == below && code % 2 != 0)) ++code;
  }
  return code | (isNegative ? 0x80 : 0);
}

Case toPairOf8(const Opcode& opcode, const std::string& to, const std::string& from) {
  const bool isE4m3 = to == "e4m3x2", isPair = from == "f16x2", rectifies = opcode.has("relu");
  return oneResult(opcode.text() + (isPair ? " $r0, $a;" : " $r0, $a, $b;"), "s", isPair ? "H" : "ff", [=](const U* x) {
    auto code = [&](U value, const Format& format) {
      return codeOf(Number(rectifies ? rectifiedBits(value, format) : value, format), isE4m3);
    };
    if (isPair) return code(x[0] & 0xFFFF, kF16) | code(x[0] >> 16, kF16) << 8;
    return code(x[1], kF32) | code(x[0], kF32) << 8;
  });
}

Case fromPairOf8(const Opcode& opcode, const std::string& from) {
  const bool isE4m3 = from == "e4m3x2", rectifies = opcode.has("relu");
  return oneResult(opcode.text() + " $r0, $a;", "H", "s", [=](const U* x) {
    auto half = [&](U code) {
      const U bits = Rounded(numberOf8(code, isE4m3), kF16, Direction::kNearest);
      return rectifies ? rectifiedBits(bits, kF16) : bits;
    };
    return half(x[0] & 0xFF) | half(x[0] >> 8) << 16;
  });
}

/// cvt.pack: b in the lowest bits, a above it, and above both the lowest bits of c.
Case pack(const Opcode& opcode, const TypeInfo& to) {
  const bool hasThird = to.bits == 8;
  return oneResult(opcode.text() + (hasThird ? " $r0, $a, $b, $c;" : " $r0, $a, $b;"), "w", hasThird ? "www" : "ww",
                   [=](const U* x) {
                     auto clamped = [&](U value) {
                       const Integer number = std::clamp(Integer{asSigned(value, 32)}, leastOf(to), mostOf(to));
                       return lowBits(static_cast<U>(number), to.bits);
                     };
                     return clamped(x[1]) | clamped(x[0]) << to.bits | (hasThird ? x[2] << 16 : 0);
                   });
}

}  // namespace

std::optional<Case> conversionCase(const Opcode& opcode) {
  const std::vector<std::string> types = opcode.types();
  if (types.size() < 2) return std::nullopt;
  const TypeInfo to = typeInfo(types[0]), from = typeInfo(types[1]);
  if (opcode.has("pack")) return pack(opcode, to);
  if (types[0] == "tf32") return tensorFloat(opcode);
  if (types[0] == "e4m3x2" || types[0] == "e5m2x2") return toPairOf8(opcode, types[0], types[1]);
  if (types[1] == "e4m3x2" || types[1] == "e5m2x2") return fromPairOf8(opcode, types[1]);
  if (to.lanes == 2) return pairOfFloats(opcode, to);
  return to.isFloat ? floatResult(opcode, to, from) : integerResult(opcode, to, from);
}

}  // namespace mmtune::ptx
