// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/program_globals.h"

#include "kernels/compiler/passes/buffers/constant_values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace mmtune {
namespace {

Value memoryOf(ImplicitLocOpBuilder& builder, SymbolRefAttr global, Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return memref::GetGlobalOp::create(builder, MemRefType::get(type.getShape(), type.getElementType()),
                                     global.getLeafReference());
}

// Loads and stores are copies between buffers, at their places: of a tensor, bufferization may compute the value where
// it ends up, long before a store, and read it there, long after a load.

/// The value that the global has now: later stores must not change it.
Value loadValue(Operation* op, SymbolRefAttr global) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Type type = op->getResult(0).getType();
  Value memory = memoryOf(builder, global, type);
  Value now = memref::AllocOp::create(builder, cast<MemRefType>(memory.getType()));
  memref::CopyOp::create(builder, memory, now);
  return bufferization::ToTensorOp::create(builder, type, now, /*restrict=*/true, /*writable=*/true);
}

void storeValue(ml_program::GlobalStoreOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value memory = memoryOf(builder, op.getGlobal(), op.getValue().getType());
  Value value = bufferization::ToBufferOp::create(builder, memory.getType(), op.getValue(), /*read_only=*/true);
  memref::CopyOp::create(builder, value, memory);
}

/// What never changes is a constant, wherever it is loaded.
void loadAsConstant(ml_program::GlobalOp global, TypedAttr value) {
  auto module = global->getParentOfType<ModuleOp>();
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(global, module);
  for (SymbolTable::SymbolUse use : llvm::to_vector(*uses)) {
    Operation* load = use.getUser();
    OpBuilder builder(load);
    load->replaceAllUsesWith(arith::ConstantOp::create(builder, load->getLoc(), value));
    load->erase();
  }
}

LogicalResult lowerGlobal(ml_program::GlobalOp global) {
  auto type = dyn_cast<RankedTensorType>(global.getType());
  auto value = unpackedBooleans(dyn_cast_or_null<ElementsAttr>(global.getValueAttr()));
  if (!type || !type.hasStaticShape() || !value)
    return global.emitError("a global of type ")
           << global.getType() << " cannot be compiled: it has to be a tensor of a static shape, with its value here";
  if (!global.getIsMutable()) {
    loadAsConstant(global, cast<TypedAttr>(value));
  } else {
    OpBuilder builder(global);
    memref::GlobalOp::create(builder, global.getLoc(), global.getSymName(), builder.getStringAttr("private"),
                             MemRefType::get(type.getShape(), type.getElementType()), value,
                             /*constant=*/false, /*alignment=*/IntegerAttr());
  }
  global.erase();
  return success();
}

}  // namespace

LogicalResult lowerProgramGlobals(ModuleOp module) {
  for (auto global : llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
    if (global.isPrivate() && SymbolTable::symbolKnownUseEmpty(global, module)) global.erase();
  for (auto global : llvm::make_early_inc_range(module.getOps<ml_program::GlobalOp>()))
    if (failed(lowerGlobal(global))) return failure();
  SmallVector<Operation*> uses;
  module.walk([&](Operation* op) {
    if (isa<ml_program::GlobalLoadOp, ml_program::GlobalStoreOp>(op)) uses.push_back(op);
  });
  for (Operation* op : uses) {
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op)) load.replaceAllUsesWith(loadValue(op, load.getGlobal()));
    if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op)) storeValue(store);
    op->erase();
  }
  return success();
}

}  // namespace mmtune
