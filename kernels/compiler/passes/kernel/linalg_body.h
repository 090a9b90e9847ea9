// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads do of a linalg operation on buffers.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// Whether a thread can hold, load and store a value of the type.
bool isDeviceType(mlir::Type type);

/// Loads the element of an operand at the place that the operation's loops are at; a scalar is itself. `ivs` are the
/// values of all loops.
mlir::Value loadElement(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, mlir::OpOperand& operand,
                        llvm::ArrayRef<mlir::Value> ivs);

/// Stores into an output's element at that place.
void storeElement(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, mlir::OpOperand& output, mlir::Value value,
                  llvm::ArrayRef<mlir::Value> ivs);

/// Copies an operation of the body; `mapping` has the values that it uses. linalg.index becomes a loop's value.
void cloneBodyOperation(mlir::OpBuilder& builder, mlir::Operation& inner, mlir::IRMapping& mapping,
                        llvm::ArrayRef<mlir::Value> ivs);

/// The places of loops of such extents at a number, counted with the last loop fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value number,
                                           llvm::ArrayRef<mlir::Value> extents);

/// The blocks that a launch has for so much work at `perBlock` a block: at least one, as none cannot be launched, and
/// no more than a grid holds.
mlir::Value gridFor(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value count, int64_t perBlock);

}  // namespace mmtune
