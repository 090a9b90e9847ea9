// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that read transposed and broadcast operands where they lie, and store their result where it is turned to.
#include "kernels/compiler/fusion/foldable_product.h"
#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/fusion/operand_source.h"
#include "kernels/compiler/fusion/passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FOLDPRODUCTOPERANDSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// What an operation that moves the elements of a product's result makes of it, if nobody else reads the product and
/// it starts from a fill.
std::optional<MovedTensor> moveOf(Value result) {
  auto product = result.getDefiningOp<linalg::LinalgOp>();
  if (!result.hasOneUse() || !product || !product.getDpsInits()[0].getDefiningOp<linalg::FillOp>()) return std::nullopt;
  auto mover = dyn_cast<linalg::LinalgOp>(*result.user_begin());
  if (!mover || mover->getNumResults() != 1) return std::nullopt;
  std::optional<MovedTensor> moved = sourceOfMoved(mover->getResult(0));
  return moved && moved->source == result && moved->map.isPermutation() ? moved : std::nullopt;
}

class ProductFolder {
 public:
  explicit ProductFolder(linalg::LinalgOp op) : rewriter(op.getContext()), op(op) {}

  void run() {
    while (foldAny()) {
    }
    foldMove();
  }

 private:
  bool foldAny() {
    return llvm::any_of(op.getDpsInputOperands(),
                        [&](OpOperand* operand) { return fold(operand->getOperandNumber()); });
  }

  /// Whether the product reads the source of an operand from now on.
  bool fold(unsigned number) {
    auto extension = op->getOperand(number).getDefiningOp<linalg::LinalgOp>();
    if (extension && (!extension.hasPureTensorSemantics() || !isExtension(extension))) extension = {};
    std::optional<MovedTensor> moved = sourceOfMoved(extension ? extension.getDpsInputs()[0] : op->getOperand(number));
    if (!moved) return false;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[number] = moved->map.compose(maps[number]);
    SmallVector<Value> tensors = op->getOperands();
    // What is extended is dense.
    tensors[number] = extension ? op->getOperand(number) : moved->source;
    if (extension ? !areProductMaps(maps, op.getIteratorTypesArray()) : !isFoldable(op, tensors, maps)) return false;
    rewriter.setInsertionPoint(op);
    if (!isa<linalg::GenericOp>(op)) op = *linalg::generalizeNamedOp(rewriter, op);
    rewriter.setInsertionPoint(op);
    op->setOperand(number, extension ? extended(extension, moved->source) : moved->source);
    cast<linalg::GenericOp>(op).setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    return true;
  }

  /// Lets the product store where its result is moved to.
  void foldMove() {
    std::optional<MovedTensor> moved = moveOf(op->getResult(0));
    if (!moved) return;
    Operation* mover = *op->user_begin();
    if (!cast<RankedTensorType>(mover->getResult(0).getType()).hasStaticShape()) return;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.back() = inversePermutation(moved->map).compose(maps.back());
    SmallVector<Value> tensors = op->getOperands();
    tensors.back() = mover->getResult(0);
    if (!isFoldable(op, tensors, maps)) return;
    rewriter.setInsertionPoint(op);
    if (!isa<linalg::GenericOp>(op)) op = *linalg::generalizeNamedOp(rewriter, op);
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(mover->getResult(0).getType());
    Location loc = op.getLoc();
    Value value = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>().getInputs()[0];
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    Value start = linalg::FillOp::create(rewriter, loc, value, empty).getResult(0);
    auto stored =
        linalg::GenericOp::create(rewriter, loc, type, op.getDpsInputs(), start, maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op->getRegion(0), stored.getRegion(), stored.getRegion().end());
    rewriter.replaceAllUsesWith(mover->getResult(0), stored.getResult(0));
    rewriter.eraseOp(mover);
    rewriter.eraseOp(op);
  }

  /// What an extension makes of another tensor.
  Value extended(linalg::LinalgOp extension, Value source) {
    Location loc = extension.getLoc();
    auto type = RankedTensorType::get(cast<RankedTensorType>(source.getType()).getShape(),
                                      getElementTypeOrSelf(extension->getResult(0)));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, source), type.getElementType());
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    Operation* inner = &extension.getBlock()->front();
    return linalg::GenericOp::create(rewriter, loc, type, source, empty, maps, iterators,
                                     [&](OpBuilder& body, Location at, ValueRange elements) {
                                       IRMapping mapping;
                                       mapping.map(inner->getOperand(0), elements[0]);
                                       linalg::YieldOp::create(body, at, body.clone(*inner, mapping)->getResults());
                                     })
        .getResult(0);
  }

  IRRewriter rewriter;
  linalg::LinalgOp op;
};

/// Whether what is moved is the result of a product, which can store it there.
bool isResultMoved(const MovedTensor& moved) {
  Value result = moved.source;
  if (auto expand = result.getDefiningOp<tensor::ExpandShapeOp>(); expand && expand->hasOneUse())
    result = expand.getSrc();
  auto product = result.getDefiningOp<linalg::LinalgOp>();
  return product && result.hasOneUse() && product.hasPureTensorSemantics() && isProduct(product) &&
         product.getDpsInits()[0].getDefiningOp<linalg::FillOp>() && moved.map.isPermutation();
}

/// Whether a reshape stands between a product and what turns its operand, or its result, and with the dimensions that
/// there are behind it the product could do without.
bool hidesMove(OpOperand* operand) {
  auto isStatic = [](Value tensor) { return cast<RankedTensorType>(tensor.getType()).hasStaticShape(); };
  if (auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    auto product = dyn_cast<linalg::LinalgOp>(operand->getOwner());
    std::optional<MovedTensor> moved = sourceOfMoved(collapse.getSrc());
    if (!product || !product.isDpsInput(operand) || !product.hasPureTensorSemantics() || !isProduct(product) ||
        !moved || !isStatic(collapse.getSrc()) || isResultMoved(*moved))
      return false;
    ExpandedProduct expanded(product, operand->getOperandNumber(), collapse.getReassociationIndices(),
                             collapse.getSrcType().getShape());
    return expanded.isFoldable(moved->source, moved->map.compose(expanded.mapOfOperand()));
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  if (!expand || !expand->hasOneUse() || !isStatic(expand.getResult())) return false;
  auto mover = dyn_cast<linalg::LinalgOp>(*expand->user_begin());
  if (!mover || mover->getNumResults() != 1) return false;
  std::optional<MovedTensor> moved = sourceOfMoved(mover->getResult(0));
  if (!moved || moved->source != expand.getResult() || !isResultMoved(*moved)) return false;
  auto product = expand.getSrc().getDefiningOp<linalg::LinalgOp>();
  ExpandedProduct expanded(product, product.getNumDpsInputs(), expand.getReassociationIndices(),
                           expand.getResultType().getShape());
  return expanded.isFoldable(mover->getResult(0), inversePermutation(moved->map).compose(expanded.mapOfOperand()));
}

/// Whether a reshape joins what an operand of a product repeats with what it does not, as where several heads of
/// queries share one of keys, and the product could read that one, maybe for all of them at once.
bool hidesRepetition(OpOperand* operand) {
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto product = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!collapse || !collapse.getSrcType().hasStaticShape() || !product || !product.isDpsInput(operand) ||
      !product.hasPureTensorSemantics() || !isProduct(product))
    return false;
  std::optional<MovedTensor> moved = sourceOfMoved(collapse.getSrc());
  if (!moved || moved->map.isPermutation()) return false;
  ExpandedProduct expanded(product, operand->getOperandNumber(), collapse.getReassociationIndices(),
                           collapse.getSrcType().getShape());
  return expanded.isFoldable(moved->source, moved->map.compose(expanded.mapOfOperand()), /*mayJoin=*/true);
}

/// Whether an operation rounds each element, where it stands.
bool isRounding(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block& body = *op.getBlock();
  auto rounding = dyn_cast<arith::TruncFOp>(body.front());
  return rounding && rounding.getIn() == body.getArgument(0) &&
         body.getTerminator()->getOperand(0) == rounding.getResult();
}

/// A product's result that is rounded, maybe expanded before or behind that, and then turned.
struct RoundedMove {
  linalg::GenericOp rounding;
  tensor::ExpandShapeOp behind;  ///< The expansion behind the rounding; may be null.
  linalg::LinalgOp mover;
  AffineMap map;  ///< Of the mover.
};

/// What a rounding is part of, if the product could store its result where it is turned to.
std::optional<RoundedMove> roundedMoveOf(linalg::GenericOp rounding) {
  if (!rounding->hasOneUse()) return std::nullopt;
  Value wide = rounding.getDpsInputs()[0], result = rounding->getResult(0);
  auto before = wide.getDefiningOp<tensor::ExpandShapeOp>();
  auto behind = dyn_cast<tensor::ExpandShapeOp>(*result.user_begin());
  if (behind) result = behind.getResult();
  if ((before && behind) || !result.hasOneUse() || !cast<RankedTensorType>(result.getType()).hasStaticShape())
    return std::nullopt;
  auto mover = dyn_cast<linalg::LinalgOp>(*result.user_begin());
  std::optional<MovedTensor> moved;
  if (mover && mover->getNumResults() == 1) moved = sourceOfMoved(mover->getResult(0));
  if (!moved || moved->source != result || !isResultMoved({wide, moved->map})) return std::nullopt;
  auto product = (before ? before.getSrc() : wide).getDefiningOp<linalg::LinalgOp>();
  const AffineMap back = inversePermutation(moved->map);
  if (tensor::ExpandShapeOp expand = before ? before : behind) {
    ExpandedProduct expanded(product, product.getNumDpsInputs(), expand.getReassociationIndices(),
                             expand.getResultType().getShape());
    if (!expanded.isFoldable(mover->getResult(0), back.compose(expanded.mapOfOperand()))) return std::nullopt;
  } else {
    SmallVector<AffineMap> maps = product.getIndexingMapsArray();
    maps.back() = back.compose(maps.back());
    SmallVector<Value> tensors = product->getOperands();
    tensors.back() = mover->getResult(0);
    if (!isFoldable(product, tensors, maps)) return std::nullopt;
  }
  return RoundedMove{rounding, behind, mover, moved->map};
}

/// Turns the product's result first, and rounds it then.
void roundBehindMove(RoundedMove move) {
  OpBuilder builder(move.mover);
  Value result = move.rounding.getDpsInputs()[0];
  Type wide = elementTypeOf(result);
  if (move.behind)
    result = tensor::ExpandShapeOp::create(builder, move.behind.getLoc(), move.behind.getResultType().clone(wide),
                                           result, move.behind.getReassociationIndices());
  auto type = cast<RankedTensorType>(move.mover->getResult(0).getType());
  const AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  Location loc = move.mover.getLoc();
  Value turned = tensor::EmptyOp::create(builder, loc, type.getShape(), wide);
  turned = linalg::GenericOp::create(builder, loc, turned.getType(), result, turned, {move.map, identity}, loops,
                                     [](OpBuilder& body, Location at, ValueRange elements) {
                                       linalg::YieldOp::create(body, at, elements[0]);
                                     })
               .getResult(0);
  loc = move.rounding.getLoc();
  Value rounded = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  auto rounding = linalg::GenericOp::create(builder, loc, type, turned, rounded, {identity, identity}, loops);
  IRMapping mapping;
  move.rounding.getRegion().cloneInto(&rounding.getRegion(), mapping);
  move.mover->getResult(0).replaceAllUsesWith(rounding.getResult(0));
  move.mover->erase();
  if (move.behind) move.behind->erase();
  move.rounding->erase();
}

struct FoldProductOperands : impl::FoldProductOperandsPassBase<FoldProductOperands> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> roundings;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isRounding(op)) roundings.push_back(op);
    });
    for (linalg::GenericOp rounding : roundings)
      if (std::optional<RoundedMove> move = roundedMoveOf(rounding)) roundBehindMove(*move);
    // First what is only turned, so that the dimensions of a result are known to be stored in their order by then.
    for (auto hides : {&hidesMove, &hidesRepetition}) {
      if (failed(expandProducts(hides))) return signalPassFailure();
      for (linalg::LinalgOp product : products()) ProductFolder(product).run();
    }
  }

 private:
  SmallVector<linalg::LinalgOp> products() {
    SmallVector<linalg::LinalgOp> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isProduct(op)) found.push_back(op);
    });
    return found;
  }

  /// Gives products the dimensions that their operands have before a reshape and their results behind one, where such
  /// a reshape hides what lets them be folded.
  LogicalResult expandProducts(bool (*hides)(OpOperand*)) {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation*> ops;
    for (linalg::LinalgOp op : products()) {
      if (llvm::none_of(op->getOpOperands(), [&](OpOperand& operand) { return hides(&operand); }) &&
          llvm::none_of(op->getUses(), [&](OpOperand& use) { return hides(&use); }))
        continue;
      rewriter.setInsertionPoint(op);
      if (!isa<linalg::GenericOp>(op)) op = *linalg::generalizeNamedOp(rewriter, op);
      ops.push_back(op);
      for (Operation* user : op->getUsers())
        if (isa<tensor::ExpandShapeOp>(user)) ops.push_back(user);
    }
    if (ops.empty()) return success();
    RewritePatternSet rules(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(rules, hides);
    linalg::FillOp::getCanonicalizationPatterns(rules, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(rules, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(rules, &getContext());
    tensor::populateFoldTensorEmptyPatterns(rules);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    return applyOpPatternsGreedily(ops, FrozenRewritePatternSet(std::move(rules)), config);
  }
};

}  // namespace
}  // namespace mmtune
