// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/rewriting.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr int64_t kEveryCopy = 0xFFFFFFFF;

constexpr std::pair<NVVM::TMAReduxKind, simt::CopyReduction> kReductions[] = {
    {NVVM::TMAReduxKind::ADD, simt::CopyReduction::kAdd}, {NVVM::TMAReduxKind::MIN, simt::CopyReduction::kMin},
    {NVVM::TMAReduxKind::MAX, simt::CopyReduction::kMax}, {NVVM::TMAReduxKind::INC, simt::CopyReduction::kInc},
    {NVVM::TMAReduxKind::DEC, simt::CopyReduction::kDec}, {NVVM::TMAReduxKind::AND, simt::CopyReduction::kAnd},
    {NVVM::TMAReduxKind::OR, simt::CopyReduction::kOr},   {NVVM::TMAReduxKind::XOR, simt::CopyReduction::kXor},
};

/// Stores the coordinates where the runtime reads them.
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

LogicalResult rewriteTensorLoad(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy, SimtEmitter& emit) {
  StringRef name = copy->getName().getStringRef();
  if (copy.getMode() != NVVM::TMALoadMode::TILE || !copy.getIm2colOffsets().empty())
    return emit.unsupported(Twine(name) + " in a mode other than tile");
  if (copy.getMulticastMask())
    return emit.unsupported(Twine(name) + " to several blocks of a cluster, which is not modelled,");
  if (copy.getGroup()) return emit.unsupported(Twine(name) + " with a group of blocks, which is not modelled,");
  emit.guard(copy.getPredicate());
  Value words = coordinateWords(emit, copy.getCoordinates());
  return emit.replaceByCall("mmtune_simt_tensor_load",
                            {copy.getDstMem(), copy.getTmaDescriptor(), emit.i32(copy.getCoordinates().size()), words,
                             copy.getMbar(), emit.site()});
}

/// A store, or a reduction into global memory.
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
  if (copy.getMulticastMask())
    return emit.unsupported(Twine(copy->getName().getStringRef()) +
                            " to several blocks of a cluster, which is not modelled,");
  return emit.replaceByCall("mmtune_simt_bulk_load",
                            {copy.getDstMem(), copy.getSrcMem(), copy.getSize(), copy.getMbar(), emit.site()});
}

LogicalResult rewriteBulkStore(NVVM::CpAsyncBulkSharedCTAToGlobalOp copy, SimtEmitter& emit) {
  if (copy.getByteMask()) return emit.unsupported(Twine(copy->getName().getStringRef()) + " with a byte mask");
  return emit.replaceByCall("mmtune_simt_bulk_store",
                            {copy.getDstMem(), copy.getSrcMem(), copy.getSize(), emit.site()});
}

/// cp.async.wait_all has no operation of its own.
Rewritten rewriteIntrinsic(LLVM::CallIntrinsicOp call, SimtEmitter& emit) {
  if (call.getIntrin() != "llvm.nvvm.cp.async.wait.all") return std::nullopt;
  return emit.replaceByCall("mmtune_simt_cp_async_wait", {emit.i32(kEveryCopy), emit.site()});
}

}  // namespace

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
