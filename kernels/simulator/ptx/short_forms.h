// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for the lowerings of PTX instructions: short names for types and operations that many of them need.
#pragma once

#include "kernels/simulator/ptx/instruction_emitter.h"

namespace mmtune::ptx {

// The PTX types .u32, .b32 and .b64.
inline ScalarType u32() { return typeNamed("u32"); }
inline ScalarType b32() { return typeNamed("b32"); }
inline ScalarType b64() { return typeNamed("b64"); }

// compare(), select() and make() emit one operation of the LLVM dialect and return its result.
inline mlir::Value compare(InstructionEmitter& e, mlir::LLVM::ICmpPredicate predicate, mlir::Value a, mlir::Value b) {
  return mlir::LLVM::ICmpOp::create(e.b, predicate, a, b);
}
inline mlir::Value compare(InstructionEmitter& e, mlir::LLVM::FCmpPredicate predicate, mlir::Value a, mlir::Value b) {
  return mlir::LLVM::FCmpOp::create(e.b, predicate, a, b);
}
inline mlir::Value select(InstructionEmitter& e, mlir::Value condition, mlir::Value yes, mlir::Value no) {
  return mlir::LLVM::SelectOp::create(e.b, condition, yes, no);
}
template <typename Op>
mlir::Value make(InstructionEmitter& e, mlir::Value a, mlir::Value b) {
  return Op::create(e.b, a, b);
}
/// Returns the number of bits of an integer or floating-point value.
inline unsigned bitsOf(mlir::Value value) { return value.getType().getIntOrFloatBitWidth(); }

/// Sign-extends or zero-extends an integer to `bits` bits; returns it unchanged if it has that many bits.
inline mlir::Value extended(InstructionEmitter& e, mlir::Value value, unsigned bits, bool isSigned) {
  mlir::Type type = e.b.getIntegerType(bits);
  if (value.getType() == type) return value;
  return isSigned ? mlir::LLVM::SExtOp::create(e.b, type, value).getResult()
                  : mlir::LLVM::ZExtOp::create(e.b, type, value).getResult();
}
/// Returns the lowest `bits` bits of an integer.
inline mlir::Value truncated(InstructionEmitter& e, mlir::Value value, unsigned bits) {
  mlir::Type type = e.b.getIntegerType(bits);
  return value.getType() == type ? value : mlir::LLVM::TruncOp::create(e.b, type, value).getResult();
}

/// Extends or truncates an integer to `bits` bits.
inline mlir::Value resized(InstructionEmitter& e, mlir::Value value, unsigned bits, bool isSigned) {
  return bitsOf(value) > bits ? truncated(e, value, bits) : extended(e, value, bits, isSigned);
}

/// Returns an address operand as a pointer to the block's shared memory. Where the opcode does not say .shared, the
/// address is a generic one.
inline mlir::Value sharedPointer(InstructionEmitter& e, size_t index) {
  const bool isShared = e.has("shared") || e.has("shared::cta");
  mlir::Value pointer = e.pointer(index, isShared ? kSharedSpace : kGeneric);
  auto shared = mlir::LLVM::LLVMPointerType::get(e.context(), kSharedSpace);
  return isShared ? pointer : mlir::LLVM::AddrSpaceCastOp::create(e.b, shared, pointer).getResult();
}

/// Calls `apply`, which emits an operation on values of the type, once for each lane if the type is packed (such as
/// f16x2). Writes the result to the instruction's destination.
inline void writeByLane(InstructionEmitter& e, llvm::ArrayRef<mlir::Value> values, const ScalarType& type,
                        llvm::function_ref<mlir::Value(llvm::ArrayRef<mlir::Value>)> apply) {
  if (type.lanes == 1) return e.write(apply(values));
  auto vector = mlir::VectorType::get(type.lanes, e.b.getIntegerType(type.elementBits));
  llvm::SmallVector<mlir::Value> lanes;
  for (mlir::Value value : values) lanes.push_back(e.cast(value, vector));
  e.write(e.byLane(lanes, apply));
}

/// Lowers an instruction that changes no value, such as a prefetch, to nothing. Checks only the number of
/// its operands.
template <size_t operands>
void lowerNothing(InstructionEmitter& e) {
  e.expectOperands(operands);
}

/// Lowers an instruction with a destination and two source operands to one operation of the LLVM dialect.
template <typename Op>
void lowerBinary(InstructionEmitter& e) {
  if (!e.expectOperands(3)) return;
  writeByLane(e, {e.read(1, e.type()), e.read(2, e.type())}, e.type(),
              [&](llvm::ArrayRef<mlir::Value> v) { return make<Op>(e, v[0], v[1]); });
}

}  // namespace mmtune::ptx
