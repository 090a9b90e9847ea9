// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row kernels: one kernel for several operations that work row by row, such as a softmax or a layer norm. The pass
// fuse-rows finds groups of linalg operations on buffers that loop over the same rows, and replaces each group by one
// kernel launch.
//
//   softmax of memref<rows x columns>:   max over columns;  exp(x - max);  sum over columns;  division
//     ->  gpu.launch: the threads of a row keep its elements in registers or shared memory
//
// Each row is assigned to a fixed set of threads. Each thread owns the same elements of the row in every operation. So
// no thread reads from memory what another one wrote, and the only barriers are those of the reductions.
//
// row_operation.cpp matches operations, row_group.cpp forms groups, row_kernel.cpp emits the kernel.
#pragma once

#include <optional>

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// The number of iterations of a loop. If it is not constant, `names` identifies it by the sizes of buffers that equal
/// it at run time.
struct LoopExtent {
  int64_t size = 1;  ///< ShapedType::kDynamic if it is not constant.
  /// Values that equal the extent: pairs of a buffer and one of its dimensions, or of a value of type index and -1.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> names;

  /// True if the two extents are known to be equal.
  bool isSame(const LoopExtent& other) const;
};

/// The loops that the operations of a group have in common. Loops of one iteration are left out.
struct RowSpace {
  llvm::SmallVector<LoopExtent> rows;  ///< Loops over rows.
  /// Loops over the elements of a row, outermost first; called column loops below. A row may have several dimensions.
  llvm::SmallVector<LoopExtent> columns;
  /// True if the elements of a row are not adjacent in memory. Then one thread computes each row, and no operation of
  /// the group is a RowOperation::Kind::kElement.
  bool isAcross = false;
  unsigned dims() const { return static_cast<unsigned>(rows.size() + columns.size()); }
};

/// The element of a buffer that an iteration accesses, as a function of the loop indices of a RowSpace, rows first.
struct ElementAccess {
  mlir::Value buffer;  ///< The buffer. If it is a view of a dense buffer of static shape, the viewed buffer.
  /// Maps loop indices to the row-major index of the element if the buffer is dense and has a static shape, otherwise
  /// to one index for each dimension.
  mlir::AffineMap index;

  bool isSame(const ElementAccess& other) const { return buffer == other.buffer && index == other.index; }
  /// True if all iterations of a row's column loops access the same element.
  bool isPerRow(const RowSpace& space) const;
};

/// One operation of a group.
struct RowOperation {
  enum class Kind {
    kRow,        ///< One value per row.
    kElement,    ///< One value per element, or per iteration of the outer column loops.
    kReduction,  ///< One value per row, computed from its elements.
  };

  mlir::linalg::LinalgOp op;
  Kind kind = Kind::kRow;
  unsigned columns = 0;  ///< The number of column loops that the operation has; they are the outermost ones.
  /// For each loop of `op`, its index as a function of the loops of the row space; the constant 0 for a loop of one
  /// iteration.
  llvm::SmallVector<mlir::AffineExpr> loops;

  /// For a reduction: the operation that combines the accumulator with an element's value.
  mlir::Operation* combiner = nullptr;
  unsigned given = 0;  ///< For a reduction: the index of the operand of `combiner` that is the element's value.
  mlir::gpu::AllReduceOperation how = mlir::gpu::AllReduceOperation::ADD;  ///< For a reduction: the kind of combiner.

  /// Returns the access of an operand. `dims` is RowSpace::dims().
  ElementAccess accessOf(mlir::OpOperand& operand, unsigned dims) const;
  /// Returns the operands that the operation reads, each with its access.
  llvm::SmallVector<std::pair<mlir::OpOperand*, ElementAccess>> reads(unsigned dims) const;
  /// Returns the access of the output; there is only one.
  ElementAccess output(unsigned dims) const;
  /// True if the operation has some of the column loops, but not all. Then each of its values is for several elements
  /// of a row.
  bool hasFirstColumnsOnly(const RowSpace& space) const { return columns > 0 && columns < space.columns.size(); }
};

/// Returns the row space of a reduction or an elementwise operation. For an elementwise operation, all loops are loops
/// over rows, so that each row has one element. Returns nothing for matmuls, for operations with a loop of 0 iterations
/// or without a loop of more than one, and for sums in 16-bit types, whose result depends too much on the order of the
/// additions.
std::optional<RowSpace> rowSpaceOf(mlir::linalg::LinalgOp op);

/// Matches an operation whose loops are in `space`. Returns nothing if the operation is of none of the kinds, has side
/// effects, has types or buffers that a GPU thread cannot access, or is a reduction whose order matters by more than
/// rounding.
std::optional<RowOperation> matchRowOperation(mlir::linalg::LinalgOp op, const RowSpace& space);

/// The number of threads per row and per block. A row gets a whole block, or a power of two of threads up to a warp. It
/// gets one thread if it has one element, or if its elements are not adjacent in memory.
struct RowThreads {
  /// If each row is split into several `parts`, every part counts as a row.
  explicit RowThreads(const RowSpace& space, int64_t parts = 1);

  /// Returns how many rows a block computes at once.
  int64_t rowsPerBlock() const { return perRow == perBlock ? 1 : perBlock / perRow; }
  /// True if all threads of a block compute one row.
  bool isBlockWide() const;

  int64_t perRow, perBlock;
};

/// Returns the number of parts into which each row of a reduction should be split, so that few long rows use the whole
/// device. One kernel then reduces the parts, and another one their results. Returns 1 if one kernel is as fast, or if
/// the number of rows is not static. If the length of a row is not static, some parts may be empty.
int64_t splitFactor(const RowSpace& space);

/// True if a reduction of few long rows is faster in two kernels of its own, which split the rows, than fused with
/// another reduction into one kernel.
bool isWorthSplitting(const RowSpace& space);

/// True if it is faster to share a row among threads than to give each row to one thread.
bool isLongRow(const RowSpace& space);

/// Returns the product of the extents, or ShapedType::kDynamic if it is not constant.
int64_t elementCount(llvm::ArrayRef<LoopExtent> extents);

/// Operations of one MLIR block, in block order, that one row kernel computes. The launch of the kernel takes the place
/// of the last operation.
struct RowGroup {
  RowSpace space;
  llvm::SmallVector<RowOperation> operations;
  /// Allocations that nothing outside of the group reads.
  llvm::SmallPtrSet<mlir::Operation*, 8> privateBuffers;

  mlir::Operation* last() { return operations.back().op; }
  /// True if `op` is an operation of the group.
  bool contains(mlir::Operation* op) const;
  /// Finds the last operation before `reader` that computes `element`. Returns this operation if it has fewer column
  /// loops than `columns`, the number of column loops around the read; otherwise null. One value of a returned
  /// operation is for several elements of a row, which several threads own, so each of these threads must compute the
  /// value again.
  const RowOperation* sourceOfFirstColumns(const RowOperation& reader, const ElementAccess& element,
                                           unsigned columns) const;
  /// Returns the only reduction, if the other operations compute one value per row from its result; otherwise null.
  RowOperation* loneReduction();
  /// Returns the number of parts into which each row should be split (splitFactor()).
  int64_t parts();
};

/// Replaces the operations of the group by one gpu.launch. A part of a warp, a warp or a block computes each row,
/// depending on its length. If n threads compute a row, thread t has the elements t, t + n, and so on. A reduction
/// combines the results of the threads in a tree of fixed order, and its result stays in registers. Private buffers
/// that are read again are kept in shared memory if they fit. Allocations of private buffers that are no longer used
/// are erased.
void launchRowGroup(RowGroup& group);

}  // namespace mmtune
