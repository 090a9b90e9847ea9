// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operations that are computed where their results are read.
#include <type_traits>

#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/fusion/passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// An operation whose result is computed again at less cost than it is read gets one reader.
struct CopyCheapProducer : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp consumer, PatternRewriter& rewriter) const override {
    for (OpOperand* operand : consumer.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || (!isCheap(producer) && !isMovedForReaders(producer)) || operand->get().hasOneUse() ||
          !mayFuse(operand) || !linalg::areElementwiseOpsFusable(operand))
        continue;
      Operation* copy = rewriter.clone(*producer);
      rewriter.modifyOpInPlace(consumer, [&] { operand->set(copy->getResult(0)); });
      return success();
    }
    return failure();
  }
};

/// What is made of its place is made in the shape that it gets.
template <typename Reshape>
struct ReshapeIndexComputed : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;

  LogicalResult matchAndRewrite(Reshape op, PatternRewriter& rewriter) const override {
    auto producer = op.getSrc().template getDefiningOp<linalg::GenericOp>();
    RankedTensorType type = op.getResultType();
    if (!producer || !isIndexComputed(producer) || !type.hasStaticShape() || !op.getSrcType().hasStaticShape())
      return failure();
    constexpr bool expands = std::is_same_v<Reshape, tensor::ExpandShapeOp>;
    RankedTensorType longer = expands ? type : op.getSrcType();
    SmallVector<int64_t> place(op.getSrcType().getRank(),
                               -1);  // Of each dimension in the result; -1: it has one element.
    for (auto [group, dims] : llvm::enumerate(op.getReassociationIndices())) {
      int64_t joined = -1;
      for (int64_t dim : dims) {
        if (longer.getDimSize(dim) == 1) continue;
        if (joined >= 0) return failure();
        joined = dim;
      }
      if (joined >= 0) place[expands ? group : joined] = expands ? joined : static_cast<int64_t>(group);
    }
    Location loc = producer.getLoc();
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    SmallVector<AffineMap> maps{rewriter.getMultiDimIdentityMap(type.getRank())};
    SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, ValueRange(), ValueRange{empty}, maps, loops, [&](OpBuilder& body, Location at, ValueRange) {
          IRMapping made;
          for (Operation& inner : *producer.getBlock()) {
            auto index = dyn_cast<linalg::IndexOp>(inner);
            if (!index)
              body.clone(inner, made);
            else if (place[index.getDim()] < 0)
              made.map(index.getResult(), arith::ConstantIndexOp::create(body, at, 0).getResult());
            else
              made.map(index.getResult(), linalg::IndexOp::create(body, at, place[index.getDim()]).getResult());
          }
        });
    return success();
  }
};

/// A reduction over single elements combines each with what the output held.
struct DropUnitReductions : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    SmallVector<unsigned> reduced;
    op.getReductionDims(reduced);
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    if (reduced.empty() || op.getNumDpsInits() != 1 || op.hasIndexSemantics() ||
        llvm::any_of(reduced, [&](unsigned loop) { return ranges[loop] != 1; }))
      return failure();
    Value init = op.getDpsInits()[0];
    auto type = cast<RankedTensorType>(init.getType());
    // The loops of the output's dimensions; one of a single element may have none yet.
    AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<AffineExpr> loops(op.getNumLoops(), rewriter.getAffineConstantExpr(0));
    for (auto [dim, expression] : llvm::enumerate(output.getResults())) {
      if (auto loop = dyn_cast<AffineDimExpr>(expression))
        loops[loop.getPosition()] = rewriter.getAffineDimExpr(dim);
      else if (type.getDimSize(dim) != 1)
        return failure();
    }
    if (!output.isProjectedPermutation(/*allowZeroInResults=*/true)) return failure();
    SmallVector<AffineMap> maps;
    for (OpOperand* input : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(input).replaceDimsAndSymbols(loops, {}, type.getRank(), 0));
    maps.append(2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs.push_back(init);
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), tensor::getMixedSizes(rewriter, op.getLoc(), init),
                                          type.getElementType());
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, inputs, ValueRange{empty}, maps, iterators, [&](OpBuilder& body, Location, ValueRange elements) {
          IRMapping mapping;
          for (auto [argument, element] : llvm::zip(op.getBlock()->getArguments(), elements))
            mapping.map(argument, element);
          for (Operation& inner : *op.getBlock()) body.clone(inner, mapping);
        });
    return success();
  }
};

bool isFusable(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !isa<linalg::FillOp>(op) && !isMatmul(op) &&
         !op->getParentOfType<gpu::LaunchOp>() && !op->getParentOfType<gpu::GPUModuleOp>();
}

struct FuseElementwise : impl::FuseElementwisePassBase<FuseElementwise> {
  void runOnOperation() override {
    generalize();
    RewritePatternSet rules(&getContext());
    rules.add<CopyCheapProducer, DropUnitReductions, ReshapeIndexComputed<tensor::CollapseShapeOp>,
              ReshapeIndexComputed<tensor::ExpandShapeOp>>(&getContext());
    populateBodyReadPatterns(rules);
    populateSeveralResultsPatterns(rules);
    linalg::populateElementwiseOpsFusionPatterns(
        rules, [](OpOperand* operand) { return operand->get().hasOneUse() && mayFuse(operand); });
    linalg::populateFoldReshapeOpsByCollapsingPatterns(rules, maySinkReshape);
    linalg::populateFoldReshapeOpsByExpansionPatterns(
        rules, [](OpOperand* operand) { return mayRaiseReshape(operand) || maySinkPastCollapse(operand); });
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
      bool isReshape = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
      // Slices and casts are among them so that those that nothing reads any more go.
      if ((generic && isFusable(generic)) || isReshape || isa<tensor::ExtractSliceOp, tensor::CastOp>(op))
        ops.push_back(op);
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
      bool isElementwise = op.getNumParallelLoops() == op.getNumLoops();
      if (!isa<linalg::GenericOp>(op) && isFusable(op) && (isElementwise || isReadAtSeveralPlaces(op)))
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
