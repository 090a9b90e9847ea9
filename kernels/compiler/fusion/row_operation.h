// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on buffers that work row by row, and the threads that a row gets.
#pragma once

#include <optional>

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// The number of iterations of a loop: a constant, or if it is not known, values that equal it at run time.
struct LoopExtent {
  int64_t size = 1;                                             ///< ShapedType::kDynamic if it is not known.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> names;  ///< Pairs of buffer and dimension, or of size and -1.

  bool isSame(const LoopExtent& other) const;
};

/// The loops that operations have in common, without those of one iteration: over rows, and over the elements of a row.
struct RowSpace {
  llvm::SmallVector<LoopExtent> rows, columns;
  bool isAcross = false;  ///< True if the elements of a row are not adjacent in memory. Then one thread has the row,
                          ///< and there is no kElement.
  unsigned dims() const { return static_cast<unsigned>(rows.size() + columns.size()); }
};

/// The element of a buffer that an iteration uses, as a function of the loops of a RowSpace, rows first.
struct ElementAccess {
  mlir::Value buffer;     ///< For a dense buffer of static shape: the buffer of which it is a view.
  mlir::AffineMap index;  ///< The row-major number of the element in such a buffer, its indices in another.

  bool isSame(const ElementAccess& other) const { return buffer == other.buffer && index == other.index; }
  /// True if all columns use the same element.
  bool isPerRow(const RowSpace& space) const;
};

/// One operation in a row space.
struct RowOperation {
  enum class Kind {
    kRow,        ///< One value per row.
    kElement,    ///< One value per element, or per element of the first columns.
    kReduction,  ///< One value per row, computed from its elements.
  };

  mlir::linalg::LinalgOp op;
  Kind kind = Kind::kRow;
  unsigned columns = 0;  ///< It loops over this many of RowSpace::columns, the first ones.
  llvm::SmallVector<mlir::AffineExpr>
      loops;  ///< For each loop of `op`: a dimension of the row space; 0: one iteration.

  /// For a reduction: the operation that combines the accumulator with a value per element, and the operand number of
  /// the latter.
  mlir::Operation* combiner = nullptr;
  unsigned given = 0;
  mlir::gpu::AllReduceOperation how = mlir::gpu::AllReduceOperation::ADD;

  ElementAccess accessOf(mlir::OpOperand& operand, unsigned dims) const;
  /// Returns the accesses of the buffers that are read, and of the one output.
  llvm::SmallVector<std::pair<mlir::OpOperand*, ElementAccess>> reads(unsigned dims) const;
  ElementAccess output(unsigned dims) const;
  /// True if it has values only for the first columns of a row.
  bool hasFirstColumnsOnly(const RowSpace& space) const { return columns > 0 && columns < space.columns.size(); }
};

/// Returns the row space of a reduction, or of an elementwise operation, each element of which is a row. Returns
/// nothing for matmuls, and for sums of 16-bit types, whose result depends too much on the order.
std::optional<RowSpace> rowSpaceOf(mlir::linalg::LinalgOp op);

/// Matches an operation in a row space. Fails if it is none of the kinds, has side effects, is not for the device, or
/// reduces in an order that matters beyond rounding.
std::optional<RowOperation> matchRowOperation(mlir::linalg::LinalgOp op, const RowSpace& space);

/// The threads of a row and of a block. A row has all threads of a block, a power of two up to a warp, or one if it has
/// one element or its elements are not adjacent in memory.
struct RowThreads {
  /// With each row split into `parts`, every part counts as a row.
  explicit RowThreads(const RowSpace& space, int64_t parts = 1);

  int64_t rowsPerBlock() const { return perRow == perBlock ? 1 : perBlock / perRow; }
  bool isBlockWide() const;

  int64_t perRow, perBlock;
};

/// Returns the number of parts into which to split each row of a reduction, so that few long rows use the whole device:
/// one kernel reduces the parts, a second one their results. Returns 1 if one kernel does as well, or if the number of
/// rows is not static. If the length is not static, some parts may be empty.
int64_t splitFactor(const RowSpace& space);

/// True if threads that share a row reduce it faster than one thread per row.
bool isLongRow(const RowSpace& space);

/// Returns the product of the extents, or ShapedType::kDynamic.
int64_t elementCount(llvm::ArrayRef<LoopExtent> extents);

}  // namespace mmtune
