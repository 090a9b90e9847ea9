// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convert-gpu-to-nvvm has no lowering for, as what it has.
#include "kernels/compiler/passes/kernel/composed_math.h"
#include "kernels/compiler/passes/kernel/float_atomics.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/passes/kernel/subgroup_ops.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDKERNELOPSPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

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

/// Lowers the transfers, transposes and masks of vectors, which convert-gpu-to-nvvm does not know.
LogicalResult lowerVectorOps(gpu::GPUFuncOp function) {
  auto isKnown = [](Operation* op) {
    bool isUnknown = isa<vector::TransferReadOp, vector::TransferWriteOp, vector::TransposeOp, vector::CreateMaskOp,
                         vector::ConstantMaskOp>(op);
    return WalkResult(success(!isUnknown));
  };
  if (!function.walk(isKnown).wasInterrupted()) return success();
  RewritePatternSet patterns(function.getContext());
  populateVectorToSCFConversionPatterns(patterns, VectorTransferToSCFOptions().enableFullUnroll());
  vector::populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
  vector::populateVectorTransposeLoweringPatterns(patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

/// Whose lowering calls functions of the host.
LogicalResult refusePrinting(gpu::GPUFuncOp function) {
  LogicalResult result = success();
  function.walk([&](vector::PrintOp op) {
    result = op.emitError("'vector.print' in a kernel has no lowering here: it prints on the host; store the value");
  });
  return result;
}

/// nvgpu.mma.sync of bf16, which convert-nvgpu-to-nvvm does not know: the instruction takes two elements as one word.
class Bf16Mma {
 public:
  explicit Bf16Mma(nvgpu::MmaSyncOp op) : op(op), builder(op.getLoc(), op) {}

  LogicalResult lower() {
    auto sums = cast<VectorType>(op.getMatrixC().getType());
    if (!sums.getElementType().isF32())
      return op.emitError("nvgpu.mma.sync of bf16 sums in f32, not in ") << sums.getElementType();
    SmallVector<Value> c;
    forEachElement(sums,
                   [&](ArrayRef<int64_t> at) { c.push_back(vector::ExtractOp::create(builder, op.getMatrixC(), at)); });
    SmallVector<Type> types(c.size(), builder.getF32Type());
    Value all = NVVM::MmaOp::create(
        builder, LLVM::LLVMStructType::getLiteral(op.getContext(), types), wordsOf(op.getMatrixA()),
        wordsOf(op.getMatrixB()), c, op.getMmaShapeAsArray(), /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
        std::array{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    Value result = op.getMatrixC();
    int64_t next = 0;
    forEachElement(sums, [&](ArrayRef<int64_t> at) {
      Value element = LLVM::ExtractValueOp::create(builder, all, ArrayRef<int64_t>{next++});
      result = vector::InsertOp::create(builder, element, result, at);
    });
    op.replaceAllUsesWith(result);
    op.erase();
    return success();
  }

 private:
  static void forEachElement(VectorType type, llvm::function_ref<void(ArrayRef<int64_t>)> body) {
    for (int64_t i = 0; i < type.getDimSize(0); ++i)
      for (int64_t j = 0; j < type.getDimSize(1); ++j) body({i, j});
  }

  SmallVector<Value> wordsOf(Value matrix) {
    SmallVector<Value> words;
    for (int64_t i = 0; i < cast<VectorType>(matrix.getType()).getDimSize(0); ++i) {
      Value pair = vector::ExtractOp::create(builder, matrix, ArrayRef<int64_t>{i});
      words.push_back(LLVM::BitcastOp::create(builder, builder.getI32Type(), pair));
    }
    return words;
  }

  nvgpu::MmaSyncOp op;
  ImplicitLocOpBuilder builder;
};

struct ExpandKernelOps : impl::ExpandKernelOpsPassBase<ExpandKernelOps> {
  void runOnOperation() override {
    if (failed(expandSubgroupOps(getOperation())) || failed(lowerBf16Mma()) ||
        (hasNvgpuOps() && failed(convertNvgpuOps())))
      return signalPassFailure();
    expandFloatAtomics(getOperation());
    OpPassManager passes(gpu::GPUFuncOp::getOperationName());
    passes.addPass(createExpandShapesPass());
    passes.addPass(memref::createExpandStridedMetadataPass());
    passes.addPass(createLowerAffinePass());
    for (auto function : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(refusePrinting(function)) || failed(lowerVectorOps(function)) ||
          failed(runPipeline(passes, function)) || failed(expandComposedMath(function)) ||
          failed(lowerForgottenMath(function)))
        return signalPassFailure();
  }

 private:
  LogicalResult lowerBf16Mma() {
    SmallVector<nvgpu::MmaSyncOp> ops;
    getOperation().walk([&](nvgpu::MmaSyncOp op) {
      if (cast<VectorType>(op.getMatrixA().getType()).getElementType().isBF16()) ops.push_back(op);
    });
    for (nvgpu::MmaSyncOp op : ops)
      if (failed(Bf16Mma(op).lower())) return failure();
    return success();
  }

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
