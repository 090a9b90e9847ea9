// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant tensors whose elements can be read and written as numbers, whatever their MLIR element type.
//
//   ConstantTensor t = *ConstantTensor::of(attr);      // dense<[1.0, 2.0]> : tensor<2xbf16>
//   t.at(1).number                                     // 2.0
#pragma once

#include <optional>
#include <vector>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mmtune {

/// The value of an element: a float as f64, or a sign-extended integer. ElementFormat::isFloat() tells which.
union ConstantElement {
  double number;
  int64_t integer;
};

/// Rounds, loads and stores values of an element type.
class ElementFormat {
 public:
  /// Returns the format of f16, bf16, f32, f64, a signless integer of 1, 8, 16, 32 or 64 bits, or index; nothing for
  /// other types.
  static std::optional<ElementFormat> of(mlir::Type type);

  bool isFloat() const { return kind != Kind::kInteger; }
  unsigned width() const { return bits; }
  size_t bytes() const { return (bits + 7) / 8; }

  /// Rounds a number to this type. `exact` must be the exact result of an operation, or that result rounded to f64.
  ConstantElement rounded(double exact) const;
  /// Truncates an integer to the width of this type, and sign-extends the result.
  ConstantElement wrapped(int64_t exact) const;
  /// Returns an integer of this type as an unsigned number.
  uint64_t asUnsigned(ConstantElement element) const;

  /// Returns the element stored at `from`.
  ConstantElement load(const char* from) const;
  /// Stores an element at `to`.
  void store(char* to, ConstantElement element) const;

 private:
  enum class Kind { kInteger, kF64, kF32, kF16, kBf16 };
  ElementFormat(Kind kind, unsigned bits) : kind(kind), bits(bits) {}

  Kind kind;
  unsigned bits;
};

/// Returns the value of a scalar attribute, or of an SSA value that is a constant; nothing for others.
std::optional<ConstantElement> constantElement(mlir::Attribute scalar);
std::optional<ConstantElement> constantElement(mlir::Value value);

/// A constant tensor, in row-major order. It either refers to the elements of an attribute or owns its elements.
class ConstantTensor {
 public:
  /// Returns the tensor that an attribute holds. Returns nothing if its type is not ranked and static with at least one
  /// element, if its element type has no ElementFormat, or if its elements are not in memory, as with a resource that
  /// is not loaded.
  static std::optional<ConstantTensor> of(mlir::ElementsAttr value);
  /// Returns a tensor whose elements all have the value `element`.
  static ConstantTensor splat(mlir::RankedTensorType type, ConstantElement element);
  /// Creates a tensor; the caller must set all of its elements. The element type must have an ElementFormat.
  explicit ConstantTensor(mlir::RankedTensorType type);

  /// True if only one element is stored, which stands for all elements.
  bool isSplat() const { return stride == 0; }
  mlir::ArrayRef<int64_t> shape() const { return type.getShape(); }
  ConstantElement at(int64_t index) const { return format.load(&data()[index * stride]); }
  /// Sets an element. Only for a tensor that the constructor made: others may refer to an attribute, or have only one
  /// element.
  void set(int64_t index, ConstantElement element) { format.store(&own[index * stride], element); }

  /// Returns a tensor of type `other` with the same elements in row-major order.
  ConstantTensor reshaped(mlir::RankedTensorType other) const;
  /// Returns the tensor as an attribute.
  mlir::DenseElementsAttr attribute() const;

 private:
  ConstantTensor(mlir::RankedTensorType type, int64_t stride, size_t bytes);
  const char* data() const { return own.empty() ? others.data() : own.data(); }

  mlir::RankedTensorType type;
  ElementFormat format;
  int64_t stride;  ///< Bytes from one element to the next; 0 for a splat.
  std::vector<char> own;
  mlir::ArrayRef<char> others;  ///< The elements of the attribute; used if `own` is empty.
};

}  // namespace mmtune
