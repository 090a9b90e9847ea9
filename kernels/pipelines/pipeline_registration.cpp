// The named pipelines with textual options, for mmtune-opt.
#include <fstream>
#include <sstream>

#include "kernels/pipelines/pipelines.h"
#include "mlir/Pass/PassRegistry.h"
#include "proto/base/status.h"
#include "proto/json/tuning_spec_json.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace mmtune {
namespace {

struct TargetOptions : PassPipelineOptions<TargetOptions> {
  Option<std::string> device{*this, "device", llvm::cl::desc("Kind of device: simt or cuda"),
                             llvm::cl::init("simt")};
  Option<std::string> arch{*this, "arch", llvm::cl::desc("Architecture to generate for"),
                           llvm::cl::init("sm_80")};
  Option<bool> assemble{*this, "assemble",
                        llvm::cl::desc("For CUDA: a cubin, not PTX, where ptxas is found"),
                        llvm::cl::init(true)};

  CompileTarget target() const {
    CompileTarget target;
    target.device = *orDie(ArchitectureLimits(arch.getValue()));
    target.device.kind = *orDie(ParseDeviceKind(device.getValue()));
    target.device.arch = arch.getValue();
    target.assemble = assemble;
    return target;
  }

  /// A pipeline is built before there is anything to report a diagnostic at.
  template <typename T> static absl::StatusOr<T> orDie(absl::StatusOr<T> value) {
    if (!value.ok())
      llvm::report_fatal_error(llvm::Twine(std::string(value.status().message())),
                               /*gen_crash_diag=*/false);
    return value;
  }
};

struct ToGpuTextOptions : TargetOptions {
  Option<std::string> spec{*this, "spec", llvm::cl::desc("Tuning spec (JSON file)")};
  Option<bool> processArgs{*this, "process-args",
                           llvm::cl::desc("Move function arguments too; otherwise they are device "
                                          "memory already"),
                           llvm::cl::init(true)};
  Option<std::string> streams{*this, "streams", llvm::cl::desc("one or several"),
                              llvm::cl::init("several")};

  ToGpuOptions options() const {
    ToGpuOptions options;
    options.device = target().device;
    options.processArgs = processArgs;
    options.streams = streams == "one" ? StreamPolicy::kOne : StreamPolicy::kSeveral;
    if (!spec.empty())
      options.spec = *orDie(readSpec(spec));
    return options;
  }

private:
  static absl::StatusOr<TuningSpec> readSpec(const std::string &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
      return NotFound("cannot read the tuning spec " + path);
    return TuningSpecFromJson(text.str());
  }
};

} // namespace

void registerMmtunePipelines() {
  PassPipelineRegistration<ToGpuTextOptions>(
      "mmtune-to-gpu", "From linalg, or kernels that are there, to launches with their transfers",
      [](OpPassManager &passes, const ToGpuTextOptions &options) {
        buildToGpuPipeline(passes, options.options());
      });
  PassPipelineRegistration<TargetOptions>("mmtune-gpu-to-binary", "From gpu.modules to gpu.binary",
                                          [](OpPassManager &passes, const TargetOptions &options) {
                                            buildGpuToBinaryPipeline(passes,
                                                                     {options.target(), nullptr});
                                          });
  PassPipelineRegistration<>("mmtune-host-to-llvm",
                             "From host code and device operations to the LLVM dialect",
                             buildHostToLlvmPipeline);
}

} // namespace mmtune
