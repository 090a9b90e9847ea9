// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of blocks: their registers, their barrier, and the shared memory of other blocks.
//
// A pointer into shared memory is a host pointer here, also one of shared::cluster: the blocks of a cluster run in one
// process. A shared::cluster address as an integer has the rank of the block above its offset, which the runtime adds
// and removes.
#include "kernels/compiler/passes/simt/passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

using simt::ClusterRegister;

/// Returns the register that an operation reads; nothing for other operations.
std::optional<uint32_t> registerOf(Operation* op) {
  using Register = std::optional<uint32_t>;
  auto part = [](ClusterRegister first, uint32_t index) { return static_cast<uint32_t>(first) + index; };
  return llvm::TypeSwitch<Operation*, Register>(op)
      .Case<NVVM::ClusterIdXOp>([&](auto) { return part(ClusterRegister::kClusterId, 0); })
      .Case<NVVM::ClusterIdYOp>([&](auto) { return part(ClusterRegister::kClusterId, 1); })
      .Case<NVVM::ClusterIdZOp>([&](auto) { return part(ClusterRegister::kClusterId, 2); })
      .Case<NVVM::ClusterDimXOp>([&](auto) { return part(ClusterRegister::kClusters, 0); })
      .Case<NVVM::ClusterDimYOp>([&](auto) { return part(ClusterRegister::kClusters, 1); })
      .Case<NVVM::ClusterDimZOp>([&](auto) { return part(ClusterRegister::kClusters, 2); })
      .Case<NVVM::BlockInClusterIdXOp>([&](auto) { return part(ClusterRegister::kBlockId, 0); })
      .Case<NVVM::BlockInClusterIdYOp>([&](auto) { return part(ClusterRegister::kBlockId, 1); })
      .Case<NVVM::BlockInClusterIdZOp>([&](auto) { return part(ClusterRegister::kBlockId, 2); })
      .Case<NVVM::ClusterDimBlocksXOp>([&](auto) { return part(ClusterRegister::kBlocks, 0); })
      .Case<NVVM::ClusterDimBlocksYOp>([&](auto) { return part(ClusterRegister::kBlocks, 1); })
      .Case<NVVM::ClusterDimBlocksZOp>([&](auto) { return part(ClusterRegister::kBlocks, 2); })
      .Case<NVVM::ClusterId>([&](auto) { return part(ClusterRegister::kBlockRank, 0); })
      .Case<NVVM::ClusterDim>([&](auto) { return part(ClusterRegister::kBlockCount, 0); })
      .Default([](Operation*) { return std::nullopt; });
}

LogicalResult rewriteRegisterOfCluster(SimtEmitter& emit, uint32_t which) {
  if (!emit.op->getResult(0).getType().isInteger(32))
    return emit.unsupported(Twine(emit.op->getName().getStringRef()) + " of a type other than i32");
  return emit.replace(emit.call("mmtune_simt_cluster_register", {emit.i32(which)}, emit.builder.getI32Type()));
}

LogicalResult rewriteMapa(NVVM::MapaOp mapa, SimtEmitter& emit) {
  auto pointer = LLVM::LLVMPointerType::get(emit.builder.getContext());
  Value there = emit.call("mmtune_simt_mapa", {mapa.getA(), mapa.getB(), emit.site()}, pointer);
  return emit.replace(LLVM::AddrSpaceCastOp::create(emit.builder, mapa.getRes().getType(), there));
}

}  // namespace

Rewritten rewriteCluster(SimtEmitter& emit) {
  if (std::optional<uint32_t> which = registerOf(emit.op)) return rewriteRegisterOfCluster(emit, *which);
  return llvm::TypeSwitch<Operation*, Rewritten>(emit.op)
      .Case<NVVM::ClusterArriveOp>(
          [&](auto) { return emit.replaceByCall("mmtune_simt_cluster_arrive", {emit.i32(0), emit.site()}); })
      .Case<NVVM::ClusterArriveRelaxedOp>(
          [&](auto) { return emit.replaceByCall("mmtune_simt_cluster_arrive", {emit.i32(1), emit.site()}); })
      .Case<NVVM::ClusterWaitOp>([&](auto) { return emit.replaceByCall("mmtune_simt_cluster_wait", {emit.site()}); })
      .Case<NVVM::MapaOp>([&](auto mapa) { return rewriteMapa(mapa, emit); })
      .Case<NVVM::CpAsyncBulkSharedCTAToSharedClusterOp>([&](auto copy) {
        return emit.replaceByCall("mmtune_simt_bulk_send",
                                  {copy.getDstMem(), copy.getSrcMem(), copy.getSize(), copy.getMbar(), emit.site()});
      })
      .Default([](Operation*) { return std::nullopt; });
}

Value clusterAddress(SimtEmitter& emit, Value pointer) {
  return emit.call("mmtune_simt_cluster_address", {pointer}, emit.builder.getI32Type());
}

Value clusterPointer(SimtEmitter& emit, Value address) {
  auto pointer = LLVM::LLVMPointerType::get(emit.builder.getContext());
  return emit.call("mmtune_simt_cluster_pointer", {emit.zeroExtended(address)}, pointer);
}

}  // namespace mmtune
