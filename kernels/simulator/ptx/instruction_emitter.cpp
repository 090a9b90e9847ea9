// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/ptx/instruction_emitter.h"

#include "kernels/simulator/ptx/function_lowering.h"

using namespace mlir;

namespace mmtune::ptx {
namespace {

/// Stands in for operands that are missing, after the error.
const Operand kMissing = [] {
  Operand operand;
  operand.kind = Operand::Kind::kSink;
  return operand;
}();

/// True if an instruction that accesses the address space may name the variable.
bool isInSpace(const Variable& variable, unsigned space) {
  switch (variable.space) {
    case Space::kGlobal:
      return space == kGlobal || space == kGeneric;
    case Space::kConstant:
      return space == kConstantSpace;
    case Space::kShared:
      return space == kSharedSpace || space == kClusterSpace || space == kGeneric;
    case Space::kLocal:
      return space == kLocalSpace || space == kGeneric;
    case Space::kParameter:
      return false;
  }
  return false;
}

}  // namespace

InstructionEmitter::InstructionEmitter(FunctionLowering& function, const Instruction& instruction,
                                       ArrayRef<StringRef> parts, ImplicitLocOpBuilder& builder)
    : b(builder), lowering(function), instruction(instruction), parts(parts) {
  for (StringRef part : parts.drop_front())
    if (std::optional<ScalarType> type = findType(part)) types.push_back(*type);
}

void InstructionEmitter::fail(const Twine& message) { lowering.fail(instruction.at, message); }

StringRef InstructionEmitter::wordAmong(ArrayRef<StringRef> words) const {
  const auto* found = llvm::find_if(parts, [&](StringRef part) { return llvm::is_contained(words, part); });
  return found == parts.end() ? StringRef() : *found;
}

const Operand& InstructionEmitter::operand(size_t index) {
  if (index < instruction.operands.size()) return instruction.operands[index];
  fail("the instruction has too few operands: " + Twine(instruction.operands.size()));
  return kMissing;
}

bool InstructionEmitter::expectOperands(size_t least, size_t most) {
  const size_t count = operandCount();
  if (count >= least && count <= most) return true;
  fail("expected " + Twine(least) + (least == most ? Twine() : " to " + Twine(most)) + " operands, got " +
       Twine(count));
  return false;
}

ArrayRef<Operand> InstructionEmitter::items(size_t index) {
  const Operand& whole = operand(index);
  return whole.kind == Operand::Kind::kList ? ArrayRef(whole.items) : ArrayRef(whole);
}

ArrayRef<Operand> InstructionEmitter::list(size_t index) {
  if (operand(index).kind != Operand::Kind::kList) fail("operand " + Twine(index + 1) + " must be a list in braces");
  return items(index);
}

Value InstructionEmitter::integer(int64_t value, unsigned bits) {
  Type type = b.getIntegerType(bits);
  APInt number = bits > 64 ? APInt(bits, static_cast<uint64_t>(value), /*isSigned=*/true)
                           : APInt(64, static_cast<uint64_t>(value)).trunc(bits);
  return LLVM::ConstantOp::create(b, type, IntegerAttr::get(type, number));
}

Value InstructionEmitter::floating(double value, Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    Attribute element = b.getFloatAttr(vector.getElementType(), value);
    return LLVM::ConstantOp::create(b, type, DenseElementsAttr::get(vector, element));
  }
  return LLVM::ConstantOp::create(b, type, b.getFloatAttr(type, value));
}

Value InstructionEmitter::zero(Type type) { return LLVM::ZeroOp::create(b, type); }

Value InstructionEmitter::cast(Value value, Type type) {
  return value.getType() == type ? value : LLVM::BitcastOp::create(b, type, value).getResult();
}

Value InstructionEmitter::byLane(ArrayRef<Value> values, llvm::function_ref<Value(ArrayRef<Value>)> callback) {
  auto vector = dyn_cast<VectorType>(values.front().getType());
  if (!vector) return callback(values);
  Value whole;
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
    SmallVector<Value> elements;
    for (Value value : values)
      elements.push_back(isa<VectorType>(value.getType()) ? LLVM::ExtractElementOp::create(b, value, integer(lane))
                                                          : value);
    Value result = callback(elements);
    if (!whole) whole = LLVM::PoisonOp::create(b, VectorType::get(vector.getShape(), result.getType()));
    whole = LLVM::InsertElementOp::create(b, whole, result, integer(lane));
  }
  return whole;
}

Value InstructionEmitter::intrinsic(StringRef name, Type result, ArrayRef<Value> arguments) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), ValueRange(arguments)).getResult(0);
}

Value InstructionEmitter::math(StringRef name, ArrayRef<Value> arguments) {
  Type result = arguments.front().getType();
  LLVM::LLVMFuncOp callee =
      lowering.moduleLowering().mathFunction(("__nv_" + name).str(), result, ValueRange(arguments).getTypes());
  return LLVM::CallOp::create(b, callee, arguments).getResult();
}

Value InstructionEmitter::read(const Operand& operand, const ScalarType& type, bool mayBeWider) {
  Type valueType = type.valueType(context());
  if (operand.negated && (!type.isPredicate() || operand.kind != Operand::Kind::kName)) fail("'!' is for predicates");
  switch (operand.kind) {
    case Operand::Kind::kInteger:
    case Operand::Kind::kFloat: {
      const Literal literal = operand.kind == Operand::Kind::kInteger ? Literal::kInteger
                              : operand.isDouble                      ? Literal::kDouble
                                                                      : Literal::kFloat;
      if (std::optional<uint64_t> bits = literalBits(literal, operand.bits, type))
        return cast(integer(static_cast<int64_t>(*bits), type.bits()), valueType);
      fail(literalError(literal, type));
      return zero(valueType);
    }
    case Operand::Kind::kName:
      break;
    default:
      fail("expected a register or a number");
      return zero(valueType);
  }

  unsigned bits = 0;
  Value value;
  if (auto* found = lowering.registerNamed(operand.name, instruction.scope)) {
    bits = found->type.bits();
    value = lowering.valueOf(*found);
    expectCompatible(operand, found->type, type);
    if (operand.negated) value = LLVM::XOrOp::create(b, value, integer(1, 1));
  } else if ((value = readSpecialRegister(operand, type))) {
    bits = value.getType().getIntOrFloatBitWidth();
    mayBeWider |= bits == 32 && type.bits() == 16;
  } else if (auto memory = lowering.memoryNamed(operand.name, instruction.scope, b)) {
    // The address of a variable.
    const bool takesNames =
        parts.front() == "mov" || parts.front() == "mapa" || (parts.front() == "cvta" && !has("to"));
    if (!takesNames || type.isFloat())
      fail("'" + operand.name + "' is a variable: only mov, cvta and mapa take its address");
    const bool isShared = cast<LLVM::LLVMPointerType>(memory->pointer.getType()).getAddressSpace() == kSharedSpace;
    bits = type.bits();
    if (bits != 64 && !(bits == 32 && isShared)) {
      fail("the address of '" + operand.name + "' has 64 bits, the instruction takes ." + type.name);
      return zero(valueType);
    }
    value = LLVM::PtrToIntOp::create(b, b.getIntegerType(bits), lowering.addressOf(*memory));
    if (operand.offset != 0) value = LLVM::AddOp::create(b, value, integer(operand.offset, bits));
    return cast(value, valueType);
  } else {
    fail("'" + operand.name + "' is no register, variable or special register that is known here");
    return zero(valueType);
  }
  if (operand.offset != 0) fail("an offset is for addresses");
  if (bits > type.bits() && mayBeWider) {
    value = LLVM::TruncOp::create(b, b.getIntegerType(type.bits()), value);
  } else if (bits != type.bits()) {
    fail("'" + operand.name + "' has " + Twine(bits) + " bits, the instruction takes ." + type.name);
    return zero(valueType);
  }
  return cast(value, valueType);
}

void InstructionEmitter::expectCompatible(const Operand& operand, const ScalarType& ofRegister,
                                          const ScalarType& type) {
  if (!areCompatible(ofRegister, type))
    fail("'" + operand.name + "' is a ." + ofRegister.name + ", the instruction takes ." + type.name);
}

Value InstructionEmitter::readSpecialRegister(const Operand& operand, const ScalarType& type) {
  Value value = specialRegister(operand.name, b);
  if (!value) return value;
  if (const std::string unmet = lowering.moduleLowering().unmetRequirement(operand.name, 0); !unmet.empty())
    fail(unmet);
  const bool isTaken = parts.front() == "mov" || (parts.front() == "cvt" && types.front().isInteger());
  if (!isTaken || !type.isInteger()) fail("'" + operand.name + "' is a special register: move it to a register first");
  return value;
}

bool InstructionEmitter::isPredicate(const Operand& operand) {
  if (operand.kind != Operand::Kind::kName) return false;
  auto* found = lowering.registerNamed(operand.name, instruction.scope);
  return found && found->type.isPredicate();
}

int64_t InstructionEmitter::literal(size_t index) {
  const Operand& number = operand(index);
  if (number.kind == Operand::Kind::kInteger && !number.negated) return static_cast<int64_t>(number.bits);
  fail("operand " + Twine(index + 1) + " must be an integer literal");
  return 0;
}

void InstructionEmitter::expectRange(size_t index, int64_t least, int64_t most, int64_t step) {
  if (operand(index).kind != Operand::Kind::kInteger) return;
  const auto number = static_cast<int64_t>(operand(index).bits);
  if (number >= least && number <= most && number % step == 0) return;
  fail("operand " + Twine(index + 1) + " is " + Twine(number) + ", not " +
       (step == 1 ? "a number" : "a multiple of " + Twine(step)) + " from " + Twine(least) + " to " + Twine(most));
}

void InstructionEmitter::write(const Operand& operand, Value value, const ScalarType& type, bool mayBeWider) {
  if (operand.negated) return fail("'!' before a destination");
  if (operand.kind == Operand::Kind::kSink) {
    // Most instructions discard only a part of their results.
    const bool isWhole = &operand == instruction.operands.data();
    if (isWhole && parts.front() != "atom" && parts.front() != "mbarrier")
      fail("the destination is '_', and the instruction has no other result");
    return;
  }
  if (operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kFloat)
    return fail("the destination is a number, and must be a register");
  auto* found = operand.kind == Operand::Kind::kName && operand.offset == 0
                    ? lowering.registerNamed(operand.name, instruction.scope)
                    : nullptr;
  if (!found) return fail("the destination '" + operand.name + "' is no register");
  value = cast(value, b.getIntegerType(type.bits()));
  const unsigned bits = found->type.bits();
  if (!areCompatible(found->type, type))
    return fail("'" + operand.name + "' is a ." + found->type.name + ", the instruction writes ." + type.name);
  if (bits > type.bits() && mayBeWider) {
    Type wide = b.getIntegerType(bits);
    value = type.isSigned() ? LLVM::SExtOp::create(b, wide, value).getResult()
                            : LLVM::ZExtOp::create(b, wide, value).getResult();
  } else if (bits != type.bits()) {
    return fail("'" + operand.name + "' has " + Twine(bits) + " bits, the instruction writes ." + type.name);
  }
  lowering.assign(*found, value);
}

Value InstructionEmitter::pointerTo(Value address, unsigned space) {
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(context(), space), address);
}

Value InstructionEmitter::parameterPointer(const Operand& operand, uint64_t bytes) {
  auto memory =
      operand.kind == Operand::Kind::kAddress ? lowering.memoryNamed(operand.name, instruction.scope, b) : std::nullopt;
  if (!memory || memory->variable->space != Space::kParameter) {
    fail("'" + operand.name + "' is no parameter");
    return zero(LLVM::LLVMPointerType::get(context()));
  }
  if (!operand.items.empty()) fail("coordinates are for copies by tensor maps");
  const uint64_t size = bytesOf(*memory->variable);
  if (operand.offset < 0 || bytes > size || static_cast<uint64_t>(operand.offset) > size - bytes)
    fail("bytes " + Twine(operand.offset) + " to " + Twine(operand.offset + static_cast<int64_t>(bytes)) + " of '" +
         operand.name + "', which has " + Twine(size));
  return LLVM::GEPOp::create(b, memory->pointer.getType(), b.getI8Type(), memory->pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(operand.offset)});
}

Value InstructionEmitter::pointer(size_t index, unsigned space, bool hasCoordinates) {
  const Operand& address = operand(index);
  auto type = LLVM::LLVMPointerType::get(context(), space);
  if (address.kind != Operand::Kind::kAddress) {
    fail("operand " + Twine(index + 1) + " must be an address in brackets");
    return zero(type);
  }
  if (!hasCoordinates && !address.items.empty()) fail("coordinates are for copies by tensor maps");
  if (address.name.empty()) {
    if (space != kLocalSpace) fail("only addresses of .local memory can be numbers");
    return pointerTo(integer(address.offset, 64), space);
  }
  if (auto* found = lowering.registerNamed(address.name, instruction.scope)) {
    const unsigned bits = found->type.bits();
    const bool isShared = space == kSharedSpace || space == kClusterSpace;
    if (bits != 64 && !(bits == 32 && isShared)) {
      fail("the address register '" + address.name + "' has " + Twine(bits) + " bits, expected 64" +
           (isShared ? " or 32" : ""));
      return zero(type);
    }
    if (found->type.isFloat()) fail("the address register '" + address.name + "' is a ." + found->type.name);
    Value value = lowering.valueOf(*found);
    if (address.offset != 0) value = LLVM::AddOp::create(b, value, integer(address.offset, bits));
    return pointerTo(value, space);
  }
  if (auto memory = lowering.memoryNamed(address.name, instruction.scope, b)) {
    Value base = memory->pointer;
    if (address.offset != 0)
      base = LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                                 ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(address.offset)});
    if (!hasCoordinates && !isInSpace(*memory->variable, space))
      fail("'" + address.name + "' lies in another space than the instruction's");
    return base.getType() == type ? base : LLVM::AddrSpaceCastOp::create(b, type, base).getResult();
  }
  fail("'" + address.name + "' is no register or variable that is known here");
  return zero(type);
}

}  // namespace mmtune::ptx
