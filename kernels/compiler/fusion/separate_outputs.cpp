// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass separate-outputs: gives each operation an output of its own.
#include "kernels/compiler/fusion/passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_SEPARATEOUTPUTSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// True if the output's old contents are never read and every element is written.
bool isOverwritten(linalg::LinalgOp op, OpOperand& output) {
  return op.getNumReductionLoops() == 0 && op.getMatchingIndexingMap(&output).isPermutation() &&
         !op.payloadUsesValueFromOperand(&output);
}

/// Gives `output` its own tensor.empty, or its own fill of one if the old contents are read.
void separate(OpOperand& output) {
  auto op = cast<linalg::LinalgOp>(output.getOwner());
  OpBuilder builder(op);
  auto fill = output.get().getDefiningOp<linalg::FillOp>();
  if (fill && isOverwritten(op, output)) {
    output.set(fill.getDpsInits()[0]);
    return separate(output);
  }
  Operation* made = output.get().getDefiningOp();
  if (!fill && !isa_and_nonnull<tensor::EmptyOp>(made)) return;
  if (!output.get().hasOneUse()) output.set(builder.clone(*made)->getResult(0));
  if (fill) separate(output.get().getDefiningOp<linalg::FillOp>().getDpsInitsMutable()[0]);
}

struct SeparateOutputs : impl::SeparateOutputsPassBase<SeparateOutputs> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics()) ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      for (OpOperand& output : op.getDpsInitsMutable()) separate(output);
    for (linalg::LinalgOp op : ops)
      if (isa<linalg::FillOp>(op) && op->use_empty()) op->erase();
  }
};

}  // namespace
}  // namespace mmtune
