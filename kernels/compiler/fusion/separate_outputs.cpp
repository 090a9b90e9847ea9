// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs that exporters share among operations, one for each.
#include "kernels/compiler/fusion/passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_SEPARATEOUTPUTSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// Whether what the output holds before is never seen: nothing reads it, and each element is written.
bool isOverwritten(linalg::LinalgOp op, OpOperand& output) {
  return op.getNumReductionLoops() == 0 && op.getMatchingIndexingMap(&output).isPermutation() &&
         !op.payloadUsesValueFromOperand(&output);
}

/// Gives `output` a tensor.empty, or where what it holds is read the fill of one, that no other operation uses.
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
