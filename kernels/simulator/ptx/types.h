// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar types of PTX, and the MLIR types by which the PTX compiler of the simulator represents them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Types.h"

namespace mmtune::ptx {

/// The classes of types. kBits are untyped bits, such as .b32. kPacked8 are floats of 8 bits, such as .e4m3x2.
enum class TypeClass { kPredicate, kBits, kUnsigned, kSigned, kFloat, kBfloat, kTf32, kPacked8 };

/// A type of PTX, such as .u32, .bf16 or .f16x2.
struct ScalarType {
  llvm::StringRef name;
  TypeClass kind = TypeClass::kBits;
  unsigned elementBits = 0;
  unsigned lanes = 1;  ///< 2 for packed types such as .f16x2, else 1.

  unsigned bits() const { return elementBits * lanes; }
  unsigned bytes() const { return (bits() + 7) / 8; }
  bool isFloat() const { return kind == TypeClass::kFloat || kind == TypeClass::kBfloat; }
  bool isSigned() const { return kind == TypeClass::kSigned; }
  bool isPredicate() const { return kind == TypeClass::kPredicate; }
  bool isInteger() const {
    return kind == TypeClass::kBits || kind == TypeClass::kUnsigned || kind == TypeClass::kSigned;
  }
  /// Returns the type of one lane.
  ScalarType element() const;
  /// Returns the untyped bits type (.b32, ...) with the same number of bits.
  ScalarType untyped() const;

  /// Returns the MLIR type of values: f16, bf16, f32, f64 or a vector of them for floating-point types, and an integer
  /// of bits() bits for all others, such as i1 for predicates.
  mlir::Type valueType(mlir::MLIRContext* context) const;
};

/// Returns the type of this name, given without its dot; nullopt if there is none.
std::optional<ScalarType> findType(llvm::StringRef name);

/// The kinds of literals; floating-point ones are written as f32 (0f3F800000) or as f64 (0d…, 1.5).
enum class Literal { kInteger, kFloat, kDouble };

/// Converts a literal with these bits to the bits of a value of `type`. Returns nullopt if PTX does not allow such a
/// literal for the type: f32 and f64 accept any floating-point literal, b32 one of f32 and b64 one of f64, and integer
/// and predicate types accept integers, of which they take the low bits.
std::optional<uint64_t> literalBits(Literal literal, uint64_t bits, const ScalarType& type);

/// Returns the error message for a literal for which literalBits() returns nullopt.
std::string literalError(Literal literal, const ScalarType& type);

/// True if a register of the type `ofRegister` may be an operand where an instruction takes `type`: one of the two is
/// untyped, both are integers, or both are the same floating-point type. Does not compare their widths, which the
/// caller must check.
bool areCompatible(const ScalarType& ofRegister, const ScalarType& type);

/// Returns the type of this name, which must be one; otherwise ends the process.
ScalarType typeNamed(llvm::StringRef name);

}  // namespace mmtune::ptx
