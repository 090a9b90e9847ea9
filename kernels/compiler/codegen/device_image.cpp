// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/codegen/device_image.h"

#include <utility>

#include "kernels/builder/kernel_names.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/compiler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "proto/base/status.h"

using namespace mlir;

namespace mmtune {

#define GEN_PASS_DEF_GPUMODULESTOBINARYPASS
#include "kernels/compiler/codegen/Passes.h.inc"

namespace {

/// Generates an object. Code for race detection runs once and spends its time in the runtime, so compile time matters
/// most.
absl::StatusOr<DeviceImage> generateSimtObject(gpu::GPUModuleOp kernels, const CompileTarget& target) {
  PhaseTimer timer;
  DeviceImage image;
  image.format = ImageFormat::kSimtObject;
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine(target.host_cpu));
  if (target.race_detection) machine->setOptLevel(llvm::CodeGenOptLevel::Less);
  ASSIGN_OR_RETURN(image.bytes,
                   generateCode(kernels, *machine, /*level=*/target.race_detection ? 1 : 3, CodeKind::kObject));
  image.phases.llvm_ms = timer.lap();
  return image;
}

/// Returns the comments that say in PTX what kernels call their barriers and warps (kernel_names.h).
std::string nameComments(gpu::GPUModuleOp kernels) {
  std::string comments;
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
    if (auto lines = kernel->getAttrOfType<ArrayAttr>(kNamesAttrName))
      for (auto line : lines.getAsRange<StringAttr>())
        comments += (kNameComment + kernel.getName() + ": " + line.getValue() + "\n").str();
  return comments;
}

/// Creates the gpu.binary. Its target attribute only selects the runtime that embeds the object; the format determines
/// how it is loaded.
gpu::BinaryOp embed(gpu::GPUModuleOp kernels, const DeviceImage& image) {
  OpBuilder builder(kernels);
  MLIRContext* context = builder.getContext();
  auto compilation =
      image.format == ImageFormat::kPtx ? gpu::CompilationTarget::Assembly : gpu::CompilationTarget::Binary;
  auto object =
      gpu::ObjectAttr::get(NVVM::NVVMTargetAttr::get(context), compilation, builder.getStringAttr(image.bytes));
  auto binary = gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                                      gpu::SelectObjectAttr::get(context, Attribute()), ArrayRef<Attribute>{object});
  for (NamedAttribute attribute : kernels->getDiscardableAttrs())
    binary->setAttr(attribute.getName(), attribute.getValue());
  kernels.erase();
  return binary;
}

struct GpuModulesToBinary : impl::GpuModulesToBinaryPassBase<GpuModulesToBinary> {
  using GpuModulesToBinaryPassBase::GpuModulesToBinaryPassBase;
  GpuModulesToBinary(const CompileTarget& target, std::vector<ModuleImage>* images) : given(target), images(images) {}

  void runOnOperation() override {
    FailureOr<CompileTarget> target = findTarget();
    if (failed(target)) return signalPassFailure();
    for (auto kernels : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(convert(kernels, *target))) return signalPassFailure();
  }

 private:
  /// Returns the target that the pass was created for, else that of its textual options.
  FailureOr<CompileTarget> findTarget() {
    if (given) return *given;
    absl::StatusOr<DeviceInfo> parsed = parseTargetDevice(device, arch);
    if (!parsed.ok()) return emitError(getOperation().getLoc(), std::string(parsed.status().message()));
    CompileTarget target;
    target.device = *parsed;
    target.assemble = assemble;
    target.race_detection = raceDetection;
    return target;
  }

  LogicalResult convert(gpu::GPUModuleOp kernels, const CompileTarget& target) {
    absl::StatusOr<DeviceImage> image = generateDeviceImage(kernels, target);
    if (!image.ok())
      return kernels.emitError("kernels @") << kernels.getName() << ": " << std::string(image.status().message());
    std::string name = kernels.getName().str();
    embed(kernels, *image);
    if (images) images->push_back({std::move(name), *std::move(image)});
    return success();
  }

  std::optional<CompileTarget> given;
  std::vector<ModuleImage>* images = nullptr;
};

}  // namespace

std::string architectureOf(gpu::GPUModuleOp kernels, std::string_view target) {
  auto own = kernels->getAttrOfType<StringAttr>(kArchAttrName);
  return own ? own.str() : std::string(target);
}

void setArchitecture(gpu::GPUModuleOp kernels, std::string_view arch, std::string_view target) {
  if (arch == target) return;
  kernels->setAttr(kArchAttrName, StringAttr::get(kernels.getContext(), StringRef(arch.data(), arch.size())));
}

absl::StatusOr<DeviceImage> generateDeviceImage(gpu::GPUModuleOp kernels, const CompileTarget& target) {
  CrashSubject subject(("code for the kernels of @" + kernels.getName()).str());
  if (target.IsSimtObject()) return generateSimtObject(kernels, target);
  PhaseTimer timer;
  DeviceImage image;
  image.format = ImageFormat::kPtx;
  const std::string arch = architectureOf(kernels, target.device.arch);
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createNvptxMachine(arch, kernels));
  const std::string comments = nameComments(kernels);
  ASSIGN_OR_RETURN(image.bytes, generateCode(kernels, *machine, /*level=*/3, CodeKind::kAssembly));
  image.bytes += comments;
  image.phases.llvm_ms = timer.lap();
  if (!target.assemble || target.shipped_ptx) return image;
  RETURN_IF_ERROR(checkPtxas());
  if (findPtxas().empty()) return image;
  ASSIGN_OR_RETURN(AssembledCode assembled, assemblePtx(image.bytes, arch));
  image.format = ImageFormat::kCubin;
  image.ptx = std::exchange(image.bytes, std::move(assembled.cubin));
  image.kernels = std::move(assembled.kernels);
  image.warnings = std::move(assembled.warnings);
  image.phases.assemble_ms = timer.lap();
  return image;
}

absl::StatusOr<DeviceInfo> parseTargetDevice(const std::string& kind, const std::string& arch) {
  ASSIGN_OR_RETURN(DeviceInfo device, ArchitectureLimits(arch));
  ASSIGN_OR_RETURN(device.kind, ParseDeviceKind(kind));
  return device;
}

std::unique_ptr<Pass> createGpuModulesToBinaryPass(const CompileTarget& target, std::vector<ModuleImage>* images) {
  return std::make_unique<GpuModulesToBinary>(target, images);
}

}  // namespace mmtune
