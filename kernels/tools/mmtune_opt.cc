// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-opt: mlir-opt with the passes of mmtune, and the exit codes of its programs.
#include <csignal>
#include <memory>
#include <string>
#include <utility>

#include "kernels/compiler/pipelines/pipelines.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "proto/base/exit_code.h"
#include "proto/command_line/version.h"

namespace mmtune {
namespace {

namespace cl = llvm::cl;

constexpr int kOk = Number(ExitCode::kOk), kFailed = Number(ExitCode::kNoResult), kUsage = Number(ExitCode::kUsage);

/// Runs the passes that the options name on the input. Returns kUsage if the files, the pipeline or the input are
/// wrong, and kFailed if a pass fails.
int runPasses(const std::string& inputName, const std::string& outputName, mlir::DialectRegistry& registry) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = mlir::openInputFile(inputName, &error);
  std::unique_ptr<llvm::ToolOutputFile> output = input ? mlir::openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << "mmtune-opt: " << error << '\n';
    return kUsage;
  }
  // The passes are set up as soon as the input has been read.
  const auto given = mlir::MlirOptMainConfig::createFromCLOptions();
  auto config = given;
  bool begun = false;
  config.setPassPipelineSetupFn([&](mlir::PassManager& passes) {
    const mlir::LogicalResult setUp = given.setupPassPipeline(passes);
    begun |= mlir::succeeded(setUp);
    return setUp;
  });
  if (mlir::failed(mlir::MlirOptMain(output->os(), std::move(input), registry, config))) {
    return begun ? kFailed : kUsage;
  }
  output->keep();
  return kOk;
}

int optMain(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN);  // a write past the limit of a file's size is an error in one line
  cl::SetVersionPrinter([](llvm::raw_ostream& out) { out << VersionLine() << '\n'; });
  registerEveryPass();
  mlir::DialectRegistry registry = everyDialect();
  const std::string header = mlir::registerCLIOptions("mmtune optimizer driver\n", registry);
  static cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"));
  static cl::opt<std::string> output("o", cl::desc("Output filename"), cl::value_desc("filename"), cl::init("-"));
  // With a stream for errors, it returns false where it would end the process with another program's code.
  if (!cl::ParseCommandLineOptions(argc, argv, header, &llvm::errs())) return kUsage;
  const auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses()) {
    return mlir::failed(mlir::MlirOptMain(argc, argv, input, output, registry)) ? kFailed : kOk;
  }
  llvm::InitLLVM init(argc, argv);  // The MlirOptMain() above constructs its own, and a process has at most one.
  return runPasses(input, output, registry);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) { return mmtune::optMain(argc, argv); }
