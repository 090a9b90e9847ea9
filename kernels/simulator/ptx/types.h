// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar types of PTX, and the MLIR types by which the PTX compiler of the simulator represents them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Types.h"

namespace mmtune::ptx {

enum class TypeClass { kPredicate, kBits, kUnsigned, kSigned, kFloat, kBfloat, kTf32, kPacked8 };

/// A type of PTX, such as .u32, .bf16 or .f16x2.
struct ScalarType {
  llvm::StringRef name;
  TypeClass kind = TypeClass::kBits;
  unsigned elementBits = 0;
  unsigned lanes = 1;  ///< 2 for .f16x2 and the like, 4 for .e4m3x4.

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
  /// Returns .b<n> with the same number of bits.
  ScalarType untyped() const;

  /// Returns i1 for predicates, f16, bf16, f32, f64 and vectors of them, and integers of bits() for all others.
  mlir::Type valueType(mlir::MLIRContext* context) const;
};

/// Returns the type of a name without its dot; nothing for other words.
std::optional<ScalarType> findType(llvm::StringRef name);

enum class Literal { kInteger, kFloat, kDouble };

/// Returns the bits that a literal, given by its own, has as a value of a type; nothing where PTX has no such literal
/// of the type. Types of 32 and 64 bits take floating-point literals, which are converted; f32 and f64 take no others.
std::optional<uint64_t> literalBits(Literal literal, uint64_t bits, const ScalarType& type);

/// Returns why literalBits() returns nothing.
std::string literalError(Literal literal, const ScalarType& type);

/// Like findType(), for a name that is known to be a type.
ScalarType typeNamed(llvm::StringRef name);

}  // namespace mmtune::ptx
