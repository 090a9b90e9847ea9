// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a product.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

namespace mmtune {

/// Reads a body as out + x * y, up to conversions between types.
class ProductBody {
 public:
  explicit ProductBody(mlir::Block& body);

  bool isProduct() const { return product; }

  // Of one that is.

  /// Whether a conversion in the product may lose something that a kernel would keep.
  bool rounds() const { return foundRounding; }

  /// Whether integers are taken to have no sign.
  bool isUnsigned() const { return foundUnsigned; }

  /// The type that factors are multiplied in; sums are of it or of a wider one.
  mlir::Type productType() const { return type; }

 private:
  bool readProduct();
  bool isSum(mlir::Value old, mlir::Value term);
  mlir::Value withoutCasts(mlir::Value value);
  /// What makes a value before it is converted, if it is one of these; else null.
  template <typename... Ops>
  mlir::Operation* definingOp(mlir::Value value);

  mlir::Block& body;
  bool product = false;
  mlir::Type type;
  bool foundRounding = false, foundUnsigned = false;
};

/// Whether a body yields its last argument and the product of the other two in sum, up to conversions between types.
bool isProductBody(mlir::Block& body);

}  // namespace mmtune
