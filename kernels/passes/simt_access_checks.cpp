#include "kernels/passes/simt_access_checks.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mmtune {
namespace {

using simt::AccessKind;

constexpr unsigned kLocalAddressSpace = 5;

/// Whether `pointer` is certain to point into the thread's stack or its parameters.
bool isThreadsOwn(Value pointer) {
  if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == kLocalAddressSpace)
    return true;
  while (Operation *definition = pointer.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(definition))
      return true;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(definition))
      return false;
    pointer = definition->getOperand(0);
  }
  auto argument = cast<BlockArgument>(pointer);
  auto function = dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getByValAttrName());
}

/// What a load or store of the type touches: a vector without the padding of its allocation.
uint64_t storeBytes(Operation *op, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(
        DataLayout::closest(op).getTypeSizeInBits(vector.getElementType()).getFixedValue() *
            vector.getNumElements(),
        8);
  return DataLayout::closest(op).getTypeSize(type).getFixedValue();
}

class AccessChecker {
public:
  explicit AccessChecker(SimtEmitter &emit) : emit(emit), builder(emit.builder) {}

  void load(LLVM::LoadOp op) {
    bool atomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
    whole(op.getAddr(), op.getType(), atomic ? AccessKind::kAtomic : AccessKind::kRead);
  }
  void store(LLVM::StoreOp op) {
    bool atomic = op.getOrdering() != LLVM::AtomicOrdering::not_atomic;
    whole(op.getAddr(), op.getValue().getType(), atomic ? AccessKind::kAtomic : AccessKind::kWrite);
  }
  void whole(Value pointer, Type type, AccessKind kind) {
    access(pointer, emit.i64(static_cast<int64_t>(storeBytes(emit.op, type))), kind);
  }
  void access(Value pointer, Value bytes, AccessKind kind) {
    if (isThreadsOwn(pointer))
      return;
    emit.call("mmtune_simt_access", {pointer, emit.zeroExtended(bytes),
                                     emit.i32(static_cast<int64_t>(kind)), emit.site()});
  }

  /// Neighbouring elements from `pointer` on, those whose lane of `mask` is set.
  void masked(Value pointer, VectorType type, Value mask, AccessKind kind) {
    if (isThreadsOwn(pointer))
      return;
    for (int32_t i = 0; i < type.getNumElements(); ++i)
      underMask(mask, i, [&] {
        Value element = LLVM::GEPOp::create(builder, pointer.getType(), type.getElementType(),
                                            pointer, ArrayRef<LLVM::GEPArg>{i});
        whole(element, type.getElementType(), kind);
      });
  }
  /// One pointer for each element.
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
    Block *before = emit.op->getBlock();
    Block *after = before->splitBlock(emit.op);
    Block *checked = builder.createBlock(after);
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, active, checked, after);
    builder.setInsertionPointToEnd(checked);
    body();
    LLVM::BrOp::create(builder, after);
    builder.setInsertionPoint(emit.op);
  }

  SimtEmitter &emit;
  ImplicitLocOpBuilder &builder;
};

} // namespace

LogicalResult emitAccessChecks(SimtEmitter &emit) {
  if (isa<LLVM::masked_expandload, LLVM::masked_compressstore>(emit.op))
    return emit.unsupported(Twine(emit.op->getName().getStringRef()) + " with checks");
  AccessChecker check(emit);
  auto copy = [&](auto op) {
    check.access(op.getSrc(), op.getLen(), AccessKind::kRead);
    check.access(op.getDst(), op.getLen(), AccessKind::kWrite);
  };
  llvm::TypeSwitch<Operation *>(emit.op)
      .Case<LLVM::LoadOp>([&](auto op) { check.load(op); })
      .Case<LLVM::StoreOp>([&](auto op) { check.store(op); })
      .Case<LLVM::AtomicRMWOp>(
          [&](auto op) { check.whole(op.getPtr(), op.getType(), AccessKind::kAtomic); })
      .Case<LLVM::AtomicCmpXchgOp>(
          [&](auto op) { check.whole(op.getPtr(), op.getVal().getType(), AccessKind::kAtomic); })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>(copy)
      .Case<LLVM::MemcpyInlineOp>([&](auto op) {
        check.access(op.getSrc(), emit.i64(op.getLen().getSExtValue()), AccessKind::kRead);
        check.access(op.getDst(), emit.i64(op.getLen().getSExtValue()), AccessKind::kWrite);
      })
      .Case<LLVM::MemsetOp>(
          [&](auto op) { check.access(op.getDst(), op.getLen(), AccessKind::kWrite); })
      .Case<LLVM::MemsetInlineOp>([&](auto op) {
        check.access(op.getDst(), emit.i64(op.getLen().getSExtValue()), AccessKind::kWrite);
      })
      .Case<LLVM::MaskedLoadOp>([&](auto op) {
        check.masked(op.getData(), cast<VectorType>(op.getRes().getType()), op.getMask(),
                     AccessKind::kRead);
      })
      .Case<LLVM::MaskedStoreOp>([&](auto op) {
        check.masked(op.getData(), cast<VectorType>(op.getValue().getType()), op.getMask(),
                     AccessKind::kWrite);
      })
      .Case<LLVM::masked_gather>([&](auto op) {
        check.scattered(op.getPtrs(), cast<VectorType>(op.getRes().getType()), op.getMask(),
                        AccessKind::kRead);
      })
      .Case<LLVM::masked_scatter>([&](auto op) {
        check.scattered(op.getPtrs(), cast<VectorType>(op.getValue().getType()), op.getMask(),
                        AccessKind::kWrite);
      });
  return success();
}

} // namespace mmtune
