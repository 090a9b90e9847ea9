// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that convert-nvvm-to-simt lays out for a whole module: where shared globals lie in a block's memory, and tables
// for race detection. The SIMT device reads the tables to name program points and variables in its reports.
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

/// The address space of shared memory in NVVM.
inline constexpr unsigned kSharedAddressSpace = 3;
/// The address space of the shared memory of a cluster's blocks.
inline constexpr unsigned kSharedClusterAddressSpace = 7;

/// Byte offsets of a module's shared globals from ThreadContext::shared.
class SimtSharedLayout {
 public:
  /// Lays out static globals in module order. Each is aligned to at least 16 bytes, and followed by at least `redZone`
  /// unused bytes. Globals without elements are dynamic shared memory; all of them begin at staticBytes(). Fails with a
  /// diagnostic at a global with an initial value or a type of unknown size.
  static mlir::FailureOr<SimtSharedLayout> create(mlir::gpu::GPUModuleOp module, uint32_t redZone = 0);

  /// Returns the offset of a global, or nothing if it is not a shared one.
  std::optional<uint32_t> offsetOf(llvm::StringRef global) const;

  /// Returns the bytes of the static globals, a multiple of kDynamicSharedAlignment.
  uint32_t staticBytes() const { return bytes; }

  /// Returns the unused bytes between and after the globals, by offset.
  llvm::ArrayRef<simt::RedZone> gaps() const { return betweenGlobals; }

 private:
  llvm::StringMap<uint32_t> offsets;
  std::vector<simt::RedZone> betweenGlobals;
  uint32_t bytes = 0;
};

/// Returns a location for reports: "file:line:col" without the folder, or the name of a named location. For a call or a
/// fused location it is that of the innermost part that has either; "unknown" if none has.
std::string locationText(mlir::Location location);

/// Numbers the sites of a module, which are the operations that reports name, and emits them as the table kSitesSymbol.
class SimtSites {
 public:
  /// With `perOperation`, every operation is a site of its own. Otherwise operations of equal name and location share
  /// one.
  explicit SimtSites(bool perOperation);

  /// Returns the number of the site of `op`.
  uint32_t siteOf(mlir::Operation* op);

  /// True if each operation has its own site.
  bool arePerOperation() const { return perOperation; }

  /// Adds the zero-terminated table to the module. If each operation has its own site, also adds the table of access
  /// widths.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  struct Site {
    std::string operation, location;
    uint64_t alignment = 1;
  };
  uint32_t indexOf(Site site, uint32_t width);

  const bool perOperation;
  std::vector<Site> sites;
  std::vector<uint32_t> widths;  ///< Bytes that each site accesses, if each operation has its own site.
  llvm::StringMap<uint32_t> indices;
};

/// True if the module defines the variable.
bool isDefinedHere(mlir::LLVM::GlobalOp global);

/// The variables of a module in global memory, with red zones (unused bytes) behind each, by which race detection finds
/// accesses out of bounds.
class SimtVariables {
 public:
  /// Appends a red zone to each variable and constant that `module` defines outside of shared memory.
  static SimtVariables pad(mlir::gpu::GPUModuleOp module);

  /// Adds the table kVariablesSymbol to the module. All address spaces must be the default one by then.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  std::vector<mlir::LLVM::GlobalOp> globals;
};

/// Adds the table kRedZonesSymbol to the module: the unused bytes of shared memory between the globals of `layout`.
void emitRedZones(const SimtSharedLayout& layout, mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols);

}  // namespace mmtune
