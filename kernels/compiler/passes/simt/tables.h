// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables that an object for watch mode exports, for the reports of the SIMT device's watch mode.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/compiler/passes/simt/shared_layout.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// Where `location` is, for a reader: "file:line:col" with the file's own name, the name of a named
/// location, for a call or a fused location the innermost of its parts that says something;
/// "unknown" where none does.
std::string locationText(mlir::Location location);

/// Collects sites and writes them down as the table kSitesSymbol.
class SimtSites {
 public:
  /// Equal ones (operation and location) share an index, unless each is to have its own.
  explicit SimtSites(bool perOperation);

  /// The index of the site of `op`.
  uint32_t siteOf(mlir::Operation* op);

  /// Whether each operation has a site of its own.
  bool arePerOperation() const { return perOperation; }

  /// Adds the table to the module, an entry of zeros at its end; with sites of their own, that of widths, too.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  struct Site {
    std::string operation, location;
  };
  uint32_t indexOf(Site site, uint32_t width);

  const bool perOperation;
  std::vector<Site> sites;
  std::vector<uint32_t> widths;  ///< Of an instruction's access, in bytes; with sites of their own.
  llvm::StringMap<uint32_t> indices;
};

/// Whether the variable is one of the module that has it.
bool isDefinedHere(mlir::LLVM::GlobalOp global);

/// The variables of a module in global memory, so that watch mode knows where each ends.
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

/// Adds the table kRedZonesSymbol: the bytes of shared memory between the globals of `layout`.
void emitRedZones(const SimtSharedLayout& layout, mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols);

}  // namespace mmtune
