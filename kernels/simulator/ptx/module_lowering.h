// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the variables and functions of a PTX module to the LLVM and NVVM dialects.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/simulator/ptx/module.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune::ptx {

/// Lowers a PTX module into a gpu.module. The lowerings of its functions (function_lowering.h) use this object, too.
/// The source and the syntax tree must outlive it.
class ModuleLowering {
 public:
  ModuleLowering(const Source& source, const Module& module, mlir::gpu::GPUModuleOp into);

  /// Lowers all variables and functions. Returns the first error, as InvalidArgument with the position in the text.
  absl::Status run();

  /// Returns the global that was created for a variable of this name; null if there is none.
  mlir::LLVM::GlobalOp global(llvm::StringRef name) const { return globals.lookup(name); }
  /// Creates a global for a variable of the module, or a static variable of a function. If its name is taken, the
  /// global gets another name. Returns InvalidArgument, with the place in the PTX, for a variable that is not
  /// supported.
  absl::StatusOr<mlir::LLVM::GlobalOp> createGlobal(const Variable& variable);
  /// Returns the module's variable, or function, of this name; null if there is none.
  const Variable* variable(llvm::StringRef name) const;
  const Function* function(llvm::StringRef name) const;
  /// Returns the declaration of a function of the device's mathematical library, and creates it if necessary.
  mlir::LLVM::LLVMFuncOp mathFunction(llvm::StringRef name, mlir::Type result, mlir::TypeRange arguments);
  /// Returns the type of the LLVM function that `function` is lowered to.
  mlir::LLVM::LLVMFunctionType typeOf(const Function& function) const;

  /// Returns an error message if an opcode with this number of operands, or a special register (`operands` is 0),
  /// requires another target or a newer version than the module has, or if its modifiers exclude each other
  /// (requirements.h); otherwise an empty string.
  std::string unmetRequirement(llvm::StringRef opcode, size_t operands);

  /// Returns a location that reports show as "kernel.ptx:12" or "kernel.ptx:12 (matmul.cu:7)".
  mlir::Location location(Position at, SourceLine line = {}) const;
  const Source& source() const { return text; }

 private:
  absl::Status createFunction(const Function& function);

  const Source& text;
  const Module& module;
  mlir::gpu::GPUModuleOp into;
  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::LLVM::GlobalOp> globals;
  llvm::StringMap<std::string> requirements;  ///< The results of unmetRequirement().
};

/// Returns the size of a variable or parameter in bytes.
uint64_t bytesOf(const Variable& variable);

}  // namespace mmtune::ptx
