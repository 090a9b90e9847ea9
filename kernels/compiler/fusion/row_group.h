// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of operations that one kernel computes row by row, such as a softmax or a layer norm.
//
// A row kernel computes several linalg operations on buffers that go over the same rows. It assigns each row to a fixed
// set of threads, which share the elements of the row in the same way in every operation. So no thread reads from
// memory what another one wrote, and the only barriers are those of the reductions.
#pragma once

#include "kernels/compiler/fusion/row_operation.h"

namespace mmtune {

/// Operations of one block, in block order, that one row kernel can compute in the place of the last.
struct RowGroup {
  RowSpace space;
  llvm::SmallVector<RowOperation> operations;
  /// Allocations that nothing else reads.
  llvm::SmallPtrSet<mlir::Operation*, 8> privateBuffers;

  mlir::Operation* last() { return operations.back().op; }
  bool contains(mlir::Operation* op) const;
  /// Returns the only reduction, if the other operations compute one value per row from its result; otherwise null.
  RowOperation* loneReduction();
  /// Returns the number of parts into which each row should be split.
  int64_t parts();
};

/// Replaces the operations of the group by one gpu.launch. A row gets a part of a warp, a warp or a block, depending on
/// its length; thread t of n has the elements t, t + n, … Reductions end with a tree in fixed order. Their results stay
/// in registers; private buffers that are read again are in shared memory if they fit. Unused ones are erased.
void launchRowGroup(RowGroup& group);

}  // namespace mmtune
