// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic, and operations on bits.
#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {
namespace {

using Integer = __int128;

std::string kinds(size_t count, char kind) { return std::string(count, kind); }

/// Returns "<opcode> $r0, $a, ..." with so many operands.
std::string statement(const Opcode& opcode, size_t operands) {
  std::string text = opcode.text() + " $r0";
  for (size_t i = 0; i < operands; ++i) absl::StrAppend(&text, ", $", std::string(1, "abce"[i]));
  return text + ";";
}

/// Returns a case whose operands and result have one type, from a formula on the numbers of each lane.
Case ofLanes(const Opcode& opcode, const TypeInfo& type, size_t operands, std::function<Integer(const Integer*)> lane) {
  return oneResult(statement(opcode, operands), kinds(1, type.kind), kinds(operands, type.kind), [=](const U* x) {
    U result = 0;
    for (int i = 0; i < type.lanes; ++i) {
      Integer numbers[4] = {};
      for (size_t j = 0; j < operands; ++j) numbers[j] = integerOf(x[j] >> i * type.bits, type);
      result |= lowBits(static_cast<U>(lane(numbers)), type.bits) << i * type.bits;
    }
    return result;
  });
}

/// Returns the low or high half of a product, of the type's bits, or all of it, in the low bits.
U productOf(U a, U b, const TypeInfo& type, bool isHigh) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(integerOf(a, type)) * static_cast<unsigned __int128>(integerOf(b, type));
  if (!isHigh) return static_cast<U>(product);
  return static_cast<U>(type.isSigned ? static_cast<unsigned __int128>(static_cast<Integer>(product) >> type.bits)
                                      : product >> type.bits);
}

/// Operations that read or write the carry flag. A predicate is the carry before; the result after the operation's own
/// is the carry after, which only .cc changes.
Case withCarry(const Opcode& opcode, const std::string& type) {
  const TypeInfo info = typeInfo(type);
  const std::string& name = opcode.name();
  const bool isProduct = name.starts_with("mad"), subtracts = name.starts_with("sub");
  const bool carriesIn = name.ends_with("c"), carriesOut = opcode.has("cc");
  const size_t operands = isProduct ? 3 : 2;
  const std::string predicate = isProduct ? "$e" : "$c";
  const std::string before =
      subtracts ? "selp.b32 t, 1, 0, P; sub.cc.u32 t, 0, t;" : "selp.b32 t, -1, 0, P; add.cc.u32 t, t, 1;";
  std::string code = "{ .reg .b32 t; " + before;
  code.replace(code.find('P'), 1, predicate);
  code += statement(opcode, operands) + " " + (subtracts ? "subc." : "addc.") + type + " $r1, 0, 0; }";
  return {code, kinds(2, info.kind), kinds(operands, info.kind) + "p", [=](const U* x) {
            using Wide128 = unsigned __int128;
            U sum[2] = {x[0], x[1]};
            if (isProduct) {
              sum[0] = lowBits(productOf(x[0], x[1], info, opcode.has("hi")), info.bits);
              sum[1] = x[2];
            }
            const U carry = x[operands];
            Wide128 wide = subtracts ? Wide128{sum[0]} - sum[1] : Wide128{sum[0]} + sum[1];
            if (carriesIn) wide = subtracts ? wide - carry : wide + carry;
            const U after = carriesOut ? static_cast<U>(wide >> info.bits) & 1 : carry;
            return std::vector<U>{static_cast<U>(wide), subtracts ? U{0} - after : after};
          }};
}

/// dp4a and dp2a.
Case dotProduct(const Opcode& opcode) {
  const bool isQuad = opcode.name() == "dp4a", isHigh = opcode.has("hi");
  const bool signedA = opcode.types()[0] == "s32", signedB = opcode.types()[1] == "s32";
  return oneResult(statement(opcode, 3), "w", "www", [=](const U* x) {
    U sum = x[2];
    const int bitsA = isQuad ? 8 : 16;
    for (int i = 0; i < (isQuad ? 4 : 2); ++i) {
      const U a = x[0] >> bitsA * i, b = x[1] >> (8 * i + (isHigh ? 16 : 0));
      const int64_t factorA = signedA ? asSigned(a, bitsA) : static_cast<int64_t>(lowBits(a, bitsA));
      const int64_t factorB = signedB ? asSigned(b, 8) : static_cast<int64_t>(lowBits(b, 8));
      sum += static_cast<U>(factorA * factorB);
    }
    return sum;
  });
}

}  // namespace

std::optional<Case> integerCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  if (opcode.types().empty()) return std::nullopt;
  const std::string type = opcode.types().front();
  const TypeInfo info = typeInfo(type);
  const int bits = info.bits;
  if (name.starts_with("dp")) return dotProduct(opcode);
  if (opcode.has("cc") || name == "addc" || name == "subc" || name == "madc") return withCarry(opcode, type);
  const Integer least = info.isSigned ? -(Integer{1} << (bits - 1)) : 0;
  const Integer most = info.isSigned ? (Integer{1} << (bits - 1)) - 1 : (Integer{1} << bits) - 1;
  const bool saturates = opcode.has("sat"), rectifies = opcode.has("relu");
  auto limited = [=](Integer x) { return saturates ? std::clamp(x, least, most) : x; };
  if (name == "add") return ofLanes(opcode, info, 2, [=](const Integer* x) { return limited(x[0] + x[1]); });
  if (name == "sub") return ofLanes(opcode, info, 2, [=](const Integer* x) { return limited(x[0] - x[1]); });
  if (name == "neg") return ofLanes(opcode, info, 1, [](const Integer* x) { return -x[0]; });
  if (name == "abs") return ofLanes(opcode, info, 1, [](const Integer* x) { return x[0] < 0 ? -x[0] : x[0]; });
  if (name == "min" || name == "max") {
    const bool greater = name == "max";
    return ofLanes(opcode, info, 2, [=](const Integer* x) {
      const Integer best = greater ? std::max(x[0], x[1]) : std::min(x[0], x[1]);
      return rectifies && best < 0 ? 0 : best;
    });
  }
  if (name == "sad")
    return ofLanes(opcode, info, 3, [](const Integer* x) { return x[2] + (x[0] < x[1] ? x[1] - x[0] : x[0] - x[1]); });
  if (name == "div" || name == "rem") {
    // The divisor is odd, so that it is not 0.
    const std::string divisor = absl::StrCat("{ .reg .b", bits, " t; or.b", bits, " t, $b, 1; ");
    return oneResult(divisor + opcode.text() + " $r0, $a, t; }", kinds(1, info.kind), kinds(2, info.kind),
                     [=, isQuotient = name == "div"](const U* x) {
                       const Integer a = integerOf(x[0], info), b = integerOf(x[1] | 1, info);
                       return static_cast<U>(isQuotient ? a / b : a % b);
                     });
  }
  if (name == "mul24" || name == "mad24") {
    const bool isHigh = opcode.has("hi"), adds = name == "mad24";
    const TypeInfo narrow = {24, 1, info.isSigned};
    return ofLanes(opcode, info, adds ? 3 : 2, [=](const Integer* x) {
      const Integer product = integerOf(static_cast<U>(x[0]), narrow) * integerOf(static_cast<U>(x[1]), narrow);
      return (isHigh ? product >> 16 : product) + (adds ? x[2] : 0);
    });
  }
  if (name != "mul" && name != "mad") return std::nullopt;
  const bool adds = name == "mad", isHigh = opcode.has("hi");
  const char result = !opcode.has("wide") ? info.kind : bits == 16 ? 'w' : 'q';
  TypeInfo wide = info;
  if (opcode.has("wide")) wide.bits *= 2;
  return oneResult(statement(opcode, adds ? 3 : 2), kinds(1, result),
                   kinds(2, info.kind) + (adds ? kinds(1, result) : ""), [=](const U* x) {
                     Integer sum = integerOf(productOf(x[0], x[1], info, isHigh), wide);
                     if (adds) sum += integerOf(x[2], wide);
                     return static_cast<U>(limited(sum));
                   });
}

namespace {

/// bfe and bfi, as the pseudo-code of the PTX ISA has them, bit by bit.
Case bitField(const Opcode& opcode, const TypeInfo& info) {
  const U top = static_cast<U>(info.bits - 1);
  if (opcode.name() == "bfi")
    return oneResult(statement(opcode, 4), kinds(1, info.kind), kinds(2, info.kind) + "ww", [=](const U* x) {
      const U position = x[2] & 255, length = x[3] & 255;
      U field = x[1];
      for (U i = 0; i < length && position + i <= top; ++i)
        field = (field & ~(U{1} << (position + i))) | (x[0] >> i & 1) << (position + i);
      return field;
    });
  return oneResult(statement(opcode, 3), kinds(1, info.kind), kinds(1, info.kind) + "ww", [=](const U* x) {
    const U position = x[1] & 255, length = x[2] & 255;
    const U sign = info.isSigned && length != 0 ? x[0] >> std::min(position + length - 1, top) & 1 : 0;
    U field = 0;
    for (U i = 0; i <= top; ++i) field |= (i < length && position + i <= top ? x[0] >> (position + i) & 1 : sign) << i;
    return field;
  });
}

Case permutation(const Opcode& opcode) {
  const std::string mode = opcode.words.back() == "b32" ? "" : opcode.words.back();
  return oneResult(statement(opcode, 3), "w", "www", [=](const U* x) {
    U result = 0;
    for (U i = 0; i < 4; ++i) {
      const U c = x[2] & 3;
      U selector = x[2] >> 4 * i & 15;
      if (mode == "f4e") selector = c + i;
      if (mode == "b4e") selector = (c + 8 - i) % 8;
      if (mode == "rc8") selector = c;
      if (mode == "ecl") selector = std::max(c, i);
      if (mode == "ecr") selector = std::min(c, i);
      if (mode == "rc16") selector = (c & 1) * 2 + (i & 1);
      const U byte = (x[1] << 32 | x[0]) >> 8 * (selector & 7) & 0xFF;
      result |= (selector & 8 ? (byte & 0x80 ? 0xFF : 0) : byte) << 8 * i;
    }
    return result;
  });
}

/// fns: the position of the n-th set bit from the base on, for negative n downwards.
Case nthSetBit() {
  return oneResult("{ .reg .b32 t; and.b32 t, $b, 31; fns.b32 $r0, $a, t, $c; }", "w", "www", [](const U* x) {
    const int64_t n = asSigned(x[2], 32);
    const int64_t base = static_cast<int64_t>(x[1] & 31), step = n < 0 ? -1 : 1;
    auto isSet = [&](int64_t position) { return (x[0] >> position & 1) != 0; };
    if (n == 0) return isSet(base) ? static_cast<U>(base) : ~U{0};
    int64_t left = n < 0 ? -n : n;
    for (int64_t position = base; position >= 0 && position < 32; position += step)
      if (isSet(position) && --left == 0) return static_cast<U>(position);
    return ~U{0};
  });
}

}  // namespace

std::optional<Case> bitCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  if (opcode.types().empty()) return std::nullopt;
  const TypeInfo info = typeInfo(opcode.types().front());
  const int bits = info.bits;
  const std::string one = kinds(1, info.kind), two = kinds(2, info.kind);
  auto of = [&](size_t operands, std::function<U(const U*)> formula) {
    return oneResult(statement(opcode, operands), one, kinds(operands, info.kind), std::move(formula));
  };
  if (name == "and") return of(2, [](const U* x) { return x[0] & x[1]; });
  if (name == "or") return of(2, [](const U* x) { return x[0] | x[1]; });
  if (name == "xor") return of(2, [](const U* x) { return x[0] ^ x[1]; });
  if (name == "not") return of(1, [](const U* x) { return ~x[0]; });
  if (name == "cnot") return of(1, [](const U* x) { return U{x[0] == 0}; });
  if (name == "bfe" || name == "bfi") return bitField(opcode, info);
  if (name == "prmt") return permutation(opcode);
  if (name == "fns") return nthSetBit();
  if (name == "shl" || name == "shr") {
    const bool left = name == "shl";
    return oneResult(statement(opcode, 2), one, one + "w", [=](const U* x) {
      const bool tooFar = x[1] >= static_cast<U>(bits);
      if (left) return tooFar ? 0 : x[0] << x[1];
      if (info.isSigned) return static_cast<U>(asSigned(x[0], bits) >> (tooFar ? bits - 1 : static_cast<int>(x[1])));
      return tooFar ? 0 : x[0] >> x[1];
    });
  }
  if (name == "shf") {
    const bool left = opcode.has("l"), wraps = opcode.has("wrap");
    return of(3, [=](const U* x) {
      const U both = x[1] << 32 | x[0], by = wraps ? x[2] & 31 : std::min<U>(x[2], 32);
      return left ? both << by >> 32 : both >> by;
    });
  }
  if (name == "bmsk") {
    const bool clamps = opcode.has("clamp");
    return of(2, [=](const U* x) {
      U mask = 0;
      const U position = clamps ? x[0] : x[0] & 31, width = clamps ? x[1] : x[1] & 31;
      for (U i = position; i < 32 && i - position < width; ++i) mask |= U{1} << i;
      return mask;
    });
  }
  if (name == "szext") {
    const bool clamps = opcode.has("clamp");
    return of(2, [=](const U* x) {
      const U width = clamps ? std::min<U>(x[1], 32) : x[1] & 31;
      if (width == 0) return U{0};
      return info.isSigned ? static_cast<U>(asSigned(x[0], static_cast<int>(width)))
                           : lowBits(x[0], static_cast<int>(width));
    });
  }
  if (name == "popc")
    return oneResult(statement(opcode, 1), "w", one, [](const U* x) { return U(std::popcount(x[0])); });
  if (name == "clz")
    return oneResult(statement(opcode, 1), "w", one,
                     [=](const U* x) { return U(std::countl_zero(x[0]) - (64 - bits)); });
  if (name == "bfind") {
    const bool isShift = opcode.has("shiftamt");
    return oneResult(statement(opcode, 1), "w", one, [=](const U* x) {
      const bool isNegative = info.isSigned && (x[0] >> (bits - 1) & 1);
      const U value = lowBits(isNegative ? ~x[0] : x[0], bits);
      if (value == 0) return ~U{0};
      const U highest = static_cast<U>(63 - std::countl_zero(value));
      return isShift ? static_cast<U>(bits - 1) - highest : highest;
    });
  }
  if (name == "brev")
    return of(1, [=](const U* x) {
      U result = 0;
      for (int i = 0; i < bits; ++i) result |= (x[0] >> i & 1) << (bits - 1 - i);
      return result;
    });
  if (name != "lop3") return std::nullopt;
  // Each of two tables has rows that the other lacks.
  return Case{"lop3.b32 $r0, $a, $b, $c, 0xE4; lop3.b32 $r1, $a, $b, $c, 0x1B;", "ww", "www", [](const U* x) {
                std::vector<U> results(2);
                for (int i = 0; i < 32; ++i) {
                  const U row = (x[0] >> i & 1) * 4 + (x[1] >> i & 1) * 2 + (x[2] >> i & 1);
                  results[0] |= (U{0xE4} >> row & 1) << i;
                  results[1] |= (U{0x1B} >> row & 1) << i;
                }
                return results;
              }};
}

}  // namespace mmtune::ptx
