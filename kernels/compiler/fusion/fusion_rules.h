// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules that decide which operations on tensors are fused into one linalg operation, and so into one kernel. The passes
// fuse-elementwise, split-epilogues and fold-matmul-operands follow them: matmuls stay recognisable, and elements are
// not computed twice if that costs more than reading them. Operations inside kernels must not be passed.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mmtune {

/// A tensor whose elements are those of another one, transposed or broadcast.
struct RearrangedTensor {
  mlir::Value source;
  mlir::AffineMap map;  ///< From the indices of an element to those in the source; each result is a dimension.
};

/// Returns the source of a tensor that is the result of linalg.transpose, linalg.broadcast, or a linalg.generic that
/// yields its input. Returns nothing for other tensors.
std::optional<RearrangedTensor> sourceOfRearranged(mlir::Value tensor);

/// True for a matmul, even one that no kernel supports.
bool isMatmul(mlir::linalg::LinalgOp op);

/// True if computing an element again costs less than reading it: a constant, an element of a smaller tensor, a
/// conversion to a wider type, or a value computed from indices.
bool isCheap(mlir::linalg::GenericOp op);

/// True if each element is computed from its indices alone, by a few operations.
bool isIndexComputed(mlir::linalg::GenericOp op);

/// True if an operation only transposes or broadcasts a tensor (see RearrangedTensor).
bool isRearrangement(mlir::linalg::GenericOp op);

/// True if isRearrangement() and every reader can read the source instead.
bool isRearrangementForReaders(mlir::linalg::GenericOp op);

/// True if a linalg.generic may compute `operand`, the result of another one, in its own body. It must be the only
/// reader.
bool mayFuse(mlir::OpOperand* operand);

/// True if a body that reads a tensor by tensor.extract may compute the element instead.
bool mayComputeAtRead(mlir::tensor::ExtractOp read, mlir::linalg::GenericOp reader);

/// True if the reader of a tensor.expand_shape may read the source instead, and its own result be expanded.
bool maySinkReshape(mlir::OpOperand* operand);

/// True if the reader of a collapsed matmul result may read the uncollapsed one, so that it can become an epilogue.
bool maySinkPastCollapse(mlir::OpOperand* operand);

/// True for a reduction (depthwise convolution, pooling) that reads elements of an input several times, but could
/// compute them in its own body each time.
bool readsElementsRepeatedly(mlir::linalg::LinalgOp op);

/// True if a tensor.expand_shape may be moved before the linalg.generic that computes its source, `operand`.
/// Elementwise readers of the reshape can then be fused with that linalg.generic.
bool mayRaiseReshape(mlir::OpOperand* operand);

}  // namespace mmtune
