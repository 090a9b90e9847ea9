// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/execution/gpu_code_on_host.h"

#include "absl/strings/str_cat.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/model/module_reader.h"
#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kRunSuffix[] = "__run";

/// The registers of the thread that runs.
uint32_t thread_index, block_index, threads_of_block, blocks_of_grid;

LoadedObject::Symbols Registers() {
  return {{"register_tid", &thread_index},
          {"register_ctaid", &block_index},
          {"register_ntid", &threads_of_block},
          {"register_nctaid", &blocks_of_grid}};
}

/// Replaces reads of special registers. Blocks and grids have one dimension.
absl::Status ReadRegisters(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = function.getName();
    if (!name.starts_with("llvm.nvvm.") || function.use_empty()) continue;
    auto [which, dimension] = llvm::StringRef(name).rsplit('.');
    if (!which.consume_front("llvm.nvvm.read.ptx.sreg.") || which.contains('.'))
      return InvalidArgument(absl::StrCat("no host has ", name.str()));
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      llvm::Type* type = builder.getInt32Ty();
      llvm::Value* value = builder.getInt32(which.starts_with("n") ? 1 : 0);
      if (dimension == "x")
        value = builder.CreateLoad(type, module.getOrInsertGlobal(("register_" + which).str(), type));
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
  return absl::OkStatus();
}

/// Adds `kernel__run(arguments)`, which calls the kernel with what they point to.
void AddEntry(llvm::Module& module, llvm::Function& kernel) {
  llvm::IRBuilder<> builder(module.getContext());
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, kernel.getName() + kRunSuffix, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", entry));
  std::vector<llvm::Value*> operands;
  for (llvm::Argument& argument : kernel.args()) {
    llvm::Value* slot = builder.CreateConstGEP1_32(builder.getPtrTy(), entry->getArg(0), argument.getArgNo());
    operands.push_back(builder.CreateLoad(argument.getType(), builder.CreateLoad(builder.getPtrTy(), slot)));
  }
  builder.CreateCall(&kernel, operands);
  builder.CreateRetVoid();
}

absl::StatusOr<std::string> ObjectOf(llvm::Module& module) {
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createHostMachine());
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return Internal("no object for this machine");
  passes.run(module);
  return std::string(code.data(), code.size());
}

absl::StatusOr<std::unique_ptr<llvm::Module>> Parse(std::string_view text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString({text.data(), text.size()}, error, context);
  if (!module) return Internal(error.getMessage().str());
  return module;
}

/// Makes the module one for this machine, with an entry for each kernel. Returns the kernels.
absl::StatusOr<std::vector<std::string>> Retarget(llvm::Module& module) {
  RETURN_IF_ERROR(ReadRegisters(module));
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel) kernels.push_back(&function);
    function.setCallingConv(llvm::CallingConv::C);
    for (llvm::Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute()) function.removeFnAttr(attribute.getKindAsString());
  }
  std::vector<std::string> names;
  for (llvm::Function* kernel : kernels) {
    names.push_back(kernel->getName().str());
    AddEntry(module, *kernel);
  }
  return names;
}

}  // namespace

absl::StatusOr<GpuCodeOnHost> GpuCodeOnHost::Compile(std::string_view mlir, std::string_view arch) {
  return CompileText(mlir, arch, /*is_model=*/false);
}

absl::StatusOr<GpuCodeOnHost> GpuCodeOnHost::CompileModel(std::string_view mlir, std::string_view arch) {
  return CompileText(mlir, arch, /*is_model=*/true);
}

absl::StatusOr<GpuCodeOnHost> GpuCodeOnHost::CompileText(std::string_view mlir, std::string_view arch, bool is_model) {
  CompileTarget target;
  ASSIGN_OR_RETURN(target.device, ArchitectureLimits(arch));
  target.device.kind = DeviceKind::kCuda;
  static const auto* registry = new mlir::DialectRegistry(CreateModelRegistry());
  CompilerContext context(*registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(mlir), &context.mlir());
  if (!module) return context.failure("parsing the module");
  mlir::PassManager passes(&context.mlir(), mlir::ModuleOp::getOperationName());
  if (is_model) buildToGpuPipeline(passes, {.device = target.device});
  buildDevicePipeline(passes.nest<mlir::gpu::GPUModuleOp>(), target);
  if (mlir::failed(passes.run(*module))) return context.failure("lowering the kernels");
  auto modules = module->getOps<mlir::gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(modules)) return InvalidArgument("the module must hold one gpu.module");
  mlir::gpu::GPUModuleOp kernels = *modules.begin();
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, createNvptxMachine(arch, kernels));
  ASSIGN_OR_RETURN(std::string text, generateCode(kernels, *machine, /*level=*/3, CodeKind::kLlvmIr));

  llvm::LLVMContext llvm_context;
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::Module> code, Parse(text, llvm_context));
  GpuCodeOnHost result;
  ASSIGN_OR_RETURN(result.kernels_, Retarget(*code));
  ASSIGN_OR_RETURN(std::string object, ObjectOf(*code));
  ASSIGN_OR_RETURN(result.object_, LoadedObject::Load(object, Registers()));
  return result;
}

absl::StatusOr<std::string> HostObjectOf(std::string_view llvm_ir) {
  llvm::LLVMContext context;
  ASSIGN_OR_RETURN(std::unique_ptr<llvm::Module> module, Parse(llvm_ir, context));
  return ObjectOf(*module);
}

absl::Status GpuCodeOnHost::Run(std::string_view kernel, uint32_t blocks, uint32_t threads, void** arguments) const {
  ASSIGN_OR_RETURN(void* entry, object_->Lookup(absl::StrCat(std::string(kernel), kRunSuffix)));
  threads_of_block = threads;
  blocks_of_grid = blocks;
  for (block_index = 0; block_index < blocks; ++block_index)
    for (thread_index = 0; thread_index < threads; ++thread_index) reinterpret_cast<void (*)(void**)>(entry)(arguments);
  return absl::OkStatus();
}

}  // namespace mmtune
