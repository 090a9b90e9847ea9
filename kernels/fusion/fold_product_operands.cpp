// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that read transposed and broadcast operands where they lie, and store their result where it is turned to.
#include "kernels/fusion/fusion_rules.h"
#include "kernels/fusion/operand_source.h"
#include "kernels/fusion/passes.h"
#include "kernels/scheduling/strided_product.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FOLDPRODUCTOPERANDSPASS
#include "kernels/fusion/Passes.h.inc"

namespace {

std::optional<StridedProduct> productOver(const ProductLoops& loops, ArrayRef<OperandStrides> strides, Value factor) {
  std::optional<DataType> type = dataTypeOf(elementTypeOf(factor));
  if (!type) return std::nullopt;
  return matchStrides(loops, strides[0], strides[1], strides[2], *type, /*preferSwapped=*/false);
}

/// The product with such maps over operands that lie as these tensors do, if kernels compute it.
std::optional<StridedProduct> productOver(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  SmallVector<OperandStrides> strides;
  for (auto [tensor, map] : llvm::zip_equal(tensors, maps))
    if (std::optional<OperandStrides> known = stridesOf(tensor, map))
      strides.push_back(*known);
    else
      return std::nullopt;
  return productOver({llvm::to_vector(maps), op.getIteratorTypesArray(), loopsOf(op).extents}, strides, tensors[0]);
}

/// Whether two forms of a product have equally large matrices. (In smaller ones it may cost more than a copy does.)
bool areAsLarge(const std::optional<StridedProduct>& x, const std::optional<StridedProduct>& y) {
  auto sizes = [](const MatmulProblem& problem) {
    return std::tuple(problem.batch, problem.k, std::min(problem.m, problem.n), std::max(problem.m, problem.n));
  };
  return x && y && sizes(x->problem) == sizes(y->problem);
}

/// Whether kernels compute the product with such maps over such tensors: as one of dense operands, or in matrices as
/// large as they are now.
bool isFoldable(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  if (areProductMaps(maps, op.getIteratorTypesArray())) return true;
  return areAsLarge(productOver(op, llvm::to_vector(op->getOperands()), op.getIndexingMapsArray()),
                    productOver(op, tensors, maps));
}

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

/// A product as it would be with the dimensions of one of its operands expanded.
class ExpandedProduct {
 public:
  /// `groups` are the dimensions of `shape` that each of the operand's stands for.
  ExpandedProduct(linalg::LinalgOp op, unsigned operand, ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> shape)
      : op(op), operand(operand), old(loopsOf(op)) {
    for (int64_t extent : old.extents) parts.push_back({extent});
    for (auto [result, group] : llvm::zip_equal(old.maps[operand].getResults(), groups)) {
      SmallVector<int64_t>& sizes = parts[cast<AffineDimExpr>(result).getPosition()];
      sizes.clear();
      for (int64_t dim : group) sizes.push_back(shape[dim]);
    }
    for (auto [loop, sizes] : llvm::enumerate(parts)) {
      first.push_back(loops.extents.size());
      llvm::append_range(loops.extents, sizes);
      loops.iterators.append(sizes.size(), old.iterators[loop]);
    }
    for (AffineMap map : old.maps) loops.maps.push_back(expanded(map));
  }

  AffineMap mapOfOperand() const { return loops.maps[operand]; }

  /// Whether kernels compute it in matrices as large as now, where the operand is `tensor`, by `map`.
  bool isFoldable(Value tensor, AffineMap map) {
    loops.maps[operand] = map;
    SmallVector<OperandStrides> strides;
    for (auto [i, value] : llvm::enumerate(op->getOperands())) {
      std::optional<OperandStrides> known = i == operand ? stridesOf(tensor, map) : stridesOf(value, old.maps[i]);
      if (!known) return false;
      strides.push_back(i == operand ? *known : expanded(*known));
    }
    return areAsLarge(productOver(op, llvm::to_vector(op->getOperands()), old.maps),
                      productOver(loops, strides, op->getOperand(0)));
  }

 private:
  AffineMap expanded(AffineMap map) const {
    Builder builder(map.getContext());
    SmallVector<AffineExpr> results;
    for (AffineExpr result : map.getResults()) {
      unsigned loop = cast<AffineDimExpr>(result).getPosition();
      for (size_t part = 0; part < parts[loop].size(); ++part)
        results.push_back(builder.getAffineDimExpr(first[loop] + part));
    }
    return AffineMap::get(loops.extents.size(), 0, results, map.getContext());
  }

  OperandStrides expanded(const OperandStrides& strides) const {
    OperandStrides result{SmallVector<int64_t>(loops.extents.size()), strides.offset};
    for (size_t loop = 0; loop < parts.size(); ++loop) {
      int64_t stride = strides.loops[loop];
      for (size_t part = parts[loop].size(); part-- > 0; stride *= parts[loop][part])
        result.loops[first[loop] + part] = stride;
    }
    return result;
  }

  linalg::LinalgOp op;
  unsigned operand;
  ProductLoops old, loops;
  SmallVector<SmallVector<int64_t>> parts;  ///< Of each loop, the extents of what it becomes.
  SmallVector<unsigned> first;              ///< Of each loop, the first of these.
};

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

struct FoldProductOperands : impl::FoldProductOperandsPassBase<FoldProductOperands> {
  void runOnOperation() override {
    if (failed(expandProducts())) return signalPassFailure();
    for (linalg::LinalgOp product : products()) ProductFolder(product).run();
  }

 private:
  SmallVector<linalg::LinalgOp> products() {
    SmallVector<linalg::LinalgOp> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isProduct(op)) found.push_back(op);
    });
    return found;
  }

  /// Gives products the dimensions that their operands have before a reshape and their results behind one, where that
  /// lets them be folded.
  LogicalResult expandProducts() {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation*> ops;
    for (linalg::LinalgOp op : products()) {
      if (llvm::none_of(op->getOpOperands(), [](OpOperand& operand) { return hidesMove(&operand); }) &&
          llvm::none_of(op->getUses(), [](OpOperand& use) { return hidesMove(&use); }))
        continue;
      rewriter.setInsertionPoint(op);
      if (!isa<linalg::GenericOp>(op)) op = *linalg::generalizeNamedOp(rewriter, op);
      ops.push_back(op);
      for (Operation* user : op->getUsers())
        if (isa<tensor::ExpandShapeOp>(user)) ops.push_back(user);
    }
    if (ops.empty()) return success();
    RewritePatternSet rules(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(rules, hidesMove);
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
