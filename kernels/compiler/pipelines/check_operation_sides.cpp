// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/passes/shared/shared_buffers.h"
#include "kernels/compiler/pipelines/passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_CHECKOPERATIONSIDESPASS
#include "kernels/compiler/pipelines/Passes.h.inc"

namespace {

/// What host code has of the gpu dialect: transfers, launches, and what holds kernels.
bool isHostOperation(Operation* op) {
  return isa<gpu::AsyncOpInterface, gpu::LaunchOp, gpu::LaunchFuncOp, gpu::HostRegisterOp, gpu::HostUnregisterOp,
             gpu::SetDefaultDeviceOp, gpu::GPUModuleOp, gpu::BinaryOp>(op);
}

LogicalResult refuseMemory(Operation* op, Type type) {
  if (isInSharedMemory(type)) return success();
  return op->emitError("memory of type ")
         << type
         << " would come from a heap in every thread of the kernel, and device code has none here: use memref.alloca, "
            "memory space 3 (shared by a block), or a buffer of the host; a tensor that is computed in a kernel is "
            "such memory, too";
}

/// Nothing is linked with device code that could define it; shared memory has no contents to define.
LogicalResult refuseDeclaration(memref::GlobalOp global) {
  if (!global.isExternal() || isInSharedMemory(global.getType())) return success();
  return global.emitError("@")
         << global.getSymName()
         << " has no value and is a declaration, and nothing else defines globals of device code: "
            "give it a value, or = uninitialized";
}

LogicalResult checkInKernel(Operation* op) {
  if (auto global = dyn_cast<memref::GlobalOp>(op)) return refuseDeclaration(global);
  if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
    return op->emitError(
        "a launch in a kernel: only host code launches kernels; move it out, and launch one after the other");
  if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) && isHostOperation(op))
    return op->emitError() << "'" << op->getName()
                           << "' is for host code and stands in a kernel: move it out of the kernel";
  if (isa<memref::AllocOp, memref::ReallocOp>(op)) return refuseMemory(op, op->getResult(0).getType());
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) return refuseMemory(op, dealloc.getMemref().getType());
  return success();
}

/// What mgpuMemset16 and mgpuMemset32 write.
LogicalResult checkMemset(gpu::MemsetOp memset) {
  Type type = memset.getValue().getType();
  if (type.isIntOrFloat() && llvm::is_contained({16u, 32u}, type.getIntOrFloatBitWidth())) return success();
  return memset.emitError("gpu.memset writes values of 16 or 32 bits, and this is ")
         << type << ": fill the buffer by a kernel, or by linalg.fill";
}

LogicalResult checkInHostCode(Operation* op) {
  if (auto memset = dyn_cast<gpu::MemsetOp>(op)) return checkMemset(memset);
  bool forKernels = isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()) ||
                    (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) && !isHostOperation(op));
  if (!forKernels) return success();
  return op->emitError() << "'" << op->getName()
                         << "' is for kernels and stands in host code: move it into a gpu.launch";
}

struct CheckOperationSides : impl::CheckOperationSidesPassBase<CheckOperationSides> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk<WalkOrder::PreOrder>([](Operation* op) -> WalkResult {
      if (failed(checkInHostCode(op))) return WalkResult::interrupt();
      if (!isa<gpu::LaunchOp, gpu::GPUModuleOp>(op)) return WalkResult::advance();
      for (Region& body : op->getRegions())
        if (body.walk([](Operation* inner) -> WalkResult { return checkInKernel(inner); }).wasInterrupted())
          return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (result.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace mmtune
