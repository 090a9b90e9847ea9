// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules that decide which operations on tensors are fused into one linalg operation, and so into one kernel. The passes
// fuse-elementwise, split-epilogues and fold-matmul-operands follow these rules. They keep matmuls recognisable, and
// avoid computing an element twice if that costs more than reading it. The functions must not be called for operations
// inside kernels.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mmtune {

/// A tensor whose elements are those of another one, transposed or broadcast.
struct RearrangedTensor {
  mlir::Value source;
  mlir::AffineMap map;  ///< Maps the indices of an element to its indices in the source; each result is a dimension.
};

/// Returns the source of a tensor that is the result of linalg.transpose, linalg.broadcast, or a linalg.generic that
/// yields its input. Returns nothing for other tensors.
std::optional<RearrangedTensor> sourceOfRearranged(mlir::Value tensor);

/// True for a matmul, even one that no kernel supports.
bool isMatmul(mlir::linalg::LinalgOp op);

/// True if computing an element of the result again costs less than reading it from memory. This holds if the element
/// is a constant, an element of a smaller tensor, a conversion to a wider type, or computed from indices.
bool isCheap(mlir::linalg::GenericOp op);

/// True if each element is computed from its indices alone, by a few operations.
bool isIndexComputed(mlir::linalg::GenericOp op);

/// True if an operation only transposes or broadcasts a tensor (see RearrangedTensor).
bool isRearrangement(mlir::linalg::GenericOp op);

/// True if isRearrangement() holds and every reader of the result can read the source instead.
bool isRearrangementForReaders(mlir::linalg::GenericOp op);

/// True if the linalg.generic that reads `operand`, the result of another linalg.generic, may compute it in its own
/// body instead. The caller must ensure that nothing else reads the result.
bool mayFuse(mlir::OpOperand* operand);

/// True if the body of `reader`, which reads an element of a tensor by the tensor.extract `read`, may compute the
/// element instead.
bool mayComputeAtRead(mlir::tensor::ExtractOp read, mlir::linalg::GenericOp reader);

/// True if a tensor.expand_shape may be moved behind the linalg.generic that reads its result, `operand`. The
/// linalg.generic then reads the source of the reshape, and its own result is expanded.
bool maySinkReshape(mlir::OpOperand* operand);

/// True if a tensor.collapse_shape of a matmul's result may be moved behind the linalg.generic that reads the collapsed
/// tensor, `operand`. The linalg.generic then reads the result itself, and can become an epilogue of the matmul.
bool maySinkPastCollapse(mlir::OpOperand* operand);

/// True for a reduction (such as a depthwise convolution or pooling) that reads elements of an input several times, and
/// could compute them in its own body each time instead.
bool readsElementsRepeatedly(mlir::linalg::LinalgOp op);

/// True if a tensor.expand_shape may be moved before the linalg.generic that computes its source, `operand`.
/// Elementwise readers of the reshape can then be fused with that linalg.generic.
bool mayRaiseReshape(mlir::OpOperand* operand);

}  // namespace mmtune
