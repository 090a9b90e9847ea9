// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-opt: mlir-opt with the passes of mmtune.
#include <csignal>

#include "kernels/compiler/pipelines/pipelines.h"
#include "llvm/Support/CommandLine.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "proto/command_line/version.h"

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // a write past the limit of a file's size is an error in one line
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream& out) { out << mmtune::VersionLine() << '\n'; });
  mmtune::registerEveryPass();
  mlir::DialectRegistry registry = mmtune::everyDialect();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "mmtune optimizer driver\n", registry));
}
