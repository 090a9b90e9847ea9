// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products as they would be if they read their operands, or stored their result, where they lie.
#pragma once

#include "kernels/compiler/scheduling/strided_product.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace mmtune {

/// Whether kernels compute the product with such maps over such tensors: as one of dense operands, or in matrices at
/// least as large as they are now. (In smaller ones it may cost more than a copy does.)
bool isFoldable(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> tensors, llvm::ArrayRef<mlir::AffineMap> maps);

/// A product as it would be with the dimensions of one of its operands expanded.
class ExpandedProduct {
 public:
  /// `groups` are the dimensions of `shape` that each of the operand's stands for.
  ExpandedProduct(mlir::linalg::LinalgOp op, unsigned operand, llvm::ArrayRef<mlir::ReassociationIndices> groups,
                  llvm::ArrayRef<int64_t> shape);

  mlir::AffineMap mapOfOperand() const { return loops.maps[operand]; }

  /// Whether kernels compute it in matrices as large as now, where the operand is `tensor`, by `map`; `mayJoin`: or in
  /// larger ones.
  bool isFoldable(mlir::Value tensor, mlir::AffineMap map, bool mayJoin = false);

 private:
  mlir::AffineMap expanded(mlir::AffineMap map) const;
  OperandStrides expanded(const OperandStrides& strides) const;

  mlir::linalg::LinalgOp op;
  unsigned operand;
  ProductLoops old, loops;
  llvm::SmallVector<llvm::SmallVector<int64_t>> parts;  ///< Of each loop, the extents of what it becomes.
  llvm::SmallVector<unsigned> first;                    ///< Of each loop, the first of these.
};

}  // namespace mmtune
