// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/compiler_context.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "proto/base/status.h"

using namespace mlir;

namespace mmtune {
namespace {

/// The number of compilations after which an MLIR context is destroyed.
constexpr int kMostUses = 16;

}  // namespace

DialectRegistry createCompilerRegistry() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  gpu::registerConvertGpuToLLVMInterface(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  return registry;
}

thread_local CompilerContext::LoadedContext CompilerContext::idle;

CompilerContext::LoadedContext CompilerContext::load(const DialectRegistry& registry) {
  LoadedContext loaded = std::exchange(idle, {});
  if (!loaded.context) loaded.context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  loaded.context->appendDialectRegistry(registry);
  loaded.context->loadAllAvailableDialects();
  ++loaded.uses;
  return loaded;
}

CompilerContext::CompilerContext(const DialectRegistry& registry) : loaded(load(registry)) {
  handler.emplace(&mlir(), [this](Diagnostic& diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !firstError.empty()) return success();
    if (auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      firstError = (at.getFilename().getValue() + ":" + Twine(at.getLine()) + ":" + Twine(at.getColumn()) + ": ").str();
    firstError += diagnostic.str();
    return success();
  });
}

CompilerContext::~CompilerContext() {
  handler.reset();
  if (loaded.uses < kMostUses) idle = std::move(loaded);
}

absl::Status CompilerContext::failure(std::string_view what) const {
  std::string line = firstError.empty() ? "no diagnostic" : firstError;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return Internal(absl::StrCat(ToAbsl(what), ": ", line));
}

}  // namespace mmtune
