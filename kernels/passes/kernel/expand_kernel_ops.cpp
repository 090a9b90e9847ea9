// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convert-gpu-to-nvvm has no lowering for, as what it has.
#include "kernels/passes/kernel/composed_math.h"
#include "kernels/passes/kernel/passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
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
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDKERNELOPSPASS
#include "kernels/passes/kernel/Passes.h.inc"

namespace {

/// What convert-gpu-to-nvvm leaves as it is, in some types.
bool isForgotten(Operation* op) {
  return isa<math::AbsIOp, math::TruncOp, math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}

/// Replaces the math operations that convert-gpu-to-nvvm leaves as they are by intrinsics of LLVM.
LogicalResult lowerForgottenMath(gpu::GPUFuncOp function) {
  if (!function.walk([](Operation* op) { return WalkResult(failure(isForgotten(op))); }).wasInterrupted())
    return success();
  LLVMTypeConverter converter(function.getContext());
  RewritePatternSet patterns(function.getContext());
  populateMathToLLVMConversionPatterns(converter, patterns);
  ConversionTarget target(*function.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation* op) { return !isForgotten(op); });
  return applyPartialConversion(function, target, std::move(patterns));
}

/// Whose lowering calls functions of the host.
LogicalResult refusePrinting(gpu::GPUFuncOp function) {
  LogicalResult result = success();
  function.walk([&](vector::PrintOp op) {
    result = op.emitError("'vector.print' in a kernel has no lowering here: it prints on the host; store the value");
  });
  return result;
}

struct ExpandKernelOps : impl::ExpandKernelOpsPassBase<ExpandKernelOps> {
  void runOnOperation() override {
    if (hasNvgpuOps() && failed(convertNvgpuOps())) return signalPassFailure();
    OpPassManager passes(gpu::GPUFuncOp::getOperationName());
    passes.addPass(createExpandShapesPass());
    passes.addPass(memref::createExpandStridedMetadataPass());
    passes.addPass(createLowerAffinePass());
    for (auto function : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(refusePrinting(function)) || failed(runPipeline(passes, function)) ||
          failed(expandComposedMath(function)) || failed(lowerForgottenMath(function)))
        return signalPassFailure();
  }

 private:
  bool hasNvgpuOps() {
    auto isOther = [](Operation* op) { return WalkResult(success(op->getName().getDialectNamespace() != "nvgpu")); };
    return getOperation().walk(isOther).wasInterrupted();
  }

  LogicalResult convertNvgpuOps() {
    OpPassManager passes(gpu::GPUModuleOp::getOperationName());
    passes.addPass(createExpandShapesPass());
    passes.addPass(memref::createExpandStridedMetadataPass());
    passes.addPass(createConvertNVGPUToNVVMPass());
    return runPipeline(passes, getOperation());
  }
};

}  // namespace
}  // namespace mmtune
