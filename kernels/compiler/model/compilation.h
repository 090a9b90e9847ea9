// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compilation of a user's module: its MLIR context, the module, the stages of passes that run on it, and the result
// so far. This file is internal to model_compiler.cc.
//
//   Compilation compilation(registry, text, "model.mlir", observer, sink);
//   compilation.Parse();  compilation.Run({"to gpu", build, pipeline});  ...  compilation.result()
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

/// A group of passes that run together. The result of the compilation has one time for the group.
struct PassStage {
  const char* name;
  /// Adds the passes.
  llvm::function_ref<void(mlir::OpPassManager&)> build;
  /// Returns the same passes as text for mmtune-opt, which runs passes like mlir-opt. It is called only if the observer
  /// wants a reproducer: the module before these passes, and the passes, by which a failure can be repeated.
  llvm::function_ref<std::string()> pipeline;
};

/// A compilation in progress. Not thread-safe.
class Compilation {
 public:
  /// `text` is MLIR assembly or bytecode, `name` its file name for diagnostics. `observer` receives the module after
  /// each pass, and `sink` the diagnostics (model_compiler.h). Both must outlive this object.
  Compilation(const mlir::DialectRegistry& registry, std::string_view text, std::string_view name,
              const CompileObserver& observer, const ModelCompiler::DiagnosticSink& sink);

  /// Parses the module; must be called first. Returns InvalidArgument if it is not valid MLIR.
  absl::Status Parse();
  /// Runs the passes. Returns FailedPrecondition if a pass fails, or the error that the observer returned.
  absl::Status Run(const PassStage& stage);
  /// Returns host code of this `kind`. The module must be in the LLVM dialect. `host_cpu` is as for findHostCpu()
  /// (llvm_codegen.h), and `level` is the optimization level, 0 to 3. Returns InvalidArgument for an unknown
  /// `host_cpu`, and Internal if LLVM cannot generate the code.
  absl::StatusOr<std::string> Generate(std::string_view host_cpu, int level, CodeKind kind);

  /// Returns the module as assembly.
  std::string Print();
  /// Returns the module as bytecode.
  std::string PrintBytecode();

  mlir::ModuleOp module() { return *module_; }
  CompiledModel& result() { return result_; }

 private:
  class PassReporter;

  /// Records the time since the last call as the time of `stage`.
  void Lap(const char* stage) { result_.times.push_back({stage, timer_.lap()}); }
  /// Passes the module to the observer if `pass` changed it.
  void Report(std::string_view pass);
  /// Returns the module and the passes in the form of MLIR's reproducers.
  std::string Reproducer(const std::string& pipeline);

  const std::string name_;
  const CompileObserver& observer_;
  const std::unique_ptr<llvm::MemoryBuffer> bytecode_;  ///< Null for assembly.
  int passes_ = 0;                                      ///< Passes run on the whole module so far.
  std::string reported_;                                ///< The text that the observer received last.
  absl::Status observed_ = absl::OkStatus();            ///< The observer's error.
  llvm::SourceMgr sources_;
  mlir::MLIRContext context_;
  SinkHandler handler_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  PhaseTimer timer_;
  CompiledModel result_;
};

}  // namespace mmtune
