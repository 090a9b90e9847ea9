// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of every type, selections by them, and moves.
#include "kernels/simulator/ptx/floats.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "kernels/simulator/ptx/short_forms.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

using Emitter = InstructionEmitter;
using Predicate = LLVM::ICmpPredicate;

/// Returns the i1, or vector of them, of `a <comparison> b`. With .ftz in the opcode, subnormal numbers are zeros.
Value compareValues(InstructionEmitter& e, StringRef comparison, const ScalarType& type, Value a, Value b) {
  if (type.isFloat()) {
    using P = LLVM::FCmpPredicate;
    const P predicate = llvm::StringSwitch<P>(comparison)
                            .Case("eq", P::oeq)
                            .Case("ne", P::one)
                            .Case("lt", P::olt)
                            .Case("le", P::ole)
                            .Case("gt", P::ogt)
                            .Case("ge", P::oge)
                            .Case("equ", P::ueq)
                            .Case("neu", P::une)
                            .Case("ltu", P::ult)
                            .Case("leu", P::ule)
                            .Case("gtu", P::ugt)
                            .Case("geu", P::uge)
                            .Case("num", P::ord)
                            .Default(P::uno);
    return e.byLane({a, b}, [&](ArrayRef<Value> v) -> Value {
      Value x = v[0], y = v[1];
      if (e.has("ftz")) x = flushed(e, x), y = flushed(e, y);
      return LLVM::FCmpOp::create(e.b, predicate, x, y);
    });
  }
  using P = LLVM::ICmpPredicate;
  const bool isSigned = type.isSigned();
  const P predicate = llvm::StringSwitch<P>(comparison)
                          .Case("eq", P::eq)
                          .Case("ne", P::ne)
                          .Case("lt", isSigned ? P::slt : P::ult)
                          .Case("le", isSigned ? P::sle : P::ule)
                          .Case("gt", isSigned ? P::sgt : P::ugt)
                          .Case("ge", isSigned ? P::sge : P::uge)
                          .Case("lo", P::ult)
                          .Case("ls", P::ule)
                          .Case("hi", P::ugt)
                          .Default(P::uge);
  return LLVM::ICmpOp::create(e.b, predicate, a, b);
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
  const ScalarType type = e.type();
  e.write(0, select(e, e.readPredicate(3), e.read(1, type), e.read(2, type)), type);
}

/// slct: a where c is at least zero, else b. With .ftz, a negative subnormal c is zero.
void selectBySign(Emitter& e) {
  if (!e.expectOperands(4)) return;
  const ScalarType type = e.type(0);
  Value c = e.read(3, e.type(1));
  if (e.has("ftz")) c = flushed(e, c);
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
  const bool hasList = e.operand(0).kind == Operand::Kind::kList || e.operand(1).kind == Operand::Kind::kList;
  if (hasList && e.type().kind != TypeClass::kBits) return e.fail("a mov of a list has an untyped type, such as .b64");
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
  e.write(e.read(1, e.type()));
}

#define ORDER_COMPARISONS "{lt,le,gt,ge}"
#define UNSIGNED_COMPARISONS "{lo,ls,hi,hs}"
#define FLOAT_COMPARISONS "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"
#define COMBINATIONS "[.{and,or,xor}]"

constexpr Operation kOperations[] = {
    {"setp.{eq,ne}" COMBINATIONS ".{b16,b32,b64,u16,u32,u64,s16,s32,s64}", setPredicate},
    {"setp." ORDER_COMPARISONS COMBINATIONS ".{u16,u32,u64,s16,s32,s64}", setPredicate},
    {"setp." UNSIGNED_COMPARISONS COMBINATIONS ".{u16,u32,u64}", setPredicate},
    {"setp." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{f32,f16,f16x2}", setPredicate},
    {"setp." FLOAT_COMPARISONS COMBINATIONS ".{f64,bf16,bf16x2}", setPredicate},
    {"set.{eq,ne}" COMBINATIONS ".{u32,s32,f32}.{b16,b32,b64,u16,u32,u64,s16,s32,s64}", setValue},
    {"set." ORDER_COMPARISONS COMBINATIONS ".{u32,s32,f32}.{u16,u32,u64,s16,s32,s64}", setValue},
    {"set." UNSIGNED_COMPARISONS COMBINATIONS ".{u32,s32,f32}.{u16,u32,u64}", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{u32,s32,f32}.f32", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{u32,s32,u16,s16}.f16", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS ".{u32,s32,f32}.f64", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS ".{u32,s32,u16,s16}.bf16", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].f16.f16", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS ".bf16.bf16", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS "[.ftz].{f16x2,u32,s32}.f16x2", setValue},
    {"set." FLOAT_COMPARISONS COMBINATIONS ".{bf16x2,u32,s32}.bf16x2", setValue},
    {"selp.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", selectValue},
    {"slct.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.s32", selectBySign},
    {"slct[.ftz].{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.f32", selectBySign},
    {"mov.{pred,b16,b32,b64,b128,u16,u32,u64,s16,s32,s64,f32,f64}", move},
};

}  // namespace

ArrayRef<Operation> comparisonOperations() { return kOperations; }

}  // namespace mmtune::ptx
