// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/codegen/device_image.h"

#include "kernels/codegen/llvm_codegen.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Code with checks runs once and spends its time in the runtime: what counts is to have it soon.
absl::StatusOr<DeviceImage> generateSimtObject(mlir::gpu::GPUModuleOp kernels, const CompileTarget& target) {
  PhaseTimer timer;
  DeviceImage image;
  image.format = ImageFormat::kSimtObject;
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine(target.host_cpu));
  if (target.checks) machine->setOptLevel(llvm::CodeGenOptLevel::Less);
  ASSIGN_OR_RETURN(image.bytes, generateCode(kernels, *machine, /*level=*/target.checks ? 1 : 3, CodeKind::kObject));
  image.phases.llvm_ms = timer.lap();
  return image;
}

}  // namespace

absl::StatusOr<DeviceImage> generateDeviceImage(mlir::gpu::GPUModuleOp kernels, const CompileTarget& target) {
  if (target.device.kind == DeviceKind::kSimt) return generateSimtObject(kernels, target);
  PhaseTimer timer;
  DeviceImage image;
  image.format = ImageFormat::kPtx;
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createNvptxMachine(target.device.arch));
  ASSIGN_OR_RETURN(image.bytes, generateCode(kernels, *machine, /*level=*/3, CodeKind::kAssembly));
  image.phases.llvm_ms = timer.lap();
  if (!target.assemble) return image;
  RETURN_IF_ERROR(checkPtxas());
  if (findPtxas().empty()) return image;
  ASSIGN_OR_RETURN(AssembledCode assembled, assemblePtx(image.bytes, target.device.arch));
  image.format = ImageFormat::kCubin;
  image.bytes = std::move(assembled.cubin);
  image.kernels = std::move(assembled.kernels);
  image.phases.assemble_ms = timer.lap();
  return image;
}

absl::StatusOr<DeviceInfo> parseTargetDevice(const std::string& kind, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  ASSIGN_OR_RETURN(device.kind, ParseDeviceKind(kind));
  return device;
}

}  // namespace mmtune
