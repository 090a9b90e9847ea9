// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/kernel/composed_math.h"

#include "kernels/passes/kernel/passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDCOMPOSEDMATHPASS
#include "kernels/passes/kernel/Passes.h.inc"

namespace {

const llvm::fltSemantics& semanticsOf(Value value) {
  return cast<FloatType>(getElementTypeOrSelf(value)).getFloatSemantics();
}

/// A constant of the type of `value`, which may be a vector.
Value floatLike(OpBuilder& builder, Value value, const llvm::APFloat& number) {
  Type type = value.getType();
  TypedAttr attribute = FloatAttr::get(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type)) attribute = SplatElementsAttr::get(shaped, cast<Attribute>(attribute));
  return arith::ConstantOp::create(builder, value.getLoc(), attribute);
}

/// Powers of integers by squaring. Of a negative exponent it is the quotient of 1 and the power, which is 0 but for 1
/// and -1.
struct ExpandIPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter& rewriter) const override {
    Type type = op.getType();
    if (isa<ShapedType>(type)) return failure();
    Location loc = op.getLoc();
    using Predicate = arith::CmpIPredicate;
    auto number = [&](OpBuilder& at, int64_t value) -> Value {
      return arith::ConstantOp::create(at, loc, at.getIntegerAttr(type, value));
    };
    auto is = [&](OpBuilder& at, Predicate how, Value value, int64_t other) -> Value {
      return arith::CmpIOp::create(at, loc, how, value, number(at, other));
    };
    Value base = op.getLhs(), exponent = op.getRhs();
    Value one = number(rewriter, 1), zero = number(rewriter, 0);
    Value isNegative = is(rewriter, Predicate::slt, exponent, 0);
    Value isUnit = arith::OrIOp::create(rewriter, loc, is(rewriter, Predicate::eq, base, 1),
                                        is(rewriter, Predicate::eq, base, -1));
    Value start = arith::SelectOp::create(rewriter, loc, isUnit, one, zero);
    start = arith::SelectOp::create(rewriter, loc, isNegative, start, one);
    Value isOdd = arith::AndIOp::create(rewriter, loc, exponent, one);
    Value bits = arith::SelectOp::create(rewriter, loc, isNegative, isOdd, exponent);
    auto loop = scf::WhileOp::create(
        rewriter, loc, TypeRange{type, type, type}, ValueRange{start, base, bits},
        [&](OpBuilder& body, Location, ValueRange values) {
          scf::ConditionOp::create(body, loc, is(body, Predicate::ne, values[2], 0), values);
        },
        [&](OpBuilder& body, Location, ValueRange values) {
          Value bit = arith::AndIOp::create(body, loc, values[2], one);
          Value power = arith::MulIOp::create(body, loc, values[0], values[1]);
          power = arith::SelectOp::create(body, loc, is(body, Predicate::ne, bit, 0), power, values[0]);
          Value square = arith::MulIOp::create(body, loc, values[1], values[1]);
          Value rest = arith::ShRUIOp::create(body, loc, values[2], one);
          scf::YieldOp::create(body, loc, ValueRange{power, square, rest});
        });
    rewriter.replaceOp(op, loop.getResult(0));
    return success();
  }
};

/// MLIR's expansion takes the minimum with the lower bound and the maximum with the upper one, as its documentation of
/// the operation says: that is always the upper bound.
struct ExpandClampF : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op, PatternRewriter& rewriter) const override {
    Value value = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, value, op.getMax(), op.getFastmath());
    return success();
  }
};

/// Operations on types that have none, as most of 8 bits, stay as they are.
bool hasInfinity(Value value) { return llvm::APFloat::semanticsHasInf(semanticsOf(value)); }

/// Whether the magnitude is infinite.
struct ExpandIsInf : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsInfOp op, PatternRewriter& rewriter) const override {
    if (!hasInfinity(op.getOperand())) return failure();
    const llvm::fltSemantics& semantics = semanticsOf(op.getOperand());
    Value magnitude = math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    Value infinity = floatLike(rewriter, op.getOperand(), llvm::APFloat::getInf(semantics));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ, magnitude, infinity);
    return success();
  }
};

/// Whether the magnitude is finite, and no less than what has all bits.
struct ExpandIsNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op, PatternRewriter& rewriter) const override {
    if (!hasInfinity(op.getOperand())) return failure();
    const llvm::fltSemantics& semantics = semanticsOf(op.getOperand());
    Value magnitude = math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    Value least = floatLike(rewriter, op.getOperand(), llvm::APFloat::getSmallestNormalized(semantics));
    Value infinity = floatLike(rewriter, op.getOperand(), llvm::APFloat::getInf(semantics));
    Value isLarge = arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::OGE, magnitude, least);
    Value isFinite = arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::OLT, magnitude, infinity);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
    return success();
  }
};

struct ExpandComposedMath : impl::ExpandComposedMathPassBase<ExpandComposedMath> {
  void runOnOperation() override {
    if (failed(expandComposedMath(getOperation()))) signalPassFailure();
  }
};

}  // namespace

LogicalResult expandComposedMath(Operation* root) {
  SmallVector<Operation*> ops;
  root->walk([&](Operation* op) {
    if (isa<math::IPowIOp, math::ClampFOp, math::IsInfOp, math::IsNormalOp>(op)) ops.push_back(op);
  });
  if (ops.empty()) return success();
  RewritePatternSet patterns(root->getContext());
  patterns.add<ExpandIPowI, ExpandClampF, ExpandIsInf, ExpandIsNormal>(root->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

}  // namespace mmtune
