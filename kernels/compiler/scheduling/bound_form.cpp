// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/bound_form.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mmtune {
namespace {

using Predicate = arith::CmpFPredicate;

/// `x predicate bound`, read so that it asks for x > bound, or, of an upper bound, for x < bound.
struct Comparison {
  bool isGreater;      ///< Else less.
  bool whenEqual;      ///< What it says of equal operands.
  bool whenUnordered;  ///< What it says of NaN.
};

std::optional<Comparison> readPredicate(Predicate predicate) {
  switch (predicate) {
    case Predicate::OGT:
      return Comparison{true, false, false};
    case Predicate::UGT:
      return Comparison{true, false, true};
    case Predicate::OGE:
      return Comparison{true, true, false};
    case Predicate::UGE:
      return Comparison{true, true, true};
    case Predicate::OLT:
      return Comparison{false, false, false};
    case Predicate::ULT:
      return Comparison{false, false, true};
    case Predicate::OLE:
      return Comparison{false, true, false};
    case Predicate::ULE:
      return Comparison{false, true, true};
    default:
      return std::nullopt;
  }
}

std::optional<BoundForm> matchOperation(linalg::LinalgOp op, Operation* inner) {
  if (!isa<arith::MaximumFOp, arith::MinimumFOp>(inner)) return std::nullopt;
  for (unsigned side : {0, 1})
    if (std::optional<APFloat> bound = constantOf(op, inner->getOperand(1 - side)))
      return BoundForm{inner->getOperand(side), *bound, isa<arith::MaximumFOp>(inner)};
  return std::nullopt;
}

std::optional<BoundForm> matchSelection(linalg::LinalgOp op, arith::SelectOp select, bool& dropsNan) {
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
  // Of two zeros the one with the sign on the side of the bound is taken.
  if (bound->isZero() && (keepsEqual == isLower || bound->isNegative())) return std::nullopt;
  if (comparison->whenUnordered != keepsWhenTrue) {
    dropsNan = true;
    return std::nullopt;
  }
  return BoundForm{x, *bound, isLower};
}

}  // namespace

std::optional<BoundForm> matchBoundForm(linalg::LinalgOp op, Value value, bool& dropsNan) {
  Operation* inner = value.getDefiningOp();
  if (!inner) return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(inner)) return matchSelection(op, select, dropsNan);
  return matchOperation(op, inner);
}

}  // namespace mmtune
