// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/scheduling/epilogue_fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace mmtune {
namespace {

class StepReader {
 public:
  StepReader(linalg::LinalgOp op, Value product, unsigned columnDims, Type sums)
      : op(op), product(product), columnDims(columnDims), sums(sums) {}

  EpilogueSteps run() {
    if (!isPureBody(*op.getBlock()))
      result.reason = "its body does more than compute a value";
    else if (checkMaps() && !read(op.getBlock()->getTerminator()->getOperand(0)))
      refuse("its body is not a chain of bias, add, relu and scale");
    return std::move(result);
  }

 private:
  /// The first reason stands.
  bool refuse(std::string reason) {
    if (result.reason.empty()) result.reason = std::move(reason);
    return false;
  }

  bool checkMaps() {
    if (op.getNumDpsInits() != 1 || op.getNumParallelLoops() != op.getNumLoops())
      return refuse("it is not elementwise with one output");
    for (OpOperand& operand : op->getOpOperands())
      if ((operand.get() == product || op.isDpsInit(&operand)) && !op.getMatchingIndexingMap(&operand).isIdentity())
        return refuse("it does not go over product and output element by element");
    return true;
  }

  OpOperand* operandOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == op.getBlock() ? op.getMatchingOpOperand(argument) : nullptr;
  }

  /// The steps that make `value` out of the product's element.
  bool read(Value value) {
    if (OpOperand* operand = operandOf(value)) return operand->get() == product;
    Operation* inner = value.getDefiningOp();
    if (!inner) return false;
    if (isa<arith::AddFOp>(inner)) return eitherSide(inner, &StepReader::readSum);
    if (isa<arith::MulFOp>(inner)) return eitherSide(inner, &StepReader::readScale);
    if (isa<arith::MaximumFOp>(inner)) return eitherSide(inner, &StepReader::readMaximum);
    if (auto division = dyn_cast<arith::DivFOp>(inner)) return readQuotient(division);
    if (auto select = dyn_cast<arith::SelectOp>(inner)) return readSelect(select);
    if (auto rounding = dyn_cast<arith::TruncFOp>(inner)) return readRounding(rounding);
    return false;
  }

  /// Sums to the type of C, as a kernel does when it stores.
  bool readRounding(arith::TruncFOp rounding) {
    using Mode = arith::RoundingMode;
    bool toNearestEven = rounding.getRoundingmode().value_or(Mode::to_nearest_even) == Mode::to_nearest_even;
    return toNearestEven && rounding.getIn().getType() == sums && read(rounding.getIn());
  }

  /// The operand whose element `value` is, itself or extended.
  OpOperand* operandOfExtended(Value value) {
    if (auto extension = value.getDefiningOp<arith::ExtFOp>()) value = extension.getIn();
    return operandOf(value);
  }

  bool eitherSide(Operation* inner, bool (StepReader::*readWith)(Value, Value)) {
    Value x = inner->getOperand(0), y = inner->getOperand(1);
    return (this->*readWith)(x, y) || (this->*readWith)(y, x);
  }

  bool readSum(Value chain, Value other) {
    OpOperand* operand = operandOfExtended(other);
    if (!operand || operand->get() == product || !isa<MemRefType>(operand->get().getType())) return false;
    bool isAddend = op.getMatchingIndexingMap(operand).isIdentity();
    if (!isAddend && !readsColumns(*operand)) return false;
    Value& slot = isAddend ? result.addend : result.bias;
    if (slot || !isSums(chain) || !read(chain)) return false;
    slot = operand->get();
    return add(isAddend ? EpilogueOp::Kind::kAdd : EpilogueOp::Kind::kBias);
  }

  /// The last dimensions in their order; unit dimensions of the operand may stand between, so that
  /// the elements read are all that a dense operand has.
  bool readsColumns(OpOperand& operand) {
    auto type = cast<MemRefType>(operand.get().getType());
    unsigned next = op.getNumLoops() - columnDims;
    for (auto [position, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (isa<AffineConstantExpr>(expression) && type.getDimSize(position) == 1) continue;
      auto dim = dyn_cast<AffineDimExpr>(expression);
      if (!dim || dim.getPosition() != next++) return false;
    }
    return next == op.getNumLoops();
  }

  bool readScale(Value chain, Value other) {
    std::optional<APFloat> factor = constantOf(other);
    return factor && scale(chain, *factor);
  }

  bool readQuotient(arith::DivFOp division) {
    std::optional<APFloat> divisor = constantOf(division.getRhs());
    APFloat inverse(0.0f);
    // The inverse of a power of two is exact, so multiplying by it rounds alike.
    return divisor && divisor->getExactInverse(&inverse) && scale(division.getLhs(), inverse);
  }

  bool scale(Value chain, const APFloat& factor) {
    APFloat single = factor;
    bool loses = false;
    single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    return isSums(chain) && !loses && single.isFiniteNonZero() && read(chain) &&
           add(EpilogueOp::Kind::kScale, single.convertToFloat());
  }

  bool readMaximum(Value chain, Value other) {
    return isPositiveZero(other) && read(chain) && add(EpilogueOp::Kind::kRelu);
  }

  /// x > 0 ? x : 0 and x <= 0 ? 0 : x, where NaN stays what it is: as maximumf with +0.
  bool readSelect(arith::SelectOp select) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!compare) return false;
    bool keepsWhenTrue = isPositiveZero(select.getFalseValue());
    Value chain = keepsWhenTrue ? select.getTrueValue() : select.getFalseValue();
    Value zero = keepsWhenTrue ? select.getFalseValue() : select.getTrueValue();
    using Predicate = arith::CmpFPredicate;
    Predicate above = keepsWhenTrue ? Predicate::UGT : Predicate::OLE;
    Predicate below = keepsWhenTrue ? Predicate::ULT : Predicate::OGE;
    Value x = compare.getLhs(), y = compare.getRhs();
    bool keepsPositive = (x == chain && isZero(y) && compare.getPredicate() == above) ||
                         (y == chain && isZero(x) && compare.getPredicate() == below);
    return isPositiveZero(zero) && keepsPositive && read(chain) && add(EpilogueOp::Kind::kRelu);
  }

  /// Whether a step computes in the type of sums, as all do in a kernel. Only relu may as well come before the rounding
  /// to a narrower type: that is monotonic and keeps zeros, infinities and NaN.
  bool isSums(Value value) {
    std::string reason;
    llvm::raw_string_ostream(reason) << "it computes in " << value.getType() << "; kernels compute in " << sums
                                     << " and round once";
    return value.getType() == sums || refuse(std::move(reason));
  }

  bool add(EpilogueOp::Kind kind, float factor = 1) {
    result.steps.push_back({kind, factor});
    return true;
  }

  /// A constant, in the body, around it or passed as a scalar operand.
  std::optional<APFloat> constantOf(Value value) {
    if (OpOperand* operand = operandOf(value)) value = operand->get();
    APFloat constant(0.0f);
    if (!matchPattern(value, m_ConstantFloat(&constant))) return std::nullopt;
    return constant;
  }

  bool isZero(Value value) {
    std::optional<APFloat> constant = constantOf(value);
    return constant && constant->isZero();
  }

  bool isPositiveZero(Value value) {
    std::optional<APFloat> constant = constantOf(value);
    return constant && constant->isPosZero();
  }

  linalg::LinalgOp op;
  Value product;
  unsigned columnDims;
  Type sums;
  EpilogueSteps result;
};

}  // namespace

EpilogueSteps readEpilogueSteps(linalg::LinalgOp op, Value value, unsigned columnDims, Type sums) {
  return StepReader(op, value, columnDims, sums).run();
}

}  // namespace mmtune
