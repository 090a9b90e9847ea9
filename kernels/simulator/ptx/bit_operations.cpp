// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on the bits of integers: logic, shifts, fields, counts, permutations.
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using Predicate = LLVM::ICmpPredicate;

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
  for (size_t i : {2, 3}) e.expectRange(i, 0, 255);
  const unsigned bits = e.type().bits();
  const bool isSigned = e.type().isSigned();
  if (e.operand(2).kind == Operand::Kind::kInteger && e.operand(3).kind == Operand::Kind::kInteger) {
    const auto begin = static_cast<unsigned>(e.literal(2) & 255), count = static_cast<unsigned>(e.literal(3) & 255);
    if (count > 0 && begin + count <= bits) {
      Value above = make<LLVM::ShlOp>(e, e.read(1, e.type()), e.integer(bits - begin - count, bits));
      Value below = e.integer(bits - count, bits);
      return e.write(isSigned ? make<LLVM::AShrOp>(e, above, below) : make<LLVM::LShrOp>(e, above, below));
    }
  }
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
  for (size_t i : {3, 4}) e.expectRange(i, 0, 255);
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

/// fns: the position of the n-th set bit from `base` on, for n < 0 downwards; of the bit at `base` for n = 0. All ones
/// where there is none. Downwards is upwards in the reversed bits.
void findNthSetBit(Emitter& e) {
  if (!e.expectOperands(4)) return;
  Value bits = e.read(1, b32()), base = e.read(2, b32()), n = e.read(3, typeNamed("s32"));
  Value zero = e.integer(0), one = e.integer(1), last = e.integer(31);
  Value isDown = compare(e, Predicate::slt, n, zero);
  bits = select(e, isDown, e.intrinsic("llvm.bitreverse", bits.getType(), {bits}), bits);
  base = select(e, isDown, make<LLVM::SubOp>(e, last, base), base);
  Value bit = shifted(e, one, base, /*left=*/true, /*isSigned=*/false);
  Value from = shifted(e, e.integer(-1), base, /*left=*/true, /*isSigned=*/false);
  bits = make<LLVM::AndOp>(e, bits, select(e, compare(e, Predicate::eq, n, zero), bit, from));
  Value distance = select(e, isDown, make<LLVM::SubOp>(e, zero, n), n);
  for (int64_t i = 1; i < 32; ++i) {
    Value without = make<LLVM::AndOp>(e, bits, make<LLVM::SubOp>(e, bits, one));  // The lowest bit is cleared.
    bits = select(e, compare(e, Predicate::ugt, distance, e.integer(i)), without, bits);
  }
  bits = select(e, compare(e, Predicate::ugt, distance, e.integer(32)), zero, bits);
  Value found = truncated(e, e.intrinsic("llvm.cttz", bits.getType(), {bits, e.integer(0, 1)}), 32);
  found = select(e, isDown, make<LLVM::SubOp>(e, last, found), found);
  e.write(select(e, compare(e, Predicate::eq, bits, zero), e.integer(-1), found));
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
  Value control = e.read(3, b32());
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

constexpr Operation kOperations[] = {
    {"and.{pred,b16,b32,b64}", lowerBinary<LLVM::AndOp>},
    {"or.{pred,b16,b32,b64}", lowerBinary<LLVM::OrOp>},
    {"xor.{pred,b16,b32,b64}", lowerBinary<LLVM::XOrOp>},
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
    {"fns.b32", findNthSetBit},
    {"brev.{b32,b64}", reverseBits},
    {"prmt.b32[.{f4e,b4e,rc8,ecl,ecr,rc16}]", permuteBytes},
};

}  // namespace

ArrayRef<Operation> bitOperations() { return kOperations; }

}  // namespace mmtune::ptx
