// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of constant tensors, as numbers.
#pragma once

#include <optional>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mmtune {

/// An element or another value of a body: a float as f64, or a sign-extended integer, as its ElementFormat says.
union ConstantElement {
  double number;
  int64_t integer;
};

/// Rounds, loads and stores values of a type.
class ElementFormat {
 public:
  /// Returns the format of a float of 16 to 64 bits, an integer of at most 64 bits, or index.
  static std::optional<ElementFormat> of(mlir::Type type);

  bool isFloat() const { return kind != Kind::kInteger; }
  unsigned width() const { return bits; }
  size_t bytes() const { return (bits + 7) / 8; }

  /// Rounds to this type a result that is exact, or accurate to 53 bits.
  ConstantElement rounded(double exact) const;
  ConstantElement wrapped(int64_t exact) const;  ///< Keeps the low bits, sign-extended.
  /// Returns an integer as an unsigned one.
  uint64_t asUnsigned(ConstantElement element) const;

  ConstantElement load(const char* from) const;
  void store(char* to, ConstantElement element) const;

 private:
  enum class Kind { kInteger, kF64, kF32, kF16, kBf16 };
  ElementFormat(Kind kind, unsigned bits) : kind(kind), bits(bits) {}

  Kind kind;
  unsigned bits;
};

/// Returns a constant scalar, or the constant that a value always has, as an element.
std::optional<ConstantElement> constantElement(mlir::Attribute scalar);
std::optional<ConstantElement> constantElement(mlir::Value value);

class ConstantTensor {
 public:
  /// Returns nothing if the elements are not in memory or their type has no format.
  static std::optional<ConstantTensor> of(mlir::ElementsAttr value);
  static ConstantTensor splat(mlir::RankedTensorType type, ConstantElement element);
  /// Creates one whose elements are set later. The type must have a format.
  explicit ConstantTensor(mlir::RankedTensorType type);

  bool isSplat() const { return stride == 0; }
  mlir::ArrayRef<int64_t> shape() const { return type.getShape(); }
  ConstantElement at(int64_t index) const { return format.load(&data()[index * stride]); }
  void set(int64_t index, ConstantElement element) { format.store(&own[index * stride], element); }

  /// Returns the same elements with other dimensions.
  ConstantTensor reshaped(mlir::RankedTensorType other) const;
  mlir::DenseElementsAttr attribute() const;

 private:
  ConstantTensor(mlir::RankedTensorType type, int64_t stride, size_t bytes);
  const char* data() const { return own.empty() ? others.data() : own.data(); }

  mlir::RankedTensorType type;
  ElementFormat format;
  int64_t stride;
  std::vector<char> own;
  mlir::ArrayRef<char> others;  ///< The elements of an attribute, if `own` is empty.
};

}  // namespace mmtune
