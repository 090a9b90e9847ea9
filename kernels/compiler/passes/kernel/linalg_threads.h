// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits linalg operations on buffers as the code of one GPU thread. Also emits launches with one thread for each point
// of the iteration space. The passes map-linalg-to-gpu, map-tm-tensor-to-gpu and fuse-rows use it.
//
//   linalg.add ins(%a, %b) outs(%c)   ->   thread i:  (r, c) = delinearize(i);  c[r][c] = a[r][c] + b[r][c]
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace mmtune {

/// True if a thread can hold, load and store a value of the type.
bool isDeviceType(mlir::Type type);

/// Loads the element of `operand` at the loop indices `ivs`, one for each loop of `op`. Returns a scalar operand
/// itself.
mlir::Value loadElement(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, mlir::OpOperand& operand,
                        llvm::ArrayRef<mlir::Value> ivs);

/// Stores `value` to the element of `output` at the loop indices `ivs`.
void storeElement(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, mlir::OpOperand& output, mlir::Value value,
                  llvm::ArrayRef<mlir::Value> ivs);

/// Clones `inner`, an operation in the body of a linalg operation. `mapping` maps its operands to their new values, and
/// receives its results. A linalg.index is replaced by one of `ivs`, the loop indices.
void cloneBodyOperation(mlir::OpBuilder& builder, mlir::Operation& inner, mlir::IRMapping& mapping,
                        llvm::ArrayRef<mlir::Value> ivs);

/// Emits and returns the loop indices of a point, given its linear index. The loops have these extents, and the last
/// one varies fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value linearIndex,
                                           llvm::ArrayRef<mlir::Value> extents);

/// Emits and returns the number of blocks for `count` points with `perBlock` points per block. It is at least 1,
/// because an empty grid cannot be launched, and at most the largest grid that a device can launch.
mlir::Value gridFor(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value count, int64_t perBlock);

/// Launches a kernel that executes the code of `emit` for each point below `points`, in blocks of at most `blockSize`
/// threads:
///
///     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < points; i += gridDim.x * blockDim.x) emit(i)
///
/// Launches nothing if `points` is known to be 0. `hasValueSemantics` is true for an operation that was on tensors
/// before bufferization, so that the code never reads what it wrote. The loop then gets the attribute
/// kValueSemanticsAttrName (host_buffers.h).
void launchPoints(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value points, int64_t blockSize,
                  bool hasValueSemantics, llvm::function_ref<void(mlir::Value)> emit);

}  // namespace mmtune
