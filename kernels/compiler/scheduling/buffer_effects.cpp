// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/scheduling/buffer_effects.h"

#include "kernels/compiler/passes/buffers/host_buffers.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

bool isAllocation(Value root) {
  return root.getDefiningOp() && isa<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp());
}

bool isFunctionArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

bool isGlobal(Value root) { return root.getDefiningOp<memref::GetGlobalOp>() != nullptr; }

}  // namespace

/// True if one operation, without its regions, may affect the buffer.
bool BufferEffects::mayAffect(Operation* op, Value buffer, bool onlyWrites) const {
  // An assertion writes no buffer, and nothing after a failed one is observed.
  if (isMemoryEffectFree(op) || isa<cf::AssertOp>(op)) return false;
  // A kernel accesses only its operands, and implements no effect interface.
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
      if (!isa<BaseMemRefType>(operand.getType()) || !mayAlias(operand, buffer)) continue;
      BufferAccess access = kernelAccess(launch, index);
      if (access.writes || (access.reads && !onlyWrites)) return true;
    }
    return false;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() && !op->hasTrait<OpTrait::IsTerminator>();
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [&](const MemoryEffects::EffectInstance& effect) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect()) ||
        (onlyWrites && isa<MemoryEffects::Read>(effect.getEffect())))
      return false;
    Value value = effect.getValue();
    return !value || !isa<BaseMemRefType>(value.getType()) || mayAlias(value, buffer);
  });
}

bool BufferEffects::mayAffectNested(Operation* op, Value buffer, bool onlyWrites) const {
  auto affects = [&](Operation* nested) { return WalkResult(failure(mayAffect(nested, buffer, onlyWrites))); };
  return op->walk(affects).wasInterrupted();
}

bool BufferEffects::mayAlias(Value x, Value y) const {
  SmallVector<Value> ofX = bufferOrigins(x), ofY = bufferOrigins(y);
  return llvm::any_of(ofX, [&](Value a) { return llvm::any_of(ofY, [&](Value b) { return mayOriginsAlias(a, b); }); });
}

bool BufferEffects::mayOriginsAlias(Value x, Value y) const {
  if (x == y) return true;
  auto isKnown = [](Value root) { return isAllocation(root) || isFunctionArgument(root) || isGlobal(root); };
  if (!isKnown(x) || !isKnown(y)) return true;
  if (isAllocation(x) || isAllocation(y)) return false;
  if (isGlobal(x) && isGlobal(y))
    return x.getDefiningOp<memref::GetGlobalOp>().getName() == y.getDefiningOp<memref::GetGlobalOp>().getName();
  // A caller may pass a global.
  if (isGlobal(x) || isGlobal(y)) return true;
  return calls.isShared(cast<BlockArgument>(x)) && calls.isShared(cast<BlockArgument>(y));
}

}  // namespace mmtune
