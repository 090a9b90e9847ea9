// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/gpu_module_compiler.h"

#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/status.h"

namespace mmtune {

absl::StatusOr<std::string> CompileGpuModule(std::string_view mlir, std::string_view name, const CompileTarget& target,
                                             ImageFormat* format) {
  static const auto* registry = [] {
    auto* dialects = new mlir::DialectRegistry(createCompilerRegistry());
    dialects->insert<mlir::math::MathDialect>();
    return dialects;
  }();
  CompilerContext context(*registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(mlir), &context.mlir(), llvm::StringRef(name));
  if (!module) return context.failure("parsing the module");
  std::vector<ModuleImage> images;
  mlir::PassManager passes(&context.mlir(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false);  // as Compile() does
  buildGpuToBinaryPipeline(passes, {target, &images});
  if (mlir::failed(passes.run(*module))) return context.failure("lowering the kernel");
  if (images.size() != 1) return InvalidArgument("the module must hold one gpu.module");
  *format = images[0].image.format;
  return std::move(images[0].image.bytes);
}

}  // namespace mmtune
