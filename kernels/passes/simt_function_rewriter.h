// NVVM operations in one function as accesses of the thread's context and calls of the SIMT
// runtime.
#pragma once

#include "kernels/passes/simt_shared_layout.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// Rewrites the body of `function`, whose first argument is the thread's context already. Calls of
/// the module's own functions get it passed on; `symbols` gets the runtime's declarations. Address
/// spaces and calls of libdevice stay. Fails with a diagnostic at every operation that the SIMT
/// device does not model.
mlir::LogicalResult rewriteForSimt(mlir::LLVM::LLVMFuncOp function, const SimtSharedLayout &layout,
                                   mlir::SymbolTable &symbols);

/// The error "<what> is not supported on the SIMT device" at `op`.
mlir::LogicalResult unsupportedOnSimt(mlir::Operation *op, const llvm::Twine &what);

} // namespace mmtune
