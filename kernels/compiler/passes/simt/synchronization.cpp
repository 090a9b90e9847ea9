// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/rewriting.h"
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

/// Blocks are threads of the host, so an order of memory accesses is the host's fence. Watch mode
/// is told of all fences.
LogicalResult rewriteFence(SimtEmitter& emit, simt::FenceKind kind) {
  if (kind == simt::FenceKind::kMemory) LLVM::FenceOp::create(emit.builder, LLVM::AtomicOrdering::seq_cst);
  if (emit.function.isWatched()) emit.call("mmtune_simt_fence", {emit.i32(static_cast<int64_t>(kind)), emit.site()});
  return emit.erase();
}

/// A thread ends by returning from its kernel, which only the kernel's own body can do.
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
      .Case<NVVM::MembarOp, NVVM::FenceScClusterOp>([&](auto) { return rewriteFence(emit, simt::FenceKind::kMemory); })
      .Case<NVVM::FenceProxyOp>([&](auto fence) {
        return isAsync(fence.getKind()) ? rewriteFence(emit, simt::FenceKind::kAsyncProxy) : emit.erase();
      })
      // A tensor map is read when a copy is issued.
      .Case<NVVM::FenceProxyAcquireOp, NVVM::FenceProxyReleaseOp>([&](auto) { return emit.erase(); })
      .Case<NVVM::FenceMbarrierInitOp>([&](auto) { return rewriteFence(emit, simt::FenceKind::kBarrierInit); })
      .Case<NVVM::NanosleepOp>([&](auto) { return emit.replaceByCall("mmtune_simt_yield", {emit.site()}); })
      .Case<NVVM::SetMaxRegisterOp>([&](auto) { return emit.erase(); })
      .Case<NVVM::Exit>([&](auto) { return rewriteExit(emit); })
      .Default([](Operation*) { return std::nullopt; });
}

Rewritten rejectUnmodelled(SimtEmitter& emit) {
  StringRef name = emit.op->getName().getStringRef();
  auto clusters = [&](auto) { return emit.unsupported(Twine(name) + ": a cluster of blocks, which is not modelled,"); };
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::ClusterIdXOp, NVVM::ClusterIdYOp, NVVM::ClusterIdZOp, NVVM::ClusterDimXOp, NVVM::ClusterDimYOp,
            NVVM::ClusterDimZOp, NVVM::BlockInClusterIdXOp, NVVM::BlockInClusterIdYOp, NVVM::BlockInClusterIdZOp,
            NVVM::ClusterDimBlocksXOp, NVVM::ClusterDimBlocksYOp, NVVM::ClusterDimBlocksZOp, NVVM::ClusterId,
            NVVM::ClusterDim>(clusters)
      .Case<NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp, NVVM::FenceSyncRestrictOp,
            NVVM::FenceProxySyncRestrictOp, NVVM::MapaOp, NVVM::CpAsyncBulkSharedCTAToSharedClusterOp>(clusters)
      .Case<NVVM::GriddepcontrolOp>(
          [&](auto) { return emit.unsupported(Twine(name) + ": an order between grids, which is not modelled,"); })
      .Default([](Operation*) { return std::nullopt; });
}

}  // namespace mmtune
