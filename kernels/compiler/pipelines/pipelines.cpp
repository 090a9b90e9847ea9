// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/pipelines.h"

#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/passes/shared/passes.h"
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/compiler/passes/streams/passes.h"
#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace mmtune {

void buildPlacementPipeline(OpPassManager& passes, bool processArgs, StreamPolicy streams) {
  passes.addPass(createConvertMemcpyToGpuPass({.processArgs = processArgs}));
  if (streams == StreamPolicy::kOne)
    passes.addNestedPass<func::FuncOp>(createLinearizeGpuTokensPass());
  else  // convert-memcpy-to-gpu makes the same assumption.
    passes.addPass(createAssignGpuStreamsPass({.distinctArguments = processArgs}));
  passes.addPass(createLaunchWithPointersPass());
  passes.addPass(createLoadDeviceConstantsPass());
}

void buildTensorPipeline(OpPassManager& passes, const ToGpuOptions& options) {
  passes.addPass(createConvertElementwiseToLinalgPass());
  if (options.fuse) passes.addPass(createFoldConstantsPass());
  passes.addPass(createNarrowF64Pass({.onlyTell = !options.narrowF64}));
  passes.addPass(createConvertConvToMatmulPass({.sumsAsWritten = options.sumsAsWritten}));
  passes.addPass(createFoldMatmulOperandsPass());
  if (options.fuse) {
    passes.addPass(createFuseElementwisePass());
    passes.addPass(createSplitEpiloguesPass());
  }
  passes.addPass(createSeparateOutputsPass());
}

// From schedule-matmul on, nothing rewrites the kernels that it emitted: they must stay as measured. They allocate no
// shared memory; other kernels are laid out here.
void buildToGpuPipeline(OpPassManager& passes, const ToGpuOptions& options) {
  passes.addPass(createNormalizeMemorySpacesPass({.processArgs = options.processArgs}));
  passes.addPass(createNormalizeSlicesPass());
  passes.addPass(createAssertSizesPass());
  passes.addPass(createInlinerPass());
  passes.addPass(createDecomposeTensorsPass());
  buildTensorPipeline(passes, options);
  passes.addPass(createBufferizeTensorsPass());
  if (!options.sumsAsWritten) passes.addPass(createWidenAccumulatorsPass());
  passes.addPass(
      createScheduleMatmulPass(options.spec, options.device, options.allowFallback, options.math, options.portable));
  if (options.fuse) passes.addPass(createFuseRowsPass());
  passes.addPass(createMapLinalgToGpuPass());
  passes.addPass(createMapTmTensorToGpuPass());
  passes.addPass(createGpuLaunchSinkIndexComputationsPass());  // Including constants, so that kernels see exponents.
  passes.addPass(createGpuKernelOutliningPass());
  passes.addPass(createNameKernelsPass());
  passes.addPass(createVerifyDevicePlacementPass());
  passes.addPass(createCheckValueTypesPass());
  passes.addPass(createCheckLaunchLimitsPass(options.device));
  passes.addNestedPass<gpu::GPUModuleOp>(createLowerKernelLinalgPass());
  passes.addNestedPass<gpu::GPUModuleOp>(createLowerReductionsPass());
  passes.addPass(createSharedAllocToDynamicPass(
      {.maxBytes = options.device.shared_bytes_per_block, .apart = options.sharedApart}));
  buildPlacementPipeline(passes, options.processArgs, options.streams);
}

void buildDevicePipeline(OpPassManager& device, const CompileTarget& target) {
  device.addPass(createLowerReductionsPass());
  // In profile mode each operation has its own site, and those of one name are counted together.
  if (target.race_detection && !target.profile) device.addPass(createNumberProgramPointsPass());
  device.addPass(createConvertComplexToStandardPass());
  device.addPass(createExpandKernelOpsPass());
  device.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.allowPatternRollback = false;
  device.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  device.addPass(createCheckKernelsLoweredPass());
  device.addPass(createRepairDynamicSharedLinkagePass());
  device.addPass(createReplaceLibdeviceCallsPass());
  // The SIMT device needs typed NVVM operations; convert-nvvm-to-llvm would turn some of them into text.
  if (target.IsSimtObject()) {
    device.addPass(createReconcileUnrealizedCastsPass());
    device.addPass(createConvertNvvmToSimtPass({.raceDetection = target.race_detection, .profile = target.profile}));
  } else {
    device.addPass(createCheckArchitecturePass({.arch = target.device.arch}));
    device.addPass(createOrderAtomicsPass());
    device.addPass(createConvertNVVMToLLVMPass());
    device.addPass(createReconcileUnrealizedCastsPass());
  }
}

void buildGpuToBinaryPipeline(OpPassManager& passes, const GpuToBinaryOptions& options) {
  buildDevicePipeline(passes.nest<gpu::GPUModuleOp>(), options.target);
  passes.addPass(createGpuModulesToBinaryPass(options.target, options.images));
}

void buildHostToLlvmPipeline(OpPassManager& passes, const HostToLlvmOptions& options) {
  passes.addPass(createSetHostLinkagePass());
  passes.addPass(createLowerHostAssertsPass());
  passes.addPass(createTransferViewsPass());
  passes.addPass(memref::createExpandReallocPass());
  passes.addPass(createExpandShapesPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createExpandUnsupportedOpsPass());
  passes.addPass(arith::createArithExpandOpsPass());
  passes.addPass(createConvertVectorToSCFPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertComplexToStandardPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createGpuToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createCheckHostLoweredPass());
  passes.addPass(createExportCInterfacesPass({.prefix = options.prefix, .packed = options.packed}));
}

}  // namespace mmtune
