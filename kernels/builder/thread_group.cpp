// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/builder/thread_group.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {

Value ThreadGroup::thread(KernelBuilder& builder) const {
  Value thread = builder.threadX();
  return first ? builder.sub(thread, first) : thread;
}

void ThreadGroup::synchronize(KernelBuilder& builder) const {
  if (barrier)
    waitAtBarrier(builder, barrier, threads);
  else
    builder.barrier();
}

void waitAtBarrier(KernelBuilder& builder, Value barrier, int64_t threads) {
  builder.create<NVVM::BarrierOp>(TypeRange(), barrier, builder.constant(threads), NVVM::BarrierReductionAttr(),
                                  /*reductionPredicate=*/Value());
}

void arriveAtBarrier(KernelBuilder& builder, Value barrier, int64_t threads) {
  builder.create<NVVM::BarrierArriveOp>(barrier, builder.constant(threads));
}

Value warpgroupIndex(KernelBuilder& builder) {
  Value all = builder.constant(-1), index = builder.div(builder.threadX(), kWarpgroupThreads);
  Value firstLane = builder.constant(0), lastLane = builder.constant(kWarpThreads - 1);
  return builder.create<NVVM::ShflOp>(builder.i32(), all, index, firstLane, lastLane, NVVM::ShflKind::idx, UnitAttr());
}

Value isElectedLane(KernelBuilder& builder) {
  return builder.create<NVVM::ElectSyncOp>(builder.trueConstant().getType(), Value());
}

void setMaxRegisters(KernelBuilder& builder, int64_t registers, bool isIncrease) {
  auto action = isIncrease ? NVVM::SetMaxRegisterAction::increase : NVVM::SetMaxRegisterAction::decrease;
  builder.create<NVVM::SetMaxRegisterOp>(static_cast<uint32_t>(registers), action);
}

}  // namespace mmtune
