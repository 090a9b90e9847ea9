// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/constant_body.h"

#include <cmath>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using Element = std::optional<ConstantElement>;
using Elements = ArrayRef<ConstantElement>;
/// Computes an operation from its operands. Returns nothing if the result is undefined or depends on the machine.
using ConstantOperation = std::function<Element(Elements)>;

ElementFormat formatOf(Type type) { return *ElementFormat::of(type); }
ElementFormat formatOf(Value value) { return formatOf(value.getType()); }

Unary unaryOf(Operation* op) {
  return llvm::TypeSwitch<Operation*, Unary>(op)
      .Case<arith::NegFOp>([](auto) { return +[](double x) { return -x; }; })
      .Case<math::AbsFOp>([](auto) { return +[](double x) { return std::abs(x); }; })
      .Case<math::CeilOp>([](auto) { return +[](double x) { return std::ceil(x); }; })
      .Case<math::FloorOp>([](auto) { return +[](double x) { return std::floor(x); }; })
      .Case<math::RoundOp>([](auto) { return +[](double x) { return std::round(x); }; })
      .Case<math::RoundEvenOp>([](auto) { return +[](double x) { return std::nearbyint(x); }; })
      .Case<math::TruncOp>([](auto) { return +[](double x) { return std::trunc(x); }; })
      .Case<math::SqrtOp>([](auto) { return +[](double x) { return std::sqrt(x); }; })
      .Case<math::RsqrtOp>([](auto) { return +[](double x) { return 1 / std::sqrt(x); }; })
      .Case<math::ExpOp>([](auto) { return +[](double x) { return std::exp(x); }; })
      .Case<math::Exp2Op>([](auto) { return +[](double x) { return std::exp2(x); }; })
      .Case<math::ExpM1Op>([](auto) { return +[](double x) { return std::expm1(x); }; })
      .Case<math::LogOp>([](auto) { return +[](double x) { return std::log(x); }; })
      .Case<math::Log2Op>([](auto) { return +[](double x) { return std::log2(x); }; })
      .Case<math::Log10Op>([](auto) { return +[](double x) { return std::log10(x); }; })
      .Case<math::Log1pOp>([](auto) { return +[](double x) { return std::log1p(x); }; })
      .Case<math::SinOp>([](auto) { return +[](double x) { return std::sin(x); }; })
      .Case<math::CosOp>([](auto) { return +[](double x) { return std::cos(x); }; })
      .Case<math::TanOp>([](auto) { return +[](double x) { return std::tan(x); }; })
      .Case<math::TanhOp>([](auto) { return +[](double x) { return std::tanh(x); }; })
      .Case<math::ErfOp>([](auto) { return +[](double x) { return std::erf(x); }; })
      .Case<math::ErfcOp>([](auto) { return +[](double x) { return std::erfc(x); }; })
      .Case<math::CbrtOp>([](auto) { return +[](double x) { return std::cbrt(x); }; })
      .Case<math::SinhOp>([](auto) { return +[](double x) { return std::sinh(x); }; })
      .Case<math::CoshOp>([](auto) { return +[](double x) { return std::cosh(x); }; })
      .Case<math::AsinOp>([](auto) { return +[](double x) { return std::asin(x); }; })
      .Case<math::AcosOp>([](auto) { return +[](double x) { return std::acos(x); }; })
      .Case<math::AtanOp>([](auto) { return +[](double x) { return std::atan(x); }; })
      .Case<math::AsinhOp>([](auto) { return +[](double x) { return std::asinh(x); }; })
      .Case<math::AcoshOp>([](auto) { return +[](double x) { return std::acosh(x); }; })
      .Case<math::AtanhOp>([](auto) { return +[](double x) { return std::atanh(x); }; })
      .Default(Unary());
}

/// Returns the larger operand. +0 is larger than -0, and NaN is kept.
double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::nan("");
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}

Binary binaryOf(Operation* op) {
  return llvm::TypeSwitch<Operation*, Binary>(op)
      .Case<arith::AddFOp>([](auto) { return +[](double x, double y) { return x + y; }; })
      .Case<arith::SubFOp>([](auto) { return +[](double x, double y) { return x - y; }; })
      .Case<arith::MulFOp>([](auto) { return +[](double x, double y) { return x * y; }; })
      .Case<arith::DivFOp>([](auto) { return +[](double x, double y) { return x / y; }; })
      .Case<arith::RemFOp>([](auto) { return +[](double x, double y) { return std::fmod(x, y); }; })
      .Case<arith::MaximumFOp>([](auto) { return +[](double x, double y) { return maximum(x, y); }; })
      .Case<arith::MinimumFOp>([](auto) { return +[](double x, double y) { return -maximum(-x, -y); }; })
      .Case<arith::MaxNumFOp>([](auto) { return +[](double x, double y) { return std::fmax(x, y); }; })
      .Case<arith::MinNumFOp>([](auto) { return +[](double x, double y) { return std::fmin(x, y); }; })
      .Case<math::PowFOp>([](auto) { return +[](double x, double y) { return std::pow(x, y); }; })
      .Case<math::Atan2Op>([](auto) { return +[](double x, double y) { return std::atan2(x, y); }; })
      .Case<math::CopySignOp>([](auto) { return +[](double x, double y) { return std::copysign(x, y); }; })
      .Default(Binary());
}

/// True if x / y is defined and representable.
bool divides(int64_t x, int64_t y, unsigned bits) { return y != 0 && (y != -1 || x != llvm::minIntN(bits)); }

/// Computes an operation of two integers, given as signed and as unsigned ones. Returns nothing if it is unsupported or
/// undefined.
std::optional<int64_t> ofIntegers(Operation* op, int64_t x, int64_t y, uint64_t ux, uint64_t uy, unsigned bits) {
  using Result = std::optional<int64_t>;
  const bool quotient = divides(x, y, bits), shift = uy < bits;
  auto when = [](bool defined, auto compute) { return defined ? Result(compute()) : std::nullopt; };
  return llvm::TypeSwitch<Operation*, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return static_cast<int64_t>(ux + uy); })
      .Case<arith::SubIOp>([&](auto) { return static_cast<int64_t>(ux - uy); })
      .Case<arith::MulIOp>([&](auto) { return static_cast<int64_t>(ux * uy); })
      .Case<arith::AndIOp>([&](auto) { return x & y; })
      .Case<arith::OrIOp>([&](auto) { return x | y; })
      .Case<arith::XOrIOp>([&](auto) { return x ^ y; })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(x, y); })
      .Case<arith::MinSIOp>([&](auto) { return std::min(x, y); })
      .Case<arith::MaxUIOp>([&](auto) { return static_cast<int64_t>(std::max(ux, uy)); })
      .Case<arith::MinUIOp>([&](auto) { return static_cast<int64_t>(std::min(ux, uy)); })
      .Case<arith::DivSIOp>([&](auto) { return when(quotient, [&] { return x / y; }); })
      .Case<arith::RemSIOp>([&](auto) { return when(quotient, [&] { return x % y; }); })
      .Case<arith::DivUIOp>([&](auto) { return when(uy != 0, [&] { return static_cast<int64_t>(ux / uy); }); })
      .Case<arith::RemUIOp>([&](auto) { return when(uy != 0, [&] { return static_cast<int64_t>(ux % uy); }); })
      .Case<arith::FloorDivSIOp>([&](auto) {
        return when(quotient, [&] { return x / y - static_cast<int64_t>(x % y != 0 && (x < 0) != (y < 0)); });
      })
      .Case<arith::ShLIOp>([&](auto) { return when(shift, [&] { return static_cast<int64_t>(ux << uy); }); })
      .Case<arith::ShRSIOp>([&](auto) { return when(shift, [&] { return x >> uy; }); })
      .Case<arith::ShRUIOp>([&](auto) { return when(shift, [&] { return static_cast<int64_t>(ux >> uy); }); })
      .Default(Result());
}

ConstantElement boolean(bool value) { return {.integer = value ? -1 : 0}; }

/// Converts between types. Values that the other type cannot represent are left to the machine.
ConstantOperation conversion(Operation* op) {
  const ElementFormat from = formatOf(op->getOperand(0)), to = formatOf(op->getResult(0));
  // f64 to 16 bits rounds once.
  const bool narrows = from.width() == 64 && to.width() == 16;
  Type type = op->getResult(0).getType();
  auto rounded = [=](double x) -> Element {
    if (!narrows) return to.rounded(x);
    APFloat value(x);
    bool inexact = false;
    value.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return ConstantElement{.number = value.convertToDouble()};
  };
  constexpr double kExact = 1LL << 53;
  auto fromInteger = [=](double x) -> Element {
    if (std::abs(x) > kExact) return std::nullopt;
    return rounded(x);
  };
  auto toInteger = [=](double x, double lowest, double above) -> Element {
    const double whole = std::trunc(x);
    if (!(whole >= lowest && whole < above)) return std::nullopt;
    return to.wrapped(whole < 0 ? static_cast<int64_t>(whole) : static_cast<int64_t>(static_cast<uint64_t>(whole)));
  };
  const double top = std::ldexp(1.0, static_cast<int>(to.width()) - 1);
  if (isa<arith::ExtFOp>(op)) return [](Elements x) -> Element { return x[0]; };
  if (isa<arith::TruncFOp>(op)) return [=](Elements x) -> Element { return rounded(x[0].number); };
  if (isa<arith::SIToFPOp>(op))
    return [=](Elements x) -> Element { return fromInteger(static_cast<double>(x[0].integer)); };
  if (isa<arith::UIToFPOp>(op))
    return [=](Elements x) -> Element { return fromInteger(static_cast<double>(from.asUnsigned(x[0]))); };
  if (isa<arith::FPToSIOp>(op)) return [=](Elements x) -> Element { return toInteger(x[0].number, -top, top); };
  if (isa<arith::FPToUIOp>(op)) return [=](Elements x) -> Element { return toInteger(x[0].number, 0, 2 * top); };
  if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return [=](Elements x) -> Element { return to.wrapped(x[0].integer); };
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return [=](Elements x) -> Element { return to.wrapped(static_cast<int64_t>(from.asUnsigned(x[0]))); };
  return {};
}

ConstantOperation comparison(Operation* op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    const arith::CmpFPredicate predicate = compare.getPredicate();
    return [=](Elements x) -> Element {
      return boolean(arith::applyCmpPredicate(predicate, APFloat(x[0].number), APFloat(x[1].number)));
    };
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    const arith::CmpIPredicate predicate = compare.getPredicate();
    const ElementFormat format = formatOf(compare.getLhs());
    auto number = [=](ConstantElement x) { return APInt(format.width(), format.asUnsigned(x)); };
    return
        [=](Elements x) -> Element { return boolean(arith::applyCmpPredicate(predicate, number(x[0]), number(x[1]))); };
  }
  if (isa<arith::SelectOp>(op)) return [](Elements x) -> Element { return x[0].integer != 0 ? x[1] : x[2]; };
  return {};
}

/// Returns the element as an attribute of the type.
Attribute attributeOf(Type type, ConstantElement element) {
  if (isa<FloatType>(type)) return FloatAttr::get(type, element.number);
  return IntegerAttr::get(type, APInt(formatOf(type).width(), element.integer, /*isSigned=*/true));
}

/// Computes what MLIR's own folder of the operation computes, which is slow: it needs an attribute for each operand. An
/// operation is computed this way if its folder gives a result for operands of 1.
ConstantOperation folder(Operation* op) {
  auto fold = [op](Elements x) -> Element {
    SmallVector<Attribute> operands;
    for (auto [type, element] : llvm::zip_equal(op->getOperandTypes(), x))
      operands.push_back(attributeOf(type, element));
    SmallVector<OpFoldResult, 1> results;
    if (failed(op->fold(operands, results)) || results.size() != 1) return std::nullopt;
    if (auto attribute = dyn_cast<Attribute>(results.front())) return constantElement(attribute);
    OperandRange all = op->getOperands();
    return x[std::distance(all.begin(), llvm::find(all, cast<Value>(results.front())))];
  };
  SmallVector<ConstantElement> ones;
  for (Type type : op->getOperandTypes()) {
    if (isa<FloatType>(type))
      ones.push_back({.number = 1});
    else
      ones.push_back(formatOf(type).wrapped(1));
  }
  if (!isMemoryEffectFree(op) || ones.empty() || !fold(ones)) return {};
  return fold;
}

ConstantOperation arithmetic(Operation* op) {
  const ElementFormat format = formatOf(op->getResult(0));
  if (Unary unary = unaryOf(op)) return [=](Elements x) -> Element { return format.rounded(unary(x[0].number)); };
  if (Binary binary = binaryOf(op))
    return [=](Elements x) -> Element { return format.rounded(binary(x[0].number, x[1].number)); };
  if (isa<math::FmaOp>(op))
    return [=](Elements x) -> Element { return format.rounded(std::fma(x[0].number, x[1].number, x[2].number)); };
  if (isa<math::FPowIOp>(op))
    return
        [=](Elements x) -> Element { return format.rounded(std::pow(x[0].number, static_cast<double>(x[1].integer))); };
  const bool onIntegers = op->getNumOperands() == 2 && !format.isFloat() &&
                          isa<arith::ArithDialect>(op->getDialect()) &&
                          // Supported if it is for operands for which everything is defined.
                          ofIntegers(op, 1, 1, 1, 1, 64).has_value();
  if (!onIntegers) return folder(op);
  return [=](Elements x) -> Element {
    std::optional<int64_t> made =
        ofIntegers(op, x[0].integer, x[1].integer, format.asUnsigned(x[0]), format.asUnsigned(x[1]), format.width());
    if (!made) return std::nullopt;
    return format.wrapped(*made);
  };
}

/// Returns how to compute the one result of an operation of arith or math, or null if that is not supported.
ConstantOperation constantOperation(Operation* op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0) return {};
  auto isUnknown = [](Type type) { return !ElementFormat::of(type); };
  if (llvm::any_of(op->getOperandTypes(), isUnknown) || llvm::any_of(op->getResultTypes(), isUnknown)) return {};
  if (ConstantOperation made = comparison(op)) return made;
  if (isa<CastOpInterface>(op) && !isa<arith::BitcastOp>(op)) return conversion(op);
  return arithmetic(op);
}

}  // namespace

bool isConstantBody(linalg::LinalgOp op, llvm::function_ref<bool(Value)> isKnown) {
  Block& body = *op.getBlock();
  auto isAtHand = [&](Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body) return true;
    return value.getParentBlock() == &body || constantElement(value).has_value();
  };
  for (BlockArgument argument : body.getArguments())
    if (!ElementFormat::of(argument.getType())) return false;
  for (Operation& inner : body) {
    if (auto read = dyn_cast<tensor::ExtractOp>(inner)) {
      if (!isKnown(read.getTensor()) || !llvm::all_of(read.getIndices(), isAtHand)) return false;
      continue;
    }
    if (!llvm::all_of(inner.getOperands(), isAtHand)) return false;
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      if (!constantElement(constant.getValue())) return false;
    } else if (!isa<linalg::IndexOp, linalg::YieldOp, cf::AssertOp>(inner) && !constantOperation(&inner)) {
      return false;
    }
  }
  return true;
}

ConstantBody::ConstantBody(linalg::LinalgOp op, ConstantLookup constantOf) {
  Block& body = *op.getBlock();
  for (BlockArgument argument : body.getArguments()) slotOf(argument);
  for (Operation& inner : body.without_terminator()) add(inner, constantOf);
  yielded = slotOf(body.getTerminator()->getOperand(0));
}

std::optional<ConstantElement> ConstantBody::run(ArrayRef<ConstantElement> elements, ArrayRef<int64_t> indices) {
  llvm::copy(elements, values.begin());
  for (Step& step : work)
    if (!step(values, indices)) return std::nullopt;
  return values[yielded];
}

/// Constants are set once, when they get their slot.
unsigned ConstantBody::slotOf(Value value) {
  auto [slot, isNew] = slots.try_emplace(value, values.size());
  if (isNew) values.push_back(constantElement(value).value_or(ConstantElement{.integer = 0}));
  return slot->second;
}

void ConstantBody::add(Operation& op, ConstantLookup constantOf) {
  if (isa<arith::ConstantOp>(op)) return;
  SmallVector<unsigned> operands;
  for (Value operand : op.getOperands())
    if (!isa<TensorType>(operand.getType())) operands.push_back(slotOf(operand));
  if (isa<cf::AssertOp>(op)) {
    work.push_back([=](auto& values, auto) { return values[operands[0]].integer != 0; });
    return;
  }
  const unsigned result = slotOf(op.getResult(0));
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    const uint64_t loop = index.getDim();
    work.push_back([=](auto& values, ArrayRef<int64_t> indices) {
      values[result].integer = indices[loop];
      return true;
    });
    return;
  }
  if (auto read = dyn_cast<tensor::ExtractOp>(op)) {
    const ConstantTensor* tensor = constantOf(read.getTensor());
    ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
    work.push_back([=](auto& values, auto) {
      int64_t at = 0;
      for (auto [operand, size] : llvm::zip_equal(operands, shape)) {
        const int64_t index = values[operand].integer;
        if (index < 0 || index >= size) return false;
        at = at * size + index;
      }
      values[result] = tensor ? tensor->at(at) : ConstantElement{.integer = at};
      return true;
    });
    return;
  }
  ConstantOperation operation = constantOperation(&op);
  work.push_back([=, taken = SmallVector<ConstantElement, 3>(operands.size())](auto& values, auto) mutable {
    for (auto [element, operand] : llvm::zip_equal(taken, operands)) element = values[operand];
    std::optional<ConstantElement> made = operation(taken);
    if (made) values[result] = *made;
    return made.has_value();
  });
}

}  // namespace mmtune
