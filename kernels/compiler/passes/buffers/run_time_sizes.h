// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic sizes of tensors and memrefs, in a normal form that shows which are equal.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace mmtune {

/// A constant times sizes that are known only at run time.
class RunTimeSize {
 public:
  static RunTimeSize constant(int64_t size);
  /// The size given by a value of type index.
  static RunTimeSize value(mlir::Value size) { return factor({size, kWhole}); }
  /// The size of a dimension of a tensor or memref.
  static RunTimeSize dimension(mlir::Value shaped, int64_t dim) { return factor({shaped, dim}); }

  bool isConstant() const { return factors.empty(); }
  RunTimeSize& operator*=(const RunTimeSize& other);
  /// False unless the two sizes are known to be equal.
  bool operator==(const RunTimeSize& other) const;

 private:
  friend class RunTimeSizes;
  static constexpr int64_t kWhole = -1;
  using Factor = std::pair<mlir::Value, int64_t>;  ///< The value itself (kWhole), or one of its dimensions.
  static RunTimeSize factor(Factor factor);

  int64_t known = 1;
  llvm::SmallVector<Factor, 2> factors;
};

/// Computes sizes from the operands of the operations that define a value, without adding a memref.dim or tensor.dim of
/// an intermediate result, which would be another use of it.
class RunTimeSizes {
 public:
  RunTimeSize of(mlir::OpFoldResult size) const;
  RunTimeSize of(mlir::Value shaped, int64_t dim) const;

  /// Emits the size as a value of type index.
  mlir::Value materialize(mlir::ImplicitLocOpBuilder& builder, const RunTimeSize& size) const;

  /// Emits a value that is `size` where the condition holds, else 0; of() treats it as `size` from then on.
  mlir::Value zeroUnless(mlir::ImplicitLocOpBuilder& builder, mlir::Value condition, mlir::Value size);

 private:
  RunTimeSize of(mlir::Value number) const;

  llvm::DenseMap<mlir::Value, mlir::Value> guarded;  ///< From results of zeroUnless() to their sizes.
};

}  // namespace mmtune
