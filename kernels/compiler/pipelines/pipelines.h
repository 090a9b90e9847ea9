// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named pipelines of final compilation (to-gpu, gpu-to-binary, host-to-llvm), and the passes of Passes.td
// (create<Name>Pass(), option structs, registerMmtunePipelinePasses()).
//
// A worker compiles a candidate with the same functions, so the tuned kernel is the shipped kernel.
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

/// Creates a pass on builtin.module, with kernels outlined, that refuses a launch whose constant sizes violate
/// CheckLaunchShape() on the device. It ignores dynamic sizes, a grid without blocks, which launches nothing, and
/// unreachable launches.
std::unique_ptr<mlir::Pass> createCheckLaunchLimitsPass(const DeviceInfo& device);

/// How device operations are assigned to streams.
enum class StreamPolicy {
  kOne,      ///< linearize-gpu-tokens: program order.
  kSeveral,  ///< assign-gpu-streams: independent operations overlap, ordered by events.
};

struct ToGpuOptions {
  DeviceInfo device;  ///< Schedules must be valid for it.
  TuningSpec spec;
  bool allowFallback = false;       ///< See ModelOptions::allow_fallback.
  bool sumsAsWritten = false;       ///< See ModelOptions::sums_as_written.
  bool narrowF64 = false;           ///< See ModelOptions::narrow_f64.
  MathMode math = MathMode::kIeee;  ///< See ModelOptions::math.
  bool fuse = true;                 ///< See ModelOptions::fuse.
  /// Move function arguments to the device too; otherwise they are device memory already.
  bool processArgs = true;
  StreamPolicy streams = StreamPolicy::kSeveral;
  bool sharedApart = false;  ///< See ModelOptions::shared_apart.
};

/// Builds "mmtune-to-gpu" on builtin.module: from linalg (on tensors or memrefs), or existing kernels, to launches with
/// their transfers on streams. Kernels stay in gpu.modules.
void buildToGpuPipeline(mlir::OpPassManager& passes, const ToGpuOptions& options);

/// Builds the part of to-gpu that works on tensors and fuses operations into as few launches as possible.
void buildTensorPipeline(mlir::OpPassManager& passes, const ToGpuOptions& options = {});

struct GpuToBinaryOptions {
  CompileTarget target;
  std::vector<ModuleImage>* images = nullptr;  ///< Receives the images; may be null.
};

/// Builds the end of to-gpu, for a module whose kernels are launched with host memory: adds transfers and streams, and
/// passes buffers to kernels as pointers.
void buildPlacementPipeline(mlir::OpPassManager& passes, bool processArgs, StreamPolicy streams);

/// Builds the passes of gpu-to-binary on each gpu.module, down to the LLVM dialect that code is generated from.
void buildDevicePipeline(mlir::OpPassManager& passes, const CompileTarget& target);

/// Builds "mmtune-gpu-to-binary" on builtin.module: every gpu.module becomes a gpu.binary.
void buildGpuToBinaryPipeline(mlir::OpPassManager& passes, const GpuToBinaryOptions& options);

struct HostToLlvmOptions {
  std::string prefix;  ///< See ModelOptions::prefix.
  bool packed = true;  ///< See ModelOptions::packed_entries.
};

/// Builds "mmtune-host-to-llvm" on builtin.module: host code and device operations to the LLVM dialect over mgpu*.
void buildHostToLlvmPipeline(mlir::OpPassManager& passes, const HostToLlvmOptions& options = {});

/// Returns pipelines as text for mmtune-opt's --pass-pipeline: "builtin.module(mmtune-to-gpu{…})". The text has the
/// spec, but neither `sharedApart` nor more of the device than its kind and architecture.
std::string toGpuPipelineText(const ToGpuOptions& options);
std::string gpuToBinaryPipelineText(const GpuToBinaryOptions& options);
std::string hostToLlvmPipelineText(const HostToLlvmOptions& options = {});

/// Registers the three pipelines and every pass of mmtune by name, with textual options.
void registerMmtunePasses();

/// Registers the passes of MLIR and mmtune by name, and returns every dialect of MLIR, for mmtune-opt.
void registerEveryPass();
mlir::DialectRegistry everyDialect();

}  // namespace mmtune
