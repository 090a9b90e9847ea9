#include "kernels/pipelines/host_pipeline.h"

#include "kernels/builder/host_function_builder.h"
#include "kernels/passes/passes.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace mmtune {

void buildPlacementPipeline(OpPassManager &passes) {
  passes.addPass(createConvertMemcpyToGpuPass());
  passes.addNestedPass<func::FuncOp>(createLinearizeGpuTokensPass());
}

void buildHostPipeline(OpPassManager &passes) {
  GpuToLLVMConversionPassOptions options;
  options.kernelBarePtrCallConv = true;
  passes.addPass(createGpuToLLVMConversionPass(options));
  passes.addPass(createReconcileUnrealizedCastsPass());
}

OwningOpRef<ModuleOp> extractKernels(ModuleOp container) {
  gpu::GPUModuleOp kernels = kernelModule(container);
  OpBuilder builder(kernels);
  auto declarations = gpu::GPUModuleOp::create(builder, kernels.getLoc(), kKernelModuleName);
  builder.setInsertionPointToEnd(declarations.getBody());
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    builder.insert(kernel->cloneWithoutRegions());
  OwningOpRef<ModuleOp> device = ModuleOp::create(container.getLoc());
  kernels->remove();
  device->push_back(kernels);
  return device;
}

void embedImage(ModuleOp container, ImageFormat format, std::string_view image) {
  gpu::GPUModuleOp kernels = kernelModule(container);
  OpBuilder builder(kernels);
  // The target only says which runtime embeds the object: the format decides how it is loaded.
  auto target = NVVM::NVVMTargetAttr::get(builder.getContext());
  auto compilation = format == ImageFormat::kPtx ? gpu::CompilationTarget::Assembly
                                                 : gpu::CompilationTarget::Binary;
  auto object = gpu::ObjectAttr::get(
      target, compilation, builder.getStringAttr(llvm::StringRef(image.data(), image.size())));
  gpu::BinaryOp::create(builder, kernels.getLoc(), kKernelModuleName,
                        gpu::SelectObjectAttr::get(builder.getContext(), Attribute()),
                        ArrayRef<Attribute>{object});
  kernels.erase();
}

} // namespace mmtune
