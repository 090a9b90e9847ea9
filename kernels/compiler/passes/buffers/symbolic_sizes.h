// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic sizes of tensors and memrefs, in a normal form that shows which sizes are equal. The pass assert-sizes emits
// no checks for sizes that are equal by construction.
//
//   tensor.collapse_shape of tensor<?x4xf32>   has the size  4 * dim(%t, 0)
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace mmtune {

/// A product of a constant and sizes that are known only at run time.
class SymbolicSize {
 public:
  /// Returns a constant size.
  static SymbolicSize constant(int64_t size);
  /// Returns the size given by a value of type index.
  static SymbolicSize value(mlir::Value size) { return factor({size, kWhole}); }
  /// Returns the size of a dimension of a tensor or memref.
  static SymbolicSize dimension(mlir::Value shaped, int64_t dim) { return factor({shaped, dim}); }

  bool isConstant() const { return factors.empty(); }
  SymbolicSize& operator*=(const SymbolicSize& other);
  /// True if the two sizes are known to be equal.
  bool operator==(const SymbolicSize& other) const;

 private:
  // SymbolicSizes builds sizes from their factors.
  friend class SymbolicSizes;
  static constexpr int64_t kWhole = -1;
  /// A value of type index (with kWhole), or a tensor or memref and one of its dimensions.
  using Factor = std::pair<mlir::Value, int64_t>;
  static SymbolicSize factor(Factor factor);

  int64_t known = 1;  ///< The constant.
  llvm::SmallVector<Factor, 2> factors;
};

/// Computes sizes of a value from the operands of the operations that define it. Adds no memref.dim or tensor.dim of an
/// intermediate result, because that would be another use of the result.
class SymbolicSizes {
 public:
  /// Returns a size in normal form.
  SymbolicSize of(mlir::OpFoldResult size) const;
  SymbolicSize of(mlir::Value shaped, int64_t dim) const;

  /// Emits the size as a value of type index.
  mlir::Value materialize(mlir::ImplicitLocOpBuilder& builder, const SymbolicSize& size) const;

  /// Emits a value that is `size` if the condition holds, and otherwise 0. From then on, of() returns `size` for this
  /// value.
  mlir::Value zeroUnless(mlir::ImplicitLocOpBuilder& builder, mlir::Value condition, mlir::Value size);

 private:
  SymbolicSize of(mlir::Value number) const;

  llvm::DenseMap<mlir::Value, mlir::Value> guarded;  ///< From results of zeroUnless() to their sizes.
};

}  // namespace mmtune
