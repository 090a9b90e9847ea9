// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/streams/memory_accesses.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr unsigned kSharedSpace = 3;  // NVVM's number.

/// True if kernels of the module may communicate through device variables.
bool hasMutableVariables(Operation* kernels) {
  auto module = dyn_cast_or_null<gpu::GPUModuleOp>(kernels);
  if (!module) return true;
  return llvm::any_of(module.getOps(), [](Operation& op) {
    if (auto global = dyn_cast<memref::GlobalOp>(op)) return !global.getConstant();
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    return global && !global.getConstant() && global.getAddrSpace() != kSharedSpace;
  });
}

/// True if an integer may hold an address.
bool holdsAddress(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation*, 8> seen;
  while (!worklist.empty()) {
    Operation* op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second) continue;
    if (isa<memref::ExtractAlignedPointerAsIndexOp, LLVM::PtrToIntOp>(op)) return true;
    if (!isa<memref::LoadOp, memref::DimOp>(op)) llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

bool isFresh(Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(root.getDefiningOp());
}

}  // namespace

MemoryAccesses AccessAnalysis::accessesOf(Operation* op) {
  MemoryAccesses accesses;
  op->walk([&](Operation* nested) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(nested))
      addLaunch(launch, accesses);
    else
      addEffects(nested, accesses);
  });
  return accesses;
}

void AccessAnalysis::addBuffer(Value value, bool reads, bool writes, MemoryAccesses& accesses) {
  bool ranked = isa<MemRefType>(value.getType());
  accesses.push_back({ranked ? viewRoot(value) : Value(), Attribute(), reads, writes});
}

void AccessAnalysis::addLaunch(gpu::LaunchFuncOp launch, MemoryAccesses& accesses) {
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    Type type = operand.getType();
    if (type.isIntOrIndexOrFloat() || isa<VectorType>(type)) {
      if (holdsAddress(operand)) accesses.push_back({});
      continue;
    }
    BufferAccess access = kernelAccess(launch, index);
    if (access.reads || access.writes) addBuffer(operand, access.reads, access.writes, accesses);
  }
  StringAttr kernels = launch.getKernelModuleName();
  auto module = launch->getParentOfType<ModuleOp>();
  if (hasMutableVariables(SymbolTable::lookupSymbolIn(module, kernels)))
    accesses.push_back({Value(), kernels, /*reads=*/true, /*writes=*/true});
}

void AccessAnalysis::addEffects(Operation* op, MemoryAccesses& accesses) {
  // The write effect of an assertion only prevents its removal.
  if (op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op) || isa<cf::AssertOp>(op)) return;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) accesses.push_back({});
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance& effect : effects) {
    if (isa<MemoryEffects::Allocate>(effect.getEffect())) continue;
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    if (Value value = effect.getValue())
      addBuffer(value, reads, !reads, accesses);
    else
      accesses.push_back({Value(), Attribute(), reads, !reads});
  }
}

bool AccessAnalysis::conflict(ArrayRef<MemoryAccess> a, ArrayRef<MemoryAccess> b) {
  return llvm::any_of(a, [&](const MemoryAccess& first) {
    return llvm::any_of(
        b, [&](const MemoryAccess& second) { return (first.writes || second.writes) && mayOverlap(first, second); });
  });
}

bool AccessAnalysis::mayOverlap(const MemoryAccess& a, const MemoryAccess& b) {
  auto any = [](const MemoryAccess& access) { return !access.root && !access.variables; };
  if (any(a) || any(b)) return true;
  if (a.variables || b.variables) return a.variables == b.variables;
  return mayAlias(a.root, b.root);
}

bool AccessAnalysis::isEntryArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && argument.getOwner() == &function.getBody().front();
}

bool AccessAnalysis::mayAlias(Value a, Value b) {
  HostBuffer* first = buffers.find(a);
  HostBuffer* second = buffers.find(b);
  if (!first || !second || first == second) return true;
  if (isFresh(b)) std::swap(first, second);
  auto isGlobal = [](HostBuffer* buffer) { return isa_and_nonnull<memref::GetGlobalOp>(buffer->definingOp()); };
  auto isArgument = [&](HostBuffer* buffer) { return isEntryArgument(buffer->root); };
  auto isKnown = [&](HostBuffer* buffer) { return isFresh(buffer->root) || isGlobal(buffer) || isArgument(buffer); };
  if (isFresh(first->root)) return !isKnown(second) && first->escapes;
  if (isGlobal(first) && isGlobal(second)) return false;
  if (!isKnown(first) || !isKnown(second)) return true;
  auto isNoAlias = [&](HostBuffer* buffer) {
    return isArgument(buffer) && function.getArgAttr(cast<BlockArgument>(buffer->root).getArgNumber(),
                                                     LLVM::LLVMDialect::getNoAliasAttrName());
  };
  if (isNoAlias(first) || isNoAlias(second)) return false;
  auto isShared = [&](HostBuffer* buffer) { return calls.isShared(cast<BlockArgument>(buffer->root)); };
  bool distinct = distinctArguments && isArgument(first) && isArgument(second);
  return !distinct || (isShared(first) && isShared(second));
}

}  // namespace mmtune
