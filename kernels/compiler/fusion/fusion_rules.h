// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which operations on tensors may be fused. No operation that is passed here is inside a kernel.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mmtune {

/// A tensor whose elements are those of another one, in another order or repeated.
struct MovedTensor {
  mlir::Value source;
  mlir::AffineMap map;  ///< From an element's indices to its indices in the source; each result is a dimension.
};

/// Returns the source of a tensor made by an operation that permutes or repeats dimensions: linalg.transpose,
/// linalg.broadcast, or a linalg.generic that yields its input.
std::optional<MovedTensor> sourceOfMoved(mlir::Value tensor);

/// True for a matmul, even one that no kernel computes.
bool isMatmul(mlir::linalg::LinalgOp op);

/// True if an element costs less to compute again than to read: a constant, an element of a smaller tensor, an
/// extension, or an index-computed value.
bool isCheap(mlir::linalg::GenericOp op);

/// True if a few operations compute each element from its indices alone.
bool isIndexComputed(mlir::linalg::GenericOp op);

/// True if an operation only permutes or repeats the elements of a tensor (see MovedTensor).
bool isMoved(mlir::linalg::GenericOp op);

/// True if isMoved() and each reader can read the source instead.
bool isMovedForReaders(mlir::linalg::GenericOp op);

/// True if a linalg.generic may compute `operand`, the result of another one, in its own body, given that it is the
/// only reader.
bool mayFuse(mlir::OpOperand* operand);

/// True if a body that reads a tensor by index may compute the element instead.
bool mayComputeAtRead(mlir::tensor::ExtractOp read, mlir::linalg::GenericOp reader);

/// True if the reader of a tensor.expand_shape may use its source, and its own result be expanded instead.
bool maySinkReshape(mlir::OpOperand* operand);

/// True if the reader of a collapsed matmul result may use the uncollapsed one, so that it can be an epilogue.
bool maySinkPastCollapse(mlir::OpOperand* operand);

/// True if a reduction (depthwise convolution, pooling) reads the elements of an input several times and could compute
/// them again each time, in its own body.
bool isReadAtSeveralPlaces(mlir::linalg::LinalgOp op);

/// True if a tensor.expand_shape may be moved before the linalg.generic that computes `operand`, its source: then the
/// elementwise readers of the reshape can be fused with that linalg.generic.
bool mayRaiseReshape(mlir::OpOperand* operand);

}  // namespace mmtune
