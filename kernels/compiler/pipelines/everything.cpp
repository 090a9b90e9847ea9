// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Apart, since nothing else takes as long to compile.
#include "kernels/compiler/pipelines/pipelines.h"
#include "kernels/compiler/tm_tensor/tm_tensor.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

namespace mmtune {

void registerEveryPass() {
  mlir::registerAllPasses();
  registerMmtunePasses();
}

mlir::DialectRegistry everyDialect() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  tm_tensor::registerDialect(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  return registry;
}

}  // namespace mmtune
