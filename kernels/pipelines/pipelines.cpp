// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pipelines/pipelines.h"

#include "kernels/passes/passes.h"
#include "kernels/pipelines/device_pipeline.h"
#include "kernels/pipelines/host_linkage.h"
#include "kernels/pipelines/host_lowered.h"
#include "kernels/pipelines/kernel_linalg.h"
#include "kernels/pipelines/launch_limits.h"
#include "kernels/pipelines/memory_spaces.h"
#include "kernels/pipelines/operation_sides.h"
#include "kernels/pipelines/value_types.h"
#include "kernels/scheduling/schedule_matmul.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace mmtune {

void buildPlacementPipeline(OpPassManager& passes, bool processArgs, StreamPolicy streams) {
  ConvertMemcpyToGpuPassOptions placement;
  placement.processArgs = processArgs;
  passes.addPass(createConvertMemcpyToGpuPass(placement));
  AssignGpuStreamsPassOptions overlap;
  overlap.distinctArguments = processArgs;  // As convert-memcpy-to-gpu takes them then.
  if (streams == StreamPolicy::kOne)
    passes.addNestedPass<func::FuncOp>(createLinearizeGpuTokensPass());
  else
    passes.addPass(createAssignGpuStreamsPass(overlap));
  passes.addPass(createLaunchWithPointersPass());
}

// From schedule-matmul on, nothing rewrites the kernels that it emitted: they must stay what was
// measured. They have no shared-memory allocations; what has gets a place for them.
void buildToGpuPipeline(OpPassManager& passes, const ToGpuOptions& options) {
  passes.addPass(createNormalizeMemorySpacesPass(options.processArgs));
  passes.addPass(createInlinerPass());
  passes.addPass(createBufferizeTensorsPass());
  passes.addPass(createScheduleMatmulPass(options.spec, options.device, options.allowFallback));
  passes.addPass(createMapLinalgToGpuPass());
  passes.addPass(createGpuKernelOutliningPass());
  passes.addPass(createCheckOperationSidesPass());
  passes.addPass(createCheckValueTypesPass());
  passes.addPass(createCheckLaunchLimitsPass(options.device));
  passes.addNestedPass<gpu::GPUModuleOp>(createLowerKernelLinalgPass());
  passes.addNestedPass<gpu::GPUModuleOp>(createLowerReductionsPass());
  SharedAllocToDynamicPassOptions shared;
  shared.maxBytes = options.device.shared_bytes_per_block;
  shared.apart = options.sharedApart;
  passes.addPass(createSharedAllocToDynamicPass(shared));
  buildPlacementPipeline(passes, options.processArgs, options.streams);
}

void buildGpuToBinaryPipeline(OpPassManager& passes, const GpuToBinaryOptions& options) {
  DevicePipelineOptions device;
  device.simt = options.target.device.kind == DeviceKind::kSimt;
  device.checks = options.target.checks;
  buildDevicePipeline(passes.nest<gpu::GPUModuleOp>(), device);
  passes.addPass(createGpuModulesToBinaryPass(options.target, options.images));
}

void buildHostToLlvmPipeline(OpPassManager& passes) {
  passes.addPass(createSetHostLinkagePass());
  passes.addPass(memref::createExpandReallocPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(arith::createArithExpandOpsPass());
  passes.addPass(createConvertVectorToSCFPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createGpuToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createCheckHostLoweredPass());
  passes.addPass(createEmitPackedEntriesPass());
}

}  // namespace mmtune
