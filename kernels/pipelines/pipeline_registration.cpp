// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes and named pipelines with textual options, for mmtune-opt.
#include "kernels/fusion/passes.h"
#include "kernels/passes/buffers/passes.h"
#include "kernels/passes/kernel/passes.h"
#include "kernels/passes/shared/passes.h"
#include "kernels/passes/simt/passes.h"
#include "kernels/passes/streams/passes.h"
#include "kernels/pipelines/passes.h"
#include "kernels/pipelines/pipelines.h"
#include "kernels/scheduling/schedule_matmul.h"
#include "mlir/Pass/PassRegistry.h"
#include "proto/base/status.h"

using namespace mlir;

namespace mmtune {
namespace {

struct TargetOptions : PassPipelineOptions<TargetOptions> {
  Option<std::string> device{*this, "device", llvm::cl::desc("Kind of device: simt or cuda"), llvm::cl::init("simt")};
  Option<std::string> arch{*this, "arch", llvm::cl::desc("Architecture to generate for"), llvm::cl::init("sm_80")};
  Option<bool> assemble{*this, "assemble", llvm::cl::desc("For CUDA: a cubin, not PTX, where ptxas is found"),
                        llvm::cl::init(true)};
  Option<bool> checks{*this, "checks", llvm::cl::desc("For the SIMT device: code for watch mode"),
                      llvm::cl::init(false)};

  absl::StatusOr<CompileTarget> target() const {
    CompileTarget target;
    ASSIGN_OR_RETURN(target.device, parseTargetDevice(device, arch));
    target.assemble = assemble;
    target.checks = checks;
    return target;
  }
};

struct GpuToBinaryTextOptions : TargetOptions {
  absl::Status build(OpPassManager& passes) const {
    ASSIGN_OR_RETURN(CompileTarget target, this->target());
    buildGpuToBinaryPipeline(passes, {target, nullptr});
    return absl::OkStatus();
  }
};

struct ToGpuTextOptions : TargetOptions {
  Option<std::string> spec{*this, "spec", llvm::cl::desc("Tuning spec (JSON file)")};
  Option<bool> allowFallback{*this, "allow-fallback",
                             llvm::cl::desc("Another schedule stands in for one of the spec that is not valid"),
                             llvm::cl::init(false)};
  Option<bool> fuse{*this, "fuse", llvm::cl::desc("Compute operations that follow one another in one kernel"),
                    llvm::cl::init(true)};
  Option<bool> sumsAsWritten{*this, "sums-as-written",
                             llvm::cl::desc("Products of f16 and bf16 keep sums of 16 bits: no widen-sums"),
                             llvm::cl::init(false)};
  Option<bool> processArgs{*this, "process-args",
                           llvm::cl::desc("Move function arguments too; otherwise they are device memory already"),
                           llvm::cl::init(true)};
  Option<StreamPolicy> streams{
      *this, "streams", llvm::cl::desc("How device operations are put on streams"),
      llvm::cl::init(StreamPolicy::kSeveral),
      llvm::cl::values(clEnumValN(StreamPolicy::kOne, "one", "All in program order"),
                       clEnumValN(StreamPolicy::kSeveral, "several", "What is independent overlaps"))};

  absl::Status build(OpPassManager& passes) const {
    ToGpuOptions options;
    ASSIGN_OR_RETURN(CompileTarget target, this->target());
    options.device = target.device;
    options.allowFallback = allowFallback;
    options.sumsAsWritten = sumsAsWritten;
    options.fuse = fuse;
    options.processArgs = processArgs;
    options.streams = streams;
    if (!spec.empty()) {
      ASSIGN_OR_RETURN(options.spec, readTuningSpec(spec));
    }
    buildToGpuPipeline(passes, options);
    return absl::OkStatus();
  }
};

/// Like PassPipelineRegistration, for options whose values may be wrong: `Options::build` says how.
template <typename Options>
void registerPipeline(StringRef name, StringRef description) {
  registerPassPipeline(
      name, description,
      [](OpPassManager& passes, StringRef text,
         llvm::function_ref<LogicalResult(const Twine&)> onError) -> LogicalResult {
        Options options;
        if (failed(options.parseFromString(text))) return failure();
        absl::Status status = options.build(passes);
        return status.ok() ? success() : onError(std::string(status.message()));
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions&)> visit) { visit(Options()); });
}

}  // namespace

void registerMmtunePasses() {
  registerMmtuneBufferPasses();
  registerMmtuneKernelPasses();
  registerMmtuneSimtPasses();
  registerMmtuneSharedPasses();
  registerMmtuneStreamPasses();
  registerMmtuneCodegenPasses();
  registerMmtuneSchedulingPasses();
  registerMmtuneFusionPasses();
  registerMmtunePipelinePasses();
  registerPipeline<ToGpuTextOptions>("mmtune-to-gpu",
                                     "From linalg, or kernels that are there, to launches with their transfers");
  registerPipeline<GpuToBinaryTextOptions>("mmtune-gpu-to-binary", "From gpu.modules to gpu.binary");
  PassPipelineRegistration<>("mmtune-fuse-tensors", "The part of mmtune-to-gpu that works on tensors",
                             [](OpPassManager& passes) { buildTensorPipeline(passes); });
  PassPipelineRegistration<>("mmtune-host-to-llvm", "From host code and device operations to the LLVM dialect",
                             buildHostToLlvmPipeline);
}

}  // namespace mmtune
