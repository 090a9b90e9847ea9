// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convert-gpu-to-nvvm has no lowering for, as what it has.
#include <numbers>

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
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDKERNELOPSPASS
#include "kernels/passes/kernel/Passes.h.inc"

namespace {

bool isMath(Operation* op) { return isa<math::MathDialect>(op->getDialect()); }

/// log10(x) = log2(x) * log10(2); MLIR approximates only the latter.
struct ExpandLog10 : OpRewritePattern<math::Log10Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Log10Op op, PatternRewriter& rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32()) return failure();
    TypedAttr factor = rewriter.getF32FloatAttr(1.0 / (std::numbers::ln10 / std::numbers::ln2));
    if (auto shaped = dyn_cast<ShapedType>(type)) factor = SplatElementsAttr::get(shaped, cast<Attribute>(factor));
    Value log2 = math::Log2Op::create(rewriter, op.getLoc(), op.getOperand(), op.getFastmath());
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), factor);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, log2, constant, op.getFastmath());
    return success();
  }
};

/// What convert-gpu-to-nvvm calls a function of libdevice for that replaceLibdeviceCall() knows an
/// instruction of PTX for, in every type.
bool hasPtxInstruction(Operation* op) {
  return isa<math::AbsFOp, math::CeilOp, math::FloorOp, math::FmaOp, math::SqrtOp, math::RsqrtOp, math::RoundOp,
             math::RoundEvenOp, math::CopySignOp, math::IsNaNOp, math::IsFiniteOp>(op);
}

/// What convert-gpu-to-nvvm leaves as it is, in some types.
bool isForgotten(Operation* op) {
  return isa<math::AbsIOp, math::TruncOp, math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}

LogicalResult approximate(gpu::GPUFuncOp function, ArrayRef<Operation*> ops) {
  RewritePatternSet patterns(function.getContext());
  // The types and expansions first, so that approximations see f32 only.
  auto hasNoIntrinsic = [](StringRef name) {
    return !llvm::is_contained({math::AbsFOp::getOperationName(), math::CeilOp::getOperationName(),
                                math::FloorOp::getOperationName(), math::CopySignOp::getOperationName()},
                               name);
  };
  populateMathF32ExpansionPatterns(patterns, hasNoIntrinsic, /*benefit=*/3);
  math::populateExpansionPatterns(patterns,
                                  {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "powf", "fpowi", "exp2"});
  populateMathPolynomialApproximationPatterns(patterns,
                                              [](StringRef name) { return name != math::RsqrtOp::getOperationName(); });
  patterns.add<ExpandLog10>(function.getContext());

  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
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

/// Replaces the math operations that PTX has no instructions for by approximations in f32, also for
/// f16 and bf16. Fails with a diagnostic at every operation that has none, as the transcendental
/// functions of f64.
LogicalResult expandMathForPtx(gpu::GPUFuncOp function) {
  SmallVector<Operation*> ops;
  function.walk([&](Operation* op) {
    if (isMath(op)) ops.push_back(op);
  });
  if (ops.empty()) return success();
  if (failed(approximate(function, ops))) return failure();
  LogicalResult result = success();
  function.walk([&](Operation* op) {
    if (isMath(op) && !hasPtxInstruction(op))
      result = op->emitOpError("has neither an instruction nor an approximation for ")
               << op->getOperand(0).getType() << " in PTX: use f32, or compute it on the host";
  });
  return result;
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
  using ExpandKernelOpsPassBase::ExpandKernelOpsPassBase;

  void runOnOperation() override {
    if (hasNvgpuOps() && failed(convertNvgpuOps())) return signalPassFailure();
    OpPassManager passes(gpu::GPUFuncOp::getOperationName());
    passes.addPass(createExpandShapesPass());
    passes.addPass(memref::createExpandStridedMetadataPass());
    passes.addPass(createLowerAffinePass());
    for (auto function : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(refusePrinting(function)) || failed(runPipeline(passes, function)) ||
          failed(expandComposedMath(function)) || failed(lowerForgottenMath(function)) ||
          (ptxMath && failed(expandMathForPtx(function))))
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
