// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals of the ml_program dialect, as exporters write them.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

/// Drops private globals that nothing uses, and makes the others memref.globals, which loads copy from and stores copy
/// to. Fails with a diagnostic at a global that is no dense tensor, or that another module defines.
mlir::LogicalResult lowerProgramGlobals(mlir::ModuleOp module);

}  // namespace mmtune
