// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR context of one compilation. It keeps the first diagnostic, so that a failed pass becomes an absl::Status.
//
//   CompilerContext context(createCompilerRegistry());
//   if (failed(passes.run(module))) return context.failure("cannot compile the kernel");
#pragma once

#include <string>

#include "absl/status/status.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace mmtune {

/// Returns the dialects, conversions and translations that the pipelines use. There are no others, because each one
/// makes every start of a compiling child process slower.
mlir::DialectRegistry createCompilerRegistry();

/// An MLIR context that keeps its first error. Use one per compilation, because attributes such as the image of a
/// kernel live as long as the context. Not thread-safe.
class CompilerContext {
 public:
  explicit CompilerContext(const mlir::DialectRegistry& registry);

  mlir::MLIRContext& mlir() { return context; }

  /// Returns Internal with `what` and the first error reported to the context, in one line.
  absl::Status failure(std::string_view what) const;

 private:
  mlir::MLIRContext context;
  std::string firstError;
  mlir::ScopedDiagnosticHandler handler;
};

}  // namespace mmtune
