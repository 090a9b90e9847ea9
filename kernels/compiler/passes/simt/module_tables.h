// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of a module's shared globals in a block's arena, and the tables that an object for race detection exports
// for the reports of the SIMT device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// NVVM's address space of shared memory.
inline constexpr unsigned kSharedAddressSpace = 3;

/// Byte offsets of a module's shared globals from ThreadContext::shared.
class SimtSharedLayout {
 public:
  /// Lays out static globals in module order, each aligned to at least 16 bytes and followed by at least `redZone`
  /// unused bytes; globals without elements are dynamic and all begin at staticBytes(). Fails with a diagnostic at a
  /// global with an initial value or a type of unknown size.
  static mlir::FailureOr<SimtSharedLayout> create(mlir::gpu::GPUModuleOp module, uint32_t redZone = 0);

  /// Returns the global's offset; nothing when it is not a shared global.
  std::optional<uint32_t> offsetOf(llvm::StringRef global) const;

  /// Returns the bytes of the static part, a multiple of kDynamicSharedAlignment.
  uint32_t staticBytes() const { return bytes; }

  /// Returns the gaps between the globals and after the last one, by offset.
  llvm::ArrayRef<simt::RedZone> gaps() const { return betweenGlobals; }

 private:
  llvm::StringMap<uint32_t> offsets;
  std::vector<simt::RedZone> betweenGlobals;
  uint32_t bytes = 0;
};

/// Returns a location for reports: "file:line:col" without the folder, or the name of a named location; for a call or a
/// fused location, the innermost part that has either; "unknown" where none has.
std::string locationText(mlir::Location location);

/// Numbers sites (operations that reports name) and emits them as the table kSitesSymbol.
class SimtSites {
 public:
  /// Unless `perOperation`, operations of equal name and location share an index.
  explicit SimtSites(bool perOperation);

  /// Returns the index of the site of `op`.
  uint32_t siteOf(mlir::Operation* op);

  /// True if each operation has its own site.
  bool arePerOperation() const { return perOperation; }

  /// Adds the zero-terminated table to the module; with a site for each operation, also the table of widths.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  struct Site {
    std::string operation, location;
  };
  uint32_t indexOf(Site site, uint32_t width);

  const bool perOperation;
  std::vector<Site> sites;
  std::vector<uint32_t> widths;  ///< Bytes of each instruction's access; with a site for each operation.
  llvm::StringMap<uint32_t> indices;
};

/// True if the module defines the variable.
bool isDefinedHere(mlir::LLVM::GlobalOp global);

/// The variables of a module in global memory, with red zones so that race detection knows where each ends.
class SimtVariables {
 public:
  /// Appends a red zone to each variable and constant that `module` defines outside of shared memory.
  static SimtVariables pad(mlir::gpu::GPUModuleOp module);

  /// Adds the table kVariablesSymbol to the module. Call it when all address spaces are the default one.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  std::vector<mlir::LLVM::GlobalOp> globals;
};

/// Adds the table kRedZonesSymbol: the bytes of shared memory between the globals of `layout`.
void emitRedZones(const SimtSharedLayout& layout, mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols);

}  // namespace mmtune
