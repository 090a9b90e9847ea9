// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: conversions among all types. Registers may be wider than the types.
#include "kernels/simulator/ptx/floats.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;

Value constant(Emitter& e, const APInt& value) {
  Type type = e.b.getIntegerType(value.getBitWidth());
  return LLVM::ConstantOp::create(e.b, type, IntegerAttr::get(type, value));
}

/// Returns an integer of 65 bits, signed, clamped to the range of a type and cut to it.
Value clampedTo(Emitter& e, Value wide, const ScalarType& to) {
  const unsigned bits = wide.getType().getIntOrFloatBitWidth();
  const APInt least = to.isSigned() ? APInt::getSignedMinValue(to.bits()).sext(bits) : APInt::getZero(bits);
  const APInt most =
      to.isSigned() ? APInt::getSignedMaxValue(to.bits()).sext(bits) : APInt::getMaxValue(to.bits()).zext(bits);
  wide = select(e, compare(e, LLVM::ICmpPredicate::slt, wide, constant(e, least)), constant(e, least), wide);
  wide = select(e, compare(e, LLVM::ICmpPredicate::sgt, wide, constant(e, most)), constant(e, most), wide);
  return resized(e, wide, to.bits(), false);
}

void integerToInteger(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const ScalarType to = e.type(0), from = e.type(1);
  const bool hasAll =
      from.isSigned() ? to.isSigned() && to.bits() >= from.bits() : to.bits() >= from.bits() + (to.isSigned() ? 1 : 0);
  if (e.has("sat") && hasAll) e.fail("'.sat' is for a type that lacks values of ." + Twine(from.name));
  Value value = e.read(1, from, /*mayBeWider=*/true);
  Value result = e.has("sat") ? clampedTo(e, resized(e, value, 65, from.isSigned()), to)
                              : resized(e, value, to.bits(), from.isSigned());
  e.write(0, result, to, /*mayBeWider=*/true);
}

/// Returns the value rounded to an integer, as .rni, .rzi, .rmi and .rpi say.
Value integral(Emitter& e, Value value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest:
      return LLVM::RoundEvenOp::create(e.b, value);
    case Rounding::kZero:
      return LLVM::FTruncOp::create(e.b, value);
    case Rounding::kDown:
      return LLVM::FFloorOp::create(e.b, value);
    case Rounding::kUp:
      return LLVM::FCeilOp::create(e.b, value);
  }
  return value;
}

/// Numbers beyond the range become its limits. NaN becomes 0; of an f64, or as a 64-bit integer, the highest bit.
void floatToInteger(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const ScalarType to = e.type(0), from = e.type(1);
  Value source = e.read(1, from, /*mayBeWider=*/true);
  if (e.has("ftz") && from.bits() == 32) source = flushed(e, source);
  Value value = integral(e, widened(e, source), roundingOf(e));
  Value result =
      e.intrinsic(to.isSigned() ? "llvm.fptosi.sat" : "llvm.fptoui.sat", e.b.getIntegerType(to.bits()), {value});
  if (from.bits() == 64 || to.bits() == 64)
    result = select(e, isNan(e, source), constant(e, APInt::getSignedMinValue(to.bits())), result);
  e.write(0, result, to, /*mayBeWider=*/true);
}

/// Returns an integer as f64, rounded to odd where it has more than 53 bits.
Value integerAsDouble(Emitter& e, Value value, const ScalarType& from) {
  Type f64 = e.b.getF64Type();
  auto convert = [&](Value integer) -> Value {
    return from.isSigned() ? LLVM::SIToFPOp::create(e.b, f64, integer).getResult()
                           : LLVM::UIToFPOp::create(e.b, f64, integer).getResult();
  };
  if (from.bits() < 64) return convert(value);
  // The lowest 12 bits are replaced by one that says whether there are any, below a multiple of 2^12.
  Value low = LLVM::AndOp::create(e.b, value, e.integer(0xFFF, 64));
  Value high = LLVM::XOrOp::create(e.b, value, low);
  Value isInexact = compare(e, LLVM::ICmpPredicate::ne, low, e.integer(0, 64));
  Value sticky = select(e, isInexact, e.integer(0x800, 64), e.integer(0, 64));
  Value rough = convert(LLVM::OrOp::create(e.b, high, sticky));
  Value exact = convert(value);
  Value isSmall = LLVM::FCmpOp::create(e.b, LLVM::FCmpPredicate::olt, absolute(e, exact), e.floating(0x1p53, f64));
  return select(e, isSmall, exact, rough);
}

void integerToFloat(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const ScalarType to = e.type(0), from = e.type(1);
  Value value = e.read(1, from, /*mayBeWider=*/true), result;
  if (to.bits() == 64) {
    if (from.bits() == 64 && roundingOf(e) != Rounding::kNearest)
      return e.fail("this rounding of 64-bit integers to f64 is not supported");
    Type f64 = e.b.getF64Type();
    result = from.isSigned() ? LLVM::SIToFPOp::create(e.b, f64, value).getResult()
                             : LLVM::UIToFPOp::create(e.b, f64, value).getResult();
  } else {
    result = narrowed(e, integerAsDouble(e, value, from), to, roundingOf(e));
  }
  e.write(0, e.has("sat") ? saturated(e, result) : result, to, /*mayBeWider=*/true);
}

/// Returns the largest finite number of the sign for infinity (.satfinite).
Value finite(Emitter& e, Value value) {
  Type type = value.getType();
  const double largest = type.isF16() ? 65504 : type.isBF16() ? 0x1.FEp127 : 0x1.FFFFFEp127;
  Value limit = LLVM::CopySignOp::create(e.b, e.floating(largest, type), value);
  Value isInfinite =
      LLVM::FCmpOp::create(e.b, LLVM::FCmpPredicate::oeq, absolute(e, value), e.floating(HUGE_VAL, type));
  return select(e, isInfinite, limit, value);
}

Value floatAsFloat(Emitter& e, Value value, const ScalarType& to) {
  const StringRef rounding = e.wordAmong({"rni", "rzi", "rmi", "rpi"});
  const bool flushes = e.has("ftz");
  if (flushes && value.getType().isF32()) value = flushed(e, value);
  const bool isDouble = value.getType().isF64() || to.element().bits() == 64;
  value = isDouble ? widened(e, value) : inSingle(e, value);
  if (!rounding.empty()) value = integral(e, value, roundingOf(e));
  value = narrowed(e, value, to.element(), rounding.empty() ? roundingOf(e) : Rounding::kNearest);
  if (flushes && value.getType().isF32()) value = flushed(e, value);
  if (e.has("satfinite")) value = finite(e, value);
  if (e.has("sat")) value = saturated(e, value);
  return e.has("relu") ? rectified(e, value) : value;
}

void floatToFloat(Emitter& e) {
  if (!e.expectOperands(2)) return;
  e.write(0, floatAsFloat(e, e.read(1, e.type(1), true), e.type(0)), e.type(0), /*mayBeWider=*/true);
}

/// `cvt.rn.f16x2.f32 d, a, b`: a in the upper half.
void floatsToPair(Emitter& e) {
  if (!e.expectOperands(3)) return;
  const ScalarType to = e.type(0);
  Value pair = LLVM::PoisonOp::create(e.b, to.valueType(e.context()));
  for (unsigned i = 0; i < 2; ++i) {
    Value half = floatAsFloat(e, e.read(2 - i, e.type(1)), to);
    pair = LLVM::InsertElementOp::create(e.b, pair, half, e.integer(i));
  }
  e.write(pair);
}

/// tf32 is f32 whose lowest 13 bits are 0. .rna rounds ties away from zero. A NaN becomes the canonical one.
void toTf32(Emitter& e) {
  if (!e.expectOperands(2)) return;
  Value source = e.read(1, e.type(1));
  Value bits = e.cast(source, e.b.getI32Type());
  auto add = [&](Value a, Value b) -> Value { return LLVM::AddOp::create(e.b, a, b); };
  if (e.has("rna")) {
    bits = add(bits, e.integer(0x1000));
  } else if (e.has("rn")) {
    Value odd = LLVM::AndOp::create(e.b, LLVM::LShrOp::create(e.b, bits, e.integer(13)), e.integer(1));
    bits = add(add(bits, e.integer(0xFFF)), odd);
  }
  bits = LLVM::AndOp::create(e.b, bits, e.integer(~int64_t{0x1FFF}));
  Value value = e.cast(bits, e.b.getF32Type());
  if (e.has("satfinite")) {
    Value limit = LLVM::CopySignOp::create(e.b, e.cast(e.integer(0x7F7FE000), e.b.getF32Type()), value);
    Value isInfinite =
        LLVM::FCmpOp::create(e.b, LLVM::FCmpPredicate::oeq, absolute(e, value), e.floating(HUGE_VAL, value.getType()));
    value = select(e, isInfinite, limit, value);
  }
  if (e.has("relu")) value = rectified(e, value);
  Value result = select(e, isNan(e, source), e.integer(0x7FFFFFFF), e.cast(value, e.b.getI32Type()));
  e.write(result);
}

/// A floating-point type of 8 bits.
struct Format8 {
  int mantissaBits, leastExponent;
  int64_t largest;  ///< The code of the largest finite number.
};

Format8 formatOf(const ScalarType& type) {
  return type.name.starts_with("e4m3") ? Format8{3, -6, 0x7E} : Format8{2, -14, 0x7B};
}

/// Returns the code of an f32, which rounds to nearest even and saturates to the largest finite number; NaN is 0x7F.
Value encoded8(Emitter& e, Value value, const Format8& format) {
  Type f32 = e.b.getF32Type(), i32 = e.b.getI32Type();
  Value size = absolute(e, value), bits = e.cast(size, i32);
  Value exponent = LLVM::SubOp::create(e.b, LLVM::LShrOp::create(e.b, bits, e.integer(23)), e.integer(127));
  Value least = e.integer(format.leastExponent);
  exponent = select(e, compare(e, LLVM::ICmpPredicate::slt, exponent, least), least, exponent);
  // The number in units of its last place, an integer below 2^(mantissa bits + 1) after rounding, or equal to it.
  Value scaleBits =
      LLVM::ShlOp::create(e.b, LLVM::SubOp::create(e.b, e.integer(127 + format.mantissaBits), exponent), e.integer(23));
  Value units = LLVM::RoundEvenOp::create(e.b, LLVM::FMulOp::create(e.b, size, e.cast(scaleBits, f32)));
  Value significand = e.intrinsic("llvm.fptosi.sat", i32, {units});
  Value biased = LLVM::SubOp::create(e.b, exponent, least);
  Value code = LLVM::AddOp::create(e.b, LLVM::ShlOp::create(e.b, biased, e.integer(format.mantissaBits)), significand);
  Value largest = e.integer(format.largest);
  Value isLarge = LLVM::FCmpOp::create(e.b, LLVM::FCmpPredicate::oge, size, e.floating(0x1p16, f32));
  Value tooLarge = LLVM::OrOp::create(e.b, isLarge, compare(e, LLVM::ICmpPredicate::ugt, code, largest));
  code = select(e, tooLarge, largest, code);
  Value sign = LLVM::AndOp::create(e.b, LLVM::LShrOp::create(e.b, e.cast(value, i32), e.integer(24)), e.integer(0x80));
  code = LLVM::OrOp::create(e.b, code, sign);
  return select(e, isNan(e, value), e.integer(0x7F), code);
}

/// `cvt.rn.satfinite.e4m3x2.f32 d, a, b`, a in the upper byte; or of the lanes of an f16x2.
void toPacked8(Emitter& e) {
  const ScalarType from = e.type(1);
  if (!e.expectOperands(from.lanes == 2 ? 2 : 3)) return;
  Value result = e.integer(0);
  for (unsigned i = 0; i < 2; ++i) {
    Value lane;
    if (from.lanes == 2) {
      lane = LLVM::ExtractElementOp::create(e.b, e.read(1, from), e.integer(i));
      lane = LLVM::FPExtOp::create(e.b, e.b.getF32Type(), lane);
    } else {
      lane = e.read(2 - i, from);
    }
    if (e.has("relu")) lane = rectified(e, lane);
    Value code = encoded8(e, lane, formatOf(e.type(0)));
    result = LLVM::OrOp::create(e.b, result, LLVM::ShlOp::create(e.b, code, e.integer(8 * i)));
  }
  e.write(resized(e, result, 16, false));
}

/// `cvt.rn.f16x2.e4m3x2 d, a`: exact.
void fromPacked8(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const Format8 format = formatOf(e.type(1));
  Type i32 = e.b.getI32Type(), f32 = e.b.getF32Type();
  Value codes = resized(e, e.read(1, e.type(1)), 32, false);
  Value pair = LLVM::PoisonOp::create(e.b, e.type(0).valueType(e.context()));
  for (unsigned i = 0; i < 2; ++i) {
    Value code = LLVM::AndOp::create(e.b, LLVM::LShrOp::create(e.b, codes, e.integer(8 * i)), e.integer(0xFF));
    Value half;
    if (format.mantissaBits == 2) {  // The upper byte of an f16.
      half = e.cast(resized(e, LLVM::ShlOp::create(e.b, code, e.integer(8)), 16, false), e.b.getF16Type());
    } else {
      // Exponent and mantissa in their places in f32, as if it had the same bias, then scaled to the right one.
      Value size = LLVM::AndOp::create(e.b, code, e.integer(0x7F));
      Value bits = LLVM::ShlOp::create(e.b, size, e.integer(20));
      Value number = LLVM::FMulOp::create(e.b, e.cast(bits, f32), e.floating(0x1p120, f32));
      Value isNumber = compare(e, LLVM::ICmpPredicate::ne, size, e.integer(0x7F));
      number = select(e, isNumber, number, e.cast(e.integer(0x7FFFFFFF), f32));
      Value sign = LLVM::ShlOp::create(e.b, LLVM::AndOp::create(e.b, code, e.integer(0x80)), e.integer(24));
      number = e.cast(LLVM::OrOp::create(e.b, e.cast(number, i32), sign), f32);
      half = LLVM::FPTruncOp::create(e.b, e.b.getF16Type(), number);
    }
    if (e.has("relu")) half = rectified(e, half);
    pair = LLVM::InsertElementOp::create(e.b, pair, half, e.integer(i));
  }
  e.write(pair);
}

/// `cvt.pack.sat.u16.s32 d, a, b`: a in the upper half; for bytes, c's lower half comes above both.
void pack(Emitter& e) {
  const ScalarType to = e.type(0);
  const bool isByte = to.bits() == 8;
  if (!e.expectOperands(isByte ? 4 : 3)) return;
  auto packed = [&](size_t index) {
    return resized(e, clampedTo(e, resized(e, e.read(index, e.type(1)), 65, true), to), 32, false);
  };
  Value result = LLVM::OrOp::create(e.b, LLVM::ShlOp::create(e.b, packed(1), e.integer(to.bits())), packed(2));
  if (isByte)
    result = LLVM::OrOp::create(e.b, result, LLVM::ShlOp::create(e.b, e.read(3, typeNamed("b32")), e.integer(16)));
  e.write(0, result, typeNamed("b32"));
}

#define INTEGERS "{u8,u16,u32,u64,s8,s16,s32,s64}"
#define WIDE_INTEGERS "{u16,u32,u64,s16,s32,s64}"
#define ROUNDING ".{rn,rz,rm,rp}"
#define TO_INTEGER ".{rni,rzi,rmi,rpi}"

constexpr Operation kOperations[] = {
    {"cvt[.sat]." INTEGERS "." INTEGERS, integerToInteger},
    {"cvt" TO_INTEGER "[.sat]." INTEGERS ".{f16,f64}", floatToInteger},
    {"cvt" TO_INTEGER "[.ftz][.sat]." INTEGERS ".f32", floatToInteger},
    {"cvt" TO_INTEGER "." WIDE_INTEGERS ".bf16", floatToInteger},
    {"cvt" ROUNDING "[.sat].{f16,f32,f64}." INTEGERS, integerToFloat},
    {"cvt" ROUNDING ".bf16." WIDE_INTEGERS, integerToFloat},
    // Exact, to a type that has all values of the other.
    {"cvt[.sat].{f16,f64}.f16", floatToFloat},
    {"cvt[.sat].f64.f64", floatToFloat},
    {"cvt[.ftz][.sat].{f32,f64}.f32", floatToFloat},
    {"cvt[.ftz][.sat].f32.f16", floatToFloat},
    {"cvt[.ftz].f32.bf16", floatToFloat},
    {"cvt.{f16,f64}.bf16", floatToFloat},
    // Rounded to an integer, or to a type with fewer values.
    {"cvt" TO_INTEGER "[.sat].f16.f16", floatToFloat},
    {"cvt" TO_INTEGER "[.sat].f64.f64", floatToFloat},
    {"cvt" TO_INTEGER "[.ftz][.sat].f32.f32", floatToFloat},
    {"cvt" TO_INTEGER ".bf16.bf16", floatToFloat},
    {"cvt" ROUNDING "[.ftz][.sat].f16.f32", floatToFloat},
    {"cvt" ROUNDING "[.ftz][.sat].f32.f64", floatToFloat},
    {"cvt" ROUNDING "[.sat].f16.f64", floatToFloat},
    {"cvt" ROUNDING ".{f16,f64}.bf16", floatToFloat},
    {"cvt" ROUNDING ".bf16.{f16,f64}", floatToFloat},
    {"cvt.{rn,rz}[.relu][.satfinite].{f16,bf16}.f32", floatToFloat},
    {"cvt.{rm,rp}.bf16.f32", floatToFloat},
    {"cvt.{rn,rz}[.relu][.satfinite].{f16x2,bf16x2}.f32", floatsToPair},
    {"cvt.rna[.satfinite].tf32.f32", toTf32},
    {"cvt.{rn,rz}[.relu][.satfinite].tf32.f32", toTf32},
    {"cvt.rn.satfinite[.relu].{e4m3x2,e5m2x2}.{f32,f16x2}", toPacked8},
    {"cvt.rn[.relu].f16x2.{e4m3x2,e5m2x2}", fromPacked8},
    {"cvt.pack.sat.{u16,s16}.s32", pack},
    {"cvt.pack.sat.{u8,s8}.s32.b32", pack},
};

}  // namespace

ArrayRef<Operation> conversionOperations() { return kOperations; }

}  // namespace mmtune::ptx
