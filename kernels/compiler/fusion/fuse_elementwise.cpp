// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass fuse-elementwise: elementwise operations are computed where their results are read.
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

/// Copies an operation that is cheaper to compute again than to read, so that each copy has one reader.
struct CopyCheapProducer : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp consumer, PatternRewriter& rewriter) const override {
    for (OpOperand* operand : consumer.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || (!isCheap(producer) && !isRearrangementForReaders(producer)) || operand->get().hasOneUse() ||
          !mayFuse(operand) || !linalg::areElementwiseOpsFusable(operand))
        continue;
      Operation* copy = rewriter.clone(*producer);
      rewriter.modifyOpInPlace(consumer, [&] { operand->set(copy->getResult(0)); });
      return success();
    }
    return failure();
  }
};

/// Computes index-computed values in the shape that a reshape gives them.
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
    // The dimension of the result for each of the source; -1 if it has one element.
    SmallVector<int64_t> resultDim(op.getSrcType().getRank(), -1);
    for (auto [group, dims] : llvm::enumerate(op.getReassociationIndices())) {
      int64_t joined = -1;
      for (int64_t dim : dims) {
        if (longer.getDimSize(dim) == 1) continue;
        if (joined >= 0) return failure();
        joined = dim;
      }
      if (joined >= 0) resultDim[expands ? group : joined] = expands ? joined : static_cast<int64_t>(group);
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
            else if (resultDim[index.getDim()] < 0)
              made.map(index.getResult(), arith::ConstantIndexOp::create(body, at, 0).getResult());
            else
              made.map(index.getResult(), linalg::IndexOp::create(body, at, resultDim[index.getDim()]).getResult());
          }
        });
    return success();
  }
};

/// Makes a reduction over single elements elementwise: it combines each with what the output held.
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
    // The dimensions of the output by loop; a constant index means a unit dimension.
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
    populateRunningMeanPatterns(rules);
    linalg::populateElementwiseOpsFusionPatterns(
        rules, [](OpOperand* operand) { return operand->get().hasOneUse() && mayFuse(operand); });
    linalg::populateFoldReshapeOpsByCollapsingPatterns(rules, maySinkReshape);
    linalg::populateFoldReshapeOpsByExpansionPatterns(
        rules, [](OpOperand* operand) { return mayRaiseReshape(operand) || maySinkPastCollapse(operand); });
    tensor::CollapseShapeOp::getCanonicalizationPatterns(rules, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(rules, &getContext());
    FrozenRewritePatternSet patterns(std::move(rules));
    // A fusion may leave operands with one reader, which only another iteration fuses.
    bool changed = true;
    for (int iteration = 0; changed && iteration < kMaxIterations; ++iteration)
      if (failed(apply(patterns, changed))) return signalPassFailure();
  }

 private:
  static constexpr int kMaxIterations = 10;

  LogicalResult apply(const FrozenRewritePatternSet& patterns, bool& changed) {
    SmallVector<Operation*> ops;
    getOperation().walk([&](Operation* op) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      bool isReshape = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
      // Includes slices and casts, so that unused ones are erased.
      if ((generic && isFusable(generic)) || isReshape || isa<tensor::ExtractSliceOp, tensor::CastOp>(op))
        ops.push_back(op);
    });
    GreedyRewriteConfig config;
    // Leaves out matmuls: a constant folded into their body would hide them.
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    return applyOpPatternsGreedily(ops, patterns, config, &changed);
  }

  /// The patterns match linalg.generic only.
  void generalize() {
    SmallVector<linalg::LinalgOp> named;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp>(op) && isFusable(op) && (hasOnlyParallelLoops(op) || readsElementsRepeatedly(op)))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);  // An operation without a body stays as it is.
    }
  }
};

}  // namespace
}  // namespace mmtune
