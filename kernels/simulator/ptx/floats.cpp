// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/floats.h"

#include "kernels/simulator/ptx/short_forms.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using Predicate = LLVM::FCmpPredicate;

Value both(Emitter& e, Value a, Value b) { return LLVM::AndOp::create(e.b, a, b); }
Value asInteger(Emitter& e, Value value) { return e.cast(value, e.b.getIntegerType(bitsOf(value))); }
Value isNegative(Emitter& e, Value value) {
  return LLVM::ICmpOp::create(e.b, LLVM::ICmpPredicate::slt, asInteger(e, value), e.integer(0, bitsOf(value)));
}

/// Returns the next number of the type, away from zero or towards it.
Value neighbour(Emitter& e, Value value, Value awayFromZero) {
  const unsigned bits = bitsOf(value);
  Value step = select(e, awayFromZero, e.integer(1, bits), e.integer(-1, bits));
  return e.cast(LLVM::AddOp::create(e.b, asInteger(e, value), step), value.getType());
}

/// Returns `rounded`, the nearest number to the exact result, rounded to odd. `error` has the sign of exact - rounded,
/// and is NaN where the result is not finite.
Value toOdd(Emitter& e, Value rounded, Value error) {
  Value zero = e.zero(error.getType());
  Value isInexact = compare(e, Predicate::one, error, zero);
  Value last = LLVM::TruncOp::create(e.b, e.b.getI1Type(), asInteger(e, rounded));
  Value isEven = LLVM::XOrOp::create(e.b, last, e.integer(1, 1));
  Value above = compare(e, Predicate::ogt, error, zero);
  Value away = LLVM::XOrOp::create(e.b, above, isNegative(e, rounded));
  return select(e, both(e, isInexact, isEven), neighbour(e, rounded, away), rounded);
}

/// Rounds a value to the nearest of a narrower type, for which the host's conversion rounds only once. Code generation
/// without optimisation is slow where there is a half, hence the intrinsic.
Value nearestOnce(Emitter& e, Value value, Type type) {
  if (!type.isF16()) return LLVM::FPTruncOp::create(e.b, type, value);
  return e.cast(e.intrinsic("llvm.convert.to.fp16", e.b.getI16Type(), {value}), type);
}

/// Rounds a value to a narrower type, for which the host's conversion (to nearest) rounds only once.
Value narrowedOnce(Emitter& e, Value value, Type type, Rounding rounding) {
  Value nearest = nearestOnce(e, value, type);
  if (rounding == Rounding::kNearest) return nearest;
  Value back = value.getType().isF64() ? widened(e, nearest) : inSingle(e, nearest);
  Value above = compare(e, Predicate::ogt, back, value), below = compare(e, Predicate::olt, back, value);
  Value negative = isNegative(e, nearest), wrong;
  if (rounding == Rounding::kZero)
    wrong = select(e, negative, below, above);
  else
    wrong = rounding == Rounding::kDown ? above : below;
  // The right number is the other neighbour of the exact one: towards zero, or in the direction of the rounding.
  Value away = rounding == Rounding::kZero   ? e.integer(0, 1)
               : rounding == Rounding::kDown ? negative
                                             : LLVM::XOrOp::create(e.b, negative, e.integer(1, 1)).getResult();
  return select(e, wrong, neighbour(e, nearest, away), nearest);
}

}  // namespace

Rounding roundingOf(Emitter& e) {
  const StringRef word = e.wordAmong({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"});
  if (word.starts_with("rz")) return Rounding::kZero;
  if (word.starts_with("rm")) return Rounding::kDown;
  if (word.starts_with("rp")) return Rounding::kUp;
  return Rounding::kNearest;
}

Value inSingle(Emitter& e, Value value) {
  if (value.getType().isF32()) return value;
  if (value.getType().isF16()) return e.intrinsic("llvm.convert.from.fp16", e.b.getF32Type(), {asInteger(e, value)});
  Value word = LLVM::ZExtOp::create(e.b, e.b.getI32Type(), asInteger(e, value));
  return e.cast(LLVM::ShlOp::create(e.b, word, e.integer(16)), e.b.getF32Type());
}

Value widened(Emitter& e, Value value) {
  if (value.getType().isF64()) return value;
  return LLVM::FPExtOp::create(e.b, e.b.getF64Type(), inSingle(e, value));
}

Value narrowed(Emitter& e, Value value, const ScalarType& type, Rounding rounding) {
  Type to = type.valueType(e.context());
  if (value.getType() == to) return value;
  if (value.getType().isF64() && to.getIntOrFloatBitWidth() == 16) {
    Value nearest = LLVM::FPTruncOp::create(e.b, e.b.getF32Type(), value);
    Value error = LLVM::FSubOp::create(e.b, value, widened(e, nearest));
    // An overflow to infinity is an overflow of the narrow type as well; only directed roundings see the difference.
    Value largest = e.cast(e.integer(0x7F7FFFFF), e.b.getF32Type());
    Value isInfinite = compare(e, Predicate::oeq, absolute(e, nearest), e.floating(HUGE_VAL, e.b.getF32Type()));
    Value wasFinite = compare(e, Predicate::one, absolute(e, value), e.floating(HUGE_VAL, e.b.getF64Type()));
    Value clamped = LLVM::CopySignOp::create(e.b, largest, nearest);
    value = select(e, both(e, isInfinite, wasFinite), clamped, toOdd(e, nearest, error));
  }
  return narrowedOnce(e, value, to, rounding);
}

Value oddSum(Emitter& e, Value a, Value b) {
  auto add = [&](Value x, Value y) -> Value { return LLVM::FAddOp::create(e.b, x, y); };
  auto sub = [&](Value x, Value y) -> Value { return LLVM::FSubOp::create(e.b, x, y); };
  // Knuth's TwoSum: sum + error is a + b exactly.
  Value sum = add(a, b), partOfB = sub(sum, a);
  Value error = add(sub(a, sub(sum, partOfB)), sub(b, partOfB));
  return toOdd(e, sum, error);
}

Value oddFma(Emitter& e, Value a, Value b, Value c) { return oddSum(e, LLVM::FMulOp::create(e.b, a, b), c); }

Value oddQuotient(Emitter& e, Value a, Value b) {
  Value quotient = LLVM::FDivOp::create(e.b, a, b);
  Value remainder = LLVM::FMAOp::create(e.b, LLVM::FNegOp::create(e.b, quotient), b, a);
  Value sign = LLVM::CopySignOp::create(e.b, e.floating(1, e.b.getF64Type()), b);
  return toOdd(e, quotient, LLVM::FMulOp::create(e.b, remainder, sign));
}

Value oddRoot(Emitter& e, Value a) {
  Value root = LLVM::SqrtOp::create(e.b, a);
  return toOdd(e, root, LLVM::FMAOp::create(e.b, LLVM::FNegOp::create(e.b, root), root, a));
}

Value flushed(Emitter& e, Value value) {
  Type type = value.getType();
  const double smallest = type.isF16() ? 0x1p-14 : type.isF64() ? 0x1p-1022 : 0x1p-126;  // The smallest normal number.
  Value isSmall = compare(e, Predicate::olt, absolute(e, value), e.floating(smallest, type));
  return select(e, isSmall, LLVM::CopySignOp::create(e.b, e.zero(type), value), value);
}

Value saturated(Emitter& e, Value value) {
  Type type = value.getType();
  Value zero = e.floating(0, type), one = e.floating(1, type);
  value = select(e, compare(e, Predicate::ogt, value, zero), value, zero);
  return select(e, compare(e, Predicate::ogt, value, one), one, value);
}

Value rectified(Emitter& e, Value value) {
  Value zero = e.floating(0, value.getType());
  // -0 becomes +0, too.
  return select(e, compare(e, Predicate::ole, value, zero), zero, value);
}

Value isNan(Emitter& e, Value value) { return compare(e, Predicate::uno, value, value); }

Value absolute(Emitter& e, Value value) {
  const unsigned bits = bitsOf(value);
  Value mask = LLVM::ConstantOp::create(e.b, e.b.getIntegerType(bits),
                                        IntegerAttr::get(e.b.getIntegerType(bits), APInt::getSignedMaxValue(bits)));
  return e.cast(LLVM::AndOp::create(e.b, asInteger(e, value), mask), value.getType());
}

}  // namespace mmtune::ptx
