#include "kernels/pipelines/device_pipeline.h"

#include "kernels/passes/passes.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mmtune {
namespace {

/// Numbers the operations that threads may wait at. Two branches that end alike would become one
/// block otherwise (greedy rewriting merges them), and two barriers one program point.
struct NumberProgramPoints : PassWrapper<NumberProgramPoints, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NumberProgramPoints)

  StringRef getArgument() const override { return "number-program-points"; }
  void runOnOperation() override {
    Builder builder(&getContext());
    int64_t number = 0;
    getOperation().walk([&](Operation *op) {
      if (!isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect>(op->getDialect()))
        return;
      if (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
          !isMemoryEffectFree(op))
        op->setAttr("program_point", builder.getI64IntegerAttr(number++));
    });
  }
};

} // namespace

void buildDevicePipeline(OpPassManager &passes, const DevicePipelineOptions &options) {
  if (options.checks)
    passes.addPass(std::make_unique<NumberProgramPoints>());
  ExpandKernelOpsPassOptions expand;
  expand.ptxMath = !options.simt;
  passes.addPass(createExpandKernelOpsPass(expand));
  passes.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.allowPatternRollback = false;
  passes.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  passes.addPass(createRepairDynamicSharedLinkagePass());
  // Typed NVVM operations are what the SIMT device understands; after convert-nvvm-to-llvm some of
  // them would be text.
  if (options.simt) {
    passes.addPass(createReconcileUnrealizedCastsPass());
    ConvertNvvmToSimtPassOptions simt;
    simt.checks = options.checks;
    passes.addPass(createConvertNvvmToSimtPass(simt));
  } else {
    passes.addPass(createReplaceLibdeviceCallsPass());
    passes.addPass(createConvertNVVMToLLVMPass());
    passes.addPass(createReconcileUnrealizedCastsPass());
  }
}

} // namespace mmtune
