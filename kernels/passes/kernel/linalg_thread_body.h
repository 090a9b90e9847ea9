// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread does for a linalg operation on buffers.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// The loops of an operation, by the numbers of their iterators.
struct LinalgLoops {
  explicit LinalgLoops(mlir::linalg::LinalgOp op);

  llvm::SmallVector<unsigned> parallel;
  llvm::SmallVector<unsigned> reduction;

  /// A parallel loop has no iterations.
  bool staticallyEmpty(mlir::linalg::LinalgOp op) const;
};

/// Emits at the builder's position what happens at the parallel point number `point`, counted with
/// the last parallel loop fastest: the reduction loops around the operation's body. `extents` are
/// those of all loops. An output that the reduction loops do not index is loaded before them and
/// stored after them, unless an input is the same buffer.
void emitLinalgPoint(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, const LinalgLoops& loops,
                     llvm::ArrayRef<mlir::Value> extents, mlir::Value point);

}  // namespace mmtune
