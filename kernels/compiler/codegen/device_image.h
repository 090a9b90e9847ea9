// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a lowered gpu.module to the bytes that a device loads.
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
  std::map<std::string, KernelUsage> kernels;  ///< Of a cubin, by name.
  PhaseTimes phases;                           ///< llvm and assemble.
};

/// Generates code for `kernels`, which is in the LLVM dialect. The format is a cubin where the
/// target asks for it and there is a ptxas, PTX on other CUDA targets, an object on the SIMT
/// device.
absl::StatusOr<DeviceImage> generateDeviceImage(mlir::gpu::GPUModuleOp kernels, const CompileTarget& target);

/// The device of textual options, with its architecture's limits: "simt" or "cuda", "sm_80".
absl::StatusOr<DeviceInfo> parseTargetDevice(const std::string& kind, const std::string& arch);

/// The device image that a gpu.module became.
struct ModuleImage {
  std::string module;  ///< Name of the gpu.module.
  DeviceImage image;
};

/// The pass gpu-modules-to-binary for a target. It appends to `images` what it made, unless that is
/// null.
std::unique_ptr<mlir::Pass> createGpuModulesToBinaryPass(const CompileTarget& target, std::vector<ModuleImage>* images);

}  // namespace mmtune
