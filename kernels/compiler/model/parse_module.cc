// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/parse_module.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace mmtune {
namespace {

/// MLIR parses `%t = gpu.launch blocks...` without `async`, gives the result no type, and crashes when it verifies
/// that.
llvm::LogicalResult CheckResultTypes(mlir::ModuleOp module) {
  auto check = [](mlir::Operation* op) -> mlir::WalkResult {
    for (mlir::OpResult result : op->getResults()) {
      if (result.getType()) continue;
      return op->emitError("'") << op->getName() << "' has a result only when it is asynchronous: write '"
                                << op->getName() << " async', or no result";
    }
    return mlir::WalkResult::advance();
  };
  return llvm::failure(module.walk(check).wasInterrupted());
}

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> ParseModule(const llvm::MemoryBuffer* bytecode, llvm::SourceMgr& sources,
                                              llvm::StringRef name, mlir::MLIRContext* context) {
  const mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      bytecode != nullptr ? mlir::parseSourceString<mlir::ModuleOp>(bytecode->getBuffer(), config, name)
                          : mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
  if (!module || failed(CheckResultTypes(*module)) || failed(mlir::verify(*module))) return nullptr;
  return module;
}

}  // namespace mmtune
