// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/passes/buffers/registered_spans.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace mmtune {

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
  buffer.escapes = true;  // To the driver: it is host memory that is registered.
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

}  // namespace mmtune
