// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/tables.h"

#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Writes one table: a constant array of structs, an entry of zeros at its end.
class SimtTable {
 public:
  SimtTable(gpu::GPUModuleOp module, SymbolTable& symbols, StringRef symbol, ArrayRef<Type> fields, size_t size)
      : symbols(symbols), builder(module.getLoc(), module.getContext()) {
    auto entry = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
    auto type = LLVM::LLVMArrayType::get(entry, size + 1);
    builder.setInsertionPointToEnd(module.getBody());
    table = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::External, symbol, Attribute());
    symbols.insert(table);
    builder.setInsertionPointToStart(builder.createBlock(&table.getInitializerRegion()));
    entries = LLVM::ZeroOp::create(builder, type);
  }

  /// A pointer to a private constant with the text and a zero at its end.
  Value text(StringRef text) {
    LLVM::GlobalOp& global = texts[text];
    if (!global) {
      std::string bytes = text.str() + '\0';
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
      ImplicitLocOpBuilder before(table.getLoc(), table);
      global = LLVM::GlobalOp::create(before, type, /*isConstant=*/true, LLVM::Linkage::Private, "mmtune_simt_text",
                                      builder.getStringAttr(bytes));
      symbols.insert(global);
    }
    return addressOf(global);
  }

  Value addressOf(LLVM::GlobalOp global) { return LLVM::AddressOfOp::create(builder, global); }

  Value i64(uint64_t value) {
    return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
  }

  /// The next entry.
  void add(ArrayRef<Value> fields) {
    for (auto [i, field] : llvm::enumerate(fields))
      entries = LLVM::InsertValueOp::create(builder, entries, field, ArrayRef<int64_t>{size, static_cast<int64_t>(i)});
    ++size;
  }

  /// Once, behind the last entry.
  void finish() { LLVM::ReturnOp::create(builder, entries); }

 private:
  SymbolTable& symbols;
  ImplicitLocOpBuilder builder;  ///< In the initializer of the table.
  LLVM::GlobalOp table;
  Value entries;  ///< What is in the table so far.
  int64_t size = 0;
  llvm::StringMap<LLVM::GlobalOp> texts;
};

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

Value createConstant(ImplicitLocOpBuilder& builder, Type type, Attribute value) {
  if (isa<LLVM::ZeroAttr>(value)) return LLVM::ZeroOp::create(builder, type);
  if (isa<LLVM::UndefAttr>(value)) return LLVM::UndefOp::create(builder, type);
  if (isa<LLVM::PoisonAttr>(value)) return LLVM::PoisonOp::create(builder, type);
  return LLVM::ConstantOp::create(builder, type, value);
}

/// Makes the global a struct of what it was and of a red zone.
void padGlobal(LLVM::GlobalOp global) {
  MLIRContext* context = global.getContext();
  Type type = global.getGlobalType();
  auto zone = LLVM::LLVMArrayType::get(IntegerType::get(context, 8), simt::kRedZoneBytes);
  auto padded = LLVM::LLVMStructType::getLiteral(context, {type, zone});
  global.setGlobalTypeAttr(TypeAttr::get(padded));
  Region& initializer = global.getInitializerRegion();
  ImplicitLocOpBuilder builder(global.getLoc(), context);
  Value value;
  if (initializer.empty()) {
    Attribute constant = global.getValueOrNull();
    if (!constant) return;
    builder.createBlock(&initializer);
    value = createConstant(builder, type, constant);
    global.removeValueAttr();
  } else {
    Operation* last = initializer.front().getTerminator();
    value = last->getOperand(0);
    last->erase();
    builder.setInsertionPointToEnd(&initializer.front());
  }
  Value all = LLVM::ZeroOp::create(builder, padded);
  all = LLVM::InsertValueOp::create(builder, all, value, ArrayRef<int64_t>{0});
  LLVM::ReturnOp::create(builder, all);
}

/// A constant array of words.
void emitWords(ArrayRef<uint32_t> words, StringRef symbol, gpu::GPUModuleOp module, SymbolTable& symbols) {
  ImplicitLocOpBuilder builder(module.getLoc(), module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto type = RankedTensorType::get({static_cast<int64_t>(words.size())}, builder.getI32Type());
  SmallVector<int32_t> values(words.begin(), words.end());
  symbols.insert(LLVM::GlobalOp::create(builder, LLVM::LLVMArrayType::get(builder.getI32Type(), words.size()),
                                        /*isConstant=*/true, LLVM::Linkage::External, symbol,
                                        DenseElementsAttr::get(type, ArrayRef<int32_t>(values))));
}

/// The most bytes that a lane accesses with one instruction (PTX ISA, "Vectors").
constexpr uint32_t kWidestAccess = 16;

/// Those of a load or store that is aligned no better are split.
uint32_t widthOf(Operation* op) {
  auto narrowed = [&](Type type, std::optional<uint64_t> alignment) {
    uint64_t aligned = alignment ? *alignment : DataLayout::closest(op).getTypeABIAlignment(type);
    return static_cast<uint32_t>(std::min<uint64_t>(aligned, kWidestAccess));
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) return narrowed(load.getType(), load.getAlignment());
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) return narrowed(store.getValue().getType(), store.getAlignment());
  return kWidestAccess;
}

}  // namespace

std::string locationText(Location location) {
  std::string text = usefulText(location);
  return text.empty() ? kUnknown.str() : text;
}

SimtSites::SimtSites(bool perOperation) : perOperation(perOperation) {
  indexOf({kUnknown.str(), kUnknown.str()}, kWidestAccess);
}

uint32_t SimtSites::indexOf(Site site, uint32_t width) {
  if (perOperation) {
    sites.push_back(std::move(site));
    widths.push_back(width);
    return static_cast<uint32_t>(sites.size() - 1);
  }
  std::string key = site.operation + '\0' + site.location;
  auto [entry, isNew] = indices.try_emplace(key, sites.size());
  if (isNew) sites.push_back(std::move(site));
  return entry->second;
}

uint32_t SimtSites::siteOf(Operation* op) {
  return indexOf({op->getName().getStringRef().str(), locationText(op->getLoc())}, widthOf(op));
}

void SimtSites::emitTable(gpu::GPUModuleOp module, SymbolTable& symbols) const {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  SimtTable table(module, symbols, simt::kSitesSymbol, {pointer, pointer}, sites.size());
  for (const Site& site : sites) table.add({table.text(site.operation), table.text(site.location)});
  table.finish();
  if (perOperation) emitWords(widths, simt::kAccessWidthsSymbol, module, symbols);
}

bool isDefinedHere(LLVM::GlobalOp global) {
  switch (global.getLinkage()) {
    case LLVM::Linkage::Appending:  // Of LLVM's own tables.
    case LLVM::Linkage::AvailableExternally:
    case LLVM::Linkage::ExternWeak:
      return false;
    case LLVM::Linkage::External:
      return global.getValueOrNull() || !global.getInitializerRegion().empty();
    default:
      return true;
  }
}

SimtVariables SimtVariables::pad(gpu::GPUModuleOp module) {
  SimtVariables found;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() == kSharedAddressSpace || !isDefinedHere(global)) continue;
    padGlobal(global);
    found.globals.push_back(global);
  }
  return found;
}

void SimtVariables::emitTable(gpu::GPUModuleOp module, SymbolTable& symbols) const {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto i64 = IntegerType::get(module.getContext(), 64);
  SimtTable table(module, symbols, simt::kVariablesSymbol, {pointer, pointer, i64, i64}, globals.size());
  for (LLVM::GlobalOp global : globals) {
    Type type = cast<LLVM::LLVMStructType>(global.getGlobalType()).getBody().front();
    uint64_t bytes = DataLayout::closest(global).getTypeSize(type);
    table.add(
        {table.text(global.getSymName()), table.addressOf(global), table.i64(bytes), table.i64(global.getConstant())});
  }
  table.finish();
}

void emitRedZones(const SimtSharedLayout& layout, gpu::GPUModuleOp module, SymbolTable& symbols) {
  SmallVector<uint32_t> words;
  for (simt::RedZone zone : layout.gaps()) words.append({zone.begin, zone.end});
  words.append({0, 0});
  emitWords(words, simt::kRedZonesSymbol, module, symbols);
}

}  // namespace mmtune
