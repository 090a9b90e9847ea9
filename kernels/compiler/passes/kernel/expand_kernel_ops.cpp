// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands operations that convert-gpu-to-nvvm and expand-strided-metadata cannot lower.
#include "kernels/compiler/passes/kernel/passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
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
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_EXPANDKERNELOPSPASS
#define GEN_PASS_DEF_EXPANDSHAPESPASS
#include "kernels/compiler/passes/kernel/Passes.h.inc"

namespace {

/// True for operations that convert-gpu-to-nvvm leaves unlowered for some types.
bool isUnloweredMath(Operation* op) {
  return isa<math::AbsIOp, math::TruncOp, math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}

/// Replaces the math operations that convert-gpu-to-nvvm leaves unlowered by LLVM intrinsics.
LogicalResult lowerRemainingMath(gpu::GPUFuncOp function) {
  if (!function.walk([](Operation* op) { return WalkResult(failure(isUnloweredMath(op))); }).wasInterrupted())
    return success();
  LLVMTypeConverter converter(function.getContext());
  RewritePatternSet patterns(function.getContext());
  populateMathToLLVMConversionPatterns(converter, patterns);
  ConversionTarget target(*function.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation* op) { return !isUnloweredMath(op); });
  return applyPartialConversion(function, target, std::move(patterns));
}

/// Lowers vector transfers, transposes and masks, which convert-gpu-to-nvvm does not support.
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

/// Refuses vector.print, whose lowering calls host functions.
LogicalResult refusePrinting(gpu::GPUFuncOp function) {
  LogicalResult result = success();
  function.walk([&](vector::PrintOp op) {
    result = op.emitError("'vector.print' in a kernel has no lowering here: it prints on the host; store the value");
  });
  return result;
}

/// Lowers nvgpu.mma.sync of bf16, which convert-nvgpu-to-nvvm does not support: the instruction takes two elements as
/// one word.
class Bf16Mma {
 public:
  explicit Bf16Mma(nvgpu::MmaSyncOp op) : op(op), builder(op.getLoc(), op) {}

  LogicalResult lower() {
    auto accumulators = cast<VectorType>(op.getMatrixC().getType());
    if (!accumulators.getElementType().isF32())
      return op.emitError("nvgpu.mma.sync of bf16 must accumulate in f32, not in ") << accumulators.getElementType();
    SmallVector<Value> c;
    forEachElement(accumulators,
                   [&](ArrayRef<int64_t> at) { c.push_back(vector::ExtractOp::create(builder, op.getMatrixC(), at)); });
    SmallVector<Type> types(c.size(), builder.getF32Type());
    Value all = NVVM::MmaOp::create(
        builder, LLVM::LLVMStructType::getLiteral(op.getContext(), types), wordsOf(op.getMatrixA()),
        wordsOf(op.getMatrixB()), c, op.getMmaShapeAsArray(), /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
        std::array{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    Value result = op.getMatrixC();
    int64_t next = 0;
    forEachElement(accumulators, [&](ArrayRef<int64_t> at) {
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
          failed(runPipeline(passes, function)) || failed(expandUnsupportedMath(function)) ||
          failed(lowerRemainingMath(function)))
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

/// True if a dimension of the source is split into several dynamic sizes.
bool hasSeveralDynamicSizes(memref::ExpandShapeOp op) {
  return llvm::any_of(op.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
    return llvm::count_if(group, [&](int64_t i) { return op.getResultType().isDynamicDim(i); }) > 1;
  });
}

class ShapeExpander {
 public:
  explicit ShapeExpander(memref::ExpandShapeOp op) : op(op), builder(op.getLoc(), op) {}

  void run() {
    auto source = memref::ExtractStridedMetadataOp::create(builder, op.getSrc());
    MemRefType type = op.getResultType();
    SmallVector<int64_t> knownStrides;
    int64_t knownOffset = 0;
    (void)type.getStridesAndOffset(knownStrides, knownOffset);  // A view has them.
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape(), strides(type.getRank());
    for (auto [group, stride] : llvm::zip_equal(op.getReassociationIndices(), source.getStrides())) {
      Value step = stride;
      for (int64_t i : llvm::reverse(group)) {
        strides[i] = asInType(step, knownStrides[i]);
        step =
            builder.createOrFold<arith::MulIOp>(step, getValueOrCreateConstantIndexOp(builder, op.getLoc(), sizes[i]));
      }
    }
    for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
      size = asInType(getValueOrCreateConstantIndexOp(builder, op.getLoc(), size), known);
    OpFoldResult offset = asInType(source.getOffset(), knownOffset);
    auto view = memref::ReinterpretCastOp::create(builder, type, source.getBaseBuffer(), offset, sizes, strides);
    op.replaceAllUsesWith(view.getResult());
    op.erase();
  }

 private:
  /// Returns the number, as a constant where the result type has it.
  OpFoldResult asInType(Value number, int64_t known) {
    return ShapedType::isDynamic(known) ? OpFoldResult(number) : builder.getIndexAttr(known);
  }

  memref::ExpandShapeOp op;
  ImplicitLocOpBuilder builder;
};

struct ExpandShapes : impl::ExpandShapesPassBase<ExpandShapes> {
  void runOnOperation() override {
    getOperation()->walk([](memref::ExpandShapeOp op) {
      if (hasSeveralDynamicSizes(op)) ShapeExpander(op).run();
    });
  }
};

}  // namespace
}  // namespace mmtune
