// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass fold-matmul-operands: matmuls read transposed and broadcast operands in place, and store their result
// transposed.
#include "kernels/compiler/fusion/fusion_rules.h"
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/scheduling/strided_matmul.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_FOLDMATMULOPERANDSPASS
#include "kernels/compiler/fusion/Passes.h.inc"

namespace {

/// A matmul with the dimensions of one operand expanded.
class ExpandedMatmul {
 public:
  /// `groups` are the dimensions of `shape` into which each dimension of the operand is split.
  ExpandedMatmul(linalg::LinalgOp op, unsigned operand, ArrayRef<ReassociationIndices> groups, ArrayRef<int64_t> shape);

  AffineMap mapOfOperand() const { return loops.maps[operand]; }

  /// True if kernels compute it in matrices as large as now (`mayJoin`: or larger) with `tensor`, indexed by `map`, as
  /// the operand.
  bool isFoldable(Value tensor, AffineMap map, bool mayJoin = false);

 private:
  AffineMap expanded(AffineMap map) const;
  OperandStrides expanded(const OperandStrides& strides) const;

  linalg::LinalgOp op;
  unsigned operand;
  MatmulLoops old, loops;
  SmallVector<SmallVector<int64_t>> parts;  ///< The extents into which each loop is split.
  SmallVector<unsigned> first;              ///< The first new loop of each loop.
};

std::optional<StridedMatmul> matmulOver(const MatmulLoops& loops, ArrayRef<OperandStrides> strides, Value operand) {
  std::optional<DataType> type = dataTypeOf(elementTypeOf(operand));
  if (!type) return std::nullopt;
  return matchStrides(loops, strides[0], strides[1], strides[2], *type, /*preferSwapped=*/false);
}

/// Returns the matmul with such maps over tensors with these strides, if kernels compute it.
std::optional<StridedMatmul> matmulOver(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  SmallVector<OperandStrides> strides;
  for (auto [tensor, map] : llvm::zip_equal(tensors, maps))
    if (std::optional<OperandStrides> known = stridesOf(tensor, map))
      strides.push_back(*known);
    else
      return std::nullopt;
  return matmulOver({llvm::to_vector(maps), op.getIteratorTypesArray(), loopsOf(op).extents}, strides, tensors[0]);
}

/// True if two forms of a matmul have equally large matrices. Smaller ones may cost more than a copy.
bool areAsLarge(const std::optional<StridedMatmul>& x, const std::optional<StridedMatmul>& y) {
  auto sizes = [](const MatmulProblem& problem) {
    return std::tuple(problem.batch, problem.k, std::min(problem.m, problem.n), std::max(problem.m, problem.n));
  };
  return x && y && sizes(x->problem) == sizes(y->problem);
}

/// True if the second form has matrices of at least the size of the first's, and no more of them.
bool areJoined(const std::optional<StridedMatmul>& x, const std::optional<StridedMatmul>& y) {
  if (!x || !y || x->problem.k != y->problem.k) return false;
  auto sizes = [](const MatmulProblem& problem) { return std::minmax(problem.m, problem.n); };
  auto [less, more] = std::pair(sizes(x->problem), sizes(y->problem));
  return y->problem.batch <= x->problem.batch && less.first <= more.first && less.second <= more.second;
}

/// True if kernels compute the matmul with these maps over these tensors: with dense operands, or in matrices at least
/// as large as now, since smaller ones may cost more than a copy.
bool isFoldable(linalg::LinalgOp op, ArrayRef<Value> tensors, ArrayRef<AffineMap> maps) {
  if (areMatmulMaps(maps, op.getIteratorTypesArray())) return true;
  return areJoined(matmulOver(op, llvm::to_vector(op->getOperands()), op.getIndexingMapsArray()),
                   matmulOver(op, tensors, maps));
}

ExpandedMatmul::ExpandedMatmul(linalg::LinalgOp op, unsigned operand, ArrayRef<ReassociationIndices> groups,
                               ArrayRef<int64_t> shape)
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

bool ExpandedMatmul::isFoldable(Value tensor, AffineMap map, bool mayJoin) {
  loops.maps[operand] = map;
  SmallVector<OperandStrides> strides;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    std::optional<OperandStrides> known = i == operand ? stridesOf(tensor, map) : stridesOf(value, old.maps[i]);
    if (!known) return false;
    strides.push_back(i == operand ? *known : expanded(*known));
  }
  const std::optional<StridedMatmul> now = matmulOver(op, llvm::to_vector(op->getOperands()), old.maps);
  const std::optional<StridedMatmul> then = matmulOver(loops, strides, op->getOperand(0));
  return mayJoin ? areJoined(now, then) : areAsLarge(now, then);
}

AffineMap ExpandedMatmul::expanded(AffineMap map) const {
  Builder builder(map.getContext());
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    for (size_t part = 0; part < parts[loop].size(); ++part)
      results.push_back(builder.getAffineDimExpr(first[loop] + part));
  }
  return AffineMap::get(loops.extents.size(), 0, results, map.getContext());
}

OperandStrides ExpandedMatmul::expanded(const OperandStrides& strides) const {
  OperandStrides result{SmallVector<int64_t>(loops.extents.size()), strides.offset};
  for (size_t loop = 0; loop < parts.size(); ++loop) {
    int64_t stride = strides.loops[loop];
    for (size_t part = parts[loop].size(); part-- > 0; stride *= parts[loop][part])
      result.loops[first[loop] + part] = stride;
  }
  return result;
}

/// Returns how the only reader permutes the elements of a matmul's result, if the matmul starts from a fill.
std::optional<RearrangedTensor> moveOf(Value result) {
  auto matmul = result.getDefiningOp<linalg::LinalgOp>();
  if (!result.hasOneUse() || !matmul || !matmul.getDpsInits()[0].getDefiningOp<linalg::FillOp>()) return std::nullopt;
  auto mover = dyn_cast<linalg::LinalgOp>(*result.user_begin());
  if (!mover || mover->getNumResults() != 1) return std::nullopt;
  std::optional<RearrangedTensor> moved = sourceOfRearranged(mover->getResult(0));
  return moved && moved->source == result && moved->map.isPermutation() ? moved : std::nullopt;
}

class OperandFolder {
 public:
  explicit OperandFolder(linalg::LinalgOp op) : rewriter(op.getContext()), op(op) {}

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

  /// Lets the matmul read the source of an operand, if it can.
  bool fold(unsigned number) {
    auto extension = op->getOperand(number).getDefiningOp<linalg::LinalgOp>();
    if (extension && (!extension.hasPureTensorSemantics() || !isExtension(extension))) extension = {};
    std::optional<RearrangedTensor> moved =
        sourceOfRearranged(extension ? extension.getDpsInputs()[0] : op->getOperand(number));
    if (!moved) return false;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[number] = moved->map.compose(maps[number]);
    SmallVector<Value> tensors = op->getOperands();
    // The extended tensor is dense.
    tensors[number] = extension ? op->getOperand(number) : moved->source;
    if (extension ? !areMatmulMaps(maps, op.getIteratorTypesArray()) : !isFoldable(op, tensors, maps)) return false;
    rewriter.setInsertionPoint(op);
    if (!isa<linalg::GenericOp>(op)) op = *linalg::generalizeNamedOp(rewriter, op);
    rewriter.setInsertionPoint(op);
    op->setOperand(number, extension ? extended(extension, moved->source) : moved->source);
    cast<linalg::GenericOp>(op).setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    return true;
  }

  /// Lets the matmul store its result in the order of its reader.
  void foldMove() {
    std::optional<RearrangedTensor> moved = moveOf(op->getResult(0));
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

  /// Extends another tensor in the same way.
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

/// True if a matmul could store its result transposed.
bool isResultTransposed(const RearrangedTensor& moved) {
  Value result = moved.source;
  if (auto expand = result.getDefiningOp<tensor::ExpandShapeOp>(); expand && expand->hasOneUse())
    result = expand.getSrc();
  auto matmul = result.getDefiningOp<linalg::LinalgOp>();
  return matmul && result.hasOneUse() && matmul.hasPureTensorSemantics() && isMatmul(matmul) &&
         matmul.getDpsInits()[0].getDefiningOp<linalg::FillOp>() && moved.map.isPermutation();
}

/// True if a reshape separates a matmul from the transpose of its operand or result, and the matmul with expanded
/// dimensions does not need that transpose.
bool hidesMove(OpOperand* operand) {
  auto isStatic = [](Value tensor) { return cast<RankedTensorType>(tensor.getType()).hasStaticShape(); };
  if (auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    auto matmul = dyn_cast<linalg::LinalgOp>(operand->getOwner());
    std::optional<RearrangedTensor> moved = sourceOfRearranged(collapse.getSrc());
    if (!matmul || !matmul.isDpsInput(operand) || !matmul.hasPureTensorSemantics() || !isMatmul(matmul) || !moved ||
        !isStatic(collapse.getSrc()) || isResultTransposed(*moved))
      return false;
    ExpandedMatmul expanded(matmul, operand->getOperandNumber(), collapse.getReassociationIndices(),
                            collapse.getSrcType().getShape());
    return expanded.isFoldable(moved->source, moved->map.compose(expanded.mapOfOperand()));
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  if (!expand || !expand->hasOneUse() || !isStatic(expand.getResult())) return false;
  auto mover = dyn_cast<linalg::LinalgOp>(*expand->user_begin());
  if (!mover || mover->getNumResults() != 1) return false;
  std::optional<RearrangedTensor> moved = sourceOfRearranged(mover->getResult(0));
  if (!moved || moved->source != expand.getResult() || !isResultTransposed(*moved)) return false;
  auto matmul = expand.getSrc().getDefiningOp<linalg::LinalgOp>();
  ExpandedMatmul expanded(matmul, matmul.getNumDpsInputs(), expand.getReassociationIndices(),
                          expand.getResultType().getShape());
  return expanded.isFoldable(mover->getResult(0), inversePermutation(moved->map).compose(expanded.mapOfOperand()));
}

/// True if a reshape joins repeated dimensions of an operand with others, as where heads of queries share one of keys,
/// and the matmul could read the unrepeated tensor.
bool hidesRepetition(OpOperand* operand) {
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  auto matmul = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!collapse || !collapse.getSrcType().hasStaticShape() || !matmul || !matmul.isDpsInput(operand) ||
      !matmul.hasPureTensorSemantics() || !isMatmul(matmul))
    return false;
  std::optional<RearrangedTensor> moved = sourceOfRearranged(collapse.getSrc());
  if (!moved || moved->map.isPermutation()) return false;
  ExpandedMatmul expanded(matmul, operand->getOperandNumber(), collapse.getReassociationIndices(),
                          collapse.getSrcType().getShape());
  return expanded.isFoldable(moved->source, moved->map.compose(expanded.mapOfOperand()), /*mayJoin=*/true);
}

/// True if an operation only rounds each element.
bool isRounding(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block& body = *op.getBlock();
  auto rounding = dyn_cast<arith::TruncFOp>(body.front());
  return rounding && rounding.getIn() == body.getArgument(0) &&
         body.getTerminator()->getOperand(0) == rounding.getResult();
}

/// A matmul's result that is rounded, possibly expanded before or behind that, and then transposed.
struct RoundedMove {
  linalg::GenericOp rounding;
  tensor::ExpandShapeOp behind;  ///< The expansion behind the rounding, or null.
  linalg::LinalgOp mover;
  AffineMap map;  ///< The transposition.
};

/// Matches a rounding after which the result is transposed, if the matmul could store it so.
std::optional<RoundedMove> roundedMoveOf(linalg::GenericOp rounding) {
  if (!rounding->hasOneUse()) return std::nullopt;
  Value wide = rounding.getDpsInputs()[0], result = rounding->getResult(0);
  auto before = wide.getDefiningOp<tensor::ExpandShapeOp>();
  auto behind = dyn_cast<tensor::ExpandShapeOp>(*result.user_begin());
  if (behind) result = behind.getResult();
  if ((before && behind) || !result.hasOneUse() || !cast<RankedTensorType>(result.getType()).hasStaticShape())
    return std::nullopt;
  auto mover = dyn_cast<linalg::LinalgOp>(*result.user_begin());
  std::optional<RearrangedTensor> moved;
  if (mover && mover->getNumResults() == 1) moved = sourceOfRearranged(mover->getResult(0));
  if (!moved || moved->source != result || !isResultTransposed({wide, moved->map})) return std::nullopt;
  auto matmul = (before ? before.getSrc() : wide).getDefiningOp<linalg::LinalgOp>();
  const AffineMap back = inversePermutation(moved->map);
  if (tensor::ExpandShapeOp expand = before ? before : behind) {
    ExpandedMatmul expanded(matmul, matmul.getNumDpsInputs(), expand.getReassociationIndices(),
                            expand.getResultType().getShape());
    if (!expanded.isFoldable(mover->getResult(0), back.compose(expanded.mapOfOperand()))) return std::nullopt;
  } else {
    SmallVector<AffineMap> maps = matmul.getIndexingMapsArray();
    maps.back() = back.compose(maps.back());
    SmallVector<Value> tensors = matmul->getOperands();
    tensors.back() = mover->getResult(0);
    if (!isFoldable(matmul, tensors, maps)) return std::nullopt;
  }
  return RoundedMove{rounding, behind, mover, moved->map};
}

/// Transposes the matmul's result before it is rounded.
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
  Value transposed = tensor::EmptyOp::create(builder, loc, type.getShape(), wide);
  transposed =
      linalg::GenericOp::create(
          builder, loc, transposed.getType(), result, transposed, {move.map, identity}, loops,
          [](OpBuilder& body, Location at, ValueRange elements) { linalg::YieldOp::create(body, at, elements[0]); })
          .getResult(0);
  loc = move.rounding.getLoc();
  Value rounded = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  auto rounding = linalg::GenericOp::create(builder, loc, type, transposed, rounded, {identity, identity}, loops);
  IRMapping mapping;
  move.rounding.getRegion().cloneInto(&rounding.getRegion(), mapping);
  move.mover->getResult(0).replaceAllUsesWith(rounding.getResult(0));
  move.mover->erase();
  if (move.behind) move.behind->erase();
  move.rounding->erase();
}

struct FoldMatmulOperands : impl::FoldMatmulOperandsPassBase<FoldMatmulOperands> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> roundings;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isRounding(op)) roundings.push_back(op);
    });
    for (linalg::GenericOp rounding : roundings)
      if (std::optional<RoundedMove> move = roundedMoveOf(rounding)) roundBehindMove(*move);
    // Transposes come first, so that the layout of results is known when repetitions are folded.
    for (auto hides : {&hidesMove, &hidesRepetition}) {
      if (failed(expandMatmuls(hides))) return signalPassFailure();
      for (linalg::LinalgOp matmul : matmuls()) OperandFolder(matmul).run();
    }
  }

 private:
  SmallVector<linalg::LinalgOp> matmuls() {
    SmallVector<linalg::LinalgOp> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isMatmul(op)) found.push_back(op);
    });
    return found;
  }

  /// Expands matmuls to the dimensions that their operands have before a reshape, and their results behind one, where
  /// `hides` says that this lets them be folded.
  LogicalResult expandMatmuls(bool (*hides)(OpOperand*)) {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation*> ops;
    for (linalg::LinalgOp op : matmuls()) {
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
