// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic. Approximate instructions are computed exactly and rounded.
#include "kernels/simulator/ptx/floats.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using Predicate = LLVM::FCmpPredicate;
using Lane = llvm::function_ref<Value(ArrayRef<Value>)>;

/// Writes the operation of each lane on the operands from 1 on, with .ftz, .sat and .relu as the opcode has them.
void lanewise(Emitter& e, size_t operands, Lane apply) {
  if (!e.expectOperands(operands + 1)) return;
  SmallVector<Value> values;
  for (size_t i = 0; i < operands; ++i) values.push_back(e.read(i + 1, e.type()));
  const bool flushes = e.has("ftz");
  e.write(e.byLane(values, [&](ArrayRef<Value> given) {
    SmallVector<Value> lane(given);
    if (flushes)
      for (Value& value : lane) value = flushed(e, value);
    Value result = apply(lane);
    if (flushes) result = flushed(e, result);
    if (e.has("sat")) result = saturated(e, result);
    if (e.has("relu")) result = rectified(e, result);
    return result;
  }));
}

/// Returns the rounded result of an operation whose f64 result `odd` is rounded to odd.
Value rounded(Emitter& e, Value odd) { return narrowed(e, odd, e.type().element(), roundingOf(e)); }

/// True where the host's own operation of the type is rounded as the opcode says.
bool isNative(Emitter& e) {
  return e.type().elementBits >= 32 && e.type().kind == TypeClass::kFloat && roundingOf(e) == Rounding::kNearest;
}

void add(Emitter& e) {
  const bool subtracts = e.words().front() == "sub";
  lanewise(e, 2, [&](ArrayRef<Value> v) -> Value {
    if (isNative(e))
      return subtracts ? LLVM::FSubOp::create(e.b, v[0], v[1]).getResult()
                       : LLVM::FAddOp::create(e.b, v[0], v[1]).getResult();
    Value b = widened(e, v[1]);
    if (subtracts) b = LLVM::FNegOp::create(e.b, b);
    return rounded(e, oddSum(e, widened(e, v[0]), b));
  });
}

void multiply(Emitter& e) {
  lanewise(e, 2, [&](ArrayRef<Value> v) -> Value {
    if (isNative(e)) return LLVM::FMulOp::create(e.b, v[0], v[1]);
    return rounded(e, LLVM::FMulOp::create(e.b, widened(e, v[0]), widened(e, v[1])));
  });
}

void fusedMultiplyAdd(Emitter& e) {
  lanewise(e, 3, [&](ArrayRef<Value> v) -> Value {
    if (isNative(e)) return LLVM::FMAOp::create(e.b, v[0], v[1], v[2]);
    return rounded(e, oddFma(e, widened(e, v[0]), widened(e, v[1]), widened(e, v[2])));
  });
}

/// fma.rn.f32.f16 and the like: factors of 16 bits, summand and result of f32. A product of two such is exact in f32's
/// range and twice its precision.
void mixedFma(Emitter& e) {
  if (!e.expectOperands(4)) return;
  Value result = narrowed(
      e,
      oddFma(e, widened(e, e.read(1, e.type(1))), widened(e, e.read(2, e.type(1))), widened(e, e.read(3, e.type(0)))),
      e.type(0), roundingOf(e));
  e.write(e.has("sat") ? saturated(e, result) : result);
}

/// add.f32.f16 and the like: the first operand has 16 bits.
void mixedAdd(Emitter& e) {
  if (!e.expectOperands(3)) return;
  Value c = widened(e, e.read(2, e.type(0)));
  if (e.words().front() == "sub") c = LLVM::FNegOp::create(e.b, c);
  Value result = narrowed(e, oddSum(e, widened(e, e.read(1, e.type(1))), c), e.type(0), roundingOf(e));
  e.write(e.has("sat") ? saturated(e, result) : result);
}

void negate(Emitter& e) {
  lanewise(e, 1, [&](ArrayRef<Value> v) -> Value { return LLVM::FNegOp::create(e.b, v[0]); });
}

void magnitude(Emitter& e) {
  lanewise(e, 1, [&](ArrayRef<Value> v) -> Value { return absolute(e, v[0]); });
}

/// Returns the smaller or larger number; -0 is below +0. Of a number and a NaN it is the number, or with .NaN the NaN.
template <bool greater>
Value extreme(Emitter& e, Value a, Value b) {
  Type word = e.b.getIntegerType(a.getType().getIntOrFloatBitWidth());
  Value first = compare(e, greater ? Predicate::ogt : Predicate::olt, a, b);
  // Equal numbers differ in sign at most: for the maximum the bits are anded, for the minimum ored.
  Value equal = compare(e, Predicate::oeq, a, b);
  Value p = e.cast(a, word), q = e.cast(b, word);
  Value tie = greater ? LLVM::AndOp::create(e.b, p, q).getResult() : LLVM::OrOp::create(e.b, p, q).getResult();
  Value result = select(e, first, a, b);
  result = select(e, equal, e.cast(tie, a.getType()), result);
  result = select(e, isNan(e, a), e.has("NaN") ? a : b, result);
  return select(e, isNan(e, b), e.has("NaN") ? b : a, result);
}

/// min and max, with .abs of magnitudes. With .xorsign the result has the product's sign. An f32 has a form with three
/// operands, which is the only one with .abs alone.
template <bool greater>
void extremum(Emitter& e) {
  const bool ofMagnitudes = e.has("abs"), takesSign = e.has("xorsign");
  const bool mayBeThree = e.type().name == "f32" && !takesSign;
  const bool areThree = mayBeThree && (ofMagnitudes || e.operandCount() == 4);
  lanewise(e, areThree ? 3 : 2, [&](ArrayRef<Value> v) -> Value {
    SmallVector<Value, 3> numbers(v);
    if (ofMagnitudes)
      for (Value& number : numbers) number = absolute(e, number);
    Value best = extreme<greater>(e, numbers[0], numbers[1]);
    if (areThree) best = extreme<greater>(e, best, numbers[2]);
    if (!takesSign) return best;
    Type word = e.b.getIntegerType(best.getType().getIntOrFloatBitWidth());
    Value signs = LLVM::XOrOp::create(e.b, e.cast(v[0], word), e.cast(v[1], word));
    return LLVM::CopySignOp::create(e.b, best, e.cast(signs, best.getType()));
  });
}

/// div.approx multiplies by the reciprocal, which is 0 for finite divisors beyond 2^126.
void divide(Emitter& e) {
  lanewise(e, 2, [&](ArrayRef<Value> v) -> Value {
    if (!isNative(e)) return rounded(e, oddQuotient(e, widened(e, v[0]), widened(e, v[1])));
    Value quotient = LLVM::FDivOp::create(e.b, v[0], v[1]);
    if (!e.has("approx")) return quotient;
    Type type = v[1].getType();
    Value isGreat = compare(e, Predicate::ogt, absolute(e, v[1]), e.floating(0x1p126, type));
    Value zero = LLVM::CopySignOp::create(e.b, e.zero(type), v[1]);
    return select(e, isGreat, LLVM::FMulOp::create(e.b, v[0], zero), quotient);
  });
}

/// Returns an f64 with zeros for its lower 32 bits; NaN stays NaN.
Value upperHalf(Emitter& e, Value value) {
  Value bits = e.cast(value, e.b.getI64Type());
  bits = LLVM::AndOp::create(e.b, bits, e.integer(~int64_t{0xFFFFFFFF}, 64));
  Value quietNan = e.integer(0x7FF8000000000000, 64);
  return e.cast(select(e, isNan(e, value), quietNan, bits), value.getType());
}

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64, which read and write only the upper 32 bits of numbers.
bool isOfUpperHalf(Emitter& e) { return e.type().elementBits == 64 && e.has("ftz"); }

void reciprocal(Emitter& e) {
  lanewise(e, 1, [&](ArrayRef<Value> v) -> Value {
    Value one = e.floating(1, v[0].getType());
    if (isOfUpperHalf(e)) return upperHalf(e, LLVM::FDivOp::create(e.b, one, upperHalf(e, v[0])));
    if (isNative(e)) return LLVM::FDivOp::create(e.b, one, v[0]);
    return rounded(e, oddQuotient(e, widened(e, one), widened(e, v[0])));
  });
}

void squareRoot(Emitter& e) {
  lanewise(e, 1, [&](ArrayRef<Value> v) -> Value {
    if (isNative(e)) return LLVM::SqrtOp::create(e.b, v[0]);
    return rounded(e, oddRoot(e, widened(e, v[0])));
  });
}

void reciprocalRoot(Emitter& e) {
  lanewise(e, 1, [&](ArrayRef<Value> v) -> Value {
    Value x = widened(e, v[0]);
    Value root = LLVM::SqrtOp::create(e.b, isOfUpperHalf(e) ? upperHalf(e, x) : x);
    // The root of -0 is -0, its reciprocal -infinity.
    Value inverse = LLVM::FDivOp::create(e.b, e.floating(1, e.b.getF64Type()), root);
    if (isOfUpperHalf(e)) return upperHalf(e, inverse);
    return narrowed(e, inverse, e.type().element(), Rounding::kNearest);
  });
}

/// An approximate function, computed by the mathematical library in f64 and rounded.
void transcendental(Emitter& e) {
  const StringRef name = e.words().front();
  const StringRef function = name == "ex2" ? "exp2" : name == "lg2" ? "log2" : name;
  lanewise(e, 1, [&](ArrayRef<Value> v) -> Value {
    return narrowed(e, e.math(function, {widened(e, v[0])}), e.type().element(), Rounding::kNearest);
  });
}

/// `copysign d, a, b`: the magnitude of b with the sign of a.
void copySign(Emitter& e) {
  lanewise(e, 2, [&](ArrayRef<Value> v) -> Value { return LLVM::CopySignOp::create(e.b, v[1], v[0]); });
}

void testProperty(Emitter& e) {
  if (!e.expectOperands(2)) return;
  Value a = e.read(1, e.type());
  Type type = a.getType();
  Value size = absolute(e, a), infinity = e.floating(HUGE_VAL, type);
  Value smallest = e.floating(type.isF64() ? 0x1p-1022 : 0x1p-126, type);
  Value isSubnormal = LLVM::AndOp::create(e.b, compare(e, Predicate::olt, size, smallest),
                                          compare(e, Predicate::une, size, e.zero(type)));
  Value result;
  if (e.has("notanumber"))
    result = isNan(e, a);
  else if (e.has("number"))
    result = compare(e, Predicate::ord, a, a);
  else if (e.has("infinite"))
    result = compare(e, Predicate::oeq, size, infinity);
  else if (e.has("finite"))
    result = compare(e, Predicate::olt, size, infinity);
  else if (e.has("normal"))  // Zeros are normal.
    result = select(e, isSubnormal, e.integer(0, 1), compare(e, Predicate::olt, size, infinity));
  else
    result = isSubnormal;
  e.write(0, result, typeNamed("pred"));
}

constexpr Operation kOperations[] = {
    {"add[.{rn,rz,rm,rp}][.ftz][.sat].f32", add},
    {"add[.{rn,rz,rm,rp}][.ftz].f32x2", add},
    {"add[.rn].f64", add},
    {"add[.rn][.ftz][.sat].{f16,f16x2}", add},
    {"add[.rn].{bf16,bf16x2}", add},
    {"add[.{rn,rz,rm,rp}][.sat].f32.{f16,bf16}", mixedAdd},
    {"sub[.{rn,rz,rm,rp}][.ftz][.sat].f32", add},
    {"sub[.{rn,rz,rm,rp}][.ftz].f32x2", add},
    {"sub[.rn].f64", add},
    {"sub[.rn][.ftz][.sat].{f16,f16x2}", add},
    {"sub[.rn].{bf16,bf16x2}", add},
    {"sub[.{rn,rz,rm,rp}][.sat].f32.{f16,bf16}", mixedAdd},
    {"mul[.{rn,rz,rm,rp}][.ftz][.sat].f32", multiply},
    {"mul[.{rn,rz,rm,rp}][.ftz].f32x2", multiply},
    {"mul[.rn].f64", multiply},
    {"mul[.rn][.ftz][.sat].{f16,f16x2}", multiply},
    {"mul[.rn].{bf16,bf16x2}", multiply},
    {"fma.{rn,rz,rm,rp}[.ftz][.sat].f32", fusedMultiplyAdd},
    {"fma.{rn,rz,rm,rp}[.ftz].f32x2", fusedMultiplyAdd},
    {"fma.rn.f64", fusedMultiplyAdd},
    {"fma.rn[.ftz][.{sat,relu}].{f16,f16x2}", fusedMultiplyAdd},
    {"fma.rn[.relu].{bf16,bf16x2}", fusedMultiplyAdd},
    {"fma.{rn,rz,rm,rp}[.sat].f32.{f16,bf16}", mixedFma},
    {"mad.{rn,rz,rm,rp}[.ftz][.sat].f32", fusedMultiplyAdd},
    {"mad.rn.f64", fusedMultiplyAdd},

    {"neg[.ftz].{f32,f16,f16x2}", negate},
    {"neg.{f64,bf16,bf16x2}", negate},
    {"abs[.ftz].{f32,f16,f16x2}", magnitude},
    {"abs.{f64,bf16,bf16x2}", magnitude},
    {"min[.ftz][.NaN].{f32,f16,f16x2}", extremum<false>},
    {"min[.ftz][.NaN].abs.f32", extremum<false>},
    {"min[.ftz][.NaN].xorsign.abs.{f32,f16,f16x2}", extremum<false>},
    {"min[.NaN].{bf16,bf16x2}", extremum<false>},
    {"min[.NaN].xorsign.abs.{bf16,bf16x2}", extremum<false>},
    {"min.f64", extremum<false>},
    {"max[.ftz][.NaN].{f32,f16,f16x2}", extremum<true>},
    {"max[.ftz][.NaN].abs.f32", extremum<true>},
    {"max[.ftz][.NaN].xorsign.abs.{f32,f16,f16x2}", extremum<true>},
    {"max[.NaN].{bf16,bf16x2}", extremum<true>},
    {"max[.NaN].xorsign.abs.{bf16,bf16x2}", extremum<true>},
    {"max.f64", extremum<true>},
    {"copysign.{f32,f64}", copySign},
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", testProperty},

    {"div.{rn,rz,rm,rp,approx,full}[.ftz].f32", divide},
    {"div.rn.f64", divide},
    {"rcp.{rn,rz,rm,rp,approx}[.ftz].f32", reciprocal},
    {"rcp.rn.f64", reciprocal},
    {"rcp.approx.ftz.f64", reciprocal},
    {"sqrt.{rn,rz,rm,rp,approx}[.ftz].f32", squareRoot},
    {"sqrt.rn.f64", squareRoot},
    {"rsqrt.approx[.ftz].{f32,f64}", reciprocalRoot},
    {"sin.approx[.ftz].f32", transcendental},
    {"cos.approx[.ftz].f32", transcendental},
    {"lg2.approx[.ftz].f32", transcendental},
    {"ex2.approx[.ftz].f32", transcendental},
    {"ex2.approx.{f16,f16x2}", transcendental},
    {"ex2.approx.ftz.{bf16,bf16x2}", transcendental},
    {"tanh.approx.{f32,f16,f16x2,bf16,bf16x2}", transcendental},
};

}  // namespace

ArrayRef<Operation> floatOperations() { return kOperations; }

}  // namespace mmtune::ptx
