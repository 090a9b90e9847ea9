// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/kernel_access.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr BufferAccess kNone{/*reads=*/false, /*writes=*/false};
constexpr BufferAccess kRead{/*reads=*/true, /*writes=*/false};
constexpr BufferAccess kWrite{/*reads=*/false, /*writes=*/true};
constexpr BufferAccess kUnknown{/*reads=*/true, /*writes=*/true};

/// Whether a block in the operation gets buffers or pointers, which may be its operands.
bool givesRegionsBuffers(Operation* op) {
  return llvm::any_of(op->getRegions(), [](Region& region) {
    return llvm::any_of(region.getArgumentTypes(), llvm::IsaPred<BaseMemRefType, LLVM::LLVMPointerType>);
  });
}

/// What the owner of `use` does with the memory that the used value points at.
BufferAccess accessOf(OpOperand& use) {
  Operation* op = use.getOwner();
  if (isa<memref::DimOp, memref::RankOp, LLVM::ICmpOp>(op)) return kNone;
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) return use.get() == copy.getSrc() ? kRead : kWrite;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || givesRegionsBuffers(op)) return kUnknown;
  // An effect on the value says nothing of a second operand that lets the pointer escape.
  if (llvm::count(op->getOperands(), use.get()) != 1) return kUnknown;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  BufferAccess access = kNone;
  for (const MemoryEffects::EffectInstance& effect : effects) {
    if (effect.getValue() && effect.getValue() != use.get()) continue;
    if (!effect.getValue()) return kUnknown;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      access.reads = true;
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      access.writes = true;
    else
      return kUnknown;
  }
  return access.reads || access.writes ? access : kUnknown;
}

/// Follows a pointer or memref through views to every use in the kernel's body.
BufferAccess accessThrough(Value parameter) {
  BufferAccess access = kNone;
  SmallVector<Value> worklist{parameter};
  while (!worklist.empty() && !(access.reads && access.writes)) {
    Value value = worklist.pop_back_val();
    for (OpOperand& use : value.getUses()) {
      auto view = dyn_cast<ViewLikeOpInterface>(use.getOwner());
      if (view && use.get() == view.getViewSource())
        worklist.push_back(view.getViewDest());
      else
        access |= accessOf(use);
    }
  }
  return access;
}

}  // namespace

BufferAccess kernelAccess(gpu::LaunchFuncOp launch, unsigned index) {
  auto kernel =
      dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()));
  if (!kernel || kernel.getNumArguments() != launch.getNumKernelOperands()) return kUnknown;

  auto has = [&](StringRef name) { return static_cast<bool>(kernel.getArgAttr(index, name)); };
  BufferAccess access = kUnknown;
  if (has(LLVM::LLVMDialect::getReadnoneAttrName()))
    access = kNone;
  else if (has(LLVM::LLVMDialect::getReadonlyAttrName()))
    access = kRead;
  else if (has(LLVM::LLVMDialect::getWriteOnlyAttrName()))
    access = kWrite;
  else if (!kernel.isExternal())
    access = accessThrough(kernel.getArgument(index));
  access.overwrites = access.writes && has(kOverwritesAttrName);
  return access;
}

}  // namespace mmtune
