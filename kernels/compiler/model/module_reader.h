// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads users' MLIR modules: the dialects they may use, text and bytecode, and the printing of diagnostics.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kernels/compiler/model/model_compiler.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

namespace mmtune {

/// Returns the dialects that a model may use, with the interfaces that bufferization, linalg and the inliner need.
mlir::DialectRegistry CreateModelRegistry();

/// Copies a module to aligned memory. MLIR reads bytecode with aligned resources only from such memory.
std::unique_ptr<llvm::MemoryBuffer> AlignedCopy(std::string_view module, std::string_view name);

/// Converts the hexadecimal i1 constants in `text` from the format of newer MLIR versions, one byte per element, to the
/// format that this version reads, one bit per element. All other text keeps its line and column.
std::string PackBooleanConstants(std::string_view text);

/// Parses and verifies `bytecode`, or the main buffer of `sources` if `bytecode` is null. If the module is invalid,
/// emits a diagnostic and returns null. `name` is the file name.
mlir::OwningOpRef<mlir::ModuleOp> ParseModule(const llvm::MemoryBuffer* bytecode, llvm::SourceMgr& sources,
                                              llvm::StringRef name, mlir::MLIRContext* context);

/// A diagnostic handler that prints each diagnostic, with its source line, to a sink. Diagnostics without location get
/// the file name, and hints that only apply to MLIR's own tools are replaced. `sources`, `context` and `sink` must
/// outlive it.
class SinkHandler : public mlir::SourceMgrDiagnosticHandler {
 public:
  SinkHandler(llvm::SourceMgr& sources, mlir::MLIRContext* context, std::string_view name,
              const ModelCompiler::DiagnosticSink& sink)
      : SourceMgrDiagnosticHandler(sources, context, stream_), stream_(text_), sink_(sink) {
    setHandler([this, file = std::string(name)](mlir::Diagnostic& diagnostic) {
      constexpr std::string_view kNowhere = "<unknown>:0:";
      constexpr std::string_view kUnregistered =
          "operation being parsed with an unregistered dialect. If this is intended, please use "
          "-allow-unregistered-dialect with the MLIR tool used";
      text_.clear();
      emitDiagnostic(diagnostic);
      for (size_t line = 0; line != std::string::npos; line = text_.find('\n', line)) {
        if (text_[line] == '\n') ++line;
        if (text_.compare(line, kNowhere.size(), kNowhere) == 0) text_.replace(line, kNowhere.size(), file + ":");
      }
      if (const size_t advice = text_.find(kUnregistered); advice != std::string::npos) {
        text_.replace(advice, kUnregistered.size(), "an operation of a dialect that is not known here: lower it first");
      }
      sink_(text_);
    });
  }

 private:
  std::string text_;
  llvm::raw_string_ostream stream_;
  const ModelCompiler::DiagnosticSink& sink_;
};

}  // namespace mmtune
