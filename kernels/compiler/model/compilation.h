// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compilation of a user's module: its context, the module, and the result so far.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kernels/compiler/codegen/llvm_codegen.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/compiler/model/module_reader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

namespace mmtune {

/// A part of a compilation that runs passes.
struct PassStage {
  const char* name;
  llvm::function_ref<void(mlir::OpPassManager&)> build;
  /// Returns the same passes as text, for mmtune-opt; called only if an observer wants a reproducer.
  llvm::function_ref<std::string()> pipeline;
};

/// Not thread-safe.
class Compilation {
 public:
  /// `text` is MLIR assembly or bytecode. `observer` and `sink` must outlive this.
  Compilation(const mlir::DialectRegistry& registry, std::string_view text, std::string_view name,
              const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink);

  /// Call this first. Returns InvalidArgument if the module is not valid MLIR.
  absl::Status Parse();
  /// Returns InvalidArgument if a pass fails, or the observer's error.
  absl::Status Run(const PassStage& stage);
  /// Returns host code of this `kind`. `level` is the optimization level, 0 to 3. The module is in the LLVM dialect.
  absl::StatusOr<std::string> Generate(std::string_view host_cpu, int level, CodeKind kind);

  std::string Print();
  std::string PrintBytecode();

  mlir::ModuleOp module() { return *module_; }
  CompiledModel& result() { return result_; }

 private:
  class PassReporter;

  void Lap(const char* stage) { result_.times.push_back({stage, timer_.lap()}); }
  /// Passes the module to the observer, unless it is unchanged.
  void Report(std::string_view pass);
  std::string Reproducer(const std::string& pipeline);

  const std::string name_;
  const CompileObserver& observer_;
  const std::unique_ptr<llvm::MemoryBuffer> bytecode_;  ///< Null for assembly.
  int passes_ = 0;                                      ///< The number of passes run on the whole module.
  std::string reported_;                                ///< The text last passed to the observer.
  absl::Status observed_ = absl::OkStatus();
  llvm::SourceMgr sources_;
  mlir::MLIRContext context_;
  SinkHandler handler_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  PhaseTimer timer_;
  CompiledModel result_;
};

}  // namespace mmtune
