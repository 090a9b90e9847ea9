// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that one kernel can do, a row at a time.
#pragma once

#include "kernels/compiler/fusion/row_operation.h"
#include "kernels/compiler/scheduling/buffer_effects.h"

namespace mmtune {

/// Operations of one block, in its order. A kernel that gives each row to threads of its own, which take the elements
/// of the row in turn, always the same element the same thread, can do them one after the other in the place of the
/// last: no thread reads from memory what another one writes.
struct RowGroup {
  RowSpace space;
  llvm::SmallVector<RowOperation> operations;
  /// Allocations that nothing else reads.
  llvm::SmallPtrSet<mlir::Operation*, 8> privateBuffers;

  mlir::Operation* last() { return operations.back().op; }
  bool contains(mlir::Operation* op) const;
  /// The only reduction of a group whose other operations compute one value for a row from its result; null if the
  /// group is another one.
  RowOperation* loneReduction();
  /// Returns the number of parts in which the group's kernels should reduce each row.
  int64_t parts();
};

/// The largest group around an operation that was found, a reduction or an elementwise one, which takes none of
/// `taken`; nothing when the operation has no others to go with and is no reduction of long rows. Groups that take
/// different operations may all be rewritten. Beside the values that reductions give (their sums are of another order)
/// it computes what the operations do.
std::optional<RowGroup> findRowGroup(mlir::linalg::LinalgOp seed, const llvm::SmallPtrSetImpl<mlir::Operation*>& taken,
                                     const BufferEffects& effects);

/// Replaces the operations of the group by one gpu.launch. A row gets a part of a warp, a warp or a block, by the
/// number of its elements; thread t of n takes the elements t, t + n, …, and reductions end with a tree in fixed order.
/// What reductions give stays in registers; private buffers that are read again lie in shared memory where they fit,
/// and those that nobody needs any more are erased.
void launchRowGroup(RowGroup& group);

}  // namespace mmtune
