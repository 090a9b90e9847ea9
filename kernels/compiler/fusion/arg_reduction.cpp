// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/arg_reduction.h"

#include "kernels/compiler/fusion/reduction_parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mmtune {
namespace {

/// A comparison that is true if its first operand is beyond the second one: greater in a search for a maximum.
struct Beyond {
  Value first, second;
  bool isFloat = false, isGreater = false, isUnsigned = false, orEqual = false;
};

std::optional<Beyond> matchBeyond(Value condition) {
  Beyond beyond;
  if (auto compare = condition.getDefiningOp<arith::CmpFOp>()) {
    using Predicate = arith::CmpFPredicate;
    const Predicate predicate = compare.getPredicate();
    beyond = {compare.getLhs(), compare.getRhs(), /*isFloat=*/true};
    beyond.orEqual = predicate == Predicate::OGE || predicate == Predicate::OLE;
    beyond.isGreater = predicate == Predicate::OGT || predicate == Predicate::OGE;
    if (!beyond.orEqual && !beyond.isGreater && predicate != Predicate::OLT) return std::nullopt;
    return beyond;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare) return std::nullopt;
  using Predicate = arith::CmpIPredicate;
  const Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::eq || predicate == Predicate::ne) return std::nullopt;
  beyond = {compare.getLhs(), compare.getRhs()};
  beyond.isUnsigned = predicate >= Predicate::ult;
  beyond.isGreater = llvm::is_contained({Predicate::sgt, Predicate::sge, Predicate::ugt, Predicate::uge}, predicate);
  beyond.orEqual = llvm::is_contained({Predicate::sge, Predicate::sle, Predicate::uge, Predicate::ule}, predicate);
  return beyond;
}

/// Swaps the operands, so that `value` is the second one if it is one of them.
void setSecond(Beyond& beyond, Value value) {
  if (beyond.first != value) return;
  std::swap(beyond.first, beyond.second);
  beyond.isGreater = !beyond.isGreater;
}

bool isNumber(Value tensor) {
  auto start = dyn_cast_or_null<FloatAttr>(uniformConstant(tensor));
  return start && !start.getValue().isNaN();
}

/// Matches an operation that combines `value` with an element, and the comparison of these two.
bool matchMaximum(ArgReduction& arg, linalg::GenericOp op, Value combined, const Beyond& beyond, Value value) {
  Operation* combiner = combined.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !llvm::is_contained(combiner->getOperands(), value)) return false;
  const Value element = combiner->getOperand(combiner->getOperand(0) == value ? 1 : 0);
  if (element != beyond.first || value != beyond.second) return false;
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(combiner)) {
    arg.nans = NaNs::kIgnore;
    return beyond.isGreater == isa<arith::MaxNumFOp>(combiner) && isNumber(op.getDpsInits()[arg.value]);
  }
  if (beyond.isFloat) return beyond.isGreater ? isa<arith::MaximumFOp>(combiner) : isa<arith::MinimumFOp>(combiner);
  if (beyond.isUnsigned) return beyond.isGreater ? isa<arith::MaxUIOp>(combiner) : isa<arith::MinUIOp>(combiner);
  return beyond.isGreater ? isa<arith::MaxSIOp>(combiner) : isa<arith::MinSIOp>(combiner);
}

/// Matches `index' = condition ? number : index`, where `condition` is of `>` or `>=`, and returns the number.
Value matchChoiceByValue(ArgReduction& arg, linalg::GenericOp op) {
  const Value value = op.getRegionOutputArgs()[arg.value], index = op.getRegionOutputArgs()[1 - arg.value];
  Operation* yield = op.getBlock()->getTerminator();
  auto choice = yield->getOperand(1 - arg.value).getDefiningOp<arith::SelectOp>();
  if (!choice || choice.getFalseValue() != index) return {};
  std::optional<Beyond> beyond = matchBeyond(choice.getCondition());
  if (!beyond) return {};
  setSecond(*beyond, value);
  arg.element = beyond->first;
  arg.isFloat = beyond->isFloat;
  arg.isMaximum = beyond->isGreater;
  arg.isUnsigned = beyond->isUnsigned;
  arg.isLast = beyond->orEqual;
  if (matchMaximum(arg, op, yield->getOperand(arg.value), *beyond, value)) return choice.getTrueValue();
  auto chosen = yield->getOperand(arg.value).getDefiningOp<arith::SelectOp>();
  if (!chosen || chosen.getCondition() != choice.getCondition() || chosen.getTrueValue() != arg.element ||
      chosen.getFalseValue() != value || beyond->second != value)
    return {};
  // The value may be another zero than the maximum.
  if (arg.isFloat && !op->getResult(arg.value).use_empty()) return {};
  arg.nans = NaNs::kIgnore;
  return choice.getTrueValue();
}

/// Returns the two operands of `Op` if it computes the value, in either order, so that the first one is `isFirst`.
template <typename Op>
std::optional<std::pair<Value, Value>> orderedOperands(Value value, llvm::function_ref<bool(Value)> isFirst) {
  auto op = value.getDefiningOp<Op>();
  if (!op) return std::nullopt;
  if (isFirst(op->getOperand(0))) return std::pair(op->getOperand(0), op->getOperand(1));
  if (isFirst(op->getOperand(1))) return std::pair(op->getOperand(1), op->getOperand(0));
  return std::nullopt;
}

/// Matches the form that orders pairs, as jax writes it, and returns the number of the element. For a maximum:
///
///     keep = value > element or value is NaN;  value' = keep ? value : element
///     index' = keep or (value == element and index < number) ? index : number
Value matchChoiceByPair(ArgReduction& arg, linalg::GenericOp op) {
  const Value value = op.getRegionOutputArgs()[arg.value], index = op.getRegionOutputArgs()[1 - arg.value];
  Operation* yield = op.getBlock()->getTerminator();
  auto chosen = yield->getOperand(arg.value).getDefiningOp<arith::SelectOp>();
  auto choice = yield->getOperand(1 - arg.value).getDefiningOp<arith::SelectOp>();
  if (!chosen || !choice || chosen.getTrueValue() != value || choice.getTrueValue() != index) return {};
  const Value keep = chosen.getCondition(), number = choice.getFalseValue();
  arg.element = chosen.getFalseValue();
  auto isNaN = [&](Value condition) {
    auto compare = condition.getDefiningOp<arith::CmpFOp>();
    return compare && compare.getLhs() == value && compare.getRhs() == value &&
           llvm::is_contained({arith::CmpFPredicate::UNE, arith::CmpFPredicate::UNO}, compare.getPredicate());
  };
  Value greater = keep;
  if (auto parts = orderedOperands<arith::OrIOp>(keep, isNaN)) greater = parts->second;
  std::optional<Beyond> beyond = matchBeyond(greater);
  if (!beyond || beyond->orEqual || beyond->isFloat != (greater != keep)) return {};
  setSecond(*beyond, arg.element);
  if (beyond->first != value || beyond->second != arg.element) return {};
  auto tie = orderedOperands<arith::OrIOp>(choice.getCondition(), [&](Value condition) { return condition == keep; });
  if (!tie) return {};
  auto isEqual = [&](Value condition) {
    Operation* compare = condition.getDefiningOp();
    auto floats = dyn_cast_or_null<arith::CmpFOp>(compare);
    auto integers = dyn_cast_or_null<arith::CmpIOp>(compare);
    if (!(floats && floats.getPredicate() == arith::CmpFPredicate::OEQ) &&
        !(integers && integers.getPredicate() == arith::CmpIPredicate::eq))
      return false;
    return llvm::is_contained(compare->getOperands(), value) && llvm::is_contained(compare->getOperands(), arg.element);
  };
  auto parts = orderedOperands<arith::AndIOp>(tie->second, isEqual);
  std::optional<Beyond> earlier = parts ? matchBeyond(parts->second) : std::nullopt;
  if (!earlier) return {};
  setSecond(*earlier, number);
  if (earlier->isGreater || earlier->orEqual || earlier->isUnsigned || earlier->first != index ||
      earlier->second != number)
    return {};
  arg.isFloat = beyond->isFloat;
  arg.isMaximum = beyond->isGreater;
  arg.isUnsigned = beyond->isUnsigned;
  arg.nans = NaNs::kWin;
  // It starts from a value that nothing is below, at index 0, so that the start wins over no element.
  if (arg.isFloat && !op->getResult(arg.value).use_empty()) return {};
  TypedAttr start = uniformConstant(op.getDpsInits()[arg.value]);
  auto first = dyn_cast_or_null<IntegerAttr>(uniformConstant(op.getDpsInits()[1 - arg.value]));
  if (!start || !first || !first.getValue().isZero()) return {};
  if (auto floating = dyn_cast<FloatAttr>(start))
    return floating.getValue().isInfinity() && floating.getValue().isNegative() == arg.isMaximum ? number : Value();
  const APInt least = cast<IntegerAttr>(start).getValue();
  const bool isLeast = arg.isUnsigned ? (arg.isMaximum ? least.isMinValue() : least.isMaxValue())
                                      : (arg.isMaximum ? least.isMinSignedValue() : least.isMaxSignedValue());
  return isLeast ? number : Value();
}

}  // namespace

std::optional<ArgReduction> matchArgReduction(linalg::GenericOp op) {
  if (!isTensorReduction(op) || op->getNumResults() != 2 || op.getNumReductionLoops() != 1) return std::nullopt;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (unsigned value : {0U, 1U}) {
    ArgReduction arg;
    arg.loop = loops[0];
    arg.value = value;
    Value number = matchChoiceByValue(arg, op);
    if (!number) number = matchChoiceByPair(arg = {{}, value, loops[0]}, op);
    // The index has to fit its type.
    auto cast = number ? number.getDefiningOp<arith::IndexCastOp>() : nullptr;
    auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    const int64_t size = op.getStaticLoopRanges()[arg.loop];
    const unsigned bits = cast ? cast.getType().getIntOrFloatBitWidth() : 0;
    if (!index || index.getDim() != arg.loop || bits < 32 ||
        (bits < 64 && (ShapedType::isDynamic(size) || size > INT32_MAX)))
      continue;
    if (dependsOnlyOnInputs(arg.element, op)) return arg;
  }
  return std::nullopt;
}

}  // namespace mmtune
