// Chains of gpu.async.token.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mmtune {

/// Puts the device operations of every block of `function` on one chain of tokens; Passes.td says
/// how. Fails with a diagnostic where a token crosses a block or region.
mlir::LogicalResult linearizeGpuTokens(mlir::func::FuncOp function);

} // namespace mmtune
