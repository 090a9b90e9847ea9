// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named pipelines of final compilation, in order: to-gpu, gpu-to-binary, host-to-llvm.
//
// A worker compiles a candidate with the same functions, so the tuned kernel is the shipped kernel.
#pragma once

#include <string>
#include <vector>

#include "kernels/compiler/codegen/device_image.h"
#include "kernels/compiler/compiler.h"
#include "mlir/Pass/PassManager.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {

/// How device operations are put on streams.
enum class StreamPolicy {
  kOne,      ///< linearize-gpu-tokens: program order.
  kSeveral,  ///< assign-gpu-streams: what is independent overlaps, with events in between.
};

struct ToGpuOptions {
  DeviceInfo device;  ///< Schedules have to be valid for it.
  TuningSpec spec;
  bool allowFallback = false;       ///< As ModelOptions::allow_fallback.
  bool sumsAsWritten = false;       ///< As ModelOptions::sums_as_written.
  bool narrowF64 = false;           ///< As ModelOptions::narrow_f64.
  MathMode math = MathMode::kIeee;  ///< As ModelOptions::math.
  bool fuse = true;                 ///< As ModelOptions::fuse.
  /// Move function arguments too; otherwise they are device memory already.
  bool processArgs = true;
  StreamPolicy streams = StreamPolicy::kSeveral;
  bool sharedApart = false;  ///< As ModelOptions::shared_apart.
};

/// "mmtune-to-gpu": from linalg (on tensors or memrefs), or from kernels that are there already,
/// to launches with their transfers on streams. Anchored on builtin.module; kernels are left in
/// gpu.modules.
void buildToGpuPipeline(mlir::OpPassManager& passes, const ToGpuOptions& options);

/// The part of to-gpu that works on tensors: operations become as few as there are launches to be.
void buildTensorPipeline(mlir::OpPassManager& passes, const ToGpuOptions& options = {});

struct GpuToBinaryOptions {
  CompileTarget target;
  std::vector<ModuleImage>* images = nullptr;  ///< Where to put what was made; may be null.
};

/// The end of to-gpu, for a module whose kernels are launched with host memory: transfers, streams,
/// pointers.
void buildPlacementPipeline(mlir::OpPassManager& passes, bool processArgs, StreamPolicy streams);

/// The passes of gpu-to-binary on each gpu.module, down to the LLVM dialect that code is generated from. Anchored on
/// gpu.module.
void buildDevicePipeline(mlir::OpPassManager& passes, const CompileTarget& target);

/// "mmtune-gpu-to-binary": every gpu.module becomes a gpu.binary. Anchored on builtin.module.
void buildGpuToBinaryPipeline(mlir::OpPassManager& passes, const GpuToBinaryOptions& options);

struct HostToLlvmOptions {
  std::string prefix;  ///< As ModelOptions::prefix.
  bool packed = true;  ///< As ModelOptions::packed_entries.
};

/// "mmtune-host-to-llvm": host code and device operations to the LLVM dialect over mgpu*. Anchored
/// on builtin.module.
void buildHostToLlvmPipeline(mlir::OpPassManager& passes, const HostToLlvmOptions& options = {});

/// Pipelines as text, which mmtune-opt's --pass-pipeline takes: "builtin.module(mmtune-to-gpu{…})". The spec is in the
/// text. `sharedApart` is not, nor is the device more than its kind, architecture and the spec say.
std::string toGpuPipelineText(const ToGpuOptions& options);
std::string gpuToBinaryPipelineText(const GpuToBinaryOptions& options);
std::string hostToLlvmPipelineText(const HostToLlvmOptions& options = {});

/// Registers the three and every pass of mmtune by name, with textual options.
void registerMmtunePasses();

/// What mmtune-opt has: the passes of MLIR and mmtune, by name, and every dialect of MLIR.
void registerEveryPass();
mlir::DialectRegistry everyDialect();

}  // namespace mmtune
