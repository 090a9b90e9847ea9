// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/passes.h"

#include "kernels/compiler/scheduling/matmul_match.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace mmtune {
namespace {

bool isReductionOfSeveral(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0 && op->getNumResults() > 1 &&
         isPureBody(*op.getBlock()) && !op->getParentOfType<gpu::LaunchOp>() &&
         !op->getParentOfType<gpu::GPUModuleOp>();
}

/// Finds the operations of the body that a value is made of, and the arguments of the body among its operands.
void addMakers(Value value, Block& body, llvm::SetVector<Operation*>& makers, llvm::SetVector<Value>& arguments) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == &body) arguments.insert(value);
    return;
  }
  Operation* maker = value.getDefiningOp();
  if (maker->getBlock() != &body || !makers.insert(maker)) return;
  maker->walk([&](Operation* inner) {
    for (Value operand : inner->getOperands()) addMakers(operand, body, makers, arguments);
  });
}

/// Gives each result that is made of no other one a reduction of its own.
struct SplitIndependentResults : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    if (!isReductionOfSeveral(op)) return failure();
    Block& body = *op.getBlock();
    struct Part {
      llvm::SetVector<Operation*> makers;
      llvm::SetVector<Value> arguments;
    };
    SmallVector<Part> parts(op->getNumResults());
    for (auto [number, part] : llvm::enumerate(parts)) {
      addMakers(body.getTerminator()->getOperand(number), body, part.makers, part.arguments);
      for (auto [other, argument] : llvm::enumerate(op.getRegionOutputArgs()))
        if (other != number && part.arguments.contains(argument)) return failure();
    }
    SmallVector<Value> results;
    for (auto [number, part] : llvm::enumerate(parts)) results.push_back(create(rewriter, op, number, part.makers));
    rewriter.replaceOp(op, results);
    return success();
  }

 private:
  static Value create(PatternRewriter& rewriter, linalg::GenericOp op, unsigned number,
                      const llvm::SetVector<Operation*>& makers) {
    OpOperand* init = op.getDpsInitOperand(number);
    SmallVector<AffineMap> maps;
    for (OpOperand* input : op.getDpsInputOperands()) maps.push_back(op.getMatchingIndexingMap(input));
    maps.push_back(op.getMatchingIndexingMap(init));
    return linalg::GenericOp::create(rewriter, op.getLoc(), init->get().getType(), op.getDpsInputs(), init->get(), maps,
                                     op.getIteratorTypesArray(),
                                     [&](OpBuilder& builder, Location at, ValueRange arguments) {
                                       IRMapping mapping;
                                       mapping.map(op.getRegionInputArgs(), arguments.drop_back());
                                       mapping.map(op.getMatchingBlockArgument(init), arguments.back());
                                       for (Operation& inner : op.getBlock()->without_terminator())
                                         if (makers.contains(&inner)) builder.clone(inner, mapping);
                                       Value made = op.getBlock()->getTerminator()->getOperand(number);
                                       linalg::YieldOp::create(builder, at, mapping.lookupOrDefault(made));
                                     })
        .getResult(0);
  }
};

/// A maximum or minimum with the place of the first element that has it: of the elements, taken in order,
///
///     value' = max(element, value);  place' = element > value ? place of the element : place
struct ArgReduction {
  Value element;  ///< Belongs to the body of the reduction.
  Operation* combiner = nullptr;
  Operation* compare = nullptr;
  unsigned value = 0;  ///< The number of the result; the other one is the place.
  unsigned loop = 0;
  bool isFloat = false, isMaximum = false;
};

/// Matches `combiner(element, value)` with a comparison that is true where the element is strictly beyond the value.
bool matchBeyond(ArgReduction& place, Value value) {
  Operation* combiner = place.combiner;
  if (combiner->getOperand(0) != value && combiner->getOperand(1) != value) return false;
  place.element = combiner->getOperand(combiner->getOperand(0) == value ? 1 : 0);
  place.isFloat = isa<arith::MaximumFOp, arith::MinimumFOp>(combiner);
  place.isMaximum = isa<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(combiner);
  const bool isSwapped = place.compare->getNumOperands() == 2 && place.compare->getOperand(0) == value;
  if (place.compare->getOperand(isSwapped ? 1 : 0) != place.element ||
      place.compare->getOperand(isSwapped ? 0 : 1) != value)
    return false;
  const bool isGreater = place.isMaximum != isSwapped;
  if (place.isFloat) {
    auto compare = dyn_cast<arith::CmpFOp>(place.compare);
    return compare && compare.getPredicate() == (isGreater ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT);
  }
  auto compare = dyn_cast<arith::CmpIOp>(place.compare);
  if (!compare) return false;
  if (isa<arith::MaxSIOp, arith::MinSIOp>(combiner))
    return compare.getPredicate() == (isGreater ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt);
  return isa<arith::MaxUIOp, arith::MinUIOp>(combiner) &&
         compare.getPredicate() == (isGreater ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::ult);
}

std::optional<ArgReduction> matchArgReduction(linalg::GenericOp op) {
  if (!isReductionOfSeveral(op) || op->getNumResults() != 2 || op.getNumReductionLoops() != 1) return std::nullopt;
  Block& body = *op.getBlock();
  ArgReduction place;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  place.loop = loops[0];
  for (unsigned value : {0U, 1U}) {
    place.value = value;
    place.combiner = body.getTerminator()->getOperand(value).getDefiningOp();
    auto choice = body.getTerminator()->getOperand(1 - value).getDefiningOp<arith::SelectOp>();
    if (!place.combiner || !choice || choice.getFalseValue() != op.getRegionOutputArgs()[1 - value]) continue;
    if (!isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
            place.combiner))
      continue;
    place.compare = choice.getCondition().getDefiningOp();
    if (!place.compare || place.compare->getNumOperands() != 2 || !matchBeyond(place, op.getRegionOutputArgs()[value]))
      continue;
    // The place is the number of the element, in a type that has room for it.
    auto number = choice.getTrueValue().getDefiningOp<arith::IndexCastOp>();
    auto index = number ? number.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    const int64_t size = op.getStaticLoopRanges()[place.loop];
    const unsigned bits = number ? number.getType().getIntOrFloatBitWidth() : 0;
    if (!index || index.getDim() != place.loop || bits < 32 ||
        (bits < 64 && (ShapedType::isDynamic(size) || size > INT32_MAX)))
      continue;
    // Only the value so far is read of the outputs.
    llvm::SetVector<Operation*> makers;
    llvm::SetVector<Value> arguments;
    addMakers(place.element, body, makers, arguments);
    if (llvm::none_of(op.getRegionOutputArgs(), [&](Value output) { return arguments.contains(output); })) return place;
  }
  return std::nullopt;
}

/// Finds the place of a maximum or minimum when its value is known: the first element that has it. A NaN ends the
/// search for places, as no element is beyond it: what comes behind the first one is left out.
struct SplitArgReduction : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    std::optional<ArgReduction> place = matchArgReduction(op);
    if (!place || !isAlongMemory(op, place->loop) || !hasPlainOutputs(op)) return failure();
    Builder(op, *place, rewriter).run();
    return success();
  }

 private:
  /// Elsewhere a result has one thread, which had better read each element once.
  static bool isAlongMemory(linalg::GenericOp op, unsigned loop) {
    return op.getNumDpsInputs() != 0 && llvm::all_of(op.getDpsInputOperands(), [&](OpOperand* input) {
             AffineMap map = op.getMatchingIndexingMap(input);
             AffineExpr last = getAffineDimExpr(loop, op.getContext());
             return map.getNumResults() != 0 && map.isProjectedPermutation() &&
                    map.getResult(map.getNumResults() - 1) == last;
           });
  }

  /// Each row has an element of each output, and a size that is known of what is reduced is known of the outputs.
  static bool hasPlainOutputs(linalg::GenericOp op) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand& output) {
      AffineMap map = op.getMatchingIndexingMap(&output);
      auto type = cast<RankedTensorType>(output.get().getType());
      unsigned rows = 0;
      for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
        auto loop = dyn_cast<AffineDimExpr>(expression);
        if (loop) ++rows;
        if (type.isDynamicDim(dim) && (!loop || !ShapedType::isDynamic(sizes[loop.getPosition()]))) return false;
      }
      return map.isProjectedPermutation(/*allowZeroInResults=*/true) && rows == op.getNumParallelLoops();
    });
  }

  class Builder {
   public:
    Builder(linalg::GenericOp op, const ArgReduction& place, PatternRewriter& rewriter)
        : op(op), place(place), rewriter(rewriter), loc(op.getLoc()) {}

    void run() {
      OpOperand* values = op.getDpsInitOperand(place.value);
      OpOperand* places = op.getDpsInitOperand(1 - place.value);
      const Value start = values->get();
      const auto type = cast<IntegerType>(getElementTypeOrSelf(places->get().getType()));
      const IntegerAttr none = rewriter.getIntegerAttr(type, APInt::getSignedMaxValue(type.getWidth()));
      outputMap = op.getMatchingIndexingMap(values);
      placeMap = op.getMatchingIndexingMap(places);

      const Value value = reduce({}, start, outputMap, [&](OpBuilder& body, Element given) {
        return combine(body, given.element, given.before);
      });
      const Value noPlace = arith::ConstantOp::create(rewriter, loc, none);
      Value best = value, firstNaN;
      if (place.isFloat) {
        firstNaN = reduce({}, filled(noPlace), placeMap, [&](OpBuilder& body, Element given) {
          const Value isNaN = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::UNO, given.element, given.element);
          return first(body, isNaN, given, noPlace);
        });
        const auto floating = cast<FloatType>(place.element.getType());
        const Value low = arith::ConstantOp::create(
            rewriter, loc,
            rewriter.getFloatAttr(floating, APFloat::getInf(floating.getFloatSemantics(), place.isMaximum)));
        best = reduce({{firstNaN, placeMap}}, start, outputMap, [&](OpBuilder& body, Element given) {
          const Value isBefore =
              arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt, given.place, given.more[0]);
          const Value element = arith::SelectOp::create(body, loc, isBefore, given.element, low);
          return combine(body, element, given.before);
        });
      }
      SmallVector<std::pair<Value, AffineMap>> more{{best, outputMap}};
      if (firstNaN) more.push_back({firstNaN, placeMap});
      const Value found = reduce(more, filled(noPlace), placeMap, [&](OpBuilder& body, Element given) {
        Value isFound;
        if (place.isFloat) {
          isFound = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::OEQ, given.element, given.more[0]);
          const Value isBefore =
              arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt, given.place, given.more[1]);
          isFound = arith::AndIOp::create(body, loc, isFound, isBefore);
        } else {
          isFound = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, given.element, given.more[0]);
        }
        return first(body, isFound, given, noPlace);
      });
      SmallVector<Value> results{value, chosen(best, start, found, places->get())};
      if (place.value == 1) std::swap(results[0], results[1]);
      rewriter.replaceOp(op, results);
    }

   private:
    /// Holds the values that the body of one of the reductions reads.
    struct Element {
      Value element, place, before;
      SmallVector<Value> more;
    };

    Value combine(OpBuilder& body, Value element, Value before) {
      IRMapping mapping;
      mapping.map(place.element, element);
      mapping.map(op.getRegionOutputArgs()[place.value], before);
      return body.clone(*place.combiner, mapping)->getResult(0);
    }

    /// The smaller of what is known so far and the element's place, if it counts.
    Value first(OpBuilder& body, Value counts, const Element& given, Value noPlace) {
      const Value at = arith::SelectOp::create(body, loc, counts, given.place, noPlace);
      return arith::MinSIOp::create(body, loc, at, given.before);
    }

    /// An empty tensor for the places. Its sizes are those of what is reduced, so that they are known to be the same.
    Value emptyPlaces(Type element) {
      SmallVector<OpFoldResult> sizes;
      SmallVector<Range> ranges = cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(rewriter, loc);
      auto type = cast<RankedTensorType>(op.getDpsInits()[1 - place.value].getType());
      for (auto [dim, expression] : llvm::enumerate(placeMap.getResults())) {
        if (type.isDynamicDim(dim))
          sizes.push_back(ranges[cast<AffineDimExpr>(expression).getPosition()].size);
        else
          sizes.push_back(rewriter.getIndexAttr(type.getDimSize(dim)));
      }
      return tensor::EmptyOp::create(rewriter, loc, sizes, element);
    }

    Value filled(Value value) {
      return linalg::FillOp::create(rewriter, loc, value, emptyPlaces(value.getType())).getResult(0);
    }

    /// A reduction of the same elements, with values of the row besides.
    Value reduce(ArrayRef<std::pair<Value, AffineMap>> more, Value start, AffineMap output,
                 llvm::function_ref<Value(OpBuilder&, Element)> combined) {
      SmallVector<Value> inputs(op.getDpsInputs());
      SmallVector<AffineMap> maps;
      for (OpOperand* input : op.getDpsInputOperands()) maps.push_back(op.getMatchingIndexingMap(input));
      for (const auto& [value, map] : more) {
        inputs.push_back(value);
        maps.push_back(map);
      }
      maps.push_back(output);
      llvm::SetVector<Operation*> makers;
      llvm::SetVector<Value> arguments;
      addMakers(place.element, *op.getBlock(), makers, arguments);
      return linalg::GenericOp::create(
                 rewriter, loc, start.getType(), inputs, start, maps, op.getIteratorTypesArray(),
                 [&](OpBuilder& body, Location at, ValueRange given) {
                   IRMapping mapping;
                   mapping.map(op.getRegionInputArgs(), given.take_front(op.getNumDpsInputs()));
                   for (Operation& inner : op.getBlock()->without_terminator())
                     if (makers.contains(&inner)) body.clone(inner, mapping);
                   Element element{mapping.lookupOrDefault(place.element), {}, given.back(), {}};
                   const auto type = getElementTypeOrSelf(op.getDpsInits()[1 - place.value].getType());
                   const Value index = linalg::IndexOp::create(body, at, place.loop);
                   element.place = arith::IndexCastOp::create(body, at, type, index);
                   llvm::append_range(element.more, given.drop_front(op.getNumDpsInputs()).drop_back());
                   linalg::YieldOp::create(body, at, combined(body, element));
                 })
          .getResult(0);
    }

    /// The place that was found, or where no element is beyond the value at the start the place at the start.
    Value chosen(Value best, Value start, Value found, Value before) {
      AffineMap toRow = outputMap, toPlace = placeMap;
      const Value empty = emptyPlaces(getElementTypeOrSelf(before.getType()));
      // Loops of the rows alone, in the order of the reduction's.
      SmallVector<AffineExpr> loops;
      unsigned rows = 0;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        loops.push_back(loop == place.loop ? rewriter.getAffineConstantExpr(0) : rewriter.getAffineDimExpr(rows++));
      toRow = toRow.replaceDimsAndSymbols(loops, {}, rows, 0);
      toPlace = toPlace.replaceDimsAndSymbols(loops, {}, rows, 0);
      SmallVector<utils::IteratorType> iterators(rows, utils::IteratorType::parallel);
      return linalg::GenericOp::create(
                 rewriter, loc, before.getType(), ValueRange{best, start, found, before}, empty,
                 ArrayRef<AffineMap>{toRow, toRow, toPlace, toPlace, toPlace}, iterators,
                 [&](OpBuilder& body, Location at, ValueRange given) {
                   IRMapping mapping;
                   mapping.map(place.element, given[0]);
                   mapping.map(op.getRegionOutputArgs()[place.value], given[1]);
                   const Value isBeyond = body.clone(*place.compare, mapping)->getResult(0);
                   linalg::YieldOp::create(body, at,
                                           arith::SelectOp::create(body, at, isBeyond, given[2], given[3]).getResult());
                 })
          .getResult(0);
    }

    linalg::GenericOp op;
    ArgReduction place;
    PatternRewriter& rewriter;
    Location loc;
    AffineMap outputMap, placeMap;
  };
};

}  // namespace

void populateSeveralResultsPatterns(RewritePatternSet& patterns) {
  // Results that nobody reads go first.
  patterns.add<SplitIndependentResults, SplitArgReduction>(patterns.getContext(), /*benefit=*/0);
}

}  // namespace mmtune
