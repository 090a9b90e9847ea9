// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, selections and moves.
#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {
namespace {

/// Returns the result of a comparison of numbers that may be NaN.
template <typename Number>
bool compares(std::string_view comparison, Number a, Number b) {
  const bool isUnordered = a != a || b != b;
  if (comparison == "num") return !isUnordered;
  if (comparison == "nan") return isUnordered;
  if (isUnordered) return comparison.size() == 3;  // equ, neu, ltu, ...
  const std::string_view base = comparison.substr(0, 2);
  if (base == "eq") return a == b;
  if (base == "ne") return a != b;
  if (base == "lt" || base == "lo") return a < b;
  if (base == "le" || base == "ls") return a <= b;
  if (base == "gt" || base == "hi") return a > b;
  return a >= b;  // ge, hs
}

/// Returns the result for the lane `i` of two values of a type, combined with a predicate where the opcode says how.
bool outcome(const Opcode& opcode, const std::string& type, const U* x, int i) {
  const TypeInfo info = typeInfo(type);
  const std::string& comparison = opcode.words[1];
  U a = lowBits(x[0] >> i * info.bits, info.bits), b = lowBits(x[1] >> i * info.bits, info.bits);
  if (!info.isFloat) return compares(comparison, integerOf(a, info), integerOf(b, info));
  const Format& format = *formatOf(info.kind);
  if (opcode.has("ftz")) a = flushedBits(a, format), b = flushedBits(b, format);
  return compares(comparison, Number(a, format), Number(b, format));
}

bool combined(const Opcode& opcode, bool outcome, bool predicate) {
  if (opcode.has("and")) return outcome && predicate;
  if (opcode.has("or")) return outcome || predicate;
  return opcode.has("xor") ? outcome != predicate : outcome;
}

bool combines(const Opcode& opcode) { return opcode.has("and") || opcode.has("or") || opcode.has("xor"); }

/// True if PTX has the comparison for the type: lo, ls, hi and hs are for unsigned integers, untyped bits are equal or
/// not.
bool hasComparison(const Opcode& opcode, const std::string& type) {
  const TypeInfo info = typeInfo(type);
  const std::string& comparison = opcode.words[1];
  if (info.isFloat) return true;
  if (comparison == "eq" || comparison == "ne") return true;
  const bool isForUnsigned = comparison == "lo" || comparison == "ls" || comparison == "hi" || comparison == "hs";
  return type[0] == 'u' || (type[0] == 's' && !isForUnsigned);
}

std::optional<Case> setPredicateCase(const Opcode& opcode) {
  const std::string type = opcode.types().back();
  if (!hasComparison(opcode, type)) return std::nullopt;
  const TypeInfo info = typeInfo(type);
  const bool hasPredicate = combines(opcode);
  return Case{opcode.text() + " $r0|$r1, $a, $b" + (hasPredicate ? ", $c;" : ";"), "pp",
              std::string(2, info.kind) + (hasPredicate ? "p" : ""), [=](const U* x) {
                const bool predicate = hasPredicate && x[2] != 0, first = outcome(opcode, type, x, 0);
                const bool second = info.lanes == 2 ? outcome(opcode, type, x, 1) : !first;
                return std::vector<U>{combined(opcode, first, predicate), combined(opcode, second, predicate)};
              }};
}

std::optional<Case> setCase(const Opcode& opcode) {
  const std::string to = opcode.types()[0], from = opcode.types()[1];
  if (!hasComparison(opcode, from)) return std::nullopt;
  const TypeInfo result = typeInfo(to), info = typeInfo(from);
  const bool hasPredicate = combines(opcode);
  // An integer from packed operands has 16 bits for each lane.
  const int bits = info.lanes == 2 ? 16 : result.bits;
  const U set = result.isFloat ? Rounded(1, *formatOf(result.kind), Direction::kNearest) : lowBits(~U{0}, bits);
  return oneResult(opcode.text() + " $r0, $a, $b" + (hasPredicate ? ", $c;" : ";"), std::string(1, result.kind),
                   std::string(2, info.kind) + (hasPredicate ? "p" : ""), [=](const U* x) {
                     U value = 0;
                     for (int i = 0; i < info.lanes; ++i)
                       if (combined(opcode, outcome(opcode, from, x, i), hasPredicate && x[2] != 0))
                         value |= set << i * bits;
                     return value;
                   });
}

std::optional<Case> moveCase(const Opcode& opcode) {
  const std::string type = opcode.types()[0];
  if (type == "b128")
    return Case{"{ .reg .b128 t; mov.b128 t, {$a, $b}; mov.b128 {$r0, $r1}, t; }", "qq", "qq",
                [](const U* x) { return std::vector<U>{x[0], x[1]}; }};
  const std::string kind(1, typeInfo(type).kind);
  if (type == "b64" || type == "b32") {
    // Packs, unpacks, and copies.
    const int half = typeInfo(type).bits / 2;
    const std::string halves(2, half == 32 ? 'w' : 's'), text = opcode.text();
    return Case{text + " $r0, {$a, $b}; " + text + " {$r1, $r2}, $c; " + text + " $r3, $c;", kind + halves + kind,
                halves + kind, [=](const U* x) {
                  return std::vector<U>{x[0] | x[1] << half, lowBits(x[2], half), x[2] >> half, x[2]};
                }};
  }
  return oneResult(opcode.text() + " $r0, $a;", kind, kind, [](const U* x) { return x[0]; });
}

}  // namespace

std::optional<Case> comparisonCase(const Opcode& opcode) {
  const std::string& name = opcode.name();
  const bool hasTwoTypes = name == "set" || name == "slct";
  if (opcode.types().size() < (hasTwoTypes ? 2 : 1)) return std::nullopt;
  if (name == "setp") return setPredicateCase(opcode);
  if (name == "set") return setCase(opcode);
  if (name == "mov") return moveCase(opcode);
  const std::string kind(1, typeInfo(opcode.types()[0]).kind);
  if (name == "selp")
    return oneResult(opcode.text() + " $r0, $a, $b, $c;", kind, kind + kind + "p",
                     [](const U* x) { return x[2] != 0 ? x[0] : x[1]; });
  if (name != "slct") return std::nullopt;
  const bool isFloat = opcode.types()[1] == "f32", flushes = opcode.has("ftz");
  return oneResult(opcode.text() + " $r0, $a, $b, $c;", kind, kind + kind + (isFloat ? "f" : "w"), [=](const U* x) {
    if (!isFloat) return asSigned(x[2], 32) >= 0 ? x[0] : x[1];
    return Number(flushes ? flushedBits(x[2], kF32) : x[2], kF32) >= 0 ? x[0] : x[1];
  });
}

}  // namespace mmtune::ptx
