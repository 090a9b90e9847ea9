// From a gpu.module to the bytes that a device loads.
#pragma once

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "kernels/codegen/ptxas.h"
#include "kernels/compiler.h"
#include "kernels/pipelines/compiler_context.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

struct DeviceImage {
  ImageFormat format = ImageFormat::kPtx;
  std::string bytes;
  std::map<std::string, KernelUsage> kernels; ///< Of a cubin, by name.
  PhaseTimes phases;                          ///< mlir, llvm, assemble.
};

/// Lowers `kernels` in place. The format is a cubin where the target asks for it and there is a
/// ptxas, PTX on other CUDA targets, an object on the SIMT device.
absl::StatusOr<DeviceImage> buildDeviceImage(CompilerContext &context,
                                             mlir::gpu::GPUModuleOp kernels,
                                             const CompileTarget &target);

} // namespace mmtune
