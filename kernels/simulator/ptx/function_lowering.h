// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the body of a PTX function to the LLVM and NVVM dialects, so that the SIMT device (the CPU simulator) can run
// any PTX, and not only kernels that mmtune has generated as MLIR.
//
// A register becomes a stack slot that holds its bits as an integer; LLVM then turns it into an SSA value. Where the
// value is known from the same block, or from before a guarded instruction, the slot is not read; a slot that is never
// read is erased. A label begins a block, and a guarded instruction has a block of its own. An address of .global,
// .const, .local or .param memory is a host address. One of .shared memory is an offset into the memory that holds all
// shared variables of a thread block, because convert-nvvm-to-simt lowers shared pointers to such offsets.
//
// A scope is a pair of braces in the PTX, numbered by its index in Function::scopes. A name is looked up in the scope
// of the instruction that uses it, then in the scopes around that one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "kernels/simulator/ptx/instruction_emitter.h"
#include "kernels/simulator/ptx/module.h"
#include "kernels/simulator/ptx/module_lowering.h"
#include "kernels/simulator/ptx/swap_guesses.h"
#include "kernels/simulator/ptx/wgmma_registers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune::ptx {

/// Returns the value of a special register (%tid.x, %clock64), an i32 or i64; null for other names.
mlir::Value specialRegister(llvm::StringRef name, mlir::ImplicitLocOpBuilder& b);

/// Lowers the body of one function.
class FunctionLowering {
 public:
  using Value = mlir::Value;

  /// `into` is the LLVM function, still without a body, that replaces `function`.
  FunctionLowering(ModuleLowering& module, const Function& function, mlir::LLVM::LLVMFuncOp into);

  /// Lowers the body. Returns the first error.
  absl::Status run();

  ModuleLowering& moduleLowering() { return module; }
  const Function& ast() const { return function; }
  /// Records the first error, at a position of the PTX. run() returns it.
  void fail(Position at, const llvm::Twine& message);

  /// A register with its stack slot.
  struct Register {
    Value slot;
    ScalarType type;
    Value last;                    ///< The bits that were written or read last.
    mlir::Block* block = nullptr;  ///< The block in which `last` was written or read.
  };
  /// Returns the register that a name denotes in an instruction of this scope; null if it denotes none.
  Register* registerNamed(llvm::StringRef name, size_t scope);
  /// Returns the bits of a register, an integer, at the builder's insertion point.
  Value valueOf(Register& reg);
  /// Writes the bits of a register at the builder's insertion point.
  void assign(Register& reg, Value bits);
  /// Returns the block that a label begins; null if there is no such label.
  mlir::Block* labelNamed(llvm::StringRef name, size_t scope);
  /// Returns the labels of the `.branchtargets` of this name; null if there is none.
  const std::vector<std::string>* branchTargets(llvm::StringRef name, size_t scope) const;

  /// A variable or parameter, and a pointer to it in its address space.
  struct Memory {
    Value pointer;
    const Variable* variable;
  };
  /// Returns the memory of the variable or parameter that a name denotes; nullopt if it denotes neither.
  std::optional<Memory> memoryNamed(llvm::StringRef name, size_t scope, mlir::ImplicitLocOpBuilder& b);

  /// Returns a pointer to a variable or parameter whose address an instruction puts into a register. A kernel's
  /// parameter is copied to the thread's stack for that: race detection knows this memory, but not where a launch has
  /// put its parameters.
  Value addressOf(const Memory& memory);

  /// Returns the slot of the carry flag, an i1.
  Value carrySlot();

  /// Returns the misuse of the registers of a wgmma instruction (wgmma_registers.h); its lines are 0 if there is none.
  WgmmaMisuse misuseOf(const Instruction& instruction) const;
  /// True if the instruction is a load that only guesses what a compare-and-swap will find (swap_guesses.h).
  bool isSwapGuess(const Instruction& instruction) const { return guesses.count(indexOf(instruction)) != 0; }

  /// Emits the function's return.
  void emitReturn(mlir::ImplicitLocOpBuilder& b);

 private:
  void createBlocks();
  void bindParameters();
  void lower(const Instruction& instruction);
  size_t indexOf(const Instruction& instruction) const { return &instruction - function.instructions.data(); }
  mlir::ImplicitLocOpBuilder atEntry();
  Value createSlot(mlir::Type type, uint64_t count, uint64_t alignment);
  void eraseUnreadRegisters();

  ModuleLowering& module;
  const Function& function;
  mlir::LLVM::LLVMFuncOp into;
  mlir::ImplicitLocOpBuilder builder;
  mlir::Block* body = nullptr;
  std::map<size_t, mlir::Block*> blocks;  ///< By the index of the instruction that begins them.
  /// For the block of a guarded instruction, and for the block after it: the block that ends with the guard's branch.
  llvm::DenseMap<mlir::Block*, mlir::Block*> dominators;
  std::map<std::pair<size_t, std::string>, Register> registers;
  std::map<std::pair<size_t, std::string>, Memory> locals;
  std::map<std::string, Memory> parameters;
  std::map<const Variable*, Value> copies;  ///< The copies of parameters on the thread's stack.
  std::map<size_t, WgmmaMisuse> misuses;    ///< By the index of the instruction.
  std::set<size_t> guesses;                 ///< Indices of the instructions.
  Value carry;
  absl::Status status;
};

}  // namespace mmtune::ptx
