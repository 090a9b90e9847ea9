// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/buffers/host_buffers.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
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

/// True if a block in the operation has buffers or pointers as arguments, which may be its operands.
bool givesRegionsBuffers(Operation* op) {
  return llvm::any_of(op->getRegions(), [](Region& region) {
    return llvm::any_of(region.getArgumentTypes(), llvm::IsaPred<BaseMemRefType, LLVM::LLVMPointerType>);
  });
}

/// Returns the access of the owner of `use` to the memory that the used value points at.
BufferAccess accessOf(OpOperand& use) {
  Operation* op = use.getOwner();
  if (isa<memref::DimOp, memref::RankOp, LLVM::ICmpOp>(op)) return kNone;
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) return use.get() == copy.getSrc() ? kRead : kWrite;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || givesRegionsBuffers(op)) return kUnknown;
  // An effect on the value does not cover a second operand, through which the pointer may escape.
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

/// Returns the accesses through a pointer or memref, followed through views to every use in the kernel's body.
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

bool hasIdentityLayout(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getLayout().isIdentity();
}

/// True for gpu.memcpy and a memref.copy that is one transfer. The host does copies of other layouts where it can.
bool isDenseCopy(Operation* op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return hasIdentityLayout(copy.getSource()) && hasIdentityLayout(copy.getTarget());
  return isa<gpu::MemcpyOp>(op);
}

/// True if a cast feeds gpu.host_register, which takes an unranked memref. The cast may have other users.
bool isRegistered(Operation* cast) {
  return isa<memref::CastOp>(cast) && llvm::any_of(cast->getUsers(), llvm::IsaPred<gpu::HostRegisterOp>);
}

bool isOnlyRegistered(Operation* cast) {
  return isa<memref::CastOp>(cast) && !cast->use_empty() &&
         llvm::all_of(cast->getUsers(), llvm::IsaPred<gpu::HostRegisterOp, gpu::HostUnregisterOp>);
}

/// Returns the values that branches pass to a block argument; nothing when a branch is not understood.
SmallVector<Value> passedToBlock(BlockArgument argument) {
  SmallVector<Value> passed;
  Block* block = argument.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value value = branch ? branch.getSuccessorOperands(it.getSuccessorIndex())[argument.getArgNumber()] : Value();
    if (!value) return {};
    passed.push_back(value);
  }
  return passed;
}

/// Returns the memrefs that `value` may be, one step back; nothing where it is an origin.
SmallVector<Value> sourcesOf(Value value) {
  if (auto cast = value.getDefiningOp<memref::CastOp>()) return {cast.getSource()};
  if (auto select = value.getDefiningOp<arith::SelectOp>()) return {select.getTrueValue(), select.getFalseValue()};
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && !argument.getOwner()->isEntryBlock()) return passedToBlock(argument);
  Operation* op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  SmallVector<Value> sources;
  if (auto regions = dyn_cast_or_null<RegionBranchOpInterface>(op)) {
    RegionBranchInverseSuccessorMapping passed;
    regions.getSuccessorInputOperandMapping(passed);
    for (OpOperand* operand : passed.lookup(value)) sources.push_back(operand->get());
  }
  return sources;
}

HostBuffer::Kind kindOf(Value root, func::FuncOp function) {
  if (Attribute space = cast<MemRefType>(root.getType()).getMemorySpace()) {
    bool allocatesGlobal = root.getDefiningOp<memref::AllocOp>() && isGlobalMemorySpace(space);
    if (!allocatesGlobal) return HostBuffer::Kind::Device;
  }
  if (auto argument = dyn_cast<BlockArgument>(root))
    return argument.getOwner() == &function.getBody().front() ? HostBuffer::Kind::Argument : HostBuffer::Kind::Opaque;
  Operation* op = root.getDefiningOp();
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) return HostBuffer::Kind::Allocation;
  if (isa<memref::GetGlobalOp>(op)) return HostBuffer::Kind::Global;
  if (isa<gpu::AllocOp>(op)) return HostBuffer::Kind::Device;
  return HostBuffer::Kind::Opaque;
}

memref::GlobalOp globalOf(const HostBuffer& buffer) {
  auto use = dyn_cast_or_null<memref::GetGlobalOp>(buffer.definingOp());
  if (!use) return {};
  return SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(use, use.getNameAttr());
}

}  // namespace

BufferAccess kernelAccess(gpu::LaunchFuncOp launch, unsigned index) {
  auto kernel =
      dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr()));
  if (!kernel || kernel.getNumArguments() != launch.getNumKernelOperands()) return kUnknown;

  auto has = [&](StringRef name) { return static_cast<bool>(kernel.getArgAttr(index, name)); };
  // Loads of a parameter by value read the map, and say nothing of the matrix.
  const bool isTensorMap = has(LLVM::LLVMDialect::getByValAttrName());
  BufferAccess access = kUnknown;
  if (has(LLVM::LLVMDialect::getReadnoneAttrName()))
    access = kNone;
  else if (has(LLVM::LLVMDialect::getReadonlyAttrName()))
    access = kRead;
  else if (has(LLVM::LLVMDialect::getWriteOnlyAttrName()) || (isTensorMap && has(kOverwritesAttrName)))
    access = kWrite;
  else if (!isTensorMap && !kernel.isExternal())
    access = accessThrough(kernel.getArgument(index));
  access.overwrites = access.writes && has(kOverwritesAttrName);
  return access;
}

Value viewRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (view.getViewDest() != value || !isa<MemRefType>(view.getViewSource().getType())) break;
    value = view.getViewSource();
  }
  return value;
}

SmallVector<Value> bufferOrigins(Value value) {
  SmallVector<Value> origins;
  llvm::SetVector<Value> seen;
  auto add = [&](Value next) { seen.insert(isa<MemRefType>(next.getType()) ? viewRoot(next) : next); };
  add(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    SmallVector<Value> sources = sourcesOf(seen[i]);
    if (sources.empty()) origins.push_back(seen[i]);
    for (Value source : sources) add(source);
  }
  return origins;
}

bool isRankedCopy(Operation* op) {
  return isa<memref::CopyOp>(op) && llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
}

BufferAccess copyAccess(OpOperand& operand) {
  Operation* op = operand.getOwner();
  unsigned source = isa<memref::CopyOp>(op) ? cast<memref::CopyOp>(op).getSourceMutable().getOperandNumber()
                                            : cast<gpu::MemcpyOp>(op).getSrcMutable().getOperandNumber();
  bool reads = operand.getOperandNumber() == source;
  return {/*reads=*/reads, /*writes=*/!reads, /*overwrites=*/!reads};
}

std::optional<BufferAccess> hostAccess(OpOperand& operand) {
  Operation* op = operand.getOwner();
  SmallVector<MemoryEffects::EffectInstance> effects;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  bool yieldsBuffer = llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  if (interface && op->getNumRegions() == 0 && !yieldsBuffer) interface.getEffectsOnValue(operand.get(), effects);
  if (effects.empty() || llvm::count(op->getOperands(), operand.get()) != 1) return std::nullopt;
  auto isRead = [](const MemoryEffects::EffectInstance& effect) {
    return isa<MemoryEffects::Read>(effect.getEffect());
  };
  return BufferAccess{llvm::any_of(effects, isRead), !llvm::all_of(effects, isRead), /*overwrites=*/false};
}

bool HostBuffer::deviceWrites() const {
  return llvm::any_of(deviceUses, [](const DeviceUse& use) { return use.access.writes; }) ||
         llvm::any_of(copyUses, [](OpOperand* use) { return copyAccess(*use).writes; });
}

bool HostBuffer::isConstant() const {
  memref::GlobalOp global = globalOf(*this);
  return global && global.getConstant();
}

bool HostBuffer::isKeptOnDevice() const {
  memref::GlobalOp global = globalOf(*this);
  if (!global || !global.getConstant() || !global.getConstantInitValue()) return false;
  Type element = type().getElementType();
  bool isPlain = element.isIntOrIndexOrFloat() || isa<ComplexType>(element);
  return isPlain && type().getLayout().isIdentity() && !type().getMemorySpace() && !hostWrites && !deviceWrites() &&
         deallocs.empty() && registrations.empty();
}

bool isOutsideRegistration(const HostBuffer& buffer, Operation* op) {
  if (buffer.registrations.empty()) return false;
  Block* block = buffer.registrations.front()->getBlock();
  bool runsOnce = isa<func::FuncOp>(block->getParentOp()) && block->isEntryBlock();
  Operation* at = block->findAncestorOpInBlock(*op);
  int registeredBefore = 0, registeredInAll = 0;
  for (Operation* registration : buffer.registrations) {
    if (registration->getBlock() != block) return false;
    int change = isa<gpu::HostRegisterOp>(registration) ? 1 : -1;
    registeredInAll += change;
    if (!at || registration->isBeforeInBlock(at)) registeredBefore += change;
  }
  if (!runsOnce && (!at || registeredInAll != 0)) return false;
  return registeredBefore <= 0;
}

void separateRegisteredUses(HostBuffer& buffer) {
  auto isOutside = [&](const DeviceUse& use) { return isOutsideRegistration(buffer, use.operand->getOwner()); };
  if (!buffer.hostRegistered || llvm::none_of(buffer.deviceUses, isOutside)) return;
  SmallVector<DeviceUse> outside;
  buffer.escapes = true;  // Registered memory is host memory that the driver may access.
  for (const DeviceUse& use : buffer.deviceUses) {
    if (isOutside(use)) {
      outside.push_back(use);
      continue;
    }
    buffer.hostReads |= use.access.reads;
    buffer.hostWrites |= use.access.writes;
  }
  buffer.deviceUses = std::move(outside);
  buffer.hostRegistered = false;
}

HostBuffers::HostBuffers(func::FuncOp function) : function(function) {
  for (Value argument : function.getArguments())
    if (isa<MemRefType>(argument.getType())) findOrAdd(argument);
  function.walk([&](Operation* op) { recordUses(op); });
}

HostBuffer* HostBuffers::find(Value value) {
  return isa<MemRefType>(value.getType()) ? &findOrAdd(viewRoot(value)) : nullptr;
}

HostBuffer& HostBuffers::findOrAdd(Value root) {
  HostBuffer*& buffer = byRoot[root];
  if (buffer) return *buffer;
  HostBuffer::Kind kind = kindOf(root, function);
  HostBuffer** global = nullptr;
  if (kind == HostBuffer::Kind::Global) {
    global = &byGlobal[root.getDefiningOp<memref::GetGlobalOp>().getName()];
    if (*global) return *(buffer = *global);
  }
  buffer = &buffers.emplace_back(kind, root);
  if (global) *global = buffer;
  return *buffer;
}

void HostBuffers::recordUses(Operation* op) {
  calls |= isa<CallOpInterface>(op) && !isa<gpu::LaunchFuncOp>(op);
  for (OpOperand& operand : op->getOpOperands()) {
    HostBuffer* buffer = find(operand.get());
    if (!buffer) continue;
    buffer->absoluteViews |= isa<memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp>(op);
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (view && operand.get() == view.getViewSource() && isa<MemRefType>(view.getViewDest().getType()))
      continue;  // Its users are visited themselves.
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      unsigned first = launch.getKernelOperands().getBeginOperandIndex();
      buffer->deviceUses.push_back({&operand, kernelAccess(launch, operand.getOperandNumber() - first)});
    } else if (isa<gpu::MemsetOp>(op)) {
      buffer->deviceUses.push_back({&operand, {/*reads=*/false, /*writes=*/true, /*overwrites=*/true}});
    } else if (isDenseCopy(op)) {
      buffer->copyUses.push_back(&operand);
    } else if (isa<memref::DeallocOp, gpu::DeallocOp>(op)) {
      buffer->deallocs.push_back(op);
    } else if (isa<func::ReturnOp>(op) && op->getParentOp() == function) {
      buffer->returnUses.push_back(&operand);
    } else {
      recordHostUse(operand, *buffer);
    }
  }
}

void HostBuffers::recordHostUse(OpOperand& operand, HostBuffer& buffer) {
  Operation* op = operand.getOwner();
  if (isa<memref::DimOp, memref::RankOp>(op)) return;
  buffer.hostRegistered |= isRegistered(op);
  if (isa<memref::CastOp>(op))
    for (Operation* user : op->getUsers())
      if (isa<gpu::HostRegisterOp, gpu::HostUnregisterOp>(user)) buffer.registrations.push_back(user);
  if (isOnlyRegistered(op)) return;
  buffer.hostUses.push_back(&operand);
  std::optional<BufferAccess> access = hostAccess(operand);
  // Without a known access it is stored, passed on, or used in an unknown way.
  buffer.escapes |= !access;
  buffer.hostReads |= !access || access->reads;
  buffer.hostWrites |= !access || access->writes;
}

}  // namespace mmtune
