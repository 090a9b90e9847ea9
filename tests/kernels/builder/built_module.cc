// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/builder/built_module.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/builder/host_builder.h"
#include "kernels/compiler/codegen/ptxas.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/status.h"

namespace mmtune {

CompileTarget DeviceCodeFor(std::string_view arch, DeviceKind kind) {
  CompileTarget target;
  target.device = *ArchitectureLimits(arch);
  target.device.kind = kind;
  target.assemble = false;
  return target;
}

absl::StatusOr<std::string> CompileBuiltModule(const CompileTarget& target,
                                               llvm::function_ref<void(KernelBuilder&)> emit) {
  static const auto* registry = new mlir::DialectRegistry(createCompilerRegistry());
  CompilerContext context(*registry);
  mlir::OwningOpRef<mlir::ModuleOp> container = createContainerModule(context.mlir());
  KernelBuilder builder(kernelModule(*container), target.device.ComputeCapability());
  emit(builder);
  if (mlir::failed(mlir::verify(*container))) return context.failure("the emitted module is invalid");
  std::vector<ModuleImage> images;
  mlir::PassManager passes(&context.mlir(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false);  // as Compile() does
  buildGpuToBinaryPipeline(passes, {target, &images});
  if (mlir::failed(passes.run(*container))) return context.failure("lowering the kernel");
  return std::move(images.front().image.bytes);
}

std::string AssemblerOutput(std::string_view ptx, std::string_view arch) {
  if (findPtxas().empty()) return "";
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string name = (folder / ("built_module_" + std::to_string(getpid()))).string();
  std::ofstream(name + ".ptx") << ptx;
  const std::string command =
      findPtxas() + " -arch=" + std::string(arch) + " -o " + name + ".cubin " + name + ".ptx >" + name + ".txt 2>&1";
  const int code = std::system(command.c_str());
  std::stringstream text;
  if (code != 0) text << "ptxas failed: ";
  text << std::ifstream(name + ".txt").rdbuf();
  for (const char* end : {".ptx", ".cubin", ".txt"}) std::filesystem::remove(name + end);
  return text.str();
}

}  // namespace mmtune
