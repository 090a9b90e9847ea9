// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a module in global memory, so that check mode knows where each ends.
#pragma once

#include <vector>

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// Whether the variable is one of the module that has it.
bool isDefinedHere(mlir::LLVM::GlobalOp global);

class SimtVariables {
 public:
  /// Puts a red zone behind each variable and constant that `module` itself defines, but in shared
  /// memory.
  static SimtVariables pad(mlir::gpu::GPUModuleOp module);

  /// Adds the table kVariablesSymbol to the module. Their address spaces are the default one by
  /// now.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  std::vector<mlir::LLVM::GlobalOp> globals;
};

}  // namespace mmtune
