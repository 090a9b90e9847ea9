// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-opt: mlir-opt with the passes of mmtune.
#include "kernels/pipelines/pipelines.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char** argv) {
  mlir::registerAllPasses();
  mmtune::registerMmtunePasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "mmtune optimizer driver\n", registry));
}
