// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the operands of one PTX instruction, writes its results, and emits the MLIR operations that replace it.
#pragma once

#include <string>

#include "kernels/simulator/ptx/module.h"
#include "kernels/simulator/ptx/types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune::ptx {

class FunctionLowering;

/// Address spaces of NVVM.
enum AddressSpace : unsigned {
  kGeneric = 0,
  kGlobal = 1,
  kSharedSpace = 3,
  kConstantSpace = 4,
  kLocalSpace = 5,
  kClusterSpace = 7,  ///< The shared memory of all blocks of the cluster.
};

/// Emits the operations that replace one PTX instruction, at the builder's insertion point. After fail(), the functions
/// return placeholder values and the emitted operations are discarded, so a lowering need not return at an error.
class InstructionEmitter {
 public:
  using Value = mlir::Value;

  /// `parts` are the words of the opcode, the name first: "ld", "global", "u32".
  InstructionEmitter(FunctionLowering& function, const Instruction& instruction, llvm::ArrayRef<llvm::StringRef> parts,
                     mlir::ImplicitLocOpBuilder& builder);

  /// Records the function's first error: the instruction's line and text, and the message.
  void fail(const llvm::Twine& message);

  /// True if the opcode has the word among its modifiers.
  bool has(llvm::StringRef word) const { return llvm::is_contained(parts, word); }
  /// Returns the first word of the opcode that is among `words`; an empty string if none is.
  llvm::StringRef wordAmong(llvm::ArrayRef<llvm::StringRef> words) const;
  /// Returns the opcode's words, the name first.
  llvm::ArrayRef<llvm::StringRef> words() const { return parts; }
  /// Returns type number `index` of the opcode, counted from left to right.
  const ScalarType& type(size_t index = 0) const { return types[index]; }

  size_t operandCount() const { return instruction.operands.size(); }
  /// Returns an operand. If the instruction has fewer operands, fails and returns a placeholder.
  const Operand& operand(size_t index);
  /// Returns true if the instruction has between `least` and `most` operands; otherwise fails and returns false.
  bool expectOperands(size_t least, size_t most);
  bool expectOperands(size_t count) { return expectOperands(count, count); }
  /// Returns the items of an operand that is a list, else the operand itself.
  llvm::ArrayRef<Operand> items(size_t index);
  /// Returns the items of an operand, which must be a list in braces.
  llvm::ArrayRef<Operand> list(size_t index);

  /// Returns the value of an operand, as a value of `type`. A register must have a compatible type (types.h) with as
  /// many bits; with `mayBeWider` it may have more, and is truncated. Only mov and cvt may read special registers, and
  /// only mov, cvta and mapa may take the address of a variable by its name; for other instructions, fails.
  Value read(const Operand& operand, const ScalarType& type, bool mayBeWider = false);
  Value read(size_t index, const ScalarType& type, bool mayBeWider = false) {
    return read(operand(index), type, mayBeWider);
  }
  Value readPredicate(size_t index) { return read(index, typeNamed("pred")); }
  /// Returns the value of an operand, which must be an integer literal.
  int64_t literal(size_t index);
  /// Fails if an operand is an integer literal outside [least, most] or not a multiple of `step`. Accepts every operand
  /// that is not a literal.
  void expectRange(size_t index, int64_t least, int64_t most, int64_t step = 1);

  /// True if an operand is a predicate register.
  bool isPredicate(const Operand& operand);

  /// Writes a value of `type` to a register, which must have a compatible type with as many bits. With `mayBeWider` it
  /// may have more; the value is then sign-extended or zero-extended, depending on the type.
  void write(const Operand& operand, Value value, const ScalarType& type, bool mayBeWider = false);
  void write(size_t index, Value value, const ScalarType& type, bool mayBeWider = false) {
    write(operand(index), value, type, mayBeWider);
  }
  /// Writes the result, a value of the first type of the opcode, to the first operand.
  void write(Value value) { write(0, value, types.front()); }

  /// Returns an address operand as a pointer in an address space, in which a variable that it names must be. Tensor
  /// coordinates behind the address are an error unless `hasCoordinates`.
  Value pointer(size_t index, unsigned space, bool hasCoordinates = false);
  /// Converts an integer that holds an address to a pointer.
  Value pointerTo(Value integer, unsigned space);
  /// Returns a pointer to `bytes` bytes of the parameter that an address operand names, from the operand's offset on.
  Value parameterPointer(const Operand& operand, uint64_t bytes);

  // Return constants: an integer of `bits` bits, a float, or the zero of a type.
  Value integer(int64_t value, unsigned bits = 32);
  Value floating(double value, mlir::Type type);
  Value zero(mlir::Type type);
  /// Reinterprets the bits of a value.
  Value cast(Value value, mlir::Type type);
  /// If the values are vectors, calls `callback` for the elements of each lane, and returns the vector of the results.
  /// Otherwise returns callback(values).
  Value byLane(llvm::ArrayRef<Value> values, llvm::function_ref<Value(llvm::ArrayRef<Value>)> callback);
  /// Emits a call of an LLVM intrinsic.
  Value intrinsic(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<Value> arguments);
  /// Emits a call of `__nv_<name>`, a function of the device's mathematical library (as in CUDA's libdevice).
  Value math(llvm::StringRef name, llvm::ArrayRef<Value> arguments);

  mlir::MLIRContext* context() { return b.getContext(); }
  FunctionLowering& function() { return lowering; }
  const Instruction& source() const { return instruction; }

  mlir::ImplicitLocOpBuilder& b;

 private:
  /// Fails unless the type of a register (`ofRegister`) is compatible with `type`, which the instruction takes
  /// (areCompatible()).
  void expectCompatible(const Operand& operand, const ScalarType& ofRegister, const ScalarType& type);
  /// Returns the value of a special register, for read(); null if the operand names none.
  Value readSpecialRegister(const Operand& operand, const ScalarType& type);

  FunctionLowering& lowering;
  const Instruction& instruction;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SmallVector<ScalarType, 4> types;
};

}  // namespace mmtune::ptx
