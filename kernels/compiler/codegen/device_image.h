// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device images: code generation from a lowered gpu.module to the bytes that a device loads.
#pragma once

#include <map>
#include <memory>
#include <string>
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

struct DeviceImage {
  ImageFormat format = ImageFormat::kPtx;
  std::string bytes;
  std::map<std::string, KernelUsage> kernels;  ///< By name; for a cubin only.
  PhaseTimes phases;                           ///< Phases llvm and assemble.
};

/// Generates code for `kernels`, which is in the LLVM dialect: a cubin where the target asks for it and ptxas is found,
/// PTX on other CUDA targets, an object on the SIMT device.
absl::StatusOr<DeviceImage> generateDeviceImage(mlir::gpu::GPUModuleOp kernels, const CompileTarget& target);

/// Returns the device of textual options ("simt" or "cuda", and "sm_80") with its architecture's limits.
absl::StatusOr<DeviceInfo> parseTargetDevice(const std::string& kind, const std::string& arch);

/// The device image of a gpu.module.
struct ModuleImage {
  std::string module;  ///< Name of the gpu.module.
  DeviceImage image;
};

/// Creates the pass gpu-modules-to-binary for a target. It appends its images to `images` unless that is null.
std::unique_ptr<mlir::Pass> createGpuModulesToBinaryPass(const CompileTarget& target, std::vector<ModuleImage>* images);

}  // namespace mmtune
