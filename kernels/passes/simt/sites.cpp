// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/simt/sites.h"

#include "kernels/passes/simt/tables.h"
#include "kernels/runtime/simt/abi/abi.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr llvm::StringLiteral kUnknown = "unknown";

/// Empty where the location says nothing.
std::string usefulText(Location location) {
  return llvm::TypeSwitch<LocationAttr, std::string>(LocationAttr(location))
      .Case<FileLineColRange>([](auto file) {
        return (llvm::sys::path::filename(file.getFilename().strref()) + ":" + Twine(file.getStartLine()) + ":" +
                Twine(file.getStartColumn()))
            .str();
      })
      .Case<NameLoc>([](auto named) { return named.getName().str(); })
      .Case<CallSiteLoc>([](auto call) {
        std::string callee = usefulText(call.getCallee());
        return callee.empty() ? usefulText(call.getCaller()) : callee;
      })
      .Case<FusedLoc>([](auto fused) {
        for (Location part : fused.getLocations())
          if (std::string text = usefulText(part); !text.empty()) return text;
        return std::string();
      })
      .Case<OpaqueLoc>([](auto opaque) { return usefulText(opaque.getFallbackLocation()); })
      .Default([](LocationAttr) { return std::string(); });
}

}  // namespace

std::string locationText(Location location) {
  std::string text = usefulText(location);
  return text.empty() ? kUnknown.str() : text;
}

SimtSites::SimtSites() { indexOf({kUnknown.str(), kUnknown.str()}); }

uint32_t SimtSites::indexOf(Site site) {
  std::string key = site.operation + '\0' + site.location;
  auto [entry, isNew] = indices.try_emplace(key, sites.size());
  if (isNew) sites.push_back(std::move(site));
  return entry->second;
}

uint32_t SimtSites::siteOf(Operation* op) {
  return indexOf({op->getName().getStringRef().str(), locationText(op->getLoc())});
}

void SimtSites::emitTable(gpu::GPUModuleOp module, SymbolTable& symbols) const {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  SimtTable table(module, symbols, simt::kSitesSymbol, {pointer, pointer}, sites.size());
  for (const Site& site : sites) table.add({table.text(site.operation), table.text(site.location)});
  table.finish();
}

}  // namespace mmtune
