// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that only move elements.
//
// Which operations on tensors may become one.
#pragma once

#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mmtune {

/// The tensor whose elements another one repeats.
struct MovedTensor {
  mlir::Value source;
  mlir::AffineMap map;  ///< From an element's place to that of the source's element: each result is a dimension.
};

/// What a tensor is made of by an operation that gives its elements in another order, or repeats them along dimensions:
/// linalg.transpose, linalg.broadcast, or a linalg.generic that yields its input; nothing of others.
std::optional<MovedTensor> sourceOfMoved(mlir::Value tensor);

/// Whether an operation on tensors is a matrix matmul, whoever computes it.
bool isMatmul(mlir::linalg::LinalgOp op);

/// Whether an operation extends its one input, of a narrower type, element by element, and does no more.
bool isExtension(mlir::linalg::LinalgOp op);

/// Whether each element of the result is a constant or an element of a smaller tensor, or an extension of a narrower
/// one, or made of its place: it is computed again at less cost than it is read.
bool isCheap(mlir::linalg::GenericOp op);

/// Whether little work makes the elements, each of its place alone.
bool isIndexComputed(mlir::linalg::GenericOp op);

/// Returns true if an operation on tensors only puts elements in another order.
bool isMoved(mlir::linalg::GenericOp op);

/// Whether an operation only puts elements in another order, and each reader can read them where they lay before.
bool isMovedForReaders(mlir::linalg::GenericOp op);

/// Whether the reader of a linalg.generic's result, another one, may compute that result in its own body, if it is the
/// only reader.
bool mayFuse(mlir::OpOperand* operand);

/// Whether an elementwise operation's body that reads a tensor by index may compute the element instead.
bool mayComputeAtRead(mlir::tensor::ExtractOp read, mlir::linalg::GenericOp reader);

/// Whether the reader of a tensor.expand_shape may work on what was expanded, and its own result be expanded.
bool maySinkReshape(mlir::OpOperand* operand);

/// Whether the reader of a tensor.collapse_shape of a matmul's result may work on what was collapsed, and its own
/// result be collapsed, so that it can be an epilogue.
bool maySinkPastCollapse(mlir::OpOperand* operand);

/// Whether an operation that sums (a depthwise convolution, a pooling) reads an input's elements at several places
/// each, and could compute them there.
bool isReadAtSeveralPlaces(mlir::linalg::LinalgOp op);

/// Whether a tensor.expand_shape, whose source the operand is, may come before the linalg.generic that makes the
/// source, so that elementwise readers can compute that in their bodies.
bool mayRaiseReshape(mlir::OpOperand* operand);

}  // namespace mmtune
