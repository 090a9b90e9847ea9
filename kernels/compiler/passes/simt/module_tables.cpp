// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/module_tables.h"

#include <limits>

#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr uint64_t kMinAlignment = 16;

/// Returns the host size of a scalar, vector or array; nothing for other types, whose padding depends on a data layout.
std::optional<uint64_t> allocationBytes(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<uint64_t> element = allocationBytes(array.getElementType());
    if (!element) return std::nullopt;
    return *element * array.getNumElements();
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || vector.getRank() != 1) return std::nullopt;
    std::optional<uint64_t> element = allocationBytes(vector.getElementType());
    if (!element) return std::nullopt;
    return llvm::PowerOf2Ceil(*element * vector.getNumElements());
  }
  if (type.isIntOrFloat()) return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  if (isa<LLVM::LLVMPointerType>(type)) return 8;
  return std::nullopt;
}

bool hasInitialValue(LLVM::GlobalOp global) {
  Region& initializer = global.getInitializerRegion();
  if (initializer.empty()) return global.getValueOrNull() != nullptr;
  Value value = initializer.front().getTerminator()->getOperand(0);
  return !isa_and_nonnull<LLVM::UndefOp, LLVM::PoisonOp>(value.getDefiningOp());
}

/// Emits one table: a zero-terminated constant array of structs.
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

  /// Returns a pointer to a private constant with the zero-terminated text.
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

  /// Appends an entry.
  void add(ArrayRef<Value> fields) {
    for (auto [i, field] : llvm::enumerate(fields))
      entries = LLVM::InsertValueOp::create(builder, entries, field, ArrayRef<int64_t>{size, static_cast<int64_t>(i)});
    ++size;
  }

  /// Ends the table. Call it once, after the last entry.
  void finish() { LLVM::ReturnOp::create(builder, entries); }

 private:
  SymbolTable& symbols;
  ImplicitLocOpBuilder builder;  ///< Inserts into the initializer of the table.
  LLVM::GlobalOp table;
  Value entries;  ///< The array with the entries so far.
  int64_t size = 0;
  llvm::StringMap<LLVM::GlobalOp> texts;
};

constexpr llvm::StringLiteral kUnknown = "unknown";

/// Returns the text of a location; empty where it has none.
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

/// Returns the name that a part of the location gives to its instruction (withInstruction()); empty if none does.
StringRef instructionOf(Location location) {
  StringRef name;
  location->walk([&](Location part) {
    auto named = dyn_cast<FusedLocWith<StringAttr>>(part);
    if (!named) return WalkResult::advance();
    name = named.getMetadata().getValue();
    return WalkResult::interrupt();
  });
  return name;
}

Value createConstant(ImplicitLocOpBuilder& builder, Type type, Attribute value) {
  if (isa<LLVM::ZeroAttr>(value)) return LLVM::ZeroOp::create(builder, type);
  if (isa<LLVM::UndefAttr>(value)) return LLVM::UndefOp::create(builder, type);
  if (isa<LLVM::PoisonAttr>(value)) return LLVM::PoisonOp::create(builder, type);
  return LLVM::ConstantOp::create(builder, type, value);
}

/// Turns the global into a struct of its value and a red zone.
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

/// Emits a constant array of words.
void emitWords(ArrayRef<uint32_t> words, StringRef symbol, gpu::GPUModuleOp module, SymbolTable& symbols) {
  ImplicitLocOpBuilder builder(module.getLoc(), module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto type = RankedTensorType::get({static_cast<int64_t>(words.size())}, builder.getI32Type());
  SmallVector<int32_t> values(words.begin(), words.end());
  symbols.insert(LLVM::GlobalOp::create(builder, LLVM::LLVMArrayType::get(builder.getI32Type(), words.size()),
                                        /*isConstant=*/true, LLVM::Linkage::External, symbol,
                                        DenseElementsAttr::get(type, ArrayRef<int32_t>(values))));
}

/// The largest access of a lane with one instruction, in bytes (PTX ISA, "Vectors").
constexpr uint32_t kWidestAccess = 16;

/// Returns the alignment that a load, store or atomic states, else that of its type, which is the size for atomics; 1
/// for other operations.
uint64_t alignmentOf(Operation* op) {
  DataLayout layout = DataLayout::closest(op);
  auto atomic = [&](Type type, std::optional<uint64_t> stated) {
    return stated ? *stated : llvm::PowerOf2Ceil(layout.getTypeSize(type).getFixedValue());
  };
  return llvm::TypeSwitch<Operation*, uint64_t>(op)
      .Case<LLVM::LoadOp>([&](auto op) { return op.getAlignment().value_or(layout.getTypeABIAlignment(op.getType())); })
      .Case<LLVM::StoreOp>(
          [&](auto op) { return op.getAlignment().value_or(layout.getTypeABIAlignment(op.getValue().getType())); })
      .Case<LLVM::AtomicRMWOp>([&](auto op) { return atomic(op.getType(), op.getAlignment()); })
      .Case<LLVM::AtomicCmpXchgOp>([&](auto op) { return atomic(op.getVal().getType(), op.getAlignment()); })
      .Default(uint64_t{1});
}

/// Returns the bytes of a lane's access with one instruction; a less aligned load or store is split.
uint32_t widthOf(Operation* op) {
  if (!isa<LLVM::LoadOp, LLVM::StoreOp>(op)) return kWidestAccess;
  return static_cast<uint32_t>(std::min<uint64_t>(alignmentOf(op), kWidestAccess));
}

}  // namespace

FailureOr<SimtSharedLayout> SimtSharedLayout::create(gpu::GPUModuleOp module, uint32_t redZone) {
  SimtSharedLayout layout;
  uint64_t end = 0;
  SmallVector<StringRef> dynamicGlobals;
  uint64_t used = 0;  // End of the last global.
  auto addGap = [&](uint64_t until) {
    if (used != 0 && used < until)
      layout.betweenGlobals.push_back({static_cast<uint32_t>(used), static_cast<uint32_t>(until)});
  };
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != kSharedAddressSpace) continue;
    if (hasInitialValue(global)) return global.emitError("shared memory cannot have an initial value");
    std::optional<uint64_t> size = allocationBytes(global.getGlobalType());
    if (!size)
      return global.emitError("type ") << global.getGlobalType()
                                       << " in shared memory is not supported on the SIMT device";
    if (*size == 0) {
      dynamicGlobals.push_back(global.getSymName());
      continue;
    }
    end = llvm::alignTo(end, std::max(kMinAlignment, global.getAlignment().value_or(1)));
    layout.offsets[global.getSymName()] = end;
    addGap(end);
    used = end + *size;
    end = used + redZone;
    if (end > std::numeric_limits<int32_t>::max()) return global.emitError("static shared memory exceeds 2 GiB");
  }
  layout.bytes = llvm::alignTo(end, simt::kDynamicSharedAlignment);
  addGap(layout.bytes);
  for (StringRef name : dynamicGlobals) layout.offsets[name] = layout.bytes;
  return layout;
}

std::optional<uint32_t> SimtSharedLayout::offsetOf(StringRef global) const {
  auto it = offsets.find(global);
  if (it == offsets.end()) return std::nullopt;
  return it->second;
}

std::string locationText(Location location) {
  std::string text = usefulText(location);
  return text.empty() ? kUnknown.str() : text;
}

Location withInstruction(Location location, StringRef name) {
  MLIRContext* context = location.getContext();
  return FusedLoc::get(context, {location}, StringAttr::get(context, name));
}

SimtSites::SimtSites(bool perOperation) : perOperation(perOperation) {
  indexOf({kUnknown.str(), kUnknown.str(), kUnknown.str()}, kWidestAccess);
}

uint32_t SimtSites::indexOf(Site site, uint32_t width) {
  if (perOperation) {
    sites.push_back(std::move(site));
    widths.push_back(width);
    return static_cast<uint32_t>(sites.size() - 1);
  }
  std::string key = site.operation + '\0' + site.location + '\0' + site.name + '\0' + std::to_string(site.alignment);
  auto [entry, isNew] = indices.try_emplace(key, sites.size());
  if (isNew) sites.push_back(std::move(site));
  return entry->second;
}

uint32_t SimtSites::siteOf(Operation* op) {
  StringRef operation = op->getName().getStringRef(), instruction = instructionOf(op->getLoc());
  return indexOf({operation.str(), locationText(op->getLoc()), (instruction.empty() ? operation : instruction).str(),
                  alignmentOf(op)},
                 widthOf(op));
}

void SimtSites::emitTable(gpu::GPUModuleOp module, SymbolTable& symbols) const {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  SimtTable table(module, symbols, simt::kSitesSymbol,
                  {pointer, pointer, IntegerType::get(module.getContext(), 64), pointer}, sites.size());
  for (const Site& site : sites)
    table.add(
        {table.text(site.operation), table.text(site.location), table.i64(site.alignment), table.text(site.name)});
  table.finish();
  if (perOperation) emitWords(widths, simt::kAccessWidthsSymbol, module, symbols);
}

bool isDefinedHere(LLVM::GlobalOp global) {
  switch (global.getLinkage()) {
    case LLVM::Linkage::Appending:  // LLVM's own tables.
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
