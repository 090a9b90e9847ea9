// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of tensors and memrefs in a form in which equal ones can be seen to be equal.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace mmtune {

/// A product of a constant and of sizes that are known when the program runs only.
class RunTimeSize {
 public:
  static RunTimeSize constant(int64_t size);
  /// A value of type index.
  static RunTimeSize value(mlir::Value size) { return factor({size, kWhole}); }
  /// A dimension of a tensor or memref.
  static RunTimeSize dimension(mlir::Value shaped, int64_t dim) { return factor({shaped, dim}); }

  bool isConstant() const { return factors.empty(); }
  RunTimeSize& operator*=(const RunTimeSize& other);
  /// False where two sizes may differ, though they may not, either.
  bool operator==(const RunTimeSize& other) const;

 private:
  friend class RunTimeSizes;
  static constexpr int64_t kWhole = -1;
  using Factor = std::pair<mlir::Value, int64_t>;  ///< The value itself (kWhole), or one of its dimensions.
  static RunTimeSize factor(Factor factor);

  int64_t known = 1;
  llvm::SmallVector<Factor, 2> factors;
};

/// Finds sizes through the operations that pass them on, which are left to those that use the values: to ask for the
/// size of a result would be another use of it.
class RunTimeSizes {
 public:
  RunTimeSize of(mlir::OpFoldResult size) const;
  RunTimeSize of(mlir::Value shaped, int64_t dim) const;

  /// Makes the size a value of type index.
  mlir::Value materialize(mlir::ImplicitLocOpBuilder& builder, const RunTimeSize& size) const;

  /// Makes a value that is `size` where the condition holds, and else 0. It counts as `size` from here on.
  mlir::Value zeroUnless(mlir::ImplicitLocOpBuilder& builder, mlir::Value condition, mlir::Value size);

 private:
  RunTimeSize of(mlir::Value number) const;

  llvm::DenseMap<mlir::Value, mlir::Value> guarded;  ///< What zeroUnless() made, and of what.
};

}  // namespace mmtune
