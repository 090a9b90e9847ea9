#include "kernels/scheduling/buffer_effects.h"

#include "kernels/passes/host_buffers.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

bool anyOperandAliases(Operation *op, Value buffer) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<BaseMemRefType>(operand.getType()) && mayAlias(operand, buffer);
  });
}

/// Effects of one operation, without the operations in its regions.
bool mayAffect(Operation *op, Value buffer, bool onlyWrites) {
  if (isMemoryEffectFree(op))
    return false;
  // A kernel reaches what it is given, and has no effects of its own to ask for.
  if (isa<gpu::LaunchFuncOp>(op))
    return anyOperandAliases(op, buffer);
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
           !op->hasTrait<OpTrait::IsTerminator>();
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [&](const MemoryEffects::EffectInstance &effect) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect()) ||
        (onlyWrites && isa<MemoryEffects::Read>(effect.getEffect())))
      return false;
    Value value = effect.getValue();
    return !value || !isa<BaseMemRefType>(value.getType()) || mayAlias(value, buffer);
  });
}

bool mayAffectNested(Operation *op, Value buffer, bool onlyWrites) {
  return op
      ->walk([&](Operation *nested) {
        return mayAffect(nested, buffer, onlyWrites) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

bool mayAlias(Value x, Value y) {
  x = viewRoot(x);
  y = viewRoot(y);
  if (x == y)
    return true;
  auto isKnown = [](Value root) {
    return isAllocation(root) || isFunctionArgument(root) || isGlobal(root);
  };
  if (!isKnown(x) || !isKnown(y))
    return true;
  if (isAllocation(x) || isAllocation(y))
    return false;
  if (isGlobal(x) && isGlobal(y))
    return x.getDefiningOp<memref::GetGlobalOp>().getName() ==
           y.getDefiningOp<memref::GetGlobalOp>().getName();
  // A caller may hand over a global.
  return isGlobal(x) || isGlobal(y);
}

bool mayWrite(Operation *op, Value buffer) {
  return mayAffectNested(op, buffer, /*onlyWrites=*/true);
}

bool mayTouch(Operation *op, Value buffer) {
  return mayAffectNested(op, buffer, /*onlyWrites=*/false);
}

} // namespace mmtune
