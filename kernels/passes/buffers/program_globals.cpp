// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/buffers/program_globals.h"

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

/// The value that the global has now: later stores must not change it.
Value loadValue(Operation* op, SymbolRefAttr global) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Type type = op->getResult(0).getType();
  Value memory = memoryOf(builder, global, type);
  Value now = bufferization::ToTensorOp::create(builder, type, memory, /*restrict=*/true);
  return bufferization::AllocTensorOp::create(builder, cast<RankedTensorType>(type), /*dynamicSizes=*/ValueRange(),
                                              /*copy=*/now);
}

void storeValue(ml_program::GlobalStoreOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value memory = memoryOf(builder, op.getGlobal(), op.getValue().getType());
  auto copy = bufferization::MaterializeInDestinationOp::create(builder, op.getValue(), memory);
  copy.setRestrict(true);
  copy.setWritable(true);
}

LogicalResult lowerGlobal(ml_program::GlobalOp global) {
  auto type = dyn_cast<RankedTensorType>(global.getType());
  auto value = dyn_cast_or_null<ElementsAttr>(global.getValueAttr());
  if (!type || !type.hasStaticShape() || !value)
    return global.emitError("a global of type ")
           << global.getType() << " cannot be compiled: it has to be a tensor of a static shape, with its value here";
  OpBuilder builder(global);
  memref::GlobalOp::create(builder, global.getLoc(), global.getSymName(), builder.getStringAttr("private"),
                           MemRefType::get(type.getShape(), type.getElementType()), value,
                           /*constant=*/!global.getIsMutable(), /*alignment=*/IntegerAttr());
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
    if (isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp, ml_program::GlobalStoreOp>(op)) uses.push_back(op);
  });
  for (Operation* op : uses) {
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op)) load.replaceAllUsesWith(loadValue(op, load.getGlobal()));
    if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      load.replaceAllUsesWith(loadValue(op, load.getGlobal()));
    if (auto store = dyn_cast<ml_program::GlobalStoreOp>(op)) storeValue(store);
    op->erase();
  }
  return success();
}

}  // namespace mmtune
