// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations that are computed where their results are read.
#include "kernels/fusion/fusion_rules.h"
#include "kernels/fusion/passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "kernels/fusion/Passes.h.inc"

namespace {

/// An operation whose result is computed again at less cost than it is read gets one reader.
struct CopyCheapProducer : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp consumer, PatternRewriter& rewriter) const override {
    for (OpOperand* operand : consumer.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || !isCheap(producer) || operand->get().hasOneUse() || !mayFuse(operand) ||
          !linalg::areElementwiseOpsFusable(operand))
        continue;
      Operation* copy = rewriter.clone(*producer);
      rewriter.modifyOpInPlace(consumer, [&] { operand->set(copy->getResult(0)); });
      return success();
    }
    return failure();
  }
};

bool isFusable(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !isa<linalg::FillOp>(op) && !isProduct(op) &&
         !op->getParentOfType<gpu::LaunchOp>() && !op->getParentOfType<gpu::GPUModuleOp>();
}

struct FuseElementwise : impl::FuseElementwisePassBase<FuseElementwise> {
  void runOnOperation() override {
    generalize();
    RewritePatternSet rules(&getContext());
    rules.add<CopyCheapProducer>(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(
        rules, [](OpOperand* operand) { return operand->get().hasOneUse() && mayFuse(operand); });
    linalg::populateFoldReshapeOpsByCollapsingPatterns(rules, maySinkReshape);
    linalg::populateFoldReshapeOpsByExpansionPatterns(rules, mayRaiseReshape);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(rules, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(rules, &getContext());
    FrozenRewritePatternSet patterns(std::move(rules));
    // What is fused may leave its operands with one reader, which only another turn sees.
    bool changed = true;
    for (int turn = 0; changed && turn < kMaxTurns; ++turn)
      if (failed(apply(patterns, changed))) return signalPassFailure();
  }

 private:
  static constexpr int kMaxTurns = 10;

  LogicalResult apply(const FrozenRewritePatternSet& patterns, bool& changed) {
    SmallVector<Operation*> ops;
    getOperation().walk([&](Operation* op) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if ((generic && isFusable(generic)) || isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) ops.push_back(op);
    });
    GreedyRewriteConfig config;
    // Products are not among them: folding a constant into their body would hide them.
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    return applyOpPatternsGreedily(ops, patterns, config, &changed);
  }

  /// Fusion knows linalg.generic only.
  void generalize() {
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp>(op) && op.getNumParallelLoops() == op.getNumLoops() && isFusable(op))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);  // What has no body stays as it is.
    }
  }
};

}  // namespace
}  // namespace mmtune
