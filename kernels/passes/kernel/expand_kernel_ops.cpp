// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convert-gpu-to-nvvm has no lowering for, as what it has.
#include "kernels/passes/kernel/kernel_math.h"
#include "kernels/passes/kernel/passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDKERNELOPSPASS
#include "kernels/passes/kernel/Passes.h.inc"

namespace {

struct ExpandKernelOps : impl::ExpandKernelOpsPassBase<ExpandKernelOps> {
  using ExpandKernelOpsPassBase::ExpandKernelOpsPassBase;

  void runOnOperation() override {
    if (hasNvgpuOps() && failed(convertNvgpuOps())) return signalPassFailure();
    OpPassManager passes(gpu::GPUFuncOp::getOperationName());
    passes.addPass(memref::createExpandStridedMetadataPass());
    passes.addPass(createLowerAffinePass());
    for (auto function : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(runPipeline(passes, function)) || failed(lowerForgottenMath(function)) ||
          (ptxMath && failed(expandMathForPtx(function))))
        return signalPassFailure();
  }

 private:
  bool hasNvgpuOps() {
    return getOperation()
        .walk([](Operation* op) {
          bool isNvgpu = op->getName().getDialectNamespace() == "nvgpu";
          return isNvgpu ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  LogicalResult convertNvgpuOps() {
    OpPassManager passes(gpu::GPUModuleOp::getOperationName());
    passes.addPass(memref::createExpandStridedMetadataPass());
    passes.addPass(createConvertNVGPUToNVVMPass());
    return runPipeline(passes, getOperation());
  }
};

}  // namespace
}  // namespace mmtune
