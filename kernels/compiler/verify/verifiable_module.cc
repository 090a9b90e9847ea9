// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/verify/verifiable_module.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/model/module_reader.h"
#include "kernels/compiler/passes/shared/passes.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::success;
using mlir::gpu::GPUFuncOp;
using mlir::gpu::GPUModuleOp;

/// True for a type that a host function can take and a command line can fill.
bool CanBeMade(mlir::Type type) {
  if (auto memref = mlir::dyn_cast<mlir::MemRefType>(type)) {
    return memref.getLayout().isIdentity() && !memref.getMemorySpace() && CanBeMade(memref.getElementType()) &&
           !mlir::isa<mlir::MemRefType>(memref.getElementType());
  }
  return type.isIntOrIndexOrFloat();
}

LogicalResult RefuseArgument(mlir::Operation* kernel, llvm::StringRef name, size_t index, mlir::Type type) {
  return kernel->emitError() << "argument " << index << " of kernel @" << name << " cannot be created: it is " << type
                             << "; launch the kernel from a function of the module and give --run";
}

/// Returns the first operation, as a module that the parser adds around a file's operations has no location.
mlir::Operation* FirstIn(ModuleOp module) {
  return module.getBody()->empty() ? module.getOperation() : &module.getBody()->front();
}

/// Generates launchers for the kernels of a module without host code.
class LauncherBuilder {
 public:
  LauncherBuilder(ModuleOp module, const LaunchSizes& sizes) : module_(module), builder_(module), sizes_(sizes) {}

  LogicalResult Build(std::vector<std::string>* functions) {
    module_->setAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName(), builder_.getUnitAttr());
    auto modules = llvm::to_vector(module_.getOps<GPUModuleOp>());
    for (GPUModuleOp kernels : modules) {
      for (auto kernel : kernels.getOps<mlir::LLVM::LLVMFuncOp>()) {
        if (kernel->hasAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName())) return Refuse(kernel);
      }
      for (auto kernel : kernels.getOps<GPUFuncOp>()) {
        if (!kernel.isKernel()) continue;
        if (failed(Launch(kernel))) return failure();
        functions->push_back(kernel.getName().str());
      }
    }
    if (!functions->empty()) return success();
    return FirstIn(module_)->emitError("the module has no kernel to verify");
  }

 private:
  static LogicalResult Refuse(mlir::LLVM::LLVMFuncOp kernel) {
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      if (!type.isIntOrIndexOrFloat()) return RefuseArgument(kernel, kernel.getName(), index, type);
    }
    return kernel.emitError() << "kernel @" << kernel.getName()
                              << " is an llvm.func; launch it from a function of the module and give --run";
  }

  /// Takes the sizes that the kernel states; a different size given is an error.
  static LogicalResult TakeKnown(GPUFuncOp kernel, const char* option, std::optional<llvm::ArrayRef<int32_t>> known,
                                 const std::optional<std::array<int64_t, 3>>& given, std::array<int64_t, 3>* size) {
    if (!known) return success();
    std::copy_n(known->begin(), 3, size->begin());
    if (!given || *given == *size) return success();
    return kernel.emitError() << "kernel @" << kernel.getName() << " fixes its sizes at " << (*size)[0] << ","
                              << (*size)[1] << "," << (*size)[2] << ", which " << option << " contradicts; leave "
                              << option << " out";
  }

  LogicalResult Launch(GPUFuncOp kernel) {
    if (module_.lookupSymbol(kernel.getName())) {
      return kernel.emitError() << "two symbols are named @" << kernel.getName() << "; rename the kernel";
    }
    for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      if (!CanBeMade(type)) return RefuseArgument(kernel, kernel.getName(), index, type);
    }
    std::array<int64_t, 3> grid = sizes_.grid.value_or(std::array<int64_t, 3>{1, 1, 1});
    std::array<int64_t, 3> block = sizes_.block.value_or(std::array<int64_t, 3>{0, 0, 0});
    if (failed(TakeKnown(kernel, "--grid", kernel.getKnownGridSize(), sizes_.grid, &grid)) ||
        failed(TakeKnown(kernel, "--block", kernel.getKnownBlockSize(), sizes_.block, &block))) {
      return failure();
    }
    if (block[0] == 0) {
      return kernel.emitError() << "kernel @" << kernel.getName()
                                << " does not say the size of its blocks (known_block_size); give --block X,Y,Z";
    }
    if (!sizes_.shared_bytes && usesDynamicShared(kernel)) {
      return kernel.emitError() << "kernel @" << kernel.getName()
                                << " uses dynamic shared memory and does not say how much; give --shared-bytes N";
    }
    AddFunction(kernel, grid, block);
    return success();
  }

  void AddFunction(GPUFuncOp kernel, const std::array<int64_t, 3>& grid, const std::array<int64_t, 3>& block) {
    const mlir::Location location = kernel.getLoc();
    builder_.setInsertionPointToEnd(module_.getBody());
    auto type = builder_.getFunctionType(kernel.getArgumentTypes(), {});
    auto function = mlir::func::FuncOp::create(builder_, location, kernel.getName(), type);
    builder_.setInsertionPointToStart(function.addEntryBlock());
    auto sizes = [&](const std::array<int64_t, 3>& extents) {
      mlir::Value values[3];
      for (size_t i = 0; i < 3; ++i) {
        values[i] = mlir::arith::ConstantIndexOp::create(builder_, location, extents[i]);
      }
      return mlir::gpu::KernelDim3{values[0], values[1], values[2]};
    };
    mlir::Value shared_bytes;
    if (sizes_.shared_bytes) {
      shared_bytes = mlir::arith::ConstantIntOp::create(builder_, location, *sizes_.shared_bytes, 32);
    }
    mlir::gpu::LaunchFuncOp::create(builder_, location, kernel, sizes(grid), sizes(block), shared_bytes,
                                    function.getArguments());
    mlir::func::ReturnOp::create(builder_, location);
  }

  ModuleOp module_;
  mlir::OpBuilder builder_;
  const LaunchSizes& sizes_;
};

/// Requires kernels, or operations that the compiler turns into kernels.
LogicalResult RequireKernels(ModuleOp module) {
  const mlir::WalkResult walk = module.walk([](mlir::Operation* op) {
    const bool found =
        mlir::isa_and_nonnull<mlir::gpu::GPUDialect, mlir::linalg::LinalgDialect, tm_tensor::TmTensorDialect>(
            op->getDialect());
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (walk.wasInterrupted()) return success();
  return FirstIn(module)->emitError(
      "the module has no kernel to verify: it has neither gpu nor linalg or tm_tensor operations");
}

LogicalResult Prepare(ModuleOp module, const LaunchSizes& sizes, VerifiableModule* result) {
  if (failed(RequireKernels(module))) return failure();
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isExternal() && function.isPublic()) result->functions.push_back(function.getName().str());
  }
  if (!result->functions.empty()) return success();
  result->launchers = true;
  return LauncherBuilder(module, sizes).Build(&result->functions);
}

}  // namespace

absl::StatusOr<VerifiableModule> MakeVerifiable(std::string_view text, std::string_view name, const LaunchSizes& sizes,
                                                const ModelCompiler::DiagnosticSink& sink) {
  mlir::MLIRContext context(CreateModelRegistry(), mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::gpu::GPUDialect>();  // of launchers
  llvm::SourceMgr sources;
  std::unique_ptr<llvm::MemoryBuffer> bytecode;  // It has no lines to quote.
  if (mlir::isBytecode(llvm::MemoryBufferRef(text, ""))) {
    bytecode = AlignedCopy(text, name);
  } else {
    sources.AddNewSourceBuffer(AlignedCopy(text, name), llvm::SMLoc());
  }
  SinkHandler handler(sources, &context, name, sink);
  mlir::OwningOpRef<ModuleOp> module = ParseModule(bytecode.get(), sources, llvm::StringRef(name), &context);
  if (!module) return InvalidArgument("the module is not valid MLIR");
  VerifiableModule result;
  if (failed(Prepare(*module, sizes, &result))) return InvalidArgument("the module cannot be verified");
  if (!result.launchers) {
    if (sizes.any()) {
      return InvalidArgument(
          "--grid, --block and --shared-bytes are for kernels without host code: this module launches its own");
    }
    result.text = text;
    return result;
  }
  llvm::raw_string_ostream stream(result.text);
  if (failed(mlir::writeBytecodeToFile(*module, stream))) return Internal("the module cannot be written as bytecode");
  return result;
}

}  // namespace mmtune
