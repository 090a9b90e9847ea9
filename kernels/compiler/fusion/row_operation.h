// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on buffers that work row by row: softmax, a layer norm and the like are made of them.
//
// How many threads a row gets.
#pragma once

#include <optional>

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// How many turns a loop has: a number, or what is known to be the same.
struct LoopExtent {
  int64_t size = 1;                                             ///< ShapedType::kDynamic when it is not known.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> names;  ///< Dimensions of buffers, sizes (with -1).

  bool isSame(const LoopExtent& other) const;
};

/// The loops that operations have in common, those of one turn left out: over rows, and over the elements of a row.
struct RowSpace {
  llvm::SmallVector<LoopExtent> rows, columns;
  bool isAcross = false;  ///< The elements of a row are no neighbours: a row is one thread's, and has no kElement.
  unsigned dims() const { return static_cast<unsigned>(rows.size() + columns.size()); }
};

/// Which element of a buffer is used at a place: a function of the loops of a RowSpace, rows first.
struct ElementAccess {
  mlir::Value buffer;     ///< Of a dense buffer of known shape: the buffer that its views share.
  mlir::AffineMap place;  ///< The element's number in such a buffer, its indices in another.

  bool isSame(const ElementAccess& other) const { return buffer == other.buffer && place == other.place; }
  /// The element is that of all columns.
  bool isPerRow(const RowSpace& space) const;
};

/// One operation in a row space.
struct RowOperation {
  enum class Kind {
    kRow,        ///< One value for each row.
    kElement,    ///< One value for each element, or for each element of the first columns.
    kReduction,  ///< One value for each row out of its elements.
  };

  mlir::linalg::LinalgOp op;
  Kind kind = Kind::kRow;
  unsigned columns = 0;                       ///< The number of columns, the first ones, that its loops go over.
  llvm::SmallVector<mlir::AffineExpr> loops;  ///< Of each loop of `op`: a dimension of the row space, or 0.

  /// Of a reduction: what combines the sum so far and what an element gives, and the operand that is the latter.
  mlir::Operation* combiner = nullptr;
  unsigned given = 0;
  mlir::gpu::AllReduceOperation how = mlir::gpu::AllReduceOperation::ADD;

  ElementAccess accessOf(mlir::OpOperand& operand, unsigned dims) const;
  /// The accesses of the operands that are buffers and read, and of the one output.
  llvm::SmallVector<std::pair<mlir::OpOperand*, ElementAccess>> reads(unsigned dims) const;
  ElementAccess output(unsigned dims) const;
  /// Returns true if it has values for the first columns of a row, of which there are others.
  bool hasFirstColumnsOnly(const RowSpace& space) const { return columns > 0 && columns < space.columns.size(); }
};

/// The row space of a reduction; nothing of matmuls, and of sums in types of 16 bits, whose result depends on the
/// order of the elements too much. That of an elementwise operation has no columns: each element is a row of one.
std::optional<RowSpace> rowSpaceOf(mlir::linalg::LinalgOp op);

/// What an operation is in a row space; nothing where it is none of the kinds, does more than compute values, or is not
/// for the device. The order in which a reduction takes the elements of a row must not matter but for rounding.
std::optional<RowOperation> matchRowOperation(mlir::linalg::LinalgOp op, const RowSpace& space);

/// The threads of a row and of a block. A row has all threads of a block, or a power of two up to a warp, or one thread
/// where it has one element or its elements are no neighbours in memory.
struct RowThreads {
  /// Each row counts as many times as it has `parts`.
  explicit RowThreads(const RowSpace& space, int64_t parts = 1);

  int64_t rowsPerBlock() const { return perRow == perBlock ? 1 : perBlock / perRow; }
  bool isBlockWide() const;

  int64_t perRow, perBlock;
};

/// Returns the number of parts into which each row of a reduction should be split, so that few long rows keep a whole
/// device busy: a first kernel reduces the parts, a second one their results. 1 where one kernel does as well, or where
/// the number of rows is known at run time only. Of rows whose length is known only then, some parts may be empty.
int64_t splitFactor(const RowSpace& space);

/// Returns true if threads that share a row reduce it faster than one thread does for each row.
bool isLongRow(const RowSpace& space);

/// Returns the matmul of the extents; ShapedType::kDynamic if one is not known.
int64_t elementCount(llvm::ArrayRef<LoopExtent> extents);

}  // namespace mmtune
