#include "kernels/passes/simt_sites.h"

#include "kernels/runtime/simt/abi.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr llvm::StringLiteral kUnknown = "unknown";

/// Empty where the location says nothing.
std::string usefulText(Location location) {
  return llvm::TypeSwitch<LocationAttr, std::string>(LocationAttr(location))
      .Case<FileLineColRange>([](auto file) {
        return (llvm::sys::path::filename(file.getFilename().strref()) + ":" +
                Twine(file.getStartLine()) + ":" + Twine(file.getStartColumn()))
            .str();
      })
      .Case<NameLoc>([](auto named) { return named.getName().str(); })
      .Case<CallSiteLoc>([](auto call) {
        std::string callee = usefulText(call.getCallee());
        return callee.empty() ? usefulText(call.getCaller()) : callee;
      })
      .Case<FusedLoc>([](auto fused) {
        for (Location part : fused.getLocations())
          if (std::string text = usefulText(part); !text.empty())
            return text;
        return std::string();
      })
      .Case<OpaqueLoc>([](auto opaque) { return usefulText(opaque.getFallbackLocation()); })
      .Default([](LocationAttr) { return std::string(); });
}

/// A private constant with the text and a zero at its end.
LLVM::GlobalOp createText(ImplicitLocOpBuilder &builder, SymbolTable &symbols, StringRef text) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::Private,
                                       "mmtune_simt_text", builder.getStringAttr(bytes));
  symbols.insert(global);
  return global;
}

} // namespace

std::string locationText(Location location) {
  std::string text = usefulText(location);
  return text.empty() ? kUnknown.str() : text;
}

SimtSites::SimtSites() { indexOf({kUnknown.str(), kUnknown.str()}); }

uint32_t SimtSites::indexOf(Site site) {
  std::string key = site.operation + '\0' + site.location;
  auto [entry, isNew] = indices.try_emplace(key, sites.size());
  if (isNew)
    sites.push_back(std::move(site));
  return entry->second;
}

uint32_t SimtSites::siteOf(Operation *op) {
  return indexOf({op->getName().getStringRef().str(), locationText(op->getLoc())});
}

void SimtSites::emitTable(gpu::GPUModuleOp module, SymbolTable &symbols) const {
  ImplicitLocOpBuilder builder(module.getLoc(), module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  llvm::StringMap<LLVM::GlobalOp> texts;
  auto textOf = [&](const std::string &text) {
    LLVM::GlobalOp &global = texts[text];
    if (!global)
      global = createText(builder, symbols, text);
    return global;
  };
  for (const Site &site : sites) {
    textOf(site.operation);
    textOf(site.location);
  }
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer});
  auto type = LLVM::LLVMArrayType::get(entry, sites.size() + 1);
  auto table = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::External,
                                      simt::kSitesSymbol, Attribute());
  symbols.insert(table);
  builder.setInsertionPointToStart(builder.createBlock(&table.getInitializerRegion()));
  Value value = LLVM::ZeroOp::create(builder, type);
  for (auto [i, site] : llvm::enumerate(sites)) {
    auto index = static_cast<int64_t>(i);
    Value operation = LLVM::AddressOfOp::create(builder, textOf(site.operation));
    Value location = LLVM::AddressOfOp::create(builder, textOf(site.location));
    value = LLVM::InsertValueOp::create(builder, value, operation, ArrayRef<int64_t>{index, 0});
    value = LLVM::InsertValueOp::create(builder, value, location, ArrayRef<int64_t>{index, 1});
  }
  LLVM::ReturnOp::create(builder, value);
}

} // namespace mmtune
