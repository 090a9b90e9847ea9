// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers the passes and named pipelines with textual options, for mmtune-opt.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/compiler/fusion/passes.h"
#include "kernels/compiler/passes/buffers/passes.h"
#include "kernels/compiler/passes/kernel/passes.h"
#include "kernels/compiler/passes/shared/passes.h"
#include "kernels/compiler/passes/simt/passes.h"
#include "kernels/compiler/passes/streams/passes.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/compiler/scheduling/schedule_matmul.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "proto/base/status.h"
#include "proto/json/tuning_spec.h"

using namespace mlir;

namespace mmtune {
namespace {

constexpr char kToGpu[] = "mmtune-to-gpu", kGpuToBinary[] = "mmtune-gpu-to-binary",
               kHostToLlvm[] = "mmtune-host-to-llvm";

struct TargetOptions : PassPipelineOptions<TargetOptions> {
  Option<std::string> device{*this, "device", llvm::cl::desc("Kind of device: simt or cuda"), llvm::cl::init("simt")};
  Option<std::string> arch{*this, "arch", llvm::cl::desc("Architecture to generate for"), llvm::cl::init("sm_80")};
  Option<bool> assemble{*this, "assemble", llvm::cl::desc("For CUDA: a cubin, not PTX, where ptxas is found"),
                        llvm::cl::init(true)};
  Option<bool> raceDetection{*this, "race-detection", llvm::cl::desc("For the SIMT device: code for race detection"),
                             llvm::cl::init(false)};
  Option<std::string> hostCpu{*this, "host-cpu", llvm::cl::desc("For the SIMT device: the processor of its code")};

  absl::StatusOr<CompileTarget> target() const {
    CompileTarget target;
    ASSIGN_OR_RETURN(target.device, parseTargetDevice(device, arch));
    target.assemble = assemble;
    target.race_detection = raceDetection;
    target.host_cpu = hostCpu;
    return target;
  }
  void setDevice(const DeviceInfo& info) {
    device = std::string(DeviceKindName(info.kind));
    arch = info.arch;
  }
};

/// Returns "builtin.module(name{options})".
std::string pipelineText(StringRef name, const detail::PassOptions& options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "builtin.module(" << name;
  options.print(stream);
  stream << ")";
  return text;
}

/// Returns the entries for the device, quoted as an option's value; characters that would end it become their numbers.
std::string quotedSpec(TuningSpec spec, const DeviceInfo& device) {
  std::erase_if(spec.entries, [&](const TuningSpecEntry& entry) {
    return !device.name.empty() && entry.device.ClassKey() != device.ClassKey();
  });
  if (spec.entries.empty()) return "";
  std::string quoted = "'";
  bool isInString = false, isEscaped = false;
  for (char c : TuningSpecToJson(spec)) {
    if (c == '"' && !isEscaped) isInString = !isInString;
    isEscaped = c == '\\' && !isEscaped;
    if (c == '\'' || (isInString && (c == '{' || c == '}')))
      quoted += absl::StrFormat("\\u%04x", c);
    else if (c != '\n')
      quoted += c;
  }
  return quoted + "'";
}

struct GpuToBinaryTextOptions : TargetOptions {
  absl::Status build(OpPassManager& passes) const {
    ASSIGN_OR_RETURN(CompileTarget target, this->target());
    buildGpuToBinaryPipeline(passes, {target, nullptr});
    return absl::OkStatus();
  }
};

struct ToGpuTextOptions : TargetOptions {
  Option<std::string> spec{*this, "spec", llvm::cl::desc("Tuning spec (JSON file, or its text)")};
  Option<bool> allowFallback{*this, "allow-fallback",
                             llvm::cl::desc("Another schedule stands in for one of the spec that is not valid"),
                             llvm::cl::init(false)};
  Option<std::string> math{*this, "math",
                           llvm::cl::desc("How products of f32 are multiplied: ieee, tf32, tf32x3, bf16x6"),
                           llvm::cl::init("ieee")};
  Option<bool> fuse{*this, "fuse", llvm::cl::desc("Compute operations that follow one another in one kernel"),
                    llvm::cl::init(true)};
  Option<bool> sumsAsWritten{*this, "sums-as-written",
                             llvm::cl::desc("Products of f16 and bf16 keep sums of 16 bits: no widen-accumulators"),
                             llvm::cl::init(false)};
  Option<bool> narrowF64{*this, "narrow-f64", llvm::cl::desc("Do f64 arithmetic between values of f32 in f32"),
                         llvm::cl::init(false)};
  Option<bool> processArgs{*this, "process-args",
                           llvm::cl::desc("Move function arguments too; otherwise they are device memory already"),
                           llvm::cl::init(true)};
  Option<bool> portable{*this, "portable", llvm::cl::desc("Code must also run on newer devices"),
                        llvm::cl::init(false)};
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
    ASSIGN_OR_RETURN(options.math, ParseMathMode(math.getValue()));
    options.narrowF64 = narrowF64;
    options.fuse = fuse;
    options.processArgs = processArgs;
    options.streams = streams;
    options.portable = portable;
    if (!spec.empty()) {
      ASSIGN_OR_RETURN(options.spec, readTuningSpec(spec));
    }
    buildToGpuPipeline(passes, options);
    return absl::OkStatus();
  }
};

struct HostToLlvmTextOptions : PassPipelineOptions<HostToLlvmTextOptions> {
  Option<std::string> prefix{*this, "prefix", llvm::cl::desc("What exported names begin with"), llvm::cl::init("")};
  Option<bool> packed{*this, "packed", llvm::cl::desc("Export entries that take their arguments packed"),
                      llvm::cl::init(true)};

  absl::Status build(OpPassManager& passes) const {
    buildHostToLlvmPipeline(passes, {.prefix = prefix.getValue(), .packed = packed.getValue()});
    return absl::OkStatus();
  }
};

/// Like PassPipelineRegistration, for options that may be invalid: `Options::build` returns the error.
template <typename Options>
void registerPipeline(StringRef name, StringRef description) {
  registerPassPipeline(
      name, description,
      [](OpPassManager& passes, StringRef text,
         llvm::function_ref<LogicalResult(const Twine&)> onError) -> LogicalResult {
        Options options;
        std::string errors;
        llvm::raw_string_ostream stream(errors);
        if (failed(options.parseFromString(text, stream))) return onError(errors);
        absl::Status status = options.build(passes);
        return status.ok() ? success() : onError(std::string(status.message()));
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions&)> visit) { visit(Options()); });
}

}  // namespace

std::string toGpuPipelineText(const ToGpuOptions& options) {
  ToGpuTextOptions text;
  text.setDevice(options.device);
  text.spec = quotedSpec(options.spec, options.device);
  text.allowFallback = options.allowFallback;
  text.math = std::string(MathModeName(options.math));
  text.fuse = options.fuse;
  text.sumsAsWritten = options.sumsAsWritten;
  text.narrowF64 = options.narrowF64;
  text.processArgs = options.processArgs;
  text.streams = options.streams;
  text.portable = options.portable;
  return pipelineText(kToGpu, text);
}

std::string gpuToBinaryPipelineText(const GpuToBinaryOptions& options) {
  GpuToBinaryTextOptions text;
  text.setDevice(options.target.device);
  text.assemble = options.target.assemble;
  text.raceDetection = options.target.race_detection;
  text.hostCpu = options.target.host_cpu;
  return pipelineText(kGpuToBinary, text);
}

std::string hostToLlvmPipelineText(const HostToLlvmOptions& options) {
  HostToLlvmTextOptions text;
  text.prefix = options.prefix;
  text.packed = options.packed;
  return pipelineText(kHostToLlvm, text);
}

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
  registerPipeline<ToGpuTextOptions>(kToGpu,
                                     "From linalg, or kernels that are there, to launches with their transfers");
  registerPipeline<GpuToBinaryTextOptions>(kGpuToBinary, "From gpu.modules to gpu.binary");
  PassPipelineRegistration<>("mmtune-fuse-tensors", "The part of mmtune-to-gpu that works on tensors",
                             [](OpPassManager& passes) { buildTensorPipeline(passes); });
  registerPipeline<HostToLlvmTextOptions>(kHostToLlvm, "From host code and device operations to the LLVM dialect");
}

void registerEveryPass() {
  mlir::registerAllPasses();
  registerMmtunePasses();
}

mlir::DialectRegistry everyDialect() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  tm_tensor::registerDialect(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  return registry;
}

}  // namespace mmtune
