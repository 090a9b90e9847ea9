// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MLIR context of one compilation, and its diagnostics as a Status.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace mmtune {

/// Only the dialects, conversions and translations that the pipelines use: a compile child pays for
/// each at its start.
mlir::DialectRegistry createCompilerRegistry();

/// A context whose first error is kept. One for each compilation: what MLIR interns (the image of
/// a kernel, for one) lives as long as its context. Not thread-safe.
class CompilerContext {
 public:
  explicit CompilerContext(const mlir::DialectRegistry& registry);

  mlir::MLIRContext& mlir() { return context; }

  /// Internal: `what` and the first error reported since the context was made, in one line.
  absl::Status failure(std::string_view what) const;

 private:
  mlir::MLIRContext context;
  std::string firstError;
  mlir::ScopedDiagnosticHandler handler;
};

}  // namespace mmtune
