// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of PTX operations: what an opcode computes, in integers and 113-bit floating point, written apart from the
// lowerings that are tested.
//
// A part of the operation table has a function here that turns an opcode into a Case. It returns nullopt for a
// combination of words that the PTX ISA does not have, though the table's form does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/kernels/simulator/ptx/exact_rounding.h"

namespace mmtune::ptx {

using U = uint64_t;

/// The words of an opcode, the name first.
struct Opcode {
  std::vector<std::string> words;

  const std::string& name() const { return words.front(); }
  bool has(std::string_view word) const;
  /// Returns the words that are types, in order.
  std::vector<std::string> types() const;
  /// Returns the opcode as PTX writes it.
  std::string text() const;
};

/// True if the formulas and programs of these tests know what each word of the opcode means. What they do not know they
/// would read over, and a form with a new word would seem to be tested.
bool knowsWords(const Opcode& opcode);

/// Statements, the kinds of their results and operands, and what they compute.
///
/// A kind is a letter for each value. s, w, q: integers of 16, 32, 64 bits; h, b, f, d: f16, bf16, f32, f64; H, B, F:
/// f16x2, bf16x2, f32x2; p: a predicate. In `code`, $r0, $r1, ... are results, and $a, $b, $c, $e operands.
struct Case {
  std::string code;
  std::string results;
  std::string operands;
  /// Returns the results for operands. NaN may be any NaN.
  std::function<std::vector<U>(const U* operands)> formula;
  /// Results of floating point may differ from the formula by this, relatively and absolutely. What is infinite, NaN or
  /// 0 may not.
  double relative = 0, absolute = 0;
  /// If not empty, the statements are refused with an error that has this text.
  std::string refusal = {};
};

/// Returns a case with one result.
Case oneResult(std::string code, std::string results, std::string operands, std::function<U(const U*)> formula);

/// An integer or floating-point type of PTX, by its name without the dot.
struct TypeInfo {
  int bits = 0;  ///< The bits of one lane.
  int lanes = 1;
  bool isSigned = false, isFloat = false;
  char kind = 0;  ///< The kind of registers that hold values of the type.
};
TypeInfo typeInfo(std::string_view name);

/// Returns the format of f32, f64, f16 or bf16, or of the lanes of f32x2, f16x2 or bf16x2; null for other kinds.
const Format* formatOf(char kind);
int bitsOf(char kind);
/// Returns the values that operands of a kind have: zeros, subnormal numbers, limits, infinities, NaN, and numbers
/// half-way between those of narrower types.
const std::vector<U>& specialsOf(char kind);

inline U lowBits(U value, int bits) { return bits == 64 ? value : value & ((U{1} << bits) - 1); }
inline int64_t asSigned(U value, int bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }
/// Returns the number that an integer of the type is.
inline __int128 integerOf(U value, const TypeInfo& type) {
  return type.isSigned ? __int128{asSigned(value, type.bits)} : __int128{lowBits(value, type.bits)};
}
inline bool isNanBits(U value, const Format& format) { return IsNan(Number(value, format)); }
inline U signBit(const Format& format) { return U{1} << (format.bits - 1); }
/// Returns the bits of a format's quiet NaN.
inline U nanOf(const Format& format) { return signBit(format) - 1; }
/// Returns the value, with a subnormal number replaced by a zero of its sign.
U flushedBits(U value, const Format& format);
/// Returns the value clamped to [0, 1]; NaN becomes 0.
U saturatedBits(U value, const Format& format);
/// Returns 0 for a number of at most 0, else the value.
U rectifiedBits(U value, const Format& format);
/// Returns the rounding that an opcode names by rn, rz, rm or rp, or by rni, rzi, rmi or rpi; to nearest if it has
/// none.
Direction directionOf(const Opcode& opcode);

// Return the case of an opcode of the part of the table that has the function's name.
std::optional<Case> integerCase(const Opcode& opcode);
std::optional<Case> bitCase(const Opcode& opcode);
std::optional<Case> comparisonCase(const Opcode& opcode);
std::optional<Case> floatCase(const Opcode& opcode);
std::optional<Case> conversionCase(const Opcode& opcode);
std::optional<Case> memoryCase(const Opcode& opcode);

}  // namespace mmtune::ptx
