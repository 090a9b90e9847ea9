// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three pass pipelines that compile a model:
//
//   mmtune-to-gpu          linalg on tensors or memrefs  ->  kernel launches, with transfers on streams
//   mmtune-gpu-to-binary   gpu.module                    ->  gpu.binary with PTX, a cubin or an object
//   mmtune-host-to-llvm    host code                     ->  LLVM dialect, with calls of mgpu* functions
//
// Workers compile candidates (schedules to be measured) with the same functions, so that a kernel in a model has the
// same code as when it was tuned. Also declares the passes of Passes.td in this folder.
#pragma once

#include <string>
#include <vector>

#include "kernels/compiler/codegen/device_image.h"
#include "kernels/compiler/compiler.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/pipelines/Passes.h.inc"

/// Creates a pass on builtin.module that rejects a launch whose constant sizes exceed the limits of the device
/// (CheckLaunchShape()). Kernels must be outlined already. The pass ignores dynamic sizes, unreachable launches, and
/// launches with an empty grid, which execute nothing.
std::unique_ptr<mlir::Pass> createCheckLaunchLimitsPass(const DeviceInfo& device);

/// How device operations are assigned to streams.
enum class StreamPolicy {
  kOne,      ///< One stream, in program order (pass linearize-gpu-tokens).
  kSeveral,  ///< Independent operations overlap on several streams, ordered by events (pass assign-gpu-streams).
};

/// Options of mmtune-to-gpu.
struct ToGpuOptions {
  DeviceInfo device;                ///< Target, for which schedules must be valid.
  TuningSpec spec;                  ///< Schedules of tuned problems.
  bool allowFallback = false;       ///< See ModelOptions::allow_fallback.
  bool sumsAsWritten = false;       ///< See ModelOptions::sums_as_written.
  bool narrowF64 = false;           ///< See ModelOptions::narrow_f64.
  MathMode math = MathMode::kIeee;  ///< See ModelOptions::math.
  bool fuse = true;                 ///< See ModelOptions::fuse.
  /// Copy function arguments to the device. If false, they are in device memory already.
  bool processArgs = true;
  StreamPolicy streams = StreamPolicy::kSeveral;
  bool sharedApart = false;  ///< Shared buffers do not share bytes; see ModelOptions::shared_apart.
  bool portable = false;     ///< Code must also run on newer devices, as PTX for sm_90 must, unlike that for sm_90a.
};

/// Adds mmtune-to-gpu, on builtin.module. The input has linalg operations on tensors or memrefs, or kernels. In the
/// output, kernels are in gpu.modules, and host code launches them.
void buildToGpuPipeline(mlir::OpPassManager& passes, const ToGpuOptions& options);

/// Adds the part of mmtune-to-gpu that works on tensors. It fuses operations so that there are few launches.
void buildTensorPipeline(mlir::OpPassManager& passes, const ToGpuOptions& options = {});

/// Options of mmtune-gpu-to-binary.
struct GpuToBinaryOptions {
  CompileTarget target;
  std::vector<ModuleImage>* images = nullptr;  ///< Receives the device code of each module; may be null.
};

/// Adds the last part of mmtune-to-gpu. In its input, kernels are launched on buffers in host memory. This part adds
/// transfers and streams, and passes buffers to kernels as pointers.
void buildPlacementPipeline(mlir::OpPassManager& passes, bool processArgs, StreamPolicy streams);

/// Adds the passes of mmtune-gpu-to-binary that work on a gpu.module, down to the LLVM dialect.
void buildDevicePipeline(mlir::OpPassManager& passes, const CompileTarget& target);

/// Adds mmtune-gpu-to-binary, on builtin.module: every gpu.module becomes a gpu.binary.
void buildGpuToBinaryPipeline(mlir::OpPassManager& passes, const GpuToBinaryOptions& options);

/// Options of mmtune-host-to-llvm.
struct HostToLlvmOptions {
  std::string prefix;  ///< See ModelOptions::prefix.
  bool packed = true;  ///< See ModelOptions::packed_entries.
};

/// Adds mmtune-host-to-llvm, on builtin.module: host code and device operations become the LLVM dialect, with calls of
/// mgpu* functions (kernels/runtime/mgpu.h).
void buildHostToLlvmPipeline(mlir::OpPassManager& passes, const HostToLlvmOptions& options = {});

/// Returns a pipeline as text for mmtune-opt's --pass-pipeline: "builtin.module(mmtune-to-gpu{...})". The text includes
/// the spec. It omits `sharedApart`, and names the device only by kind and architecture.
std::string toGpuPipelineText(const ToGpuOptions& options);
std::string gpuToBinaryPipelineText(const GpuToBinaryOptions& options);
std::string hostToLlvmPipelineText(const HostToLlvmOptions& options = {});

/// Registers the three pipelines and all of our passes by name, with options in textual form.
void registerMmtunePasses();

/// Registers all passes of MLIR and ours by name, for mmtune-opt.
void registerEveryPass();
/// Returns every dialect of MLIR and ours, for mmtune-opt.
mlir::DialectRegistry everyDialect();

}  // namespace mmtune
