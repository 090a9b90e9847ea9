// MLIR's diagnostics for those who know no MLIR.
#pragma once

#include <string>

#include "kernels/model/model_compiler.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"

namespace mmtune {

/// Prints each diagnostic with its source line into the sink.
class SinkHandler : public mlir::SourceMgrDiagnosticHandler {
 public:
  SinkHandler(llvm::SourceMgr& sources, mlir::MLIRContext* context, const ModelCompiler::DiagnosticSink& sink)
      : SourceMgrDiagnosticHandler(sources, context, stream_), stream_(text_), sink_(sink) {
    setHandler([this](mlir::Diagnostic& diagnostic) {
      text_.clear();
      emitDiagnostic(diagnostic);
      sink_(text_);
    });
  }

 private:
  std::string text_;
  llvm::raw_string_ostream stream_;
  const ModelCompiler::DiagnosticSink& sink_;
};

}  // namespace mmtune
