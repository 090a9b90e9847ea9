// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what instructions need, beside what LLVM and ptxas take: instructions.mlir has one a kernel.
#include "kernels/compiler/codegen/llvm_codegen.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "kernels/compiler/pipelines/compiler_context.h"
#include "kernels/compiler/pipelines/pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace mmtune {
namespace {

/// From the oldest to the newest.
constexpr std::array kArchitectures = {"sm_75",  "sm_80",   "sm_89",  "sm_90",  "sm_90a",
                                       "sm_100", "sm_100a", "sm_120", "sm_120a"};

CompileTarget Target(std::string_view arch) {
  CompileTarget target;
  target.device = *ArchitectureLimits(arch);
  target.device.kind = DeviceKind::kCuda;
  return target;
}

/// Holds the kernels of instructions.mlir, or those of them that are kept.
class Instructions {
 public:
  Instructions() : context_(Registry()) {
    std::ifstream file(INSTRUCTIONS);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_.mlir());
    kernels().walk([&](mlir::LLVM::LLVMFuncOp kernel) { names_.push_back(kernel.getName().str()); });
  }

  const std::vector<std::string>& names() const { return names_; }

  /// Returns the kernels that the table lets code for `arch` have.
  std::set<std::string> TakenBy(std::string_view arch) {
    std::set<std::string> taken;
    for (auto kernel : kernels().getOps<mlir::LLVM::LLVMFuncOp>()) {
      auto isRefused = [&](mlir::Operation* op) {
        return mlir::WalkResult(llvm::success(isSatisfied(requirementOf(op), arch)));
      };
      if (!kernel.walk(isRefused).wasInterrupted()) taken.insert(kernel.getName().str());
    }
    return taken;
  }

  void Keep(const std::set<std::string>& names) {
    for (auto kernel : llvm::make_early_inc_range(kernels().getOps<mlir::LLVM::LLVMFuncOp>())) {
      if (!names.contains(kernel.getName().str())) kernel.erase();
    }
  }

  /// Generates code without the check of architectures.
  absl::Status Generate(std::string_view arch) {
    mlir::PassManager passes(&context_.mlir());
    passes.enableVerifier(false);
    static const bool registered = (registerEveryPass(), true);
    (void)registered;
    if (failed(mlir::parsePassPipeline("gpu.module(convert-nvvm-to-llvm,reconcile-unrealized-casts)", passes)) ||
        failed(passes.run(*module_))) {
      return context_.failure("lowering");
    }
    return generateDeviceImage(kernels(), Target(arch)).status();
  }

 private:
  static const mlir::DialectRegistry& Registry() {
    static const auto* registry = new mlir::DialectRegistry(createCompilerRegistry());
    return *registry;
  }
  mlir::gpu::GPUModuleOp kernels() { return *module_->getOps<mlir::gpu::GPUModuleOp>().begin(); }

  CompilerContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<std::string> names_;
};

/// True if LLVM and ptxas make code of the kernel. They run in a child, as LLVM may abort.
bool Compiles(const std::string& name, std::string_view arch) {
  const pid_t child = fork();
  if (child == 0) {
    for (int number : {SIGABRT, SIGSEGV}) signal(number, SIG_DFL);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    Instructions instructions;
    instructions.Keep({name});
    _exit(instructions.Generate(arch).ok() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ArchitectureNeedsTest, WhatIsTakenCompiles) {
  if (findPtxas().empty()) GTEST_SKIP() << "there is no ptxas";
  for (std::string_view arch : kArchitectures) {
    Instructions instructions;
    instructions.Keep(instructions.TakenBy(arch));
    const absl::Status generated = instructions.Generate(arch);
    EXPECT_TRUE(generated.ok()) << arch << ": " << generated;
    if (generated.ok()) continue;
    for (const std::string& name : Instructions().TakenBy(arch)) {
      EXPECT_TRUE(Compiles(name, arch)) << name << " for " << arch;
    }
  }
}

// Each is tried for the refused architectures beside those that have it.
TEST(ArchitectureNeedsTest, WhatIsRefusedDoesNotCompile) {
  if (findPtxas().empty()) GTEST_SKIP() << "there is no ptxas";
  Instructions instructions;
  ASSERT_GT(instructions.names().size(), 300u);
  std::map<std::string_view, std::set<std::string>> taken;
  for (std::string_view arch : kArchitectures) taken[arch] = instructions.TakenBy(arch);
  for (const std::string& name : instructions.names()) {
    auto hasIt = [&](const auto& of_arch) { return of_arch.second.contains(name); };
    EXPECT_TRUE(std::any_of(taken.begin(), taken.end(), hasIt)) << name << " is refused everywhere";
  }
  int refused = 0;
  for (const std::string& name : instructions.names()) {
    for (size_t i = 0; i < kArchitectures.size(); ++i) {
      auto isTaken = [&](size_t at) { return at < kArchitectures.size() && taken[kArchitectures[at]].contains(name); };
      if (isTaken(i) || !(isTaken(i + 1) || (i > 0 && isTaken(i - 1)))) continue;
      ++refused;
      EXPECT_FALSE(Compiles(name, kArchitectures[i])) << name << " for " << kArchitectures[i];
    }
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace mmtune
