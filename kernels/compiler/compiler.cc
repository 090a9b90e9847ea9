// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/compiler.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/builder/host_builder.h"
#include "kernels/compiler/codegen/device_image.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/families/common/family_base.h"
#include "kernels/families/common/kernel_emitter.h"
#include "kernels/families/common/registry.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using mlir::ModuleOp;
using mlir::OwningOpRef;

absl::Status RunPipeline(CompilerContext& context, ModuleOp module, std::string_view what,
                         llvm::function_ref<void(mlir::OpPassManager&)> build) {
  mlir::PassManager passes(&context.mlir(), ModuleOp::getOperationName());
  passes.enableVerifier(false);  // Translation and LLVM's verifier check what comes out.
  build(passes);
  return mlir::succeeded(passes.run(module)) ? absl::OkStatus() : context.failure(what);
}

/// Emits the module of the kernels and the host function around them, as a user's would be.
absl::StatusOr<OwningOpRef<ModuleOp>> EmitModule(CompilerContext& context, const MatmulProblem& problem,
                                                 const Schedule& schedule, const LaunchPlan& plan,
                                                 const FamilyBase& family, const DeviceInfo& device) {
  OwningOpRef<ModuleOp> container = createContainerModule(context.mlir());
  setArchitecture(kernelModule(*container), family.Architecture(device), device.arch);
  KernelBuilder builder(kernelModule(*container), device.ComputeCapability());
  RETURN_IF_ERROR(emitKernels(builder, problem, schedule));
  buildHostFunction(*container, problem, plan);
  if (mlir::failed(mlir::verify(*container))) return context.failure("the emitted module is invalid");
  return container;
}

/// Turns the gpu.module of `module` into a gpu.binary, and returns what that embeds.
absl::StatusOr<DeviceImage> BuildImage(CompilerContext& context, ModuleOp module, const CompileTarget& target) {
  PhaseTimer timer;
  std::vector<ModuleImage> images;
  RETURN_IF_ERROR(RunPipeline(context, module, "lowering the kernel", [&](mlir::OpPassManager& passes) {
    buildGpuToBinaryPipeline(passes, {target, &images});
  }));
  DeviceImage image = std::move(images.front().image);
  image.phases.mlir_ms = timer.lap() - image.phases.llvm_ms - image.phases.assemble_ms;
  return image;
}

absl::StatusOr<std::string> BuildHostObject(CompilerContext& context, ModuleOp container, const CompileTarget& target) {
  RETURN_IF_ERROR(RunPipeline(context, container, "lowering the host code",
                              [](mlir::OpPassManager& passes) { buildHostToLlvmPipeline(passes); }));
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine(target.host_cpu));
  absl::StatusOr<std::string> object = generateCode(container, *machine, /*level=*/1, CodeKind::kObject);
  return object.ok() ? object : context.failure(ToStd(object.status().message()));
}

/// Reads the resources. The matmul kernel is the first that the plan launches; spills are those of all kernels.
KernelResources ReadResources(const LaunchPlan& plan, const DeviceImage& image) {
  KernelResources resources;
  auto product = std::find_if(plan.steps.begin(), plan.steps.end(),
                              [](const PlanStep& step) { return step.kind == PlanStep::Kind::kLaunch; });
  resources.threads = int64_t{product->block[0]} * product->block[1] * product->block[2];
  resources.shared_bytes = product->dynamic_shared_bytes;
  resources.grid_x = product->grid[0];
  resources.grid_y = product->grid[1];
  resources.grid_z = product->grid[2];
  if (auto usage = image.kernels.find(product->kernel); usage != image.kernels.end()) {
    resources.registers = usage->second.registers;
    resources.shared_bytes += usage->second.staticShared;
    resources.spill_bytes = 0;
    for (const auto& [name, kernel] : image.kernels) resources.spill_bytes += kernel.spillBytes;
  }
  return resources;
}

/// Returns an error that names the first warning or the spills of the assembler, if there are any.
absl::Status CheckAssembly(const CompiledKernel& kernel) {
  if (!kernel.warnings.empty()) return Internal(absl::StrCat("ptxas warns: ", kernel.warnings.front()));
  if (kernel.resources.spill_bytes <= 0) return absl::OkStatus();
  return Internal(absl::StrCat("ptxas spills registers: ", kernel.resources.spill_bytes, " bytes"));
}

/// The PTX of the candidates that were compiled last for a GPU: their verification runs the same text, which need not
/// be compiled again.
class KnownPtx {
 public:
  /// Returns the PTX with this key, null if there is none.
  const std::string* Find(const std::string& key) const {
    const auto found = std::ranges::find(texts_, key, &std::pair<std::string, std::string>::first);
    return found == texts_.end() ? nullptr : &found->second;
  }
  void Add(const std::string& key, std::string ptx) {
    std::erase_if(texts_, [&](const auto& text) { return text.first == key; });
    texts_.emplace_back(key, std::move(ptx));
    if (texts_.size() > kMostTexts) texts_.pop_front();
  }

 private:
  /// Candidates may be compiled long before they are verified.
  static constexpr size_t kMostTexts = 32;
  std::deque<std::pair<std::string, std::string>> texts_;  ///< By key, the newest last.
};

class MlirCompiler final : public Compiler {
 public:
  MlirCompiler() : registry_(createCompilerRegistry()) {}

  absl::StatusOr<CompiledKernel> Compile(const MatmulProblem& problem, const Schedule& schedule,
                                         const CompileTarget& target) override {
    RETURN_IF_ERROR(ValidateSchedule(problem, schedule, target.device));
    CompiledKernel result;
    PhaseTimer timer;
    ASSIGN_OR_RETURN(const FamilyBase* family, FindKernelFamily(schedule.family));
    result.plan = family->MakeLaunchPlan(problem, schedule);
    const std::string key = absl::StrCat(problem.Text(), "\n", schedule.Text(), "\n", target.device.arch);
    if (target.shipped_ptx && !target.host_code) {
      if (const std::string* ptx = known_ptx_.Find(key)) return WithPtx(std::move(result), *ptx);
    }
    CompilerContext context(registry_);
    ASSIGN_OR_RETURN(OwningOpRef<ModuleOp> container,
                     EmitModule(context, problem, schedule, result.plan, *family, target.device));
    double emit_ms = timer.lap();

    if (target.host_code) {
      RETURN_IF_ERROR(RunPipeline(context, *container, "placing buffers", [](mlir::OpPassManager& passes) {
        buildPlacementPipeline(passes, /*processArgs=*/true, StreamPolicy::kOne);
      }));
    }
    double placement_ms = timer.lap();

    ASSIGN_OR_RETURN(DeviceImage image, BuildImage(context, *container, target));
    result.phases = image.phases;
    result.phases.emit_ms = emit_ms;
    timer.lap();

    if (target.host_code) {
      ASSIGN_OR_RETURN(result.host_object, BuildHostObject(context, *container, target));
      result.phases.host_ms = placement_ms + timer.lap();
      result.host_symbol = kHostFunctionName;
    }
    if (target.device.kind == DeviceKind::kCuda)
      known_ptx_.Add(key, image.format == ImageFormat::kPtx ? image.bytes : image.ptx);
    result.resources = ReadResources(result.plan, image);
    result.warnings = std::move(image.warnings);
    if (family->FailsOnAssemblerWarnings()) RETURN_IF_ERROR(CheckAssembly(result));
    result.format = image.format;
    result.code_digest = Sha256Hex(image.bytes);
    result.image = std::move(image.bytes);
    return result;
  }

 private:
  static CompiledKernel WithPtx(CompiledKernel kernel, const std::string& ptx) {
    kernel.resources = ReadResources(kernel.plan, DeviceImage());
    kernel.format = ImageFormat::kPtx;
    kernel.code_digest = Sha256Hex(ptx);
    kernel.image = ptx;
    return kernel;
  }

  mlir::DialectRegistry registry_;
  KnownPtx known_ptx_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Compiler>> Compiler::Create() { return std::make_unique<MlirCompiler>(); }

Toolchain CompilerToolchain(DeviceKind kind) {
  Toolchain toolchain;
  toolchain.mmtune = MMTUNE_VERSION;
  toolchain.mlir = LLVM_VERSION_STRING;
  if (kind == DeviceKind::kSimt)
    toolchain.assembler = absl::StrCat("llvm ", LLVM_VERSION_STRING);
  else if (!ptxasVersion().empty())
    toolchain.assembler = absl::StrCat("ptxas ", ptxasVersion());
  else
    toolchain.assembler = "driver";
  toolchain.families = KernelFamilyVersions();
  return toolchain;
}

}  // namespace mmtune
