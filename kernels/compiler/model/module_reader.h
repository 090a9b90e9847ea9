// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects and interfaces of user modules, beyond those of a candidate.
//
// A module where MLIR can read it.
//
// MLIR's diagnostics for those who know no MLIR.
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

/// createCompilerRegistry() and what bufferization, linalg and the inliner need.
mlir::DialectRegistry CreateModelRegistry();

/// A copy of a module, aligned as all that lies in it: MLIR reads bytecode of which a part (a resource) asks for an
/// alignment only from a buffer that has it.
std::unique_ptr<llvm::MemoryBuffer> AlignedCopy(std::string_view module, std::string_view name);

/// The text of a module with its hexadecimal constants of i1 as this version of MLIR reads them: newer ones write a
/// byte for each element, this one reads a bit. Anything else stays as it is, at its line and column.
std::string PackBooleanConstants(std::string_view text);

/// Parses and verifies a module: bytecode, or without that the main buffer of `sources`. Null when it is not valid
/// MLIR, with a diagnostic. `name` is that of its file.
mlir::OwningOpRef<mlir::ModuleOp> ParseModule(const llvm::MemoryBuffer* bytecode, llvm::SourceMgr& sources,
                                              llvm::StringRef name, mlir::MLIRContext* context);

/// Prints each diagnostic with its source line into the sink; one without a place gets the file's name, and advice for
/// users of other tools is left out.
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
