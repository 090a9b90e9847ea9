// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/simt/variables.h"

#include "kernels/passes/simt/shared_layout.h"
#include "kernels/passes/simt/tables.h"
#include "kernels/runtime/simt/abi/abi.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

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

}  // namespace

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

}  // namespace mmtune
