// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

LogicalResult rewriteBarrier(NVVM::BarrierOp barrier, SimtEmitter& emit) {
  Value id = emit.orZero(barrier.getBarrierId());
  Value threads = emit.orZero(barrier.getNumberOfThreads());
  std::optional<NVVM::BarrierReduction> reduction = barrier.getReductionOp();
  if (!reduction) return emit.replaceByCall("mmtune_simt_barrier", {id, threads, emit.site()});
  auto mode = *reduction == NVVM::BarrierReduction::AND  ? simt::VoteMode::kAll
              : *reduction == NVVM::BarrierReduction::OR ? simt::VoteMode::kAny
                                                         : simt::VoteMode::kUniform;
  Value isTrue =
      LLVM::ICmpOp::create(emit.builder, LLVM::ICmpPredicate::ne, barrier.getReductionPredicate(), emit.i32(0));
  Value predicate = LLVM::ZExtOp::create(emit.builder, emit.builder.getI32Type(), isTrue);
  return emit.replace(emit.call("mmtune_simt_barrier_reduce",
                                {id, threads, emit.i32(static_cast<int64_t>(mode)), predicate, emit.site()},
                                emit.builder.getI32Type()));
}

bool isAsync(NVVM::ProxyKind kind) {
  return kind == NVVM::ProxyKind::async || kind == NVVM::ProxyKind::async_global ||
         kind == NVVM::ProxyKind::async_shared;
}

/// Rewrites a fence. Blocks are host threads, so memory ordering is a host fence. Race detection is notified of all
/// fences.
LogicalResult rewriteFence(SimtEmitter& emit, simt::FenceKind kind) {
  if (simt::IsOfMemory(kind)) LLVM::FenceOp::create(emit.builder, LLVM::AtomicOrdering::seq_cst);
  if (emit.function.reportsAccesses())
    emit.call("mmtune_simt_fence", {emit.i32(static_cast<int64_t>(kind)), emit.site()});
  return emit.erase();
}

/// Rewrites setmaxnreg, which only race detection accounts for. In other functions than kernels it does not.
LogicalResult rewriteSetMaxRegisters(NVVM::SetMaxRegisterOp op, SimtEmitter& emit) {
  std::optional<int64_t> atEntry = emit.function.registersAtEntry();
  if (!emit.function.reportsAccesses() || emit.function.profiles() || !atEntry) return emit.erase();
  const bool isIncrease = op.getAction() == NVVM::SetMaxRegisterAction::increase;
  return emit.replaceByCall("mmtune_simt_set_max_registers",
                            {emit.i32(op.getRegCount()), emit.i32(isIncrease), emit.i32(*atEntry), emit.site()});
}

/// Rewrites nvvm.exit to a return from the kernel, which only the kernel's own body can do.
LogicalResult rewriteExit(SimtEmitter& emit) {
  LLVM::LLVMFuncOp function = emit.function.op();
  if (!function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) &&
      !function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
    return emit.unsupported("nvvm.exit in a function that is not a kernel");
  Block* before = emit.op->getBlock();
  before->splitBlock(emit.op);
  emit.builder.setInsertionPointToEnd(before);
  LLVM::ReturnOp::create(emit.builder, ValueRange());
  return emit.erase();
}

/// Emits expect_tx of `bytes`, then `count` arrivals; null operands are 0 and 1.
LogicalResult arrive(SimtEmitter& emit, Value barrier, Value count, Value bytes, bool drop) {
  Value state = emit.call("mmtune_simt_mbarrier_arrive",
                          {barrier, count ? count : emit.i32(1), emit.orZero(bytes), emit.i32(drop), emit.site()},
                          emit.builder.getI64Type());
  return emit.op->getNumResults() == 0 ? emit.erase() : emit.replace(state);
}

Value test(SimtEmitter& emit, Value barrier, Value stateOrParity, bool blocking) {
  bool isParity = stateOrParity.getType().isInteger(32);
  return emit.call("mmtune_simt_mbarrier_test",
                   {barrier, emit.zeroExtended(stateOrParity), emit.i32(isParity), emit.i32(blocking), emit.site()},
                   emit.builder.getI32Type());
}

LogicalResult replaceByTest(SimtEmitter& emit, Value barrier, Value stateOrParity) {
  Value complete = test(emit, barrier, stateOrParity, /*blocking=*/false);
  return emit.replace(LLVM::ICmpOp::create(emit.builder, LLVM::ICmpPredicate::ne, complete, emit.i32(0)));
}

constexpr int64_t kEveryCopy = 0xFFFFFFFF;

constexpr std::pair<NVVM::TMAReduxKind, simt::CopyReduction> kReductions[] = {
    {NVVM::TMAReduxKind::ADD, simt::CopyReduction::kAdd}, {NVVM::TMAReduxKind::MIN, simt::CopyReduction::kMin},
    {NVVM::TMAReduxKind::MAX, simt::CopyReduction::kMax}, {NVVM::TMAReduxKind::INC, simt::CopyReduction::kInc},
    {NVVM::TMAReduxKind::DEC, simt::CopyReduction::kDec}, {NVVM::TMAReduxKind::AND, simt::CopyReduction::kAnd},
    {NVVM::TMAReduxKind::OR, simt::CopyReduction::kOr},   {NVVM::TMAReduxKind::XOR, simt::CopyReduction::kXor},
};

/// Stores the coordinates for the runtime and returns their address.
Value coordinateWords(SimtEmitter& emit, ValueRange coordinates) {
  Value words = emit.function.words(coordinates.size(), 0).in;
  for (auto [i, coordinate] : llvm::enumerate(coordinates)) {
    Value slot = LLVM::GEPOp::create(emit.builder, words.getType(), emit.builder.getI32Type(), words,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(emit.builder, coordinate, slot, /*alignment=*/4);
  }
  return words;
}

LogicalResult rewriteCpAsync(NVVM::CpAsyncOp copy, SimtEmitter& emit) {
  Value bytes = emit.i32(copy.getSize());
  Value sourceBytes = copy.getCpSize() ? copy.getCpSize() : bytes;
  return emit.replaceByCall("mmtune_simt_cp_async", {copy.getDst(), copy.getSrc(), bytes, sourceBytes, emit.site()});
}

/// Returns the mask of the blocks that a copy writes; 0, for the destination's block only, if `mask` is null.
Value multicastMask(SimtEmitter& emit, Value mask) {
  if (!mask) return emit.i32(0);
  return LLVM::ZExtOp::create(emit.builder, emit.builder.getI32Type(), mask);
}

LogicalResult rewriteTensorLoad(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy, SimtEmitter& emit) {
  StringRef name = copy->getName().getStringRef();
  if (copy.getMode() != NVVM::TMALoadMode::TILE || !copy.getIm2colOffsets().empty())
    return emit.unsupported(Twine(name) + " in a mode other than tile");
  if (copy.getGroup()) return emit.unsupported(Twine(name) + " with a group of blocks, which is not modelled,");
  emit.guard(copy.getPredicate());
  Value words = coordinateWords(emit, copy.getCoordinates());
  return emit.replaceByCall("mmtune_simt_tensor_load",
                            {copy.getDstMem(), copy.getTmaDescriptor(), emit.i32(copy.getCoordinates().size()), words,
                             copy.getMbar(), multicastMask(emit, copy.getMulticastMask()), emit.site()});
}

/// Rewrites a bulk tensor store, or a reduction into global memory.
template <typename Copy>
LogicalResult rewriteTensorStore(Copy copy, SimtEmitter& emit, Value predicate, uint32_t reduction) {
  if (copy.getMode() != NVVM::TMAStoreMode::TILE)
    return emit.unsupported(Twine(copy->getName().getStringRef()) + " in a mode other than tile");
  emit.guard(predicate);
  Value words = coordinateWords(emit, copy.getCoordinates());
  return emit.replaceByCall("mmtune_simt_tensor_store",
                            {copy.getTmaDescriptor(), copy.getSrcMem(), emit.i32(copy.getCoordinates().size()), words,
                             emit.i32(reduction), emit.site()});
}

LogicalResult rewriteBulkLoad(NVVM::CpAsyncBulkGlobalToSharedClusterOp copy, SimtEmitter& emit) {
  return emit.replaceByCall("mmtune_simt_bulk_load",
                            {copy.getDstMem(), copy.getSrcMem(), copy.getSize(), copy.getMbar(),
                             multicastMask(emit, copy.getMulticastMask()), emit.site()});
}

LogicalResult rewriteBulkStore(NVVM::CpAsyncBulkSharedCTAToGlobalOp copy, SimtEmitter& emit) {
  if (copy.getByteMask()) return emit.unsupported(Twine(copy->getName().getStringRef()) + " with a byte mask");
  return emit.replaceByCall("mmtune_simt_bulk_store",
                            {copy.getDstMem(), copy.getSrcMem(), copy.getSize(), emit.site()});
}

/// Rewrites cp.async.wait_all, which has no operation of its own.
Rewritten rewriteIntrinsic(LLVM::CallIntrinsicOp call, SimtEmitter& emit) {
  if (call.getIntrin() != "llvm.nvvm.cp.async.wait.all") return std::nullopt;
  return emit.replaceByCall("mmtune_simt_cp_async_wait", {emit.i32(kEveryCopy), emit.site()});
}

}  // namespace

Rewritten rewriteSynchronization(SimtEmitter& emit) {
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::Barrier0Op>(
          [&](auto) { return emit.replaceByCall("mmtune_simt_barrier", {emit.i32(0), emit.i32(0), emit.site()}); })
      .Case<NVVM::BarrierOp>([&](auto barrier) { return rewriteBarrier(barrier, emit); })
      .Case<NVVM::BarrierArriveOp>([&](auto barrier) {
        return emit.replaceByCall("mmtune_simt_barrier_arrive",
                                  {emit.orZero(barrier.getBarrierId()), barrier.getNumberOfThreads(), emit.site()});
      })
      .Case<NVVM::SyncWarpOp>([&](auto barrier) {
        return emit.replaceByCall("mmtune_simt_barrier_warp", {barrier.getMask(), emit.site()});
      })
      .Case<NVVM::MembarOp>(
          [&](auto fence) { return rewriteFence(emit, memoryFence(fence.getScope() == NVVM::MemScopeKind::CTA)); })
      .Case<NVVM::FenceScClusterOp, NVVM::FenceSyncRestrictOp>(
          [&](auto) { return rewriteFence(emit, simt::FenceKind::kMemory); })
      .Case<NVVM::FenceProxyOp>([&](auto fence) {
        return isAsync(fence.getKind()) ? rewriteFence(emit, simt::FenceKind::kAsyncProxy) : emit.erase();
      })
      // The runtime reads a tensor map when a copy is issued.
      .Case<NVVM::FenceProxyAcquireOp, NVVM::FenceProxyReleaseOp>([&](auto) { return emit.erase(); })
      .Case<NVVM::FenceProxySyncRestrictOp>([&](auto) { return rewriteFence(emit, simt::FenceKind::kAsyncProxy); })
      .Case<NVVM::FenceMbarrierInitOp>([&](auto) { return rewriteFence(emit, simt::FenceKind::kBarrierInit); })
      .Case<NVVM::NanosleepOp>([&](auto) { return emit.replaceByCall("mmtune_simt_yield", {emit.site()}); })
      // Grids run one after the other.
      .Case<NVVM::GriddepcontrolOp>([&](auto) { return emit.erase(); })
      .Case<NVVM::SetMaxRegisterOp>([&](auto op) { return rewriteSetMaxRegisters(op, emit); })
      .Case<NVVM::Exit>([&](auto) { return rewriteExit(emit); })
      .Default([](Operation*) { return std::nullopt; });
}

Rewritten rewriteMbarrier(SimtEmitter& emit) {
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::MBarrierInitOp>([&](auto op) {
        emit.guard(op.getPredicate());
        return emit.replaceByCall("mmtune_simt_mbarrier_init", {op.getAddr(), op.getCount(), emit.site()});
      })
      .Case<NVVM::MBarrierInvalOp>(
          [&](auto op) { return emit.replaceByCall("mmtune_simt_mbarrier_inval", {op.getAddr(), emit.site()}); })
      .Case<NVVM::MBarrierExpectTxOp>([&](auto op) {
        return emit.replaceByCall("mmtune_simt_mbarrier_expect_tx", {op.getAddr(), op.getTxcount(), emit.site()});
      })
      .Case<NVVM::MBarrierCompleteTxOp>([&](auto op) {
        return emit.replaceByCall("mmtune_simt_mbarrier_complete_tx", {op.getAddr(), op.getTxcount(), emit.site()});
      })
      .Case<NVVM::MBarrierArriveOp, NVVM::MBarrierArriveNocompleteOp>(
          [&](auto op) { return arrive(emit, op.getAddr(), op.getCount(), Value(), /*drop=*/false); })
      .Case<NVVM::MBarrierArriveDropOp, NVVM::MBarrierArriveDropNocompleteOp>(
          [&](auto op) { return arrive(emit, op.getAddr(), op.getCount(), Value(), /*drop=*/true); })
      .Case<NVVM::MBarrierArriveExpectTxOp>([&](auto op) {
        emit.guard(op.getPredicate());
        return arrive(emit, op.getAddr(), Value(), op.getTxcount(), /*drop=*/false);
      })
      .Case<NVVM::MBarrierArriveDropExpectTxOp>(
          [&](auto op) { return arrive(emit, op.getAddr(), Value(), op.getTxcount(), /*drop=*/true); })
      .Case<NVVM::MBarrierTryWaitParityOp>([&](auto op) {
        test(emit, op.getAddr(), op.getPhase(), /*blocking=*/true);
        return emit.erase();
      })
      .Case<NVVM::MBarrierTestWaitOp, NVVM::MBarrierTryWaitOp>(
          [&](auto op) { return replaceByTest(emit, op.getAddr(), op.getStateOrPhase()); })
      .Default([](Operation*) { return std::nullopt; });
}

Rewritten rewriteCopy(SimtEmitter& emit) {
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::CpAsyncOp>([&](auto copy) { return rewriteCpAsync(copy, emit); })
      .Case<NVVM::CpAsyncCommitGroupOp>([&](auto) { return emit.replaceByCall("mmtune_simt_cp_async_commit", {}); })
      .Case<NVVM::CpAsyncWaitGroupOp>([&](auto wait) {
        return emit.replaceByCall("mmtune_simt_cp_async_wait", {emit.i32(wait.getN()), emit.site()});
      })
      .Case<NVVM::CpAsyncMBarrierArriveOp>([&](auto arrive) {
        return emit.replaceByCall("mmtune_simt_cp_async_mbarrier_arrive",
                                  {arrive.getAddr(), emit.i32(arrive.getNoinc()), emit.site()});
      })
      .Case<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>([&](auto copy) { return rewriteTensorLoad(copy, emit); })
      .Case<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>([&](auto copy) {
        return rewriteTensorStore(copy, emit, copy.getPredicate(), static_cast<uint32_t>(simt::CopyReduction::kNone));
      })
      .Case<NVVM::CpAsyncBulkTensorReduceOp>(
          [&](auto copy) { return rewriteTensorStore(copy, emit, Value(), modeOf(copy.getRedKind(), kReductions)); })
      .Case<NVVM::CpAsyncBulkGlobalToSharedClusterOp>([&](auto copy) { return rewriteBulkLoad(copy, emit); })
      .Case<NVVM::CpAsyncBulkSharedCTAToGlobalOp>([&](auto copy) { return rewriteBulkStore(copy, emit); })
      .Case<NVVM::CpAsyncBulkCommitGroupOp>([&](auto) { return emit.replaceByCall("mmtune_simt_bulk_commit", {}); })
      .Case<NVVM::CpAsyncBulkWaitGroupOp>([&](auto wait) {
        bool read = wait.getRead().value_or(false);
        return emit.replaceByCall("mmtune_simt_bulk_wait", {emit.i32(wait.getGroup()), emit.i32(read), emit.site()});
      })
      .Case<NVVM::PrefetchOp, NVVM::CpAsyncBulkPrefetchOp, NVVM::CpAsyncBulkTensorPrefetchOp>(
          [&](auto) { return emit.erase(); })
      .Case<LLVM::CallIntrinsicOp>([&](auto call) { return rewriteIntrinsic(call, emit); })
      .Default([](Operation*) { return std::nullopt; });
}

}  // namespace mmtune
