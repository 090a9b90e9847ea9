// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program points of a module that reports of the SIMT device can name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// Where `location` is, for a reader: "file:line:col" with the file's own name, the name of a named
/// location, for a call or a fused location the innermost of its parts that says something;
/// "unknown" where none does.
std::string locationText(mlir::Location location);

/// Collects sites and writes them down as the table kSitesSymbol.
class SimtSites {
 public:
  SimtSites();

  /// The index of the site of `op`; equal ones (operation and location) share an index.
  uint32_t siteOf(mlir::Operation* op);

  /// Adds the table to the module, an entry of zeros at its end.
  void emitTable(mlir::gpu::GPUModuleOp module, mlir::SymbolTable& symbols) const;

 private:
  struct Site {
    std::string operation, location;
  };
  uint32_t indexOf(Site site);

  std::vector<Site> sites;
  llvm::StringMap<uint32_t> indices;
};

}  // namespace mmtune
