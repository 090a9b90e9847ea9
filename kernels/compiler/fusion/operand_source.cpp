// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/operand_source.h"

using namespace mlir;

namespace mmtune {

std::optional<MovedTensor> sourceOfMoved(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || isa<linalg::FillOp>(op))
    return std::nullopt;
  // The body of linalg.transpose and linalg.broadcast is the same.
  if (op.getBlock()->getTerminator()->getOperand(0) != op.getBlock()->getArgument(0) ||
      !llvm::hasSingleElement(*op.getBlock()))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (!op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() || !map.isProjectedPermutation() ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return std::nullopt;
  return MovedTensor{op.getDpsInputs()[0], map};
}

}  // namespace mmtune
