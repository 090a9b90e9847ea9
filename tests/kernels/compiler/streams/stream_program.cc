// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/compiler/streams/stream_program.h"

#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/compiler.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/runtime/open_device.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using mlir::ModuleOp;

void RegisterPassesOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerMmtunePasses();
    mlir::registerGpuAsyncRegionPass();
    mlir::registerCanonicalizerPass();
  });
}

absl::Status RunPasses(CompilerContext& context, ModuleOp module, const std::string& what,
                       llvm::function_ref<mlir::LogicalResult(mlir::PassManager&)> add) {
  mlir::PassManager passes(&context.mlir(), ModuleOp::getOperationName());
  if (mlir::failed(add(passes)) || mlir::failed(passes.run(module))) {
    return InvalidArgument(std::string(context.failure(what).message()));
  }
  return absl::OkStatus();
}

/// In place of every gpu.module, an image that only says that there is one.
void ReplaceKernels(ModuleOp module) {
  for (auto kernels : llvm::make_early_inc_range(module.getOps<mlir::gpu::GPUModuleOp>())) {
    mlir::OpBuilder builder(kernels);
    auto object = mlir::gpu::ObjectAttr::get(mlir::NVVM::NVVMTargetAttr::get(builder.getContext()),
                                             mlir::gpu::CompilationTarget::Binary, builder.getStringAttr("image"));
    mlir::gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                                mlir::gpu::SelectObjectAttr::get(builder.getContext(), mlir::Attribute()),
                                llvm::ArrayRef<mlir::Attribute>{object});
    kernels.erase();
  }
}

void DropEventWaits(ModuleOp module) {
  llvm::SmallVector<mlir::LLVM::CallOp> waits;
  module.walk([&](mlir::LLVM::CallOp call) {
    if (call.getCallee() == "mgpuStreamWaitEvent") waits.push_back(call);
  });
  for (mlir::LLVM::CallOp wait : waits) wait.erase();
}

absl::Status CheckLowered(ModuleOp module) {
  std::string left;
  module.walk([&](mlir::Operation* op) {
    const bool lowered = mlir::isa<ModuleOp, mlir::gpu::BinaryOp, mlir::gpu::LaunchFuncOp>(op) ||
                         mlir::isa<mlir::LLVM::LLVMDialect>(op->getDialect());
    if (!lowered) absl::StrAppend(&left, " ", std::string(op->getName().getStringRef()));
  });
  return left.empty() ? absl::OkStatus() : InvalidArgument(absl::StrCat("not lowered:", left));
}

absl::Status CompileKernels(CompilerContext& context, ModuleOp module, bool simt) {
  if (!simt) {
    ReplaceKernels(module);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Device> device, CreateSimtDevice("", 1));
  return RunPasses(context, module, "compiling the kernels", [&](mlir::PassManager& passes) {
    buildGpuToBinaryPipeline(passes, {.target = {device->info(), false}});
    return mlir::success();
  });
}

}  // namespace

absl::StatusOr<std::string> StreamProgram::Compile(std::string_view text, const ProgramOptions& options) {
  RegisterPassesOnce();
  CompilerContext context(createCompilerRegistry());
  auto module = mlir::parseSourceString<ModuleOp>(llvm::StringRef(text.data(), text.size()), &context.mlir());
  if (!module) return InvalidArgument(std::string(context.failure("parsing").message()));
  RETURN_IF_ERROR(RunPasses(context, *module, options.passes, [&](mlir::PassManager& passes) {
    return mlir::parsePassPipeline(options.passes, passes);
  }));
  RETURN_IF_ERROR(CompileKernels(context, *module, options.simt_kernels));
  RETURN_IF_ERROR(RunPasses(context, *module, "lowering the host code", [](mlir::PassManager& passes) {
    buildHostToLlvmPipeline(passes);
    return mlir::success();
  }));
  RETURN_IF_ERROR(CheckLowered(*module));
  if (options.drop_event_waits) DropEventWaits(*module);
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine());
  return generateCode(*module, *machine, /*level=*/0, CodeKind::kObject);
}

absl::StatusOr<std::unique_ptr<StreamProgram>> StreamProgram::Load(const std::string& object) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoadedObject> loaded, LoadedObject::Load(object, MgpuSymbols()));
  loaded->RunConstructors();
  RETURN_IF_ERROR(TakeMgpuError());
  return std::unique_ptr<StreamProgram>(new StreamProgram(std::move(loaded)));
}

StreamProgram::~StreamProgram() { object_->RunDestructors(); }

absl::Status StreamProgram::Run(const std::string& function, std::vector<std::vector<int32_t>>* arguments) {
  std::vector<MemrefDescriptor> descriptors;
  for (std::vector<int32_t>& argument : *arguments) descriptors.emplace_back(&argument);
  ASSIGN_OR_RETURN(void* address, object_->Lookup(absl::StrCat("_mlir_ciface_", function)));
  auto at = [&](size_t i) { return i < descriptors.size() ? &descriptors[i] : nullptr; };
  // The C calling convention lets a callee ignore the arguments that it does not have.
  reinterpret_cast<void (*)(MemrefDescriptor*, MemrefDescriptor*, MemrefDescriptor*, MemrefDescriptor*)>(address)(
      at(0), at(1), at(2), at(3));
  return TakeMgpuError();
}

std::string Unbalanced(const MgpuCounters& before, const MgpuCounters& after) {
  std::string text;
  auto check = [&](const char* what, int64_t made, int64_t gone) {
    if (made != gone) absl::StrAppend(&text, made, " ", what, " made, ", gone, " gone; ");
  };
  check("allocations", after.allocations - before.allocations, after.frees - before.frees);
  check("streams", after.streams_created - before.streams_created, after.streams_destroyed - before.streams_destroyed);
  check("events", after.events_created - before.events_created, after.events_destroyed - before.events_destroyed);
  check("modules", after.modules_loaded - before.modules_loaded, after.modules_unloaded - before.modules_unloaded);
  return text;
}

}  // namespace mmtune
