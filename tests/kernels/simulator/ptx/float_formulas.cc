// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic. Approximate functions are computed in 64 bits, and may differ by what the PTX ISA allows.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {
namespace {

const Wide kInfinity = Wide(__builtin_inf()), kNan = Wide(__builtin_nan(""));

/// A function on the lanes of operands of one type: from their bits, which are flushed, to the exact result, which is
/// then rounded, or to its bits.
using Exact = std::function<Wide(const Wide*)>;
using Bits = std::function<U(const U*)>;

/// Returns a case of a type in which `lane` is applied to each lane, with .ftz, .sat and .relu where the opcode has
/// them.
Case ofLanes(const Opcode& opcode, size_t operands, Bits lane) {
  const TypeInfo info = typeInfo(opcode.types().front());
  const Format& format = *formatOf(info.kind);
  const bool flushes = opcode.has("ftz"), saturates = opcode.has("sat"), rectifies = opcode.has("relu");
  std::string code = opcode.text() + " $r0";
  for (size_t i = 0; i < operands; ++i) absl::StrAppend(&code, ", $", std::string(1, "abc"[i]));
  return oneResult(code + ";", std::string(1, info.kind), std::string(operands, info.kind), [=, &format](const U* x) {
    U result = 0;
    for (int i = 0; i < info.lanes; ++i) {
      U values[3] = {};
      for (size_t j = 0; j < operands; ++j) {
        values[j] = lowBits(x[j] >> i * info.bits, info.bits);
        if (flushes) values[j] = flushedBits(values[j], format);
      }
      U value = lane(values);
      if (flushes) value = flushedBits(value, format);
      if (saturates) value = saturatedBits(value, format);
      if (rectifies) value = rectifiedBits(value, format);
      result |= value << i * info.bits;
    }
    return result;
  });
}

Case rounding(const Opcode& opcode, size_t operands, Exact exact) {
  const Format& format = *formatOf(typeInfo(opcode.types().front()).kind);
  const Direction direction = directionOf(opcode);
  return ofLanes(opcode, operands, [=, &format, exact = std::move(exact)](const U* x) {
    Wide numbers[3] = {};
    for (size_t i = 0; i < operands; ++i) numbers[i] = Number(x[i], format);
    return Rounded(exact(numbers), format, direction);
  });
}

/// An approximate function, with the greatest relative or absolute error that the PTX ISA allows.
Case approximate(const Opcode& opcode, size_t operands, double relative, double absolute, Exact exact) {
  Case result = rounding(opcode, operands, std::move(exact));
  result.relative = relative, result.absolute = absolute;
  return result;
}

Wide sum(Wide a, Wide b) { return OddSum(a, b); }
Wide root(Wide x) {
  if (!(x > 0) || x == kInfinity) return x < 0 ? kNan : x;
  return Wide(std::sqrt(static_cast<long double>(x)));
}
Wide quotient(Wide a, Wide b) { return a / b; }

/// add, sub and fma of f32 with operands of 16 bits.
Case mixed(const Opcode& opcode) {
  const std::string& name = opcode.name();
  const Format& narrow = *formatOf(typeInfo(opcode.types()[1]).kind);
  const char kind = typeInfo(opcode.types()[1]).kind;
  const Direction direction = directionOf(opcode);
  const bool isFused = name == "fma", saturates = opcode.has("sat");
  return oneResult(opcode.text() + (isFused ? " $r0, $a, $b, $c;" : " $r0, $a, $b;"), "f",
                   std::string(isFused ? 2 : 1, kind) + "f", [=, &narrow](const U* x) {
                     const Wide a = Number(x[0], narrow), last = Number(x[isFused ? 2 : 1], kF32);
                     const Wide product = isFused ? a * Number(x[1], narrow) : a;
                     const U result = Rounded(sum(product, name == "sub" ? -last : last), kF32, direction);
                     return saturates ? saturatedBits(result, kF32) : result;
                   });
}

/// min and max. -0 is less than +0; of a number and a NaN the number is the result, with .NaN the NaN.
Case extremum(const Opcode& opcode, size_t operands) {
  const Format& format = *formatOf(typeInfo(opcode.types().front()).kind);
  const bool greater = opcode.name() == "max", keepsNan = opcode.has("NaN");
  const bool ofMagnitudes = opcode.has("abs"), takesSign = opcode.has("xorsign");
  return ofLanes(opcode, operands, [=, &format](const U* x) {
    const U sign = signBit(format);
    U best = ofMagnitudes ? x[0] & ~sign : x[0];
    for (size_t i = 1; i < operands; ++i) {
      const U next = ofMagnitudes ? x[i] & ~sign : x[i];
      const bool isNan = isNanBits(best, format), isNextNan = isNanBits(next, format);
      if (isNan || isNextNan) {
        best = keepsNan ? nanOf(format) : isNan ? next : best;
        continue;
      }
      const Wide a = Number(best, format), b = Number(next, format);
      const bool isNextLess = b < a || (b == a && (next & sign) != 0);
      if (isNextLess != greater && a != b) best = next;
      if (a == b) best = greater ? best & next : best | next;
    }
    return takesSign && !isNanBits(best, format) ? (best & ~sign) | ((x[0] ^ x[1]) & sign) : best;
  });
}

Case testProperty(const Opcode& opcode) {
  const TypeInfo info = typeInfo(opcode.types().front());
  const Format& format = *formatOf(info.kind);
  return oneResult(opcode.text() + " $r0, $a;", "p", std::string(1, info.kind), [=, &format](const U* x) {
    const Wide number = Number(x[0], format);
    const bool isNan = IsNan(number), isInfinite = number == kInfinity || number == -kInfinity;
    const bool isSubnormal = number != 0 && flushedBits(x[0], format) != x[0];
    if (opcode.has("number")) return U{!isNan};
    if (opcode.has("notanumber")) return U{isNan};
    if (opcode.has("infinite")) return U{isInfinite};
    if (opcode.has("finite")) return U{!isNan && !isInfinite};
    if (opcode.has("subnormal")) return U{isSubnormal};
    return U{!isNan && !isInfinite && !isSubnormal};  // Zeros are normal.
  });
}

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see and write only the upper 32 bits of numbers. Subnormal numbers are
/// zeros. The second result is the lower half, which is 0.
Case upperHalf(const Opcode& opcode) {
  const bool isRoot = opcode.name() == "rsqrt";
  Case result{opcode.text() + " $r0, $a; mov.b64 {$r1, _}, $r0;", "dw", "d", [=](const U* x) {
                const U operand = flushedBits(x[0], kF64);
                const Wide number = Number(operand, kF64);
                if (IsNan(number) || (isRoot && number < 0)) return std::vector<U>{nanOf(kF64), 0};
                const Wide inverse =
                    number == 0 ? (operand >> 63 ? -kInfinity : kInfinity) : 1 / (isRoot ? root(number) : number);
                const U bits = flushedBits(Rounded(inverse, kF64, Direction::kNearest), kF64);
                return std::vector<U>{bits, 0};
              }};
  result.relative = 0x1p-18;
  return result;
}

/// The long double function of the approximate instruction, for numbers of which the result is finite and not zero.
Wide function(const std::string& name, Wide x) {
  const auto number = static_cast<long double>(x);
  if (name == "sin") return Wide(std::sin(number));
  if (name == "cos") return Wide(std::cos(number));
  if (name == "lg2") return Wide(std::log2(number));
  if (name == "ex2") return Wide(std::exp2(number));
  return Wide(std::tanh(number));
}

std::optional<Case> approximateCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  const char kind = typeInfo(opcode.types().front()).kind;
  const bool isHalf = kind == 'h' || kind == 'H', isBrain = kind == 'b' || kind == 'B';
  auto exact = [name](const Wide* x) { return function(name, x[0]); };
  if (name == "sin" || name == "cos") return approximate(opcode, 1, 0, std::exp2(-20.9), exact);
  // The error of the logarithm is absolute between 1/2 and 2.
  if (name == "lg2") return approximate(opcode, 1, 0x1p-22, 0x1p-22, exact);
  if (name == "ex2") return approximate(opcode, 1, isHalf ? std::exp2(-9.9) : isBrain ? 0x1p-7 : 0x1p-22, 0, exact);
  if (name == "tanh")
    return approximate(opcode, 1, kind == 'f' ? 0x1p-11 : 0, isHalf ? std::exp2(-10.987) : isBrain ? 0x1p-8 : 0, exact);
  if (name == "rsqrt")
    return approximate(opcode, 1, kind == 'd' ? 0x1p-51 : std::exp2(-22.9), 0, [](const Wide* x) {
      // The root of -0 is -0.
      return x[0] < 0 ? kNan : 1 / root(x[0]);
    });
  return std::nullopt;
}

std::optional<Case> divisionCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  const bool isApproximate = opcode.has("approx") || opcode.has("full");
  const double ulps = !isApproximate ? 0 : name == "div" ? 2 : 1;
  if (name == "sqrt" && typeInfo(opcode.types().front()).kind == 'd')
    return ofLanes(opcode, 1, [](const U* x) { return std::bit_cast<U>(std::sqrt(std::bit_cast<double>(x[0]))); });
  Exact exact = [name, isApproximate, isFull = opcode.has("full")](const Wide* x) {
    if (name == "sqrt") return root(x[0]);
    if (name == "rcp") return quotient(1, x[0]);
    // The reciprocal of a great divisor is flushed to 0.
    const Wide magnitude = x[1] < 0 ? -x[1] : x[1];
    const bool isGreat = magnitude > Wide(0x1p126) && magnitude < kInfinity;
    if (isApproximate && !isFull && isGreat) return x[0] * (x[1] < 0 ? -Wide(0) : Wide(0));
    return quotient(x[0], x[1]);
  };
  return approximate(opcode, name == "div" ? 2 : 1, ulps * 0x1p-23, 0, std::move(exact));
}

}  // namespace

std::optional<Case> floatCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  if (opcode.types().empty()) return std::nullopt;
  if (opcode.types().size() == 2) return mixed(opcode);
  const std::string& type = opcode.words.back();
  const TypeInfo info = typeInfo(type);
  if (name == "add") return rounding(opcode, 2, [](const Wide* x) { return sum(x[0], x[1]); });
  if (name == "sub") return rounding(opcode, 2, [](const Wide* x) { return sum(x[0], -x[1]); });
  if (name == "mul") return rounding(opcode, 2, [](const Wide* x) { return x[0] * x[1]; });
  if (name == "fma" || name == "mad") return rounding(opcode, 3, [](const Wide* x) { return sum(x[0] * x[1], x[2]); });
  const U sign = signBit(*formatOf(info.kind));
  if (name == "neg") return ofLanes(opcode, 1, [=](const U* x) { return x[0] ^ sign; });
  if (name == "abs") return ofLanes(opcode, 1, [=](const U* x) { return x[0] & ~sign; });
  if (name == "copysign") return ofLanes(opcode, 2, [=](const U* x) { return (x[1] & ~sign) | (x[0] & sign); });
  if (name == "testp") return testProperty(opcode);
  if (name == "min" || name == "max") {
    const bool isThree = type == "f32" && opcode.has("abs") && !opcode.has("xorsign");
    return extremum(opcode, isThree ? 3 : 2);
  }
  const bool isUpperHalf = type == "f64" && opcode.has("ftz");
  if (isUpperHalf) return upperHalf(opcode);
  if (name == "div" || name == "rcp" || name == "sqrt") return divisionCase(opcode);
  return approximateCase(opcode);
}

}  // namespace mmtune::ptx
