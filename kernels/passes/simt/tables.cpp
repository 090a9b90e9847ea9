// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/simt/tables.h"

using namespace mlir;

namespace mmtune {

SimtTable::SimtTable(gpu::GPUModuleOp module, SymbolTable& symbols, StringRef symbol, ArrayRef<Type> fields,
                     size_t size)
    : symbols(symbols), builder(module.getLoc(), module.getContext()) {
  auto entry = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  auto type = LLVM::LLVMArrayType::get(entry, size + 1);
  builder.setInsertionPointToEnd(module.getBody());
  table = LLVM::GlobalOp::create(builder, type, /*isConstant=*/true, LLVM::Linkage::External, symbol, Attribute());
  symbols.insert(table);
  builder.setInsertionPointToStart(builder.createBlock(&table.getInitializerRegion()));
  entries = LLVM::ZeroOp::create(builder, type);
}

Value SimtTable::text(StringRef text) {
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

Value SimtTable::addressOf(LLVM::GlobalOp global) { return LLVM::AddressOfOp::create(builder, global); }

Value SimtTable::i64(uint64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
}

void SimtTable::add(ArrayRef<Value> fields) {
  for (auto [i, field] : llvm::enumerate(fields))
    entries = LLVM::InsertValueOp::create(builder, entries, field, ArrayRef<int64_t>{size, static_cast<int64_t>(i)});
  ++size;
}

void SimtTable::finish() { LLVM::ReturnOp::create(builder, entries); }

}  // namespace mmtune
