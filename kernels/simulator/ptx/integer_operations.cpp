// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic.
#include "kernels/simulator/ptx/function_lowering.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using Predicate = LLVM::ICmpPredicate;

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
  writeByLane(e, {e.read(1, e.type()), e.read(2, e.type())}, e.type(), [&](ArrayRef<Value> v) {
    Value best = select(e, compare(e, predicate, v[0], v[1]), v[0], v[1]);
    Value zero = e.integer(0, bitsOf(best));
    return e.has("relu") ? select(e, compare(e, Predicate::slt, best, zero), zero, best) : best;
  });
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

constexpr Operation kOperations[] = {
    {"add.{u16,s16,u32,s32,u64,s64,u16x2,s16x2}", lowerBinary<LLVM::AddOp>},
    {"add.sat.s32", saturated<false>},
    {"add.cc.{u32,s32,u64,s64}", withCarry},
    {"addc[.cc].{u32,s32,u64,s64}", withCarry},
    {"sub.{u16,s16,u32,s32,u64,s64}", lowerBinary<LLVM::SubOp>},
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
};

}  // namespace

ArrayRef<Operation> integerOperations() { return kOperations; }

}  // namespace mmtune::ptx
