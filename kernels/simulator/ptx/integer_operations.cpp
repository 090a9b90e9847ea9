// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic and bits, comparisons of every type, selections and moves.
#include <functional>

#include "kernels/simulator/ptx/compare.h"
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using Predicate = LLVM::ICmpPredicate;

ScalarType u32() { return typeNamed("u32"); }

Value compare(Emitter& e, Predicate predicate, Value a, Value b) { return LLVM::ICmpOp::create(e.b, predicate, a, b); }
Value select(Emitter& e, Value condition, Value yes, Value no) {
  return LLVM::SelectOp::create(e.b, condition, yes, no);
}
Value extended(Emitter& e, Value value, unsigned bits, bool isSigned) {
  Type type = e.b.getIntegerType(bits);
  if (value.getType() == type) return value;
  return isSigned ? LLVM::SExtOp::create(e.b, type, value).getResult()
                  : LLVM::ZExtOp::create(e.b, type, value).getResult();
}
Value truncated(Emitter& e, Value value, unsigned bits) {
  Type type = e.b.getIntegerType(bits);
  return value.getType() == type ? value : LLVM::TruncOp::create(e.b, type, value).getResult();
}
template <typename Op>
Value make(Emitter& e, Value a, Value b) {
  return Op::create(e.b, a, b);
}
unsigned bitsOf(Value value) { return value.getType().getIntOrFloatBitWidth(); }

/// Applies `apply` to each 16-bit lane of packed types, else to the whole values.
Value byHalf(Emitter& e, ArrayRef<Value> values, const ScalarType& type,
             llvm::function_ref<Value(ArrayRef<Value>)> apply) {
  if (type.lanes == 1) return apply(values);
  auto vector = VectorType::get(type.lanes, e.b.getIntegerType(type.elementBits));
  SmallVector<Value> lanes;
  for (Value value : values) lanes.push_back(e.cast(value, vector));
  return e.byLane(lanes, apply);
}

template <typename Op>
void binary(Emitter& e) {
  if (!e.expectOperands(3)) return;
  e.write(byHalf(e, {e.read(1, e.type()), e.read(2, e.type())}, e.type(),
                 [&](ArrayRef<Value> v) { return make<Op>(e, v[0], v[1]); }));
}

/// add.sat.s32 and sub.sat.s32: clamp to the range of s32.
template <bool subtract>
void saturated(Emitter& e) {
  if (!e.expectOperands(3)) return;
  e.write(e.intrinsic(subtract ? "llvm.ssub.sat" : "llvm.sadd.sat", e.b.getI32Type(),
                      {e.read(1, e.type()), e.read(2, e.type())}));
}

/// add.cc, addc, sub.cc, subc: with the carry flag as an input, an output or both. A borrow is a carry of 1.
void withCarry(Emitter& e) {
  if (!e.expectOperands(3)) return;
  const StringRef name = e.words().front();
  const bool subtracts = name.starts_with("sub"), carriesIn = name.ends_with("c");
  const unsigned bits = e.type().bits();
  Type carryType = e.b.getI1Type();
  Value slot = e.function().carrySlot();
  Value a = extended(e, e.read(1, e.type()), bits + 2, false), b = extended(e, e.read(2, e.type()), bits + 2, false);
  Value wide = subtracts ? make<LLVM::SubOp>(e, a, b) : make<LLVM::AddOp>(e, a, b);
  if (carriesIn) {
    Value carry = extended(e, LLVM::LoadOp::create(e.b, carryType, slot), bits + 2, false);
    wide = subtracts ? make<LLVM::SubOp>(e, wide, carry) : make<LLVM::AddOp>(e, wide, carry);
  }
  e.write(truncated(e, wide, bits));
  if (!e.has("cc")) return;
  Value out = truncated(e, make<LLVM::LShrOp>(e, wide, e.integer(bits, bits + 2)), 1);
  LLVM::StoreOp::create(e.b, out, slot);
}

/// Returns the low or high half of a product, or all of it (.wide).
Value product(Emitter& e, Value a, Value b) {
  const unsigned bits = bitsOf(a);
  if (e.has("lo")) return make<LLVM::MulOp>(e, a, b);
  const bool isSigned = e.type().isSigned();
  Value wide = make<LLVM::MulOp>(e, extended(e, a, 2 * bits, isSigned), extended(e, b, 2 * bits, isSigned));
  if (e.has("wide")) return wide;
  return truncated(e, make<LLVM::LShrOp>(e, wide, e.integer(bits, 2 * bits)), bits);
}

ScalarType productType(Emitter& e) {
  if (!e.has("wide")) return e.type();
  return typeNamed(e.type().isSigned() ? (e.type().bits() == 16 ? "s32" : "s64")
                                       : (e.type().bits() == 16 ? "u32" : "u64"));
}

void multiply(Emitter& e) {
  if (!e.expectOperands(3)) return;
  e.write(0, product(e, e.read(1, e.type()), e.read(2, e.type())), productType(e));
}

void multiplyAdd(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const ScalarType type = productType(e);
  Value multiplied = product(e, e.read(1, e.type()), e.read(2, e.type())), c = e.read(3, type);
  if (e.has("sat")) return e.write(0, e.intrinsic("llvm.sadd.sat", e.b.getI32Type(), {multiplied, c}), type);
  e.write(0, make<LLVM::AddOp>(e, multiplied, c), type);
}

/// mad.{lo,hi}.cc and madc.{lo,hi}[.cc]
void multiplyAddCarry(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const unsigned bits = e.type().bits(), wideBits = bits + 2;
  Value slot = e.function().carrySlot();
  Value wide = make<LLVM::AddOp>(e, extended(e, product(e, e.read(1, e.type()), e.read(2, e.type())), wideBits, false),
                                 extended(e, e.read(3, e.type()), wideBits, false));
  if (e.words().front() == "madc")
    wide = make<LLVM::AddOp>(e, wide, extended(e, LLVM::LoadOp::create(e.b, e.b.getI1Type(), slot), wideBits, false));
  e.write(truncated(e, wide, bits));
  if (e.has("cc"))
    LLVM::StoreOp::create(e.b, truncated(e, make<LLVM::LShrOp>(e, wide, e.integer(bits, wideBits)), 1), slot);
}

/// mul24 and mad24: the operands' low 24 bits, extended by the type's sign.
void multiply24(Emitter& e) {
  const bool adds = e.words().front() == "mad24";
  if (!e.expectOperands(adds ? 4 : 3)) return;
  auto narrow = [&](size_t i) { return extended(e, truncated(e, e.read(i, e.type()), 24), 64, e.type().isSigned()); };
  Value wide = make<LLVM::MulOp>(e, narrow(1), narrow(2));
  if (e.has("hi")) wide = make<LLVM::LShrOp>(e, wide, e.integer(16, 64));
  Value result = truncated(e, wide, 32);
  e.write(adds ? make<LLVM::AddOp>(e, result, e.read(3, e.type())) : result);
}

/// Division that defines the overflow of the most negative number by -1: it wraps. Division by zero is an error of the
/// launch.
template <bool remainder>
void divide(Emitter& e) {
  if (!e.expectOperands(3)) return;
  Value a = e.read(1, e.type()), b = e.read(2, e.type());
  if (!e.type().isSigned()) return e.write(remainder ? make<LLVM::URemOp>(e, a, b) : make<LLVM::UDivOp>(e, a, b));
  const unsigned bits = e.type().bits();
  Value isMinusOne = compare(e, Predicate::eq, b, e.integer(-1, bits));
  Value divisor = select(e, isMinusOne, e.integer(1, bits), b);
  if (remainder) return e.write(make<LLVM::SRemOp>(e, a, divisor));
  Value quotient = make<LLVM::SDivOp>(e, a, divisor);
  e.write(select(e, isMinusOne, make<LLVM::SubOp>(e, e.integer(0, bits), quotient), quotient));
}

void negate(Emitter& e) {
  if (!e.expectOperands(2)) return;
  e.write(make<LLVM::SubOp>(e, e.integer(0, e.type().bits()), e.read(1, e.type())));
}

void absolute(Emitter& e) {
  if (!e.expectOperands(2)) return;
  Value a = e.read(1, e.type()), zero = e.integer(0, e.type().bits());
  e.write(select(e, compare(e, Predicate::slt, a, zero), make<LLVM::SubOp>(e, zero, a), a));
}

template <bool greater>
void extremum(Emitter& e) {
  if (!e.expectOperands(3)) return;
  const bool isSigned = e.type().isSigned();
  const Predicate predicate =
      greater ? (isSigned ? Predicate::sgt : Predicate::ugt) : (isSigned ? Predicate::slt : Predicate::ult);
  e.write(byHalf(e, {e.read(1, e.type()), e.read(2, e.type())}, e.type(), [&](ArrayRef<Value> v) {
    Value best = select(e, compare(e, predicate, v[0], v[1]), v[0], v[1]);
    Value zero = e.integer(0, bitsOf(best));
    return e.has("relu") ? select(e, compare(e, Predicate::slt, best, zero), zero, best) : best;
  }));
}

void sumOfDifferences(Emitter& e) {
  if (!e.expectOperands(4)) return;
  Value a = e.read(1, e.type()), b = e.read(2, e.type());
  const Predicate less = e.type().isSigned() ? Predicate::slt : Predicate::ult;
  Value difference = select(e, compare(e, less, a, b), make<LLVM::SubOp>(e, b, a), make<LLVM::SubOp>(e, a, b));
  e.write(make<LLVM::AddOp>(e, e.read(3, e.type()), difference));
}

/// dp4a: four products of bytes, and dp2a: two of a half and a byte of the low or high half, added to c.
void dotProduct(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const bool isQuad = e.words().front() == "dp4a";
  Value a = e.read(1, e.type(0)), b = e.read(2, e.type(1)), sum = e.read(3, u32());
  const unsigned bitsA = isQuad ? 8 : 16, first = !isQuad && e.has("hi") ? 2 : 0;
  auto lane = [&](Value word, unsigned index, unsigned bits, const ScalarType& type) {
    return extended(e, truncated(e, make<LLVM::LShrOp>(e, word, e.integer(index * bits)), bits), 32, type.isSigned());
  };
  for (unsigned i = 0; i < (isQuad ? 4u : 2u); ++i)
    sum =
        make<LLVM::AddOp>(e, sum, make<LLVM::MulOp>(e, lane(a, i, bitsA, e.type(0)), lane(b, first + i, 8, e.type(1))));
  e.write(0, sum, u32());
}

void bitwiseNot(Emitter& e) {
  if (!e.expectOperands(2)) return;
  e.write(make<LLVM::XOrOp>(e, e.read(1, e.type()), e.integer(-1, e.type().bits())));
}

void logicalNot(Emitter& e) {
  if (!e.expectOperands(2)) return;
  Value isZero = compare(e, Predicate::eq, e.read(1, e.type()), e.integer(0, e.type().bits()));
  e.write(extended(e, isZero, e.type().bits(), false));
}

/// Shifts by at least the width give zeros, or copies of the sign.
Value shifted(Emitter& e, Value value, Value amount, bool left, bool isSigned) {
  const unsigned bits = bitsOf(value);
  Value tooFar = compare(e, Predicate::uge, amount, e.integer(bits));
  Value most = e.integer(bits - 1);
  Value by = select(e, tooFar, most, amount);
  by = bits < 32 ? truncated(e, by, bits) : extended(e, by, bits, false);
  if (!left && isSigned) return make<LLVM::AShrOp>(e, value, by);
  Value result = left ? make<LLVM::ShlOp>(e, value, by) : make<LLVM::LShrOp>(e, value, by);
  return select(e, tooFar, e.integer(0, bits), result);
}

void shift(Emitter& e) {
  if (!e.expectOperands(3)) return;
  e.write(shifted(e, e.read(1, e.type()), e.read(2, u32()), e.words().front() == "shl", e.type().isSigned()));
}

/// shf.{l,r}.{clamp,wrap}: 32 bits of the 64 of b:a, shifted.
void funnelShift(Emitter& e) {
  if (!e.expectOperands(4)) return;
  Value low = extended(e, e.read(1, e.type()), 64, false), high = extended(e, e.read(2, e.type()), 64, false);
  Value amount = e.read(3, u32());
  if (e.has("wrap"))
    amount = make<LLVM::AndOp>(e, amount, e.integer(31));
  else
    amount = select(e, compare(e, Predicate::ugt, amount, e.integer(32)), e.integer(32), amount);
  Value both = make<LLVM::OrOp>(e, make<LLVM::ShlOp>(e, high, e.integer(32, 64)), low);
  Value by = extended(e, amount, 64, false);
  Value result = e.has("l") ? make<LLVM::LShrOp>(e, make<LLVM::ShlOp>(e, both, by), e.integer(32, 64))
                            : make<LLVM::LShrOp>(e, both, by);
  e.write(truncated(e, result, 32));
}

/// bfe: `length` bits from `position` on; a signed field is extended by its highest bit, or the number's.
void extractField(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const unsigned bits = e.type().bits();
  const bool isSigned = e.type().isSigned();
  Value a = extended(e, e.read(1, e.type()), 128, isSigned);
  Value position = make<LLVM::AndOp>(e, e.read(2, u32()), e.integer(255));
  Value length = make<LLVM::AndOp>(e, e.read(3, u32()), e.integer(255));
  auto atMost = [&](Value value, int64_t most) {
    return select(e, compare(e, Predicate::ugt, value, e.integer(most)), e.integer(most), value);
  };
  // The number is extended to 128 bits, so that a field beyond its highest bit reads copies of the sign, or zeros.
  Value field = isSigned ? make<LLVM::AShrOp>(e, a, extended(e, atMost(position, 64), 128, false))
                         : make<LLVM::LShrOp>(e, a, extended(e, atMost(position, 64), 128, false));
  Value unused = make<LLVM::SubOp>(e, e.integer(128), atMost(length, 64));
  Value isEmpty = compare(e, Predicate::eq, length, e.integer(0));
  Value by = extended(e, select(e, isEmpty, e.integer(0), unused), 128, false);
  field = make<LLVM::ShlOp>(e, field, by);
  field = isSigned ? make<LLVM::AShrOp>(e, field, by) : make<LLVM::LShrOp>(e, field, by);
  e.write(select(e, isEmpty, e.integer(0, bits), truncated(e, field, bits)));
}

/// bfi: b with `length` bits of a from `position` on.
void insertField(Emitter& e) {
  if (!e.expectOperands(5)) return;
  const unsigned bits = e.type().bits();
  Value position = make<LLVM::AndOp>(e, e.read(3, u32()), e.integer(255));
  Value length = make<LLVM::AndOp>(e, e.read(4, u32()), e.integer(255));
  auto left = [&](Value value, Value by) { return shifted(e, value, by, /*left=*/true, /*isSigned=*/false); };
  Value ones = e.integer(-1, bits);
  Value beyond = left(ones, length);  // Zero in the lowest `length` bits.
  Value mask = left(make<LLVM::XOrOp>(e, beyond, ones), position);
  Value inserted = make<LLVM::AndOp>(e, left(e.read(1, e.type()), position), mask);
  Value kept = make<LLVM::AndOp>(e, e.read(2, e.type()), make<LLVM::XOrOp>(e, mask, ones));
  e.write(make<LLVM::OrOp>(e, inserted, kept));
}

/// bmsk: `length` ones from `position` on.
void bitMask(Emitter& e) {
  if (!e.expectOperands(3)) return;
  Value position = e.read(1, u32()), length = e.read(2, u32());
  if (e.has("wrap")) {
    position = make<LLVM::AndOp>(e, position, e.integer(31));
    length = make<LLVM::AndOp>(e, length, e.integer(31));
  }
  Value ones = e.integer(-1);
  Value low = make<LLVM::XOrOp>(e, shifted(e, ones, length, true, false), ones);
  e.write(shifted(e, low, position, true, false));
}

void population(Emitter& e) {
  if (!e.expectOperands(2)) return;
  Value a = e.read(1, e.type());
  e.write(0, truncated(e, e.intrinsic("llvm.ctpop", a.getType(), {a}), 32), u32());
}

Value leadingZeros(Emitter& e, Value value) {
  return truncated(e, e.intrinsic("llvm.ctlz", value.getType(), {value, e.integer(0, 1)}), 32);
}

void countLeadingZeros(Emitter& e) {
  if (e.expectOperands(2)) e.write(0, leadingZeros(e, e.read(1, e.type())), u32());
}

/// bfind: the position of the highest bit that is not a sign bit, or with .shiftamt the shift that brings it to the
/// top; all ones where there is none.
void findBit(Emitter& e) {
  if (!e.expectOperands(2)) return;
  const unsigned bits = e.type().bits();
  Value a = e.read(1, e.type());
  if (e.type().isSigned()) {
    Value isNegative = compare(e, Predicate::slt, a, e.integer(0, bits));
    a = select(e, isNegative, make<LLVM::XOrOp>(e, a, e.integer(-1, bits)), a);
  }
  Value zeros = leadingZeros(e, a);
  Value found = e.has("shiftamt") ? zeros : make<LLVM::SubOp>(e, e.integer(bits - 1), zeros);
  e.write(0, select(e, compare(e, Predicate::eq, a, e.integer(0, bits)), e.integer(-1), found), u32());
}

void reverseBits(Emitter& e) {
  if (!e.expectOperands(2)) return;
  Value a = e.read(1, e.type());
  e.write(e.intrinsic("llvm.bitreverse", a.getType(), {a}));
}

/// lop3: any function of three bits, by its truth table.
void threeInputLogic(Emitter& e) {
  if (!e.expectOperands(5)) return;
  const auto table = static_cast<uint64_t>(e.literal(4));
  Value inputs[3] = {e.read(1, e.type()), e.read(2, e.type()), e.read(3, e.type())};
  Value ones = e.integer(-1), result = e.integer(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1)) continue;
    Value term = ones;
    for (unsigned i = 0; i < 3; ++i) {
      const bool isSet = row >> (2 - i) & 1;
      term = make<LLVM::AndOp>(e, term, isSet ? inputs[i] : make<LLVM::XOrOp>(e, inputs[i], ones));
    }
    result = make<LLVM::OrOp>(e, result, term);
  }
  e.write(result);
}

/// prmt: each byte of the result is one of the eight of b:a, or copies of its highest bit.
void permuteBytes(Emitter& e) {
  if (!e.expectOperands(4)) return;
  Value low = extended(e, e.read(1, e.type()), 64, false), high = extended(e, e.read(2, e.type()), 64, false);
  Value bytes = make<LLVM::OrOp>(e, low, make<LLVM::ShlOp>(e, high, e.integer(32, 64)));
  Value control = e.read(3, u32());
  const StringRef mode = e.wordAmong({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  Value result = e.integer(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value selector;
    if (mode.empty()) {
      selector = make<LLVM::LShrOp>(e, control, e.integer(4 * i));
    } else {
      Value c = make<LLVM::AndOp>(e, control, e.integer(3));
      auto plus = [&](int64_t n) { return make<LLVM::AddOp>(e, c, e.integer(n)); };
      auto minus = [&](int64_t n) { return make<LLVM::SubOp>(e, c, e.integer(n)); };
      auto extreme = [&](Predicate p) { return select(e, compare(e, p, c, e.integer(i)), c, e.integer(i)); };
      if (mode == "f4e")
        selector = plus(i);
      else if (mode == "b4e")
        selector = make<LLVM::AndOp>(e, minus(i), e.integer(7));
      else if (mode == "rc8")
        selector = c;
      else if (mode == "ecl")
        selector = extreme(Predicate::ugt);
      else if (mode == "ecr")
        selector = extreme(Predicate::ult);
      else
        selector = make<LLVM::AddOp>(e, make<LLVM::ShlOp>(e, make<LLVM::AndOp>(e, c, e.integer(1)), e.integer(1)),
                                     e.integer(i & 1));
    }
    Value index = make<LLVM::AndOp>(e, selector, e.integer(7));
    Value by = extended(e, make<LLVM::ShlOp>(e, index, e.integer(3)), 64, false);
    Value byte = truncated(e, make<LLVM::LShrOp>(e, bytes, by), 8);
    if (mode.empty()) {
      Value copies = make<LLVM::AShrOp>(e, byte, e.integer(7, 8));
      Value asSign = compare(e, Predicate::ne, make<LLVM::AndOp>(e, selector, e.integer(8)), e.integer(0));
      byte = select(e, asSign, copies, byte);
    }
    result = make<LLVM::OrOp>(e, result, make<LLVM::ShlOp>(e, extended(e, byte, 32, false), e.integer(8 * i)));
  }
  e.write(result);
}

/// Returns `outcome` combined with the third operand where the opcode has .and, .or or .xor.
Value combined(Emitter& e, Value outcome, size_t predicateAt) {
  if (e.operandCount() <= predicateAt) return outcome;
  Value predicate = e.readPredicate(predicateAt);
  if (e.has("and")) return make<LLVM::AndOp>(e, outcome, predicate);
  if (e.has("or")) return make<LLVM::OrOp>(e, outcome, predicate);
  return make<LLVM::XOrOp>(e, outcome, predicate);
}

/// Returns the number of operands of setp and set by whether it combines.
size_t comparisonOperands(Emitter& e) {
  // .and and .or are also no comparison operators, so the words tell.
  return e.has("and") || e.has("or") || e.has("xor") ? 4 : 3;
}

void setPredicate(Emitter& e) {
  if (!e.expectOperands(comparisonOperands(e))) return;
  const ScalarType type = e.type();
  Value outcome = compareValues(e, e.words()[1], type, e.read(1, type), e.read(2, type));
  const Operand& destination = e.operand(0);
  const bool isPair = destination.kind == Operand::Kind::kPair;
  const ScalarType predicate = typeNamed("pred");
  if (type.lanes == 2) {
    if (!isPair) return e.fail("the destination of two comparisons is p|q");
    for (unsigned i = 0; i < 2; ++i) {
      Value lane = LLVM::ExtractElementOp::create(e.b, outcome, e.integer(i));
      e.write(destination.items[i], combined(e, lane, 3), predicate);
    }
    return;
  }
  e.write(isPair ? destination.items[0] : destination, combined(e, outcome, 3), predicate);
  if (isPair) e.write(destination.items[1], combined(e, make<LLVM::XOrOp>(e, outcome, e.integer(1, 1)), 3), predicate);
}

/// set: all ones or zeros for an integer, 1.0 or 0.0 for a floating-point type.
void setValue(Emitter& e) {
  if (!e.expectOperands(comparisonOperands(e))) return;
  const ScalarType to = e.type(0), from = e.type(1);
  Value outcome = compareValues(e, e.words()[1], from, e.read(1, from), e.read(2, from));
  Value result = e.byLane({outcome}, [&](ArrayRef<Value> v) {
    Value isSet = combined(e, v.front(), 3);
    const ScalarType element = to.element();
    const unsigned bits = from.lanes == 2 ? 16 : element.bits();
    if (!to.isFloat()) return extended(e, isSet, bits, /*isSigned=*/true);
    Type type = element.valueType(e.context());
    return select(e, isSet, e.floating(1, type), e.floating(0, type));
  });
  e.write(0, result, to);
}

void selectValue(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const ScalarType type = e.type().untyped();
  e.write(0, select(e, e.readPredicate(3), e.read(1, type), e.read(2, type)), type);
}

/// slct: a where c is not negative, else b.
void selectBySign(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const ScalarType type = e.type(0).untyped();
  Value c = e.read(3, e.type(1));
  Value yes = e.type(1).isFloat()
                  ? LLVM::FCmpOp::create(e.b, LLVM::FCmpPredicate::oge, c, e.floating(0, c.getType())).getResult()
                  : compare(e, Predicate::sge, c, e.integer(0));
  e.write(0, select(e, yes, e.read(1, type), e.read(2, type)), type);
}

/// mov, which also packs a list into a register, and unpacks a register into a list.
void move(Emitter& e) {
  if (!e.expectOperands(2)) return;
  if (e.type().isPredicate()) return e.write(e.readPredicate(1));
  const ScalarType type = e.type().untyped();
  auto itemType = [&](size_t count) { return findType(("b" + Twine(count == 0 ? 0 : type.bits() / count)).str()); };
  if (e.operand(1).kind == Operand::Kind::kList) {
    ArrayRef<Operand> items = e.items(1);
    std::optional<ScalarType> item = itemType(items.size());
    if (!item) return e.fail("the list does not fill ." + Twine(type.name));
    Value whole = e.integer(0, type.bits());
    for (auto [i, operand] : llvm::enumerate(items)) {
      Value part = extended(e, e.read(operand, *item), type.bits(), false);
      whole = make<LLVM::OrOp>(e, whole, make<LLVM::ShlOp>(e, part, e.integer(i * item->bits(), type.bits())));
    }
    return e.write(0, whole, type);
  }
  if (e.operand(0).kind == Operand::Kind::kList) {
    ArrayRef<Operand> items = e.items(0);
    std::optional<ScalarType> item = itemType(items.size());
    if (!item) return e.fail("the list does not take ." + Twine(type.name));
    Value whole = e.read(1, type);
    for (auto [i, operand] : llvm::enumerate(items)) {
      Value part = make<LLVM::LShrOp>(e, whole, e.integer(i * item->bits(), type.bits()));
      e.write(operand, truncated(e, part, item->bits()), *item);
    }
    return;
  }
  e.write(0, e.read(1, type), type);
}

/// szext: extends the lowest n bits by the type's sign.
void extendBits(Emitter& e) {
  if (!e.expectOperands(3)) return;
  Value n = e.read(2, u32());
  if (e.has("wrap")) n = make<LLVM::AndOp>(e, n, e.integer(31));
  Value all = compare(e, Predicate::uge, n, e.integer(32));
  Value none = compare(e, Predicate::eq, n, e.integer(0));
  Value by = make<LLVM::AndOp>(e, make<LLVM::SubOp>(e, e.integer(32), n), e.integer(31));
  Value a = e.read(1, e.type());
  Value up = make<LLVM::ShlOp>(e, a, by);
  Value result = e.type().isSigned() ? make<LLVM::AShrOp>(e, up, by) : make<LLVM::LShrOp>(e, up, by);
  e.write(select(e, none, e.integer(0), select(e, all, a, result)));
}

#define INTEGER_COMPARISONS "{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}"
#define FLOAT_COMPARISONS "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"
#define COMBINATIONS "[.{and,or,xor}]"

constexpr Operation kOperations[] = {
    {"add.{u16,s16,u32,s32,u64,s64,u16x2,s16x2}", binary<LLVM::AddOp>},
    {"add.sat.s32", saturated<false>},
    {"add.cc.{u32,s32,u64,s64}", withCarry},
    {"addc[.cc].{u32,s32,u64,s64}", withCarry},
    {"sub.{u16,s16,u32,s32,u64,s64}", binary<LLVM::SubOp>},
    {"sub.sat.s32", saturated<true>},
    {"sub.cc.{u32,s32,u64,s64}", withCarry},
    {"subc[.cc].{u32,s32,u64,s64}", withCarry},
    {"mul.{lo,hi}.{u16,s16,u32,s32,u64,s64}", multiply},
    {"mul.wide.{u16,s16,u32,s32}", multiply},
    {"mad.{lo,hi}.{u16,s16,u32,s32,u64,s64}", multiplyAdd},
    {"mad.wide.{u16,s16,u32,s32}", multiplyAdd},
    {"mad.hi.sat.s32", multiplyAdd},
    {"mad.{lo,hi}.cc.{u32,s32,u64,s64}", multiplyAddCarry},
    {"madc.{lo,hi}[.cc].{u32,s32,u64,s64}", multiplyAddCarry},
    {"mul24.{lo,hi}.{u32,s32}", multiply24},
    {"mad24.{lo,hi}.{u32,s32}", multiply24},
    {"div.{u16,s16,u32,s32,u64,s64}", divide<false>},
    {"rem.{u16,s16,u32,s32,u64,s64}", divide<true>},
    {"neg.{s16,s32,s64}", negate},
    {"abs.{s16,s32,s64}", absolute},
    {"min.{u16,s16,u32,s32,u64,s64,u16x2,s16x2}", extremum<false>},
    {"min.relu.{s32,s16x2}", extremum<false>},
    {"max.{u16,s16,u32,s32,u64,s64,u16x2,s16x2}", extremum<true>},
    {"max.relu.{s32,s16x2}", extremum<true>},
    {"sad.{u16,s16,u32,s32,u64,s64}", sumOfDifferences},
    {"dp4a.{u32,s32}.{u32,s32}", dotProduct},
    {"dp2a.{lo,hi}.{u32,s32}.{u32,s32}", dotProduct},

    {"and.{pred,b16,b32,b64}", binary<LLVM::AndOp>},
    {"or.{pred,b16,b32,b64}", binary<LLVM::OrOp>},
    {"xor.{pred,b16,b32,b64}", binary<LLVM::XOrOp>},
    {"not.{pred,b16,b32,b64}", bitwiseNot},
    {"cnot.{b16,b32,b64}", logicalNot},
    {"lop3.b32", threeInputLogic},
    {"shl.{b16,b32,b64}", shift},
    {"shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", shift},
    {"shf.{l,r}.{clamp,wrap}.b32", funnelShift},
    {"bfe.{u32,s32,u64,s64}", extractField},
    {"bfi.{b32,b64}", insertField},
    {"bmsk.{clamp,wrap}.b32", bitMask},
    {"szext.{clamp,wrap}.{u32,s32}", extendBits},
    {"popc.{b32,b64}", population},
    {"clz.{b32,b64}", countLeadingZeros},
    {"bfind[.shiftamt].{u32,s32,u64,s64}", findBit},
    {"brev.{b32,b64}", reverseBits},
    {"prmt.b32[.{f4e,b4e,rc8,ecl,ecr,rc16}]", permuteBytes},

    {"setp." INTEGER_COMPARISONS COMBINATIONS ".{b16,b32,b64,u16,u32,u64,s16,s32,s64}", setPredicate},
    {"setp." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{f32,f16,f16x2}", setPredicate},
    {"setp." FLOAT_COMPARISONS COMBINATIONS ".{f64,bf16,bf16x2}", setPredicate},
    {"set." INTEGER_COMPARISONS COMBINATIONS ".{u32,s32,f32}.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{u32,s32,f32,u16,s16}.{f32,f64,f16,bf16}", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].f16.f16", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS ".bf16.bf16", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{f16x2,u32,s32}.f16x2", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS ".{bf16x2,u32,s32}.bf16x2", setValue},
    {"selp.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", selectValue},
    {"slct[.ftz].{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.{s32,f32}", selectBySign},
    {"mov.{pred,b16,b32,b64,b128,u16,u32,u64,s16,s32,s64,f32,f64}", move},
};

}  // namespace

ArrayRef<Operation> integerOperations() { return kOperations; }

}  // namespace mmtune::ptx
