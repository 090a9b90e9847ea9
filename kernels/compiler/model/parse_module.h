// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mmtune {

/// Parses and verifies a module: bytecode, or without that the main buffer of `sources`. Null when it is not valid
/// MLIR, with a diagnostic. `name` is that of its file.
mlir::OwningOpRef<mlir::ModuleOp> ParseModule(const llvm::MemoryBuffer* bytecode, llvm::SourceMgr& sources,
                                              llvm::StringRef name, mlir::MLIRContext* context);

}  // namespace mmtune
