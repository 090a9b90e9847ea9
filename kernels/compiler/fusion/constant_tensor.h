// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of constant tensors, as numbers.
#pragma once

#include <optional>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mmtune {

/// An element, or any value of a body: a float, exactly, or an integer with its sign extended.
union ConstantElement {
  double number;
  int64_t integer;
};

/// How values of a type are rounded and stored.
class ElementFormat {
 public:
  /// Floats of 16, 32 and 64 bits, integers of at most 64, and index; nothing of others.
  static std::optional<ElementFormat> of(mlir::Type type);

  bool isFloat() const { return kind != Kind::kInteger; }
  unsigned width() const { return bits; }
  size_t bytes() const { return (bits + 7) / 8; }

  /// What an operation of this type makes of its exact result, or of one that is right to 53 bits.
  ConstantElement rounded(double exact) const;
  ConstantElement wrapped(int64_t exact) const;
  /// An integer without a sign.
  uint64_t asUnsigned(ConstantElement element) const;

  ConstantElement load(const char* from) const;
  void store(char* to, ConstantElement element) const;

 private:
  enum class Kind { kInteger, kF64, kF32, kF16, kBf16 };
  ElementFormat(Kind kind, unsigned bits) : kind(kind), bits(bits) {}

  Kind kind;
  unsigned bits;
};

/// A constant scalar; nothing of others.
std::optional<ConstantElement> constantElement(mlir::Attribute scalar);

class ConstantTensor {
 public:
  /// Nothing where elements are not at hand, or of no type that is known here.
  static std::optional<ConstantTensor> of(mlir::ElementsAttr value);
  static ConstantTensor splat(mlir::RankedTensorType type, ConstantElement element);
  /// One whose elements are still to be set. The type has a format.
  explicit ConstantTensor(mlir::RankedTensorType type);

  bool isSplat() const { return stride == 0; }
  mlir::ArrayRef<int64_t> shape() const { return type.getShape(); }
  ConstantElement at(int64_t index) const { return format.load(&data()[index * stride]); }
  void set(int64_t index, ConstantElement element) { format.store(&own[index * stride], element); }

  /// The same elements with other dimensions.
  ConstantTensor reshaped(mlir::RankedTensorType other) const;
  mlir::DenseElementsAttr attribute() const;

 private:
  ConstantTensor(mlir::RankedTensorType type, int64_t stride, size_t bytes);
  const char* data() const { return own.empty() ? others.data() : own.data(); }

  mlir::RankedTensorType type;
  ElementFormat format;
  int64_t stride;
  std::vector<char> own;
  mlir::ArrayRef<char> others;  ///< Those of an attribute, where `own` is empty.
};

}  // namespace mmtune
