#include "kernels/codegen/device_image.h"

#include "kernels/codegen/llvm_codegen.h"
#include "kernels/codegen/phase_timer.h"
#include "kernels/pipelines/device_pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

absl::Status lower(CompilerContext &context, mlir::gpu::GPUModuleOp kernels, bool simt) {
  mlir::PassManager passes(&context.mlir(), mlir::gpu::GPUModuleOp::getOperationName());
  passes.enableVerifier(false); // Translation and LLVM's verifier check what comes out.
  DevicePipelineOptions options;
  options.simt = simt;
  buildDevicePipeline(passes, options);
  if (mlir::failed(passes.run(kernels)))
    return context.failure("lowering the kernel");
  return absl::OkStatus();
}

absl::StatusOr<std::string> generate(CompilerContext &context, mlir::gpu::GPUModuleOp kernels,
                                     llvm::TargetMachine &machine, CodeKind kind) {
  absl::StatusOr<std::string> code = generateCode(kernels, machine, /*level=*/3, kind);
  return code.ok() ? code : context.failure(ToStd(code.status().message()));
}

} // namespace

absl::StatusOr<DeviceImage> buildDeviceImage(CompilerContext &context,
                                             mlir::gpu::GPUModuleOp kernels,
                                             const CompileTarget &target) {
  bool simt = target.device.kind == DeviceKind::kSimt;
  DeviceImage image;
  PhaseTimer timer;
  RETURN_IF_ERROR(lower(context, kernels, simt));
  image.phases.mlir_ms = timer.lap();

  if (simt) {
    ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine());
    image.format = ImageFormat::kSimtObject;
    ASSIGN_OR_RETURN(image.bytes, generate(context, kernels, *machine, CodeKind::kObject));
    image.phases.llvm_ms = timer.lap();
    return image;
  }

  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine,
                   createNvptxMachine(target.device.arch));
  image.format = ImageFormat::kPtx;
  ASSIGN_OR_RETURN(image.bytes, generate(context, kernels, *machine, CodeKind::kAssembly));
  image.phases.llvm_ms = timer.lap();
  if (!target.assemble || findPtxas().empty())
    return image;
  ASSIGN_OR_RETURN(AssembledCode assembled, assemblePtx(image.bytes, target.device.arch));
  image.format = ImageFormat::kCubin;
  image.bytes = std::move(assembled.cubin);
  image.kernels = std::move(assembled.kernels);
  image.phases.assemble_ms = timer.lap();
  return image;
}

} // namespace mmtune
