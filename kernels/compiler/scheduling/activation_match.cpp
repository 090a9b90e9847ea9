// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/activation_match.h"

#include <cmath>

#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace mmtune {
namespace {

/// `x predicate bound`, as one of x > bound and x < bound.
struct Comparison {
  bool isGreater;      ///< Otherwise less.
  bool whenEqual;      ///< The result for equal operands.
  bool whenUnordered;  ///< The result for NaN.
};

std::optional<Comparison> readPredicate(arith::CmpFPredicate predicate) {
  auto holds = [&](double x, double y) { return arith::applyCmpPredicate(predicate, APFloat(x), APFloat(y)); };
  const bool greater = holds(1, 0), less = holds(0, 1);
  if (greater == less) return std::nullopt;
  return Comparison{greater, holds(0, 0), holds(std::nan(""), 0)};
}

std::optional<ClampForm> matchOperation(linalg::LinalgOp op, Operation* inner) {
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(inner)) return std::nullopt;
  for (unsigned side : {0, 1})
    if (std::optional<APFloat> bound = constantOf(op, inner->getOperand(1 - side)))
      return ClampForm{inner->getOperand(side), *bound, isa<arith::MaximumFOp>(inner)};
  return std::nullopt;
}

std::optional<ClampForm> matchSelection(linalg::LinalgOp op, arith::SelectOp select, bool& dropsNan) {
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  std::optional<Comparison> comparison = compare ? readPredicate(compare.getPredicate()) : std::nullopt;
  if (!comparison) return std::nullopt;
  bool keepsWhenTrue = constantOf(op, select.getFalseValue()).has_value();
  Value x = keepsWhenTrue ? select.getTrueValue() : select.getFalseValue();
  std::optional<APFloat> bound = constantOf(op, keepsWhenTrue ? select.getFalseValue() : select.getTrueValue());
  bool xIsLeft = compare.getLhs() == x;
  std::optional<APFloat> compared = constantOf(op, xIsLeft ? compare.getRhs() : compare.getLhs());
  if (!bound || !compared || (!xIsLeft && compare.getRhs() != x)) return std::nullopt;
  if (compared->compare(*bound) != APFloat::cmpEqual) return std::nullopt;
  // `x < bound` keeps x below it, and so does `x >= bound` that selects the bound.
  bool isLower = (comparison->isGreater == xIsLeft) == keepsWhenTrue;
  bool keepsEqual = comparison->whenEqual == keepsWhenTrue;
  // For two zeros, the one whose sign is on the bound's side has to be taken.
  if (bound->isZero() && (keepsEqual == isLower || bound->isNegative())) return std::nullopt;
  if (comparison->whenUnordered != keepsWhenTrue) {
    dropsNan = true;
    return std::nullopt;
  }
  return ClampForm{x, *bound, isLower};
}

constexpr float kSqrtHalf = 0.707106781f;
constexpr float kSqrt2OverPi = 0.797884561f, kSqrt2OverPiOfTorchMlir = 0.797724f;
constexpr float kCubeFactor = 0.044715f;
constexpr double kLargest = 32;  // The largest constant of the formulas, and the inverse of the smallest.

/// A product of constants and values, divided by other values.
struct Factors {
  double constant = 1;
  bool grows = false;  ///< True if one constant enlarges it: it may overflow where the whole does not.
  SmallVector<Value> above, below;

  void multiply(double factor) {
    constant *= factor;
    grows |= std::abs(factor) > 1;
  }
  void divide(double divisor) {
    constant /= divisor;
    grows |= std::abs(divisor) < 1;
  }
};

class ActivationReader {
 public:
  explicit ActivationReader(linalg::LinalgOp op) : op(op) {}

  std::optional<ActivationForm> run(Value value) {
    // The activation's argument may itself be a product: then its factors are looked at as a whole.
    for (Value activation : factorsOf(value, Value()).above)
      if (std::optional<ActivationForm> form = matchSum(activation); form && isHalfOf(value, form->x, activation))
        return form;
    for (Value divisor : factorsOf(value, Value()).below)
      if (Value x = baseOfLogistic(divisor)) {
        Factors factors = factorsOf(value, x);
        if (factors.constant == 1 && !factors.grows && llvm::equal(factors.above, ArrayRef<Value>(x)) &&
            llvm::equal(factors.below, ArrayRef<Value>(divisor)))
          return ActivationForm{EpilogueOp::Kind::kSilu, x, {}};
      }
    return std::nullopt;
  }

 private:
  /// Splits a product into factors. `whole` is not split, and divisors are not either.
  Factors factorsOf(Value value, Value whole) {
    Factors factors;
    SmallVector<Value> left{value};
    while (!left.empty()) {
      Value next = left.pop_back_val();
      Operation* inner = next.getDefiningOp();
      if (next == whole) {
        factors.above.push_back(next);
      } else if (std::optional<double> constant = numberOf(next)) {
        factors.multiply(*constant);
      } else if (isa_and_nonnull<arith::MulFOp>(inner)) {
        llvm::append_range(left, inner->getOperands());
      } else if (isa_and_nonnull<arith::NegFOp>(inner)) {
        factors.constant = -factors.constant;
        left.push_back(inner->getOperand(0));
      } else if (auto division = next.getDefiningOp<arith::DivFOp>()) {
        left.push_back(division.getLhs());
        if (std::optional<double> divisor = numberOf(division.getRhs()))
          factors.divide(*divisor);
        else
          factors.below.push_back(division.getRhs());
      } else if (unsigned exponent = powerOf(next)) {
        left.append(exponent, inner->getOperand(0));
      } else {
        factors.above.push_back(next);
      }
    }
    return factors;
  }

  /// Returns a constant of the size that the formulas have. Others could overflow or vanish before they cancel.
  std::optional<double> numberOf(Value value) {
    std::optional<APFloat> constant = constantOf(op, value);
    if (!constant || !value.getType().isF32()) return std::nullopt;
    const double number = constant->convertToFloat();
    return std::abs(number) >= 1 / kLargest && std::abs(number) <= kLargest ? std::optional(number) : std::nullopt;
  }

  /// Returns the exponent of a square or cube; 0 for other values.
  unsigned powerOf(Value value) {
    Operation* power = value.getDefiningOp();
    APInt whole(64, 0);
    std::optional<double> exponent;
    if (isa_and_nonnull<math::FPowIOp>(power) && matchPattern(power->getOperand(1), m_ConstantInt(&whole)))
      exponent = whole.roundToDouble(/*isSigned=*/true);
    else if (isa_and_nonnull<math::PowFOp>(power))
      exponent = numberOf(power->getOperand(1));
    return exponent == 2 ? 2 : exponent == 3 ? 3 : 0;
  }

  /// True if value = x * 1/2 * activation.
  bool isHalfOf(Value value, Value x, Value activation) {
    Factors factors = factorsOf(value, x);
    return factors.constant == 0.5 && !factors.grows && factors.below.empty() && factors.above.size() == 2 &&
           llvm::is_contained(factors.above, x) && llvm::is_contained(factors.above, activation);
  }

  /// Returns the other operand of an addition with 1.
  Value besidesOne(Value value) {
    auto sum = value.getDefiningOp<arith::AddFOp>();
    for (unsigned side : {0, 1})
      if (sum && numberOf(sum->getOperand(side)) == 1) return sum->getOperand(1 - side);
    return {};
  }

  /// Returns x if value = factor * x, written as one operation or several.
  Value unscaled(Value value, float factor) {
    double scale = 1;
    while (Operation* inner = value.getDefiningOp()) {
      std::optional<double> left, right;
      if (inner->getNumOperands() == 2) {
        left = numberOf(inner->getOperand(0));
        right = numberOf(inner->getOperand(1));
      }
      if (isa<arith::NegFOp>(inner))
        scale = -scale;
      else if (isa<arith::MulFOp>(inner) && (left || right))
        scale *= right ? *right : *left;
      else if (isa<arith::DivFOp>(inner) && right)
        scale /= *right;
      else
        return {};
      value = inner->getOperand(isa<arith::MulFOp>(inner) && !right ? 1 : 0);
      if (static_cast<float>(scale) == factor) return value;
    }
    return {};
  }

  /// Matches twice the function s(x) that gelu multiplies x by.
  std::optional<ActivationForm> matchSum(Value value) {
    if (auto complement = value.getDefiningOp<math::ErfcOp>()) return matchErf(complement.getOperand(), -kSqrtHalf);
    Value activation = besidesOne(value);
    if (!activation) return std::nullopt;
    if (auto erf = activation.getDefiningOp<math::ErfOp>()) return matchErf(erf.getOperand(), kSqrtHalf);
    if (auto tanh = activation.getDefiningOp<math::TanhOp>()) return matchTanh(tanh.getOperand());
    return std::nullopt;
  }

  std::optional<ActivationForm> matchErf(Value argument, float factor) {
    Value x = unscaled(argument, factor);
    return x ? std::optional(ActivationForm{EpilogueOp::Kind::kGelu, x, {}}) : std::nullopt;
  }

  /// Matches argument = sqrt(2/pi) * (x + 0.044715 * x^3).
  std::optional<ActivationForm> matchTanh(Value argument) {
    Factors factors = factorsOf(argument, Value());
    if (factors.above.size() != 1 || !factors.below.empty()) return std::nullopt;
    auto sum = factors.above[0].getDefiningOp<arith::AddFOp>();
    const auto scale = static_cast<float>(factors.constant);
    if (!sum || (scale != kSqrt2OverPi && scale != kSqrt2OverPiOfTorchMlir)) return std::nullopt;
    for (unsigned side : {0, 1}) {
      Value x = sum->getOperand(side);
      Factors cube = factorsOf(sum->getOperand(1 - side), x);
      if (static_cast<float>(cube.constant) == kCubeFactor && cube.below.empty() &&
          llvm::equal(cube.above, SmallVector<Value>(3, x)))
        return ActivationForm{EpilogueOp::Kind::kGeluTanh, x,
                              scale == kSqrt2OverPi ? std::nullopt : std::optional(scale)};
    }
    return std::nullopt;
  }

  /// Returns the x of 1 + exp(-x), or null.
  Value baseOfLogistic(Value value) {
    Value activation = besidesOne(value);
    auto power = activation ? activation.getDefiningOp<math::ExpOp>() : nullptr;
    return power ? unscaled(power.getOperand(), -1) : Value();
  }

  linalg::LinalgOp op;
};

}  // namespace

std::optional<ClampForm> matchClamp(linalg::LinalgOp op, Value value, bool& dropsNan) {
  Operation* inner = value.getDefiningOp();
  if (!inner) return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(inner)) return matchSelection(op, select, dropsNan);
  return matchOperation(op, inner);
}

std::optional<ActivationForm> matchActivation(linalg::LinalgOp op, Value value) {
  return value.getType().isF32() ? ActivationReader(op).run(value) : std::nullopt;
}

#define GEN_PASS_DEF_ZEROACTIVATIONLIMITSPASS
#include "kernels/compiler/scheduling/Passes.h.inc"

namespace {

/// The pass zero-activation-limits: gelu and silu are 0 at minus infinity, as in kernels.
struct ZeroActivationLimits : impl::ZeroActivationLimitsPassBase<ZeroActivationLimits> {
  void runOnOperation() override {
    SmallVector<std::pair<Value, Value>> curves;
    getOperation().walk([&](linalg::LinalgOp op) {
      for (Operation& inner : op.getBlock()->without_terminator())
        for (Value value : inner.getResults())
          if (std::optional<ActivationForm> form = matchActivation(op, value)) curves.emplace_back(value, form->x);
    });
    for (auto [value, x] : curves) {
      OpBuilder builder(&getContext());
      builder.setInsertionPointAfter(value.getDefiningOp());
      const llvm::fltSemantics& semantics = cast<FloatType>(value.getType()).getFloatSemantics();
      auto constant = [&](const APFloat& number) -> Value {
        return arith::ConstantOp::create(builder, value.getLoc(), builder.getFloatAttr(value.getType(), number));
      };
      Value isLimit = arith::CmpFOp::create(builder, value.getLoc(), arith::CmpFPredicate::OEQ, x,
                                            constant(APFloat::getInf(semantics, /*Negative=*/true)));
      Value limited =
          arith::SelectOp::create(builder, value.getLoc(), isLimit, constant(APFloat::getZero(semantics)), value);
      value.replaceAllUsesExcept(limited, limited.getDefiningOp());
    }
  }
};

}  // namespace

}  // namespace mmtune
