// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates device images: from a gpu.module in the LLVM dialect to the bytes that a device loads (PTX, cubin, or an
// object for the SIMT device). Also declares the passes of Passes.td in this folder.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/compiler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/codegen/Passes.h.inc"

/// An attribute of a gpu.module: the architecture that its code is generated for, which differs from the target's where
/// a kernel family needs the features of one chip ("sm_90a" for a target of sm_90). If the attribute is absent, the
/// code is for the target's architecture.
inline constexpr char kArchAttrName[] = "mmtune.arch";

/// Returns the architecture that the attribute mmtune.arch of `kernels` names, or `target` if the attribute is absent.
std::string architectureOf(mlir::gpu::GPUModuleOp kernels, std::string_view target);
/// Sets the attribute mmtune.arch to `arch`, unless that is the target's architecture.
void setArchitecture(mlir::gpu::GPUModuleOp kernels, std::string_view arch, std::string_view target);

/// The code of one gpu.module, and what is known about its kernels.
struct DeviceImage {
  ImageFormat format = ImageFormat::kPtx;
  std::string bytes;
  std::string ptx;                             ///< The PTX that a cubin was assembled from; otherwise empty.
  std::map<std::string, KernelUsage> kernels;  ///< By name; for a cubin only.
  std::vector<std::string> warnings;           ///< Those of ptxas (AssembledCode::warnings); for a cubin only.
  PhaseTimes phases;                           ///< The phases llvm and assemble.
};

/// Generates the image of `kernels`, which is in the LLVM dialect. For a CUDA target it is a cubin if
/// CompileTarget::assemble is true and ptxas is installed, otherwise PTX. For the SIMT device it is an object, or PTX
/// if CompileTarget::shipped_ptx is true. Returns the errors of generateCode() (llvm_codegen.h) and of assemblePtx()
/// (ptxas.h).
absl::StatusOr<DeviceImage> generateDeviceImage(mlir::gpu::GPUModuleOp kernels, const CompileTarget& target);

/// Returns the device with this kind ("simt" or "cuda") and the limits of the architecture `arch` ("sm_80"). Returns
/// InvalidArgument for other texts.
absl::StatusOr<DeviceInfo> parseTargetDevice(const std::string& kind, const std::string& arch);

/// A gpu.module by name, and its image.
struct ModuleImage {
  std::string module;  ///< Name of the gpu.module.
  DeviceImage image;
};

/// Creates the pass gpu-modules-to-binary for a target. It appends its images to `images`, unless that is null.
std::unique_ptr<mlir::Pass> createGpuModulesToBinaryPass(const CompileTarget& target, std::vector<ModuleImage>* images);

}  // namespace mmtune
