// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/fuzz_compiler.h"

#include <utility>
#include <vector>

#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Contexts keep what they intern, so they are made anew now and then.
constexpr int kModulesPerContext = 200;

std::string InModule(const std::string& content) {
  return "module attributes {gpu.container_module} {\n" + content + "}\n";
}

void EmbedImage(mlir::ModuleOp module, const std::string& image) {
  for (auto kernels : llvm::make_early_inc_range(module.getOps<mlir::gpu::GPUModuleOp>())) {
    mlir::OpBuilder builder(kernels);
    auto object = mlir::gpu::ObjectAttr::get(mlir::NVVM::NVVMTargetAttr::get(builder.getContext()),
                                             mlir::gpu::CompilationTarget::Binary, builder.getStringAttr(image));
    mlir::gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                                mlir::gpu::SelectObjectAttr::get(builder.getContext(), mlir::Attribute()),
                                llvm::ArrayRef<mlir::Attribute>{object});
    kernels.erase();
  }
}

std::map<std::string, int> CountParameters(mlir::ModuleOp module) {
  std::map<std::string, int> counts;
  module.walk([&](mlir::gpu::GPUFuncOp kernel) {
    int& count = counts[kernel.getName().str()];
    for (mlir::Type type : kernel.getArgumentTypes()) {
      auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
      count += memref ? 3 + 2 * static_cast<int>(memref.getRank()) : 1;
    }
  });
  return counts;
}

class FuzzCompilerImpl final : public FuzzCompiler {
 public:
  FuzzCompilerImpl(std::string kernels, std::map<std::string, int> parameters, std::string image,
                   std::unique_ptr<llvm::TargetMachine> machine)
      : kernels_(std::move(kernels)),
        parameters_(std::move(parameters)),
        image_(std::move(image)),
        machine_(std::move(machine)) {
    machine_->setOptLevel(llvm::CodeGenOptLevel::None);
  }

  const std::map<std::string, int>& kernel_parameters() const override { return parameters_; }

  absl::StatusOr<std::string> Compile(std::string_view functions, Variant variant) override {
    if (uses_++ % kModulesPerContext == 0 || failed_) context_ = std::make_unique<CompilerContext>(registry_);
    failed_ = true;
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(InModule(kernels_ + std::string(functions)), &context_->mlir());
    if (!module) return context_->failure("parsing the generated module");
    if (variant != Variant::kHostMemory) {
      mlir::PassManager placement(&context_->mlir(), mlir::ModuleOp::getOperationName());
      buildPlacementPipeline(placement, /*processArgs=*/true,
                             variant == Variant::kOneStream ? StreamPolicy::kOne : StreamPolicy::kSeveral);
      if (mlir::failed(placement.run(*module))) {
        return absl::FailedPreconditionError(context_->failure("placing buffers").message());
      }
    }
    EmbedImage(*module, image_);
    mlir::PassManager lowering(&context_->mlir(), mlir::ModuleOp::getOperationName());
    lowering.enableVerifier(false);
    buildHostToLlvmPipeline(lowering);
    if (mlir::failed(lowering.run(*module))) return context_->failure("lowering the host code");
    ASSIGN_OR_RETURN(std::string object, generateCode(*module, *machine_, /*level=*/0, CodeKind::kObject));
    failed_ = false;
    return object;
  }

 private:
  const std::string kernels_;
  const std::map<std::string, int> parameters_;
  const std::string image_;
  const std::unique_ptr<llvm::TargetMachine> machine_;
  const mlir::DialectRegistry registry_ = createCompilerRegistry();
  std::unique_ptr<CompilerContext> context_;
  int uses_ = 0;
  bool failed_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<FuzzCompiler>> FuzzCompiler::Create(std::string kernels) {
  CompilerContext context(createCompilerRegistry());
  auto module = mlir::parseSourceString<mlir::ModuleOp>(InModule(kernels), &context.mlir());
  if (!module) return context.failure("parsing the kernels");
  std::map<std::string, int> parameters = CountParameters(*module);
  GpuToBinaryOptions options;
  options.target.device.kind = DeviceKind::kSimt;
  std::vector<ModuleImage> images;
  options.images = &images;
  mlir::PassManager passes(&context.mlir(), mlir::ModuleOp::getOperationName());
  buildGpuToBinaryPipeline(passes, options);
  if (mlir::failed(passes.run(*module))) return context.failure("compiling the kernels");
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine());
  return std::make_unique<FuzzCompilerImpl>(std::move(kernels), std::move(parameters),
                                            std::move(images.front().image.bytes), std::move(machine));
}

}  // namespace mmtune
