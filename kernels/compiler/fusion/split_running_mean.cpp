// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mean that is updated with a count (Welford's algorithm) becomes a sum and a division, and its sum of squared
// deviations a second reduction, so that all threads of a row may compute them.
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/fusion/reduction_parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

/// The results of
///
///     count' = count + 1;  mean' = mean + (element - mean) / count'
///     squares' = squares + (element - mean) * (element - mean')
///
/// from a mean and a count of 0. The count may also be the loop's index. The mean is there, the others need not be.
struct RunningMean {
  unsigned mean = 0;
  std::optional<unsigned> squares, count;
  Value element;  ///< In the body of the reduction.
};

/// Returns the other operand of `Op` if it computes the value and `one` is an operand, in either order; else null.
template <typename Op>
Value otherOperand(Value value, Value one) {
  auto op = value.getDefiningOp<Op>();
  if (!op || !llvm::is_contained(op->getOperands(), one)) return {};
  return op->getOperand(op->getOperand(0) == one ? 1 : 0);
}

bool isOne(Value value) { return matchPattern(value, m_One()) || matchPattern(value, m_OneFloat()); }

Value withoutCasts(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::SIToFPOp, arith::UIToFPOp, arith::ExtSIOp,
             arith::ExtUIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// True if the type counts as many elements as are reduced: 2^24 in f32, which means no more in 32 bits.
bool countsFar(Type type) { return type.isIndex() || type.getIntOrFloatBitWidth() >= 32; }

class Matcher {
 public:
  explicit Matcher(linalg::GenericOp op) : op(op), yielded(op.getBlock()->getTerminator()->getOperands()) {}

  std::optional<RunningMean> match() {
    for (unsigned number = 0; number < yielded.size(); ++number) {
      RunningMean found;
      found.mean = number;
      if (!matchMean(found)) continue;
      for (unsigned other = 0; other < yielded.size(); ++other) {
        if (other == number) continue;
        if (isSquares(found, other) && !found.squares)
          found.squares = other;
        else if (isCount(other) && !found.count)
          found.count = other;
        else
          return std::nullopt;
      }
      return found;
    }
    return std::nullopt;
  }

 private:
  Value before(unsigned number) { return op.getRegionOutputArgs()[number]; }

  bool isZero(unsigned number) {
    auto start = uniformConstant(op.getDpsInits()[number]);
    if (auto floating = dyn_cast_or_null<FloatAttr>(start)) return floating.getValue().isZero();
    auto integer = dyn_cast_or_null<IntegerAttr>(start);
    return integer && integer.getValue().isZero();
  }

  bool isCount(unsigned number) {
    const Value result = yielded[number], old = before(number);
    Value one = otherOperand<arith::AddFOp>(result, old);
    if (!one) one = otherOperand<arith::AddIOp>(result, old);
    return one && isOne(one) && countsFar(result.getType()) && isZero(number);
  }

  /// True if a value is the number of elements up to this one.
  bool isCounted(Value value) {
    value = withoutCasts(value);
    for (unsigned number = 0; number < yielded.size(); ++number)
      if (value == yielded[number] && isCount(number)) return true;
    Operation* add = value.getDefiningOp();
    if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) || !countsFar(value.getType())) return false;
    for (unsigned one : {0U, 1U}) {
      auto index = withoutCasts(add->getOperand(1 - one)).getDefiningOp<linalg::IndexOp>();
      if (!index || !isOne(add->getOperand(one)) || op.getNumReductionLoops() != 1) continue;
      return op.getIteratorTypesArray()[index.getDim()] == utils::IteratorType::reduction;
    }
    return false;
  }

  bool matchMean(RunningMean& found) {
    const Value result = yielded[found.mean], mean = before(found.mean);
    if (!result.getType().isF32() && !result.getType().isF64()) return false;
    const Value step = otherOperand<arith::AddFOp>(result, mean);
    if (!step || !isZero(found.mean)) return false;
    Value delta;
    if (auto division = step.getDefiningOp<arith::DivFOp>()) {
      if (!isCounted(division.getRhs())) return false;
      delta = division.getLhs();
    } else if (auto scaled = step.getDefiningOp<arith::MulFOp>()) {
      for (unsigned number : {0U, 1U}) {
        auto inverse = scaled->getOperand(number).getDefiningOp<arith::DivFOp>();
        if (inverse && matchPattern(inverse.getLhs(), m_OneFloat()) && isCounted(inverse.getRhs()))
          delta = scaled->getOperand(1 - number);
      }
    }
    found.element = delta ? subtractedFrom(delta, mean) : Value();
    return found.element && dependsOnlyOnInputs(found.element, op);
  }

  /// Returns x if the value is x - `subtrahend`, else null.
  static Value subtractedFrom(Value value, Value subtrahend) {
    auto difference = value.getDefiningOp<arith::SubFOp>();
    return difference && difference.getRhs() == subtrahend ? difference.getLhs() : Value();
  }

  bool isSquares(const RunningMean& found, unsigned number) {
    const Value result = yielded[number], old = before(number);
    if (result.getType() != yielded[found.mean].getType()) return false;
    Value x, y;
    if (auto fma = result.getDefiningOp<math::FmaOp>(); fma && fma.getC() == old) {
      x = fma.getA();
      y = fma.getB();
    } else {
      const Value added = otherOperand<arith::AddFOp>(result, old);
      auto product = added ? added.getDefiningOp<arith::MulFOp>() : nullptr;
      if (!product) return false;
      x = product.getLhs();
      y = product.getRhs();
    }
    const Value mean = before(found.mean), next = yielded[found.mean];
    auto isFrom = [&](Value from, Value to) {
      return subtractedFrom(from, mean) == found.element && subtractedFrom(to, next) == found.element;
    };
    return isFrom(x, y) || isFrom(y, x);
  }

  linalg::GenericOp op;
  OperandRange yielded;
};

/// Computes the mean as a sum divided by the number of elements, then the squared deviations from it.
struct SplitRunningMean : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter& rewriter) const override {
    if (!isTensorReduction(op) || !hasPlainOutputs(op)) return failure();
    std::optional<RunningMean> found = Matcher(op).match();
    if (!found) return failure();
    const Location loc = op.getLoc();
    auto mapOf = [&](unsigned number) { return op.getMatchingIndexingMap(op.getDpsInitOperand(number)); };
    llvm::SetVector<Operation*> makers;
    llvm::SetVector<Value> arguments;
    addMakers(found->element, *op.getBlock(), makers, arguments);
    SmallVector<Value> results(op->getNumResults());

    const AffineMap meanMap = mapOf(found->mean);
    const Value sum = createReduction(rewriter, op, {}, op.getDpsInits()[found->mean], meanMap, {}, makers,
                                      [&](OpBuilder& body, IRMapping& mapping, ValueRange given) -> Value {
                                        const Value element = mapping.lookupOrDefault(found->element);
                                        return arith::AddFOp::create(body, loc, element, given.back());
                                      });
    const Value count = countElements(op, rewriter);
    // Without elements the mean stays 0.
    const Value divisor =
        arith::MaxUIOp::create(rewriter, loc, count, arith::ConstantIndexOp::create(rewriter, loc, 1));
    const Value mean = forEachRow(rewriter, loc, sum, [&](OpBuilder& body, Value element) -> Value {
      return arith::DivFOp::create(body, loc, element, toType(body, loc, divisor, element.getType()));
    });
    results[found->mean] = mean;
    if (found->squares) {
      const Value start = op.getDpsInits()[*found->squares];
      results[*found->squares] =
          createReduction(rewriter, op, {{mean, meanMap}}, start, mapOf(*found->squares), {}, makers,
                          [&](OpBuilder& body, IRMapping& mapping, ValueRange given) -> Value {
                            const Value element = mapping.lookupOrDefault(found->element);
                            const Value away = arith::SubFOp::create(body, loc, element, given.drop_back().back());
                            const Value square = arith::MulFOp::create(body, loc, away, away);
                            return arith::AddFOp::create(body, loc, square, given.back());
                          });
    }
    if (found->count) {
      const Value start = op.getDpsInits()[*found->count];
      const Value empty = emptyLike(rewriter, loc, start);
      const Value number = toType(rewriter, loc, count, getElementTypeOrSelf(start.getType()));
      results[*found->count] = linalg::FillOp::create(rewriter, loc, number, empty).getResult(0);
    }
    rewriter.replaceOp(op, results);
    return success();
  }

 private:
  static Value countElements(linalg::GenericOp op, PatternRewriter& rewriter) {
    const Location loc = op.getLoc();
    SmallVector<Range> ranges = cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(rewriter, loc);
    Value count = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (auto [range, iterator] : llvm::zip(ranges, op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction)
        count = rewriter.createOrFold<arith::MulIOp>(loc, count,
                                                     getValueOrCreateConstantIndexOp(rewriter, loc, range.size));
    return count;
  }

  /// Returns an index as a number of a type.
  static Value toType(OpBuilder& builder, Location loc, Value index, Type type) {
    if (type.isIndex()) return index;
    auto integer = isa<FloatType>(type) ? builder.getI64Type() : type;
    Value number = arith::IndexCastOp::create(builder, loc, integer, index);
    return isa<FloatType>(type) ? arith::SIToFPOp::create(builder, loc, type, number).getResult() : number;
  }

  static Value emptyLike(PatternRewriter& rewriter, Location loc, Value tensor) {
    return tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor),
                                   getElementTypeOrSelf(tensor.getType()));
  }

  /// Creates an elementwise operation on a tensor.
  static Value forEachRow(PatternRewriter& rewriter, Location loc, Value tensor,
                          llvm::function_ref<Value(OpBuilder&, Value)> compute) {
    auto type = cast<RankedTensorType>(tensor.getType());
    const Value empty = emptyLike(rewriter, loc, tensor);
    const AffineMap map = rewriter.getMultiDimIdentityMap(static_cast<unsigned>(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(rewriter, loc, type, tensor, empty, ArrayRef<AffineMap>{map, map}, iterators,
                                     [&](OpBuilder& body, Location at, ValueRange given) {
                                       linalg::YieldOp::create(body, at, compute(body, given[0]));
                                     })
        .getResult(0);
  }
};

}  // namespace

void populateRunningMeanPatterns(RewritePatternSet& patterns) {
  patterns.add<SplitRunningMean>(patterns.getContext(), /*benefit=*/0);
}

}  // namespace mmtune
