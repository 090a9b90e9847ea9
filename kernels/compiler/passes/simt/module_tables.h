// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that the pass convert-nvvm-to-simt, which rewrites GPU kernels for the SIMT device, creates for a whole module:
// the offsets of global variables in shared memory, and tables for race detection. The SIMT device reads the tables to
// name program points and variables in its reports. kernels/simulator/abi/abi.h defines their symbols and entries.
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
/// The address space of the shared memory of all blocks of a cluster (shared::cluster) in NVVM.
inline constexpr unsigned kSharedClusterAddressSpace = 7;

/// The layout of those global variables of a module that are in shared memory: their byte offsets from
/// ThreadContext::shared.
class SimtSharedLayout {
 public:
  /// Lays out the static globals in module order. Each is aligned to at least 16 bytes, and followed by at least
  /// `redZone` unused bytes. Globals without elements are dynamic shared memory; all of them begin at staticBytes().
  /// Fails with a diagnostic at a global with an initial value or a type of unknown size.
  static mlir::FailureOr<SimtSharedLayout> create(mlir::gpu::GPUModuleOp module, uint32_t redZone = 0);

  /// Returns the offset of a global, or nothing if it is not in shared memory.
  std::optional<uint32_t> offsetOf(llvm::StringRef global) const;

  /// Returns the size of the static globals in bytes, a multiple of kDynamicSharedAlignment.
  uint32_t staticBytes() const { return bytes; }

  /// Returns the unused bytes between and after the globals, by offset.
  llvm::ArrayRef<simt::RedZone> gaps() const { return betweenGlobals; }

 private:
  llvm::StringMap<uint32_t> offsets;
  std::vector<simt::RedZone> betweenGlobals;
  uint32_t bytes = 0;
};

/// Returns a location as text for reports: "file:line:col" without the folder, or the name of a named location. For a
/// call site or a fused location, returns the text of the first part that has one, callees before callers. Returns
/// "unknown" if there is none.
std::string locationText(mlir::Location location);

/// Returns a location whose operations have this name in reports, such as "ld.shared.f32", in place of their own.
mlir::Location withInstruction(mlir::Location location, llvm::StringRef name);

/// Numbers the sites of a module, which are the operations that reports name, and emits them as the table kSitesSymbol.
class SimtSites {
 public:
  /// If `perOperation` is true, every operation is a site of its own. Otherwise operations with the same name and
  /// location share one site.
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
    std::string operation, location, name;
    uint64_t alignment = 1;
  };
  uint32_t indexOf(Site site, uint32_t width);

  const bool perOperation;
  std::vector<Site> sites;
  std::vector<uint32_t> widths;  ///< Bytes that each site accesses, if each operation has its own site.
  llvm::StringMap<uint32_t> indices;
};

/// True if the module defines the variable and does not just declare it.
bool isDefinedHere(mlir::LLVM::GlobalOp global);

/// The variables of a module in global memory. Behind each one is a red zone (unused bytes), by which race detection
/// finds accesses out of bounds.
class SimtVariables {
 public:
  /// Appends a red zone to each variable and constant that `module` defines outside of shared memory.
  static SimtVariables pad(mlir::gpu::GPUModuleOp module);

  /// Adds the table kVariablesSymbol to the module. All variables must be in the default address space by then.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  std::vector<mlir::LLVM::GlobalOp> globals;
};

/// Adds the table kRedZonesSymbol to the module: the unused bytes of shared memory between the globals of `layout`.
void emitRedZones(const SimtSharedLayout& layout, mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols);

}  // namespace mmtune
