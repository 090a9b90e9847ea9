// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pipelines/device_pipeline.h"

#include "kernels/passes/passes.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"

using namespace mlir;

namespace mmtune {
void buildDevicePipeline(OpPassManager& passes, const DevicePipelineOptions& options) {
  passes.addPass(createLowerReductionsPass());
  if (options.checks) passes.addPass(createNumberProgramPointsPass());
  ExpandKernelOpsPassOptions expand;
  expand.ptxMath = !options.simt;
  passes.addPass(createExpandKernelOpsPass(expand));
  passes.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.allowPatternRollback = false;
  passes.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  passes.addPass(createCheckKernelsLoweredPass());
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

}  // namespace mmtune
