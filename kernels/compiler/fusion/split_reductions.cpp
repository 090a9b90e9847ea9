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

/// Finds the operations of the body that compute a value, and the arguments of the body that they use.
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

/// Creates a reduction with one result over the loops and inputs of `op`, and `more` inputs. Its body has the `makers`,
/// with `accumulator` (may be null) mapped to its own, and what `yielded` adds.
Value createReduction(PatternRewriter& rewriter, linalg::GenericOp op, ArrayRef<std::pair<Value, AffineMap>> more,
                      Value start, AffineMap output, Value accumulator, const llvm::SetVector<Operation*>& makers,
                      llvm::function_ref<Value(OpBuilder&, IRMapping&, ValueRange)> yielded) {
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps(op.getIndexingMapsArray());
  maps.truncate(inputs.size());
  for (const auto& [value, map] : more) {
    inputs.push_back(value);
    maps.push_back(map);
  }
  maps.push_back(output);
  auto made =
      linalg::GenericOp::create(rewriter, op.getLoc(), start.getType(), inputs, start, maps, op.getIteratorTypesArray(),
                                [&](OpBuilder& body, Location at, ValueRange given) {
                                  IRMapping mapping;
                                  mapping.map(op.getRegionInputArgs(), given.take_front(op.getNumDpsInputs()));
                                  if (accumulator) mapping.map(accumulator, given.back());
                                  for (Operation& inner : op.getBlock()->without_terminator())
                                    if (makers.contains(&inner)) body.clone(inner, mapping);
                                  linalg::YieldOp::create(body, at, yielded(body, mapping, given));
                                });
  return made.getResult(0);
}

/// Gives each result that does not depend on another one a reduction of its own.
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
    for (auto [number, part] : llvm::enumerate(parts)) {
      OpOperand* init = op.getDpsInitOperand(number);
      const Value result = body.getTerminator()->getOperand(number);
      results.push_back(createReduction(
          rewriter, op, {}, init->get(), op.getMatchingIndexingMap(init), op.getMatchingBlockArgument(init),
          part.makers, [&](OpBuilder&, IRMapping& mapping, ValueRange) { return mapping.lookupOrDefault(result); }));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// A maximum or minimum with the index of the first element that has it. For the elements in order:
///
///     value' = max(element, value);  index' = element > value ? index of the element : index
struct ArgReduction {
  Value element;  ///< In the body of the reduction.
  Operation* combiner = nullptr;
  Operation* compare = nullptr;
  unsigned value = 0;  ///< The number of its result; the other one is the index.
  unsigned loop = 0;
  bool isFloat = false, isMaximum = false;
};

/// Matches `combiner(element, value)` and a comparison that is true if the element is strictly beyond the value.
bool matchBeyond(ArgReduction& arg, Value value) {
  Operation* combiner = arg.combiner;
  if (combiner->getOperand(0) != value && combiner->getOperand(1) != value) return false;
  arg.element = combiner->getOperand(combiner->getOperand(0) == value ? 1 : 0);
  arg.isFloat = isa<arith::MaximumFOp, arith::MinimumFOp>(combiner);
  arg.isMaximum = isa<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(combiner);
  const bool isSwapped = arg.compare->getNumOperands() == 2 && arg.compare->getOperand(0) == value;
  if (arg.compare->getOperand(isSwapped ? 1 : 0) != arg.element || arg.compare->getOperand(isSwapped ? 0 : 1) != value)
    return false;
  const bool isGreater = arg.isMaximum != isSwapped;
  if (arg.isFloat) {
    auto compare = dyn_cast<arith::CmpFOp>(arg.compare);
    return compare && compare.getPredicate() == (isGreater ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT);
  }
  auto compare = dyn_cast<arith::CmpIOp>(arg.compare);
  if (!compare) return false;
  if (isa<arith::MaxSIOp, arith::MinSIOp>(combiner))
    return compare.getPredicate() == (isGreater ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt);
  return isa<arith::MaxUIOp, arith::MinUIOp>(combiner) &&
         compare.getPredicate() == (isGreater ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::ult);
}

std::optional<ArgReduction> matchArgReduction(linalg::GenericOp op) {
  if (!isReductionOfSeveral(op) || op->getNumResults() != 2 || op.getNumReductionLoops() != 1) return std::nullopt;
  Block& body = *op.getBlock();
  ArgReduction arg;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  arg.loop = loops[0];
  for (unsigned value : {0U, 1U}) {
    arg.value = value;
    arg.combiner = body.getTerminator()->getOperand(value).getDefiningOp();
    auto choice = body.getTerminator()->getOperand(1 - value).getDefiningOp<arith::SelectOp>();
    if (!arg.combiner || !choice || choice.getFalseValue() != op.getRegionOutputArgs()[1 - value]) continue;
    if (!isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
            arg.combiner))
      continue;
    arg.compare = choice.getCondition().getDefiningOp();
    if (!arg.compare || arg.compare->getNumOperands() != 2 || !matchBeyond(arg, op.getRegionOutputArgs()[value]))
      continue;
    // The index has to fit its type.
    auto number = choice.getTrueValue().getDefiningOp<arith::IndexCastOp>();
    auto index = number ? number.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    const int64_t size = op.getStaticLoopRanges()[arg.loop];
    const unsigned bits = number ? number.getType().getIntOrFloatBitWidth() : 0;
    if (!index || index.getDim() != arg.loop || bits < 32 ||
        (bits < 64 && (ShapedType::isDynamic(size) || size > INT32_MAX)))
      continue;
    // The element may not depend on the outputs.
    llvm::SetVector<Operation*> makers;
    llvm::SetVector<Value> arguments;
    addMakers(arg.element, body, makers, arguments);
    if (llvm::none_of(op.getRegionOutputArgs(), [&](Value output) { return arguments.contains(output); })) return arg;
  }
  return std::nullopt;
}

/// Computes the value of a maximum or minimum, and then the first index of an element that has it. The index of the
/// first NaN ends the search, since no later element is beyond it.
struct SplitArgReduction : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    std::optional<ArgReduction> arg = matchArgReduction(op);
    if (!arg || !isAlongMemory(op, arg->loop) || !hasPlainOutputs(op)) return failure();
    Builder(op, *arg, rewriter).run();
    return success();
  }

 private:
  /// Across memory one thread has a result, which should read each element once.
  static bool isAlongMemory(linalg::GenericOp op, unsigned loop) {
    return op.getNumDpsInputs() != 0 && llvm::all_of(op.getDpsInputOperands(), [&](OpOperand* input) {
             AffineMap map = op.getMatchingIndexingMap(input);
             AffineExpr last = getAffineDimExpr(loop, op.getContext());
             return map.getNumResults() != 0 && map.isProjectedPermutation() &&
                    map.getResult(map.getNumResults() - 1) == last;
           });
  }

  /// True if each output has one element per row, and a static size of the reduction is static in the outputs, too.
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
    Builder(linalg::GenericOp op, const ArgReduction& arg, PatternRewriter& rewriter)
        : op(op), arg(arg), rewriter(rewriter), loc(op.getLoc()) {}

    void run() {
      OpOperand* values = op.getDpsInitOperand(arg.value);
      OpOperand* indices = op.getDpsInitOperand(1 - arg.value);
      const Value start = values->get();
      const auto type = cast<IntegerType>(getElementTypeOrSelf(indices->get().getType()));
      const IntegerAttr none = rewriter.getIntegerAttr(type, APInt::getSignedMaxValue(type.getWidth()));
      outputMap = op.getMatchingIndexingMap(values);
      indexMap = op.getMatchingIndexingMap(indices);

      const Value value = reduce({}, start, outputMap, [&](OpBuilder& body, Element given) {
        return combine(body, given.element, given.before);
      });
      const Value noIndex = arith::ConstantOp::create(rewriter, loc, none);
      Value best = value, firstNaN;
      if (arg.isFloat) {
        firstNaN = reduce({}, filled(noIndex), indexMap, [&](OpBuilder& body, Element given) {
          const Value isNaN = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::UNO, given.element, given.element);
          return first(body, isNaN, given, noIndex);
        });
        const auto floating = cast<FloatType>(arg.element.getType());
        const Value low = arith::ConstantOp::create(
            rewriter, loc,
            rewriter.getFloatAttr(floating, APFloat::getInf(floating.getFloatSemantics(), arg.isMaximum)));
        best = reduce({{firstNaN, indexMap}}, start, outputMap, [&](OpBuilder& body, Element given) {
          const Value isBefore =
              arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt, given.index, given.more[0]);
          const Value element = arith::SelectOp::create(body, loc, isBefore, given.element, low);
          return combine(body, element, given.before);
        });
      }
      SmallVector<std::pair<Value, AffineMap>> more{{best, outputMap}};
      if (firstNaN) more.push_back({firstNaN, indexMap});
      const Value found = reduce(more, filled(noIndex), indexMap, [&](OpBuilder& body, Element given) {
        Value isFound;
        if (arg.isFloat) {
          isFound = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::OEQ, given.element, given.more[0]);
          const Value isBefore =
              arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt, given.index, given.more[1]);
          isFound = arith::AndIOp::create(body, loc, isFound, isBefore);
        } else {
          isFound = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, given.element, given.more[0]);
        }
        return first(body, isFound, given, noIndex);
      });
      SmallVector<Value> results{value, chosen(best, start, found, indices->get())};
      if (arg.value == 1) std::swap(results[0], results[1]);
      rewriter.replaceOp(op, results);
    }

   private:
    /// The values that the body of one of the reductions reads.
    struct Element {
      Value element, index, before;
      SmallVector<Value> more;
    };

    Value combine(OpBuilder& body, Value element, Value before) {
      IRMapping mapping;
      mapping.map(arg.element, element);
      mapping.map(op.getRegionOutputArgs()[arg.value], before);
      return body.clone(*arg.combiner, mapping)->getResult(0);
    }

    /// Returns the smaller of the index so far and the element's, if that counts.
    Value first(OpBuilder& body, Value counts, const Element& given, Value noIndex) {
      const Value at = arith::SelectOp::create(body, loc, counts, given.index, noIndex);
      return arith::MinSIOp::create(body, loc, at, given.before);
    }

    /// Creates an empty tensor of indices with the sizes of the reduction, so that they are known to be equal.
    Value emptyIndices(Type element) {
      SmallVector<OpFoldResult> sizes;
      SmallVector<Range> ranges = cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(rewriter, loc);
      auto type = cast<RankedTensorType>(op.getDpsInits()[1 - arg.value].getType());
      for (auto [dim, expression] : llvm::enumerate(indexMap.getResults())) {
        if (type.isDynamicDim(dim))
          sizes.push_back(ranges[cast<AffineDimExpr>(expression).getPosition()].size);
        else
          sizes.push_back(rewriter.getIndexAttr(type.getDimSize(dim)));
      }
      return tensor::EmptyOp::create(rewriter, loc, sizes, element);
    }

    Value filled(Value value) {
      return linalg::FillOp::create(rewriter, loc, value, emptyIndices(value.getType())).getResult(0);
    }

    /// Creates a reduction of the same elements that also reads values per row.
    Value reduce(ArrayRef<std::pair<Value, AffineMap>> more, Value start, AffineMap output,
                 llvm::function_ref<Value(OpBuilder&, Element)> combined) {
      llvm::SetVector<Operation*> makers;
      llvm::SetVector<Value> arguments;
      addMakers(arg.element, *op.getBlock(), makers, arguments);
      return createReduction(rewriter, op, more, start, output, {}, makers,
                             [&](OpBuilder& body, IRMapping& mapping, ValueRange given) {
                               const auto type = getElementTypeOrSelf(op.getDpsInits()[1 - arg.value].getType());
                               const Value number = linalg::IndexOp::create(body, loc, arg.loop);
                               Element element{mapping.lookupOrDefault(arg.element),
                                               arith::IndexCastOp::create(body, loc, type, number),
                                               given.back(),
                                               {}};
                               llvm::append_range(element.more, given.drop_front(op.getNumDpsInputs()).drop_back());
                               return combined(body, element);
                             });
    }

    /// Returns the index that was found, or the initial one if no element is beyond the initial value.
    Value chosen(Value best, Value start, Value found, Value before) {
      AffineMap toRow = outputMap, toIndex = indexMap;
      const Value empty = emptyIndices(getElementTypeOrSelf(before.getType()));
      // The loops over rows, in the reduction's order.
      SmallVector<AffineExpr> loops;
      unsigned rows = 0;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        loops.push_back(loop == arg.loop ? rewriter.getAffineConstantExpr(0) : rewriter.getAffineDimExpr(rows++));
      toRow = toRow.replaceDimsAndSymbols(loops, {}, rows, 0);
      toIndex = toIndex.replaceDimsAndSymbols(loops, {}, rows, 0);
      SmallVector<utils::IteratorType> iterators(rows, utils::IteratorType::parallel);
      return linalg::GenericOp::create(
                 rewriter, loc, before.getType(), ValueRange{best, start, found, before}, empty,
                 ArrayRef<AffineMap>{toRow, toRow, toIndex, toIndex, toIndex}, iterators,
                 [&](OpBuilder& body, Location at, ValueRange given) {
                   IRMapping mapping;
                   mapping.map(arg.element, given[0]);
                   mapping.map(op.getRegionOutputArgs()[arg.value], given[1]);
                   const Value isBeyond = body.clone(*arg.compare, mapping)->getResult(0);
                   linalg::YieldOp::create(body, at,
                                           arith::SelectOp::create(body, at, isBeyond, given[2], given[3]).getResult());
                 })
          .getResult(0);
    }

    linalg::GenericOp op;
    ArgReduction arg;
    PatternRewriter& rewriter;
    Location loc;
    AffineMap outputMap, indexMap;
  };
};

}  // namespace

void populateSeveralResultsPatterns(RewritePatternSet& patterns) {
  // Unused results are removed first.
  patterns.add<SplitIndependentResults, SplitArgReduction>(patterns.getContext(), /*benefit=*/0);
}

}  // namespace mmtune
