// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "absl/strings/str_cat.h"
#include "kernels/compiler/scheduling/activation_match.h"
#include "kernels/compiler/scheduling/matmul_fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace mmtune {
namespace {

class StepReader {
 public:
  StepReader(linalg::LinalgOp op, Value matmul, unsigned columnDims, Type accumulator)
      : op(op), matmul(matmul), columnDims(columnDims), accumulator(accumulator) {}

  EpilogueSteps run(Value value) {
    if (!isPureBody(*op.getBlock()))
      result.reason = "its body does more than compute a value";
    else if (checkMaps() && !read(value))
      refuse(dropsNan ? "it replaces NaN by a bound, and kernels keep NaN"
                      : "its body is not a chain of bias, add, sub, relu, scale, gelu, silu, tanh and clamp");
    return std::move(result);
  }

 private:
  /// Keeps the first reason.
  bool refuse(std::string reason) {
    if (result.reason.empty()) result.reason = std::move(reason);
    return false;
  }

  bool checkMaps() {
    if (op.getNumDpsInits() != 1 || !hasOnlyParallelLoops(op)) return refuse("it is not elementwise with one output");
    for (OpOperand& operand : op->getOpOperands())
      if ((operand.get() == matmul || op.isDpsInit(&operand)) && !op.getMatchingIndexingMap(&operand).isIdentity())
        return refuse("its indexing maps for the matmul's result and its output are not the identity");
    return true;
  }

  OpOperand* operandOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBlock() ? op.getMatchingOpOperand(argument) : nullptr;
  }

  /// Reads the steps that compute `value` from the matmul's element.
  bool read(Value value) {
    if (OpOperand* operand = operandOf(value)) return operand->get() == matmul;
    Operation* inner = value.getDefiningOp();
    if (!inner) return false;
    if (std::optional<ActivationForm> form = matchActivation(op, value)) return readActivation(*form);
    if (std::optional<ClampForm> form = matchClamp(op, value, dropsNan)) return readBound(*form);
    if (isa<arith::AddFOp>(inner)) return eitherSide(inner, &StepReader::readAddition);
    if (auto difference = dyn_cast<arith::SubFOp>(inner)) return readDifference(difference);
    if (isa<arith::NegFOp>(inner)) return negate(inner->getOperand(0));
    if (auto tanh = dyn_cast<math::TanhOp>(inner)) return readTanh(tanh);
    if (isa<arith::MulFOp>(inner)) return eitherSide(inner, &StepReader::readScale);
    if (auto division = dyn_cast<arith::DivFOp>(inner)) return readQuotient(division);
    if (auto rounding = dyn_cast<arith::TruncFOp>(inner)) return readRounding(rounding);
    return false;
  }

  /// Accepts a rounding of the accumulator to the type of C, which a kernel does when it stores.
  bool readRounding(arith::TruncFOp rounding) {
    using Mode = arith::RoundingMode;
    bool toNearestEven = rounding.getRoundingmode().value_or(Mode::to_nearest_even) == Mode::to_nearest_even;
    return toNearestEven && rounding.getIn().getType() == accumulator && read(rounding.getIn());
  }

  /// Returns the operand whose element, possibly extended, `value` is.
  OpOperand* operandOfExtended(Value value) {
    if (auto extension = value.getDefiningOp<arith::ExtFOp>()) value = extension.getIn();
    return operandOf(value);
  }

  bool eitherSide(Operation* inner, bool (StepReader::*readWith)(Value, Value)) {
    Value x = inner->getOperand(0), y = inner->getOperand(1);
    return (this->*readWith)(x, y) || (this->*readWith)(y, x);
  }

  /// Returns an operand with at least one dimension that is not the matmul, or null.
  OpOperand* otherOperandOf(Value value) {
    OpOperand* operand = operandOfExtended(value);
    return operand && operand->get() != matmul && isa<ShapedType>(operand->get().getType()) ? operand : nullptr;
  }

  bool isOfSizeOfC(OpOperand* operand) { return op.getMatchingIndexingMap(operand).isIdentity(); }

  bool readAddition(Value chain, Value other) { return readSum(chain, other, /*negates=*/false); }

  /// Reads chain + other, or -chain + other.
  bool readSum(Value chain, Value other, bool negates) {
    OpOperand* operand = otherOperandOf(other);
    if (!operand) return false;
    bool isAddend = isOfSizeOfC(operand);
    if (!isAddend && !readsColumns(*operand)) return false;
    Value& slot = isAddend ? result.addend : result.bias;
    if (slot || !isAccumulatorType(chain) || !(negates ? negate(chain) : read(chain))) return false;
    slot = operand->get();
    return add({isAddend ? EpilogueOp::Kind::kAdd : EpilogueOp::Kind::kBias});
  }

  /// Reads x - y, or y - x as -x + y. A bias is only added, because -(y - x) has another zero.
  bool readDifference(arith::SubFOp difference) {
    Value left = difference.getLhs(), right = difference.getRhs();
    if (OpOperand* operand = otherOperandOf(right); operand && isOfSizeOfC(operand)) {
      if (result.addend || !isAccumulatorType(left) || !read(left)) return false;
      result.addend = operand->get();
      return add({EpilogueOp::Kind::kSub});
    }
    return readSum(right, left, /*negates=*/true);
  }

  /// True if the operand is indexed by the columns of C in order. Unit dimensions may stand between.
  bool readsColumns(OpOperand& operand) {
    auto type = cast<ShapedType>(operand.get().getType());
    unsigned next = op.getNumLoops() - columnDims;
    for (auto [position, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (isa<AffineConstantExpr>(expression) && type.getDimSize(position) == 1) continue;
      auto dim = dyn_cast<AffineDimExpr>(expression);
      if (!dim || dim.getPosition() != next++) return false;
    }
    return next == op.getNumLoops();
  }

  bool readScale(Value chain, Value other) {
    std::optional<APFloat> factor = constantOf(op, other);
    return factor && scale(chain, *factor);
  }

  bool readQuotient(arith::DivFOp division) {
    std::optional<APFloat> divisor = constantOf(op, division.getRhs());
    APFloat inverse(0.0f);
    // The inverse of a power of two is exact, so the product rounds as the quotient does.
    return divisor && divisor->getExactInverse(&inverse) && scale(division.getLhs(), inverse);
  }

  bool scale(Value chain, const APFloat& factor) {
    std::optional<float> single = singleOf(factor);
    return isAccumulatorType(chain) && single && *single != 0 && read(chain) &&
           add({EpilogueOp::Kind::kScale, *single});
  }

  bool negate(Value chain) { return isAccumulatorType(chain) && read(chain) && add({EpilogueOp::Kind::kScale, -1.0f}); }

  bool readTanh(math::TanhOp tanh) {
    Value x = tanh.getOperand();
    return x.getType().isF32() && isAccumulatorType(x) && read(x) && add({EpilogueOp::Kind::kTanh});
  }

  bool readActivation(const ActivationForm& form) {
    if (!isAccumulatorType(form.x) || !read(form.x)) return false;
    if (form.inexactFactor)
      result.note = absl::StrCat("its gelu is computed with sqrt(2/pi), not with ", *form.inexactFactor);
    return add({form.kind});
  }

  /// Reads relu (a maximum with +0) or clamp (a minimum of a maximum, or the reverse).
  bool readBound(const ClampForm& outer) {
    if (std::optional<ClampForm> inner = matchClamp(op, outer.x, dropsNan); inner && inner->isLower != outer.isLower)
      if (std::optional<EpilogueOp> clamp = clampOf(outer.isLower ? outer : *inner, outer.isLower ? *inner : outer))
        return read(inner->x) && add(*clamp);
    return outer.isLower && outer.bound.isPosZero() && read(outer.x) && add({EpilogueOp::Kind::kRelu});
  }

  static std::optional<EpilogueOp> clampOf(const ClampForm& low, const ClampForm& high) {
    EpilogueOp clamp{EpilogueOp::Kind::kClamp};
    for (auto [form, slot] : {std::pair{&low, &clamp.low}, {&high, &clamp.high}}) {
      std::optional<float> bound = singleOf(form->bound);
      if (!bound || form->bound.isNegZero()) return std::nullopt;
      *slot = *bound;
    }
    return clamp.low <= clamp.high ? std::optional(clamp) : std::nullopt;
  }

  /// Returns a finite value that f32 represents exactly.
  static std::optional<float> singleOf(APFloat value) {
    bool loses = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    return loses || !value.isFinite() ? std::nullopt : std::optional(value.convertToFloat());
  }

  /// True if a step computes in the accumulator type, as kernels do. Only relu and clamp may also come before the
  /// rounding to a narrower type, which is monotonic and keeps their bounds, infinities and NaN.
  bool isAccumulatorType(Value value) {
    std::string reason;
    llvm::raw_string_ostream(reason) << "it computes in " << value.getType() << "; kernels compute in " << accumulator
                                     << " and round once";
    return value.getType() == accumulator || refuse(std::move(reason));
  }

  bool add(EpilogueOp step) {
    result.steps.push_back(step);
    return true;
  }

  linalg::LinalgOp op;
  Value matmul;
  unsigned columnDims;
  Type accumulator;
  bool dropsNan = false;  ///< True if a minimum or maximum was refused because of NaN.
  EpilogueSteps result;
};

}  // namespace

EpilogueSteps readEpilogueSteps(linalg::LinalgOp op, Value matmul, unsigned columnDims, Type accumulator, Value value) {
  if (!value) value = op.getBlock()->getTerminator()->getOperand(0);
  return StepReader(op, matmul, columnDims, accumulator).run(value);
}

}  // namespace mmtune
