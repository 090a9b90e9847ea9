// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR context of one compilation. It keeps the first diagnostic, so that a failed pass becomes an absl::Status.
//
//   CompilerContext context(createCompilerRegistry());
//   if (failed(passes.run(module))) return context.failure("cannot compile the kernel");
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace mmtune {

/// Returns the dialects, conversions and translations that the pipelines use. There are no others, because each one
/// makes every start of a compiling child process slower.
mlir::DialectRegistry createCompilerRegistry();

/// An MLIR context that keeps its first error. Use one per compilation. Not thread-safe.
///
/// Loading the dialects takes milliseconds, so the next CompilerContext of the thread takes the same MLIRContext over.
/// After a few compilations an MLIRContext is destroyed, because it keeps all attributes, such as images of kernels.
class CompilerContext {
 public:
  explicit CompilerContext(const mlir::DialectRegistry& registry);
  ~CompilerContext();

  mlir::MLIRContext& mlir() { return *loaded.context; }

  /// Returns Internal with `what` and the first error reported to the context, in one line.
  absl::Status failure(std::string_view what) const;

 private:
  /// An MLIRContext with its dialects, and the number of compilations that have used it.
  struct LoadedContext {
    std::unique_ptr<mlir::MLIRContext> context;
    int uses = 0;
  };
  /// The context that the next CompilerContext of the thread takes; null if there is none.
  static thread_local LoadedContext idle;

  static LoadedContext load(const mlir::DialectRegistry& registry);

  LoadedContext loaded;
  std::string firstError;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
};

}  // namespace mmtune
