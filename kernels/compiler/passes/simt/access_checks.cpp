// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

using simt::AccessKind;

constexpr unsigned kLocalAddressSpace = 5;

/// True if `pointer` certainly points into the thread's stack or its parameters.
bool isThreadsOwn(Value pointer) {
  if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == kLocalAddressSpace) return true;
  while (Operation* definition = pointer.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(definition)) return true;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(definition)) return false;
    pointer = definition->getOperand(0);
  }
  auto argument = cast<BlockArgument>(pointer);
  auto function = dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName());
}

/// Returns the bytes that a load or store of the type accesses; a vector without the padding of its allocation.
uint64_t storeBytes(Operation* op, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(
        DataLayout::closest(op).getTypeSizeInBits(vector.getElementType()).getFixedValue() * vector.getNumElements(),
        8);
  return DataLayout::closest(op).getTypeSize(type).getFixedValue();
}

bool acquires(LLVM::AtomicOrdering ordering) {
  return ordering == LLVM::AtomicOrdering::acquire || ordering == LLVM::AtomicOrdering::acq_rel ||
         ordering == LLVM::AtomicOrdering::seq_cst;
}

bool releases(LLVM::AtomicOrdering ordering) {
  return ordering == LLVM::AtomicOrdering::release || ordering == LLVM::AtomicOrdering::acq_rel ||
         ordering == LLVM::AtomicOrdering::seq_cst;
}

AccessKind updateKind(bool acquire, bool release) {
  if (acquire) return release ? AccessKind::kAtomic : AccessKind::kAtomicAcquire;
  return release ? AccessKind::kAtomicRelease : AccessKind::kAtomicRelaxed;
}

AccessKind loadKind(LLVM::LoadOp op) {
  if (acquires(op.getOrdering())) return AccessKind::kAtomicReadAcquire;
  bool atomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic || op.getVolatile_();
  return atomic ? AccessKind::kAtomicRead : AccessKind::kRead;
}

AccessKind storeKind(LLVM::StoreOp op) {
  if (releases(op.getOrdering())) return AccessKind::kAtomicWriteRelease;
  bool atomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic || op.getVolatile_();
  return atomic ? AccessKind::kAtomicWrite : AccessKind::kWrite;
}

/// True for a pointer, or a vector of pointers.
bool isPointer(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) type = vector.getElementType();
  return isa<LLVM::LLVMPointerType>(type);
}

/// True for operations without accesses through pointers, and those that other parts of the pass handle.
bool isHarmless(Operation* op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::ICmpOp,
             LLVM::SelectOp, LLVM::FreezeOp, LLVM::InsertValueOp, LLVM::ExtractValueOp, LLVM::InsertElementOp,
             LLVM::ExtractElementOp, LLVM::ShuffleVectorOp, LLVM::AddressOfOp, LLVM::AllocaOp, LLVM::FenceOp,
             LLVM::InvokeOp, LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, LLVM::InvariantStartOp,
             LLVM::InvariantEndOp, LLVM::StackSaveOp, LLVM::StackRestoreOp, LLVM::DbgDeclareOp, LLVM::DbgValueOp,
             LLVM::DbgLabelOp, LLVM::Prefetch, LLVM::Trap, LLVM::DebugTrap, LLVM::UBSanTrap>(op);
}

class AccessWatcher {
 public:
  explicit AccessWatcher(SimtEmitter& emit) : emit(emit), builder(emit.builder) {}

  void whole(Value pointer, Type type, AccessKind kind) {
    access(pointer, emit.i64(static_cast<int64_t>(storeBytes(emit.op, type))), kind);
  }
  void access(Value pointer, Value bytes, AccessKind kind) {
    if (isThreadsOwn(pointer)) return;
    emit.call("mmtune_simt_access",
              {pointer, emit.zeroExtended(bytes), emit.i32(static_cast<int64_t>(kind)), emit.site()});
  }

  /// Checks consecutive elements from `pointer` on, those whose lane of `mask` is set.
  void masked(Value pointer, VectorType type, Value mask, AccessKind kind) {
    if (isThreadsOwn(pointer)) return;
    for (int32_t i = 0; i < type.getNumElements(); ++i)
      underMask(mask, i, [&] {
        Value element =
            LLVM::GEPOp::create(builder, pointer.getType(), type.getElementType(), pointer, ArrayRef<LLVM::GEPArg>{i});
        whole(element, type.getElementType(), kind);
      });
  }
  /// Checks a pointer for each element.
  void scattered(Value pointers, VectorType type, Value mask, AccessKind kind) {
    for (int32_t i = 0; i < type.getNumElements(); ++i)
      underMask(mask, i, [&] {
        Value pointer = LLVM::ExtractElementOp::create(builder, pointers, emit.i32(i));
        whole(pointer, type.getElementType(), kind);
      });
  }

 private:
  void underMask(Value mask, int32_t lane, llvm::function_ref<void()> body) {
    Value active = LLVM::ExtractElementOp::create(builder, mask, emit.i32(lane));
    Block* before = emit.op->getBlock();
    Block* after = before->splitBlock(emit.op);
    Block* checked = builder.createBlock(after);
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, active, checked, after);
    builder.setInsertionPointToEnd(checked);
    body();
    LLVM::BrOp::create(builder, after);
    builder.setInsertionPoint(emit.op);
  }

  SimtEmitter& emit;
  ImplicitLocOpBuilder& builder;
};

}  // namespace

/// Refuses operations that access memory in an unknown way.
static LogicalResult checkOther(Operation* op, SimtEmitter& emit) {
  if (isHarmless(op)) return success();
  auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
  bool hasPointer = llvm::any_of(op->getOperandTypes(), isPointer);
  if (!hasPointer && (intrinsic || isMemoryEffectFree(op))) return success();
  StringRef name = intrinsic ? intrinsic.getIntrin() : op->getName().getStringRef();
  return emit.unsupported("'" + name + "' under race detection, which cannot tell what memory it accesses,");
}

static LogicalResult checkCall(LLVM::CallOp call, SimtEmitter& emit) {
  std::optional<StringRef> name = call.getCallee();
  auto callee = name ? emit.function.state().symbols.lookup<LLVM::LLVMFuncOp>(*name) : nullptr;
  if (!callee || !callee.isExternal()) return success();
  // The runtime reports what it accesses itself; the texts of a failed assertion are constants.
  if (emit.function.state().runtimeFunctions.contains(callee) || *name == "__assertfail") return success();
  for (Value operand : call.getCalleeOperands())
    if (isPointer(operand.getType()) && (isa<VectorType>(operand.getType()) || !isThreadsOwn(operand)))
      return emit.unsupported("a call of '" + *name +
                              "' under race detection, which cannot tell what memory it accesses,");
  return success();
}

LogicalResult emitAccessChecks(SimtEmitter& emit) {
  AccessWatcher watcher(emit);
  auto copy = [&](auto op) {
    watcher.access(op.getSrc(), op.getLen(), AccessKind::kRead);
    watcher.access(op.getDst(), op.getLen(), AccessKind::kWrite);
  };
  LogicalResult result = success();
  llvm::TypeSwitch<Operation*>(emit.op)
      .Case<LLVM::LoadOp>([&](auto op) { watcher.whole(op.getAddr(), op.getType(), loadKind(op)); })
      .Case<LLVM::StoreOp>([&](auto op) { watcher.whole(op.getAddr(), op.getValue().getType(), storeKind(op)); })
      .Case<LLVM::AtomicRMWOp>([&](auto op) {
        watcher.whole(op.getPtr(), op.getType(), updateKind(acquires(op.getOrdering()), releases(op.getOrdering())));
      })
      .Case<LLVM::AtomicCmpXchgOp>([&](auto op) {
        watcher.whole(op.getPtr(), op.getVal().getType(),
                      updateKind(acquires(op.getSuccessOrdering()) || acquires(op.getFailureOrdering()),
                                 releases(op.getSuccessOrdering())));
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>(copy)
      .Case<LLVM::MemcpyInlineOp>([&](auto op) {
        watcher.access(op.getSrc(), emit.i64(op.getLen().getSExtValue()), AccessKind::kRead);
        watcher.access(op.getDst(), emit.i64(op.getLen().getSExtValue()), AccessKind::kWrite);
      })
      .Case<LLVM::MemsetOp>([&](auto op) { watcher.access(op.getDst(), op.getLen(), AccessKind::kWrite); })
      .Case<LLVM::MemsetInlineOp>(
          [&](auto op) { watcher.access(op.getDst(), emit.i64(op.getLen().getSExtValue()), AccessKind::kWrite); })
      .Case<LLVM::MaskedLoadOp>([&](auto op) {
        watcher.masked(op.getData(), cast<VectorType>(op.getRes().getType()), op.getMask(), AccessKind::kRead);
      })
      .Case<LLVM::MaskedStoreOp>([&](auto op) {
        watcher.masked(op.getData(), cast<VectorType>(op.getValue().getType()), op.getMask(), AccessKind::kWrite);
      })
      .Case<LLVM::masked_gather>([&](auto op) {
        watcher.scattered(op.getPtrs(), cast<VectorType>(op.getRes().getType()), op.getMask(), AccessKind::kRead);
      })
      .Case<LLVM::masked_scatter>([&](auto op) {
        watcher.scattered(op.getPtrs(), cast<VectorType>(op.getValue().getType()), op.getMask(), AccessKind::kWrite);
      })
      // Functions of the module check accesses themselves; other functions get the thread's own memory only.
      .Case<LLVM::CallOp>([&](auto op) { result = checkCall(op, emit); })
      .Default([&](Operation* op) { result = checkOther(op, emit); });
  return result;
}

}  // namespace mmtune
