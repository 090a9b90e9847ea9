// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/simt/rewriting.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {
namespace {

/// expect_tx of `bytes`, then `count` arrivals; null operands are 0 and 1.
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

}  // namespace

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

}  // namespace mmtune
