// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/arg_reduction.h"
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/fusion/reduction_parts.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace mmtune {
namespace {

/// A maximum or minimum with its index is split into three or four reductions. If the elements of a row are not
/// adjacent in memory, this is faster only for rows of at least kLongAcross elements, and at most kFewAcross rows.
constexpr int64_t kLongAcross = 4096, kFewAcross = 4096;

/// Gives each result that does not depend on another one a reduction of its own.
struct SplitIndependentResults : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    if (!isTensorReduction(op) || op->getNumResults() < 2) return failure();
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

/// Computes the value of a maximum or minimum, and then the first or last index of an element that has this value. If a
/// NaN stops the search (NaNs::kStop and kWin), the index of the first NaN is computed first, and elements from that
/// index on are ignored.
struct SplitArgReduction : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    std::optional<ArgReduction> arg = matchArgReduction(op);
    if (!arg || !(isAlongMemory(op, arg->loop) || isSplitAcross(op, arg->loop)) || !hasPlainOutputs(op))
      return failure();
    Builder(op, *arg, rewriter).run();
    return success();
  }

 private:
  /// True if there are few long rows whose elements are not adjacent in memory, so that a row kernel will split the
  /// rows (isWorthSplitting()). Otherwise one thread computes each result, and should read each element only once.
  static bool isSplitAcross(linalg::GenericOp op, unsigned loop) {
    auto isPlain = [&](OpOperand* input) { return op.getMatchingIndexingMap(input).isProjectedPermutation(); };
    if (op.getNumDpsInputs() == 0 || !llvm::all_of(op.getDpsInputOperands(), isPlain)) return false;
    int64_t rows = 1;
    for (auto [each, size] : llvm::enumerate(op.getStaticLoopRanges())) {
      if (each == loop && (ShapedType::isDynamic(size) || size < kLongAcross)) return false;
      if (each != loop && (ShapedType::isDynamic(size) || llvm::MulOverflow(rows, size, rows))) return false;
    }
    return rows <= kFewAcross;
  }

  static bool isAlongMemory(linalg::GenericOp op, unsigned loop) {
    return op.getNumDpsInputs() != 0 && llvm::all_of(op.getDpsInputOperands(), [&](OpOperand* input) {
             AffineMap map = op.getMatchingIndexingMap(input);
             AffineExpr last = getAffineDimExpr(loop, op.getContext());
             return map.getNumResults() != 0 && map.isProjectedPermutation() &&
                    map.getResult(map.getNumResults() - 1) == last;
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
      const IntegerAttr none = rewriter.getIntegerAttr(
          type, arg.isLast ? APInt::getAllOnes(type.getWidth()) : APInt::getSignedMaxValue(type.getWidth()));
      outputMap = op.getMatchingIndexingMap(values);
      indexMap = op.getMatchingIndexingMap(indices);

      const Value noIndex = arith::ConstantOp::create(rewriter, loc, none);
      // If NaNs stop the search, the value is the reduction of all elements, and so NaN if one of them is. Otherwise it
      // is the reduction of the elements that count.
      Value value, best, firstNaN;
      if (!arg.isFloat || stopsAtNaN()) {
        best = value = reduce({}, start, outputMap, [&](OpBuilder& body, Element given) {
          return combine(body, given.element, given.before);
        });
      }
      if (stopsAtNaN()) {
        firstNaN = reduce({}, filled(noNaN()), indexMap, [&](OpBuilder& body, Element given) {
          const Value isNaN = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::UNO, given.element, given.element);
          const Value at = arith::SelectOp::create(body, loc, isNaN, given.index, noNaN());
          return arith::MinSIOp::create(body, loc, at, given.before).getResult();
        });
      }
      SmallVector<std::pair<Value, AffineMap>> more;
      if (firstNaN) more.push_back({firstNaN, indexMap});
      if (arg.isFloat) {
        const auto floating = cast<FloatType>(arg.element.getType());
        const Value low = arith::ConstantOp::create(
            rewriter, loc,
            rewriter.getFloatAttr(floating, APFloat::getInf(floating.getFloatSemantics(), arg.isMaximum)));
        best = reduce(more, start, outputMap, [&](OpBuilder& body, Element given) {
          const Value element = arith::SelectOp::create(body, loc, counts(body, given), given.element, low);
          return combine(body, element, given.before);
        });
      }
      if (!value) value = best;
      more.push_back({best, outputMap});
      const Value found = reduce(more, filled(noIndex), indexMap, [&](OpBuilder& body, Element given) {
        Value isFound;
        if (arg.isFloat) {
          isFound = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::OEQ, given.element, given.more.back());
          isFound = arith::AndIOp::create(body, loc, isFound, counts(body, given));
        } else {
          isFound = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, given.element, given.more.back());
        }
        const Value at = arith::SelectOp::create(body, loc, isFound, given.index, noIndex);
        if (arg.isLast) return arith::MaxSIOp::create(body, loc, at, given.before).getResult();
        return arith::MinSIOp::create(body, loc, at, given.before).getResult();
      });
      SmallVector<Value> results{value, chosen(best, start, found, firstNaN, noIndex, indices->get())};
      if (arg.value == 1) std::swap(results[0], results[1]);
      rewriter.replaceOp(op, results);
    }

   private:
    /// The values that the body of one of the reductions reads.
    struct Element {
      Value element, index, before;
      SmallVector<Value> more;
    };

    bool stopsAtNaN() const { return arg.isFloat && arg.nans != NaNs::kIgnore; }

    /// Returns the number that stands for the index of the first NaN if there is no NaN.
    Value noNaN() {
      const auto type = cast<IntegerType>(getElementTypeOrSelf(op.getDpsInits()[1 - arg.value].getType()));
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getIntegerAttr(type, APInt::getSignedMaxValue(type.getWidth())));
    }

    /// Emits a condition that is true if a float counts. If NaNs stop the search, elements before the first NaN count;
    /// otherwise all elements count that are not NaN.
    Value counts(OpBuilder& body, const Element& given) {
      if (stopsAtNaN()) return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt, given.index, given.more[0]);
      return arith::CmpFOp::create(body, loc, arith::CmpFPredicate::ORD, given.element, given.element);
    }

    Value combine(OpBuilder& body, Value element, Value before) {
      using Kind = vector::CombiningKind;
      Kind kind =
          arg.isUnsigned ? (arg.isMaximum ? Kind::MAXUI : Kind::MINUI) : (arg.isMaximum ? Kind::MAXSI : Kind::MINSI);
      if (arg.isFloat) kind = arg.isMaximum ? Kind::MAXIMUMF : Kind::MINIMUMF;
      return vector::makeArithReduction(body, loc, kind, before, element);
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
    Value chosen(Value best, Value start, Value found, Value firstNaN, Value noIndex, Value before) {
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
      SmallVector<Value> inputs{best, start, found, before};
      SmallVector<AffineMap> maps{toRow, toRow, toIndex, toIndex};
      const bool maybeNaN = firstNaN && arg.nans == NaNs::kWin;
      if (maybeNaN) {
        inputs.push_back(firstNaN);
        maps.push_back(toIndex);
      }
      maps.push_back(toIndex);
      return linalg::GenericOp::create(
                 rewriter, loc, before.getType(), inputs, empty, maps, iterators,
                 [&](OpBuilder& body, Location at, ValueRange given) {
                   Value isBeyond;
                   if (arg.isLast || arg.nans == NaNs::kWin)
                     isBeyond = arith::CmpIOp::create(body, at, arith::CmpIPredicate::ne, given[2], noIndex);
                   else
                     isBeyond = compare(body, given[0], given[1]);
                   Value index = arith::SelectOp::create(body, at, isBeyond, given[2], given[3]);
                   if (maybeNaN) {
                     const Value isNaN = arith::CmpIOp::create(body, at, arith::CmpIPredicate::ne, given[4], noNaN());
                     index = arith::SelectOp::create(body, at, isNaN, given[4], index);
                   }
                   linalg::YieldOp::create(body, at, index);
                 })
          .getResult(0);
    }

    /// Returns whether `x` is beyond `y`.
    Value compare(OpBuilder& body, Value x, Value y) {
      if (arg.isFloat)
        return arith::CmpFOp::create(body, loc, arg.isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT,
                                     x, y);
      using Predicate = arith::CmpIPredicate;
      const Predicate isSigned = arg.isMaximum ? Predicate::sgt : Predicate::slt;
      return arith::CmpIOp::create(body, loc,
                                   arg.isUnsigned ? (arg.isMaximum ? Predicate::ugt : Predicate::ult) : isSigned, x, y);
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
