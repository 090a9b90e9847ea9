// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/mbarrier.h"

#include "kernels/builder/cluster.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mmtune {

void initMbarrier(KernelBuilder& builder, Value barrier, int64_t count) {
  builder.create<NVVM::MBarrierInitOp>(barrier, builder.constant(count), Value());
}

void fenceMbarrierInit(KernelBuilder& builder) { builder.create<NVVM::FenceMbarrierInitOp>(); }

void arriveMbarrier(KernelBuilder& builder, Value barrier) {
  builder.create<NVVM::MBarrierArriveOp>(builder.i64(), barrier, Value());
}

void arriveExpectingBytes(KernelBuilder& builder, Value barrier, Value bytes) {
  builder.create<NVVM::MBarrierArriveExpectTxOp>(Type(), barrier, bytes, NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                                 /*predicate=*/Value());
}

void arriveMbarrierOf(KernelBuilder& builder, Value barrier, Value rank) {
  // A release of the cluster's scope would be a fence of the whole device in every k step, and LLVM cannot select a
  // relaxed arrival.
  builder.create<NVVM::MBarrierArriveOp>(Type(), sharedOfBlock(builder, barrier, rank), Value());
}

void waitMbarrier(KernelBuilder& builder, Value barrier, Value parity) {
  // A time limit (nvvm.mbarrier.try_wait.parity has one) would make the thread sleep, for up to 10 ms, when the phase
  // is not yet complete. An acquire of the cluster's scope would invalidate the L1 cache.
  auto test = [&](OpBuilder& inner, Location loc, ValueRange) {
    Value complete = NVVM::MBarrierTryWaitOp::create(inner, loc, inner.getI1Type(), barrier, parity, Value());
    Value isTrue = arith::ConstantOp::create(inner, loc, inner.getBoolAttr(true));
    Value pending = arith::XOrIOp::create(inner, loc, complete, isTrue);
    scf::ConditionOp::create(inner, loc, pending, ValueRange());
  };
  auto again = [](OpBuilder& inner, Location loc, ValueRange) { scf::YieldOp::create(inner, loc); };
  builder.create<scf::WhileOp>(TypeRange(), ValueRange(), test, again);
}

}  // namespace mmtune
