// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/buffers/device_values.h"

#include "kernels/passes/buffers/buffer_origins.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

bool isMemref(Value value) { return isa<BaseMemRefType>(value.getType()); }

}  // namespace

DeviceValues::DeviceValues(ModuleOp module) : module(module) {
  bool changed = true;
  while (changed) {
    changed = false;
    module.walk([&](func::CallOp call) { changed |= spread(call); });
  }
}

func::FuncOp DeviceValues::calleeOf(func::CallOp call) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr().getAttr());
  return callee && !callee.isExternal() ? callee : func::FuncOp();
}

/// Some of what the value may be is device memory.
bool DeviceValues::isDevice(Value value) const {
  return llvm::any_of(bufferOrigins(value), [&](Value origin) {
    auto alloc = origin.getDefiningOp<gpu::AllocOp>();
    return alloc ? !alloc.getHostShared() : device.contains(origin);
  });
}

/// Some of it is memory that only the host has.
bool DeviceValues::isHost(Value value) const {
  return llvm::any_of(bufferOrigins(value), [&](Value origin) {
    return !origin.getDefiningOp<gpu::AllocOp>() && !device.contains(origin) &&
           !cast<BaseMemRefType>(origin.getType()).getMemorySpace();
  });
}

bool DeviceValues::spread(func::CallOp call) {
  func::FuncOp callee = calleeOf(call);
  if (!callee) return false;
  bool changed = false;
  for (auto [operand, argument] : llvm::zip_equal(call.getOperands(), callee.getArguments()))
    if (isMemref(operand) && isDevice(operand)) changed |= device.insert(argument).second;
  for (auto exit : callee.getOps<func::ReturnOp>())
    for (auto [returned, result] : llvm::zip_equal(exit.getOperands(), call.getResults()))
      if (isMemref(returned) && isDevice(returned)) changed |= device.insert(result).second;
  return changed;
}

/// Others than calls of the module may call it.
bool DeviceValues::hasUnknownCallers(func::FuncOp function) const {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, module);
  return function.isPublic() || !uses ||
         !llvm::all_of(*uses, [](const SymbolTable::SymbolUse& use) { return isa<func::CallOp>(use.getUser()); });
}

LogicalResult DeviceValues::check() {
  WalkResult result = module.walk([&](func::CallOp call) -> WalkResult { return check(call); });
  return failure(result.wasInterrupted());
}

LogicalResult DeviceValues::check(func::CallOp call) {
  func::FuncOp callee = calleeOf(call);
  if (!callee) return success();
  for (auto [index, argument] : llvm::enumerate(callee.getArguments())) {
    if (!device.contains(argument)) continue;
    auto refuse = [&](StringRef why) {
      return call.emitError("operand #") << index << " of the call of @" << callee.getName() << why;
    };
    if (isHost(call.getOperand(index)))
      return refuse(
          " may be host memory, and this or another call passes device memory "
          "(gpu.alloc) there: pass the same kind everywhere, or let the function be "
          "inlined");
    if (hasUnknownCallers(callee))
      return refuse(
          " is device memory (gpu.alloc), and callers elsewhere pass host memory: make "
          "the function private, or let it be inlined");
    if (!isa<MemRefType>(argument.getType()))
      return refuse(" is device memory (gpu.alloc) as an unranked memref: pass a ranked one");
  }
  for (auto [index, result] : llvm::enumerate(call.getResults()))
    for (auto exit : callee.getOps<func::ReturnOp>())
      if (device.contains(result) && isHost(exit.getOperand(index)))
        return exit.emitError("result #")
               << index << " of @" << callee.getName()
               << " may be host memory here and device memory (gpu.alloc) elsewhere: return the "
                  "same kind everywhere";
  return success();
}

}  // namespace mmtune
