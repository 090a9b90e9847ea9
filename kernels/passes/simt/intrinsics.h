// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVVM intrinsics that a program calls by name.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mmtune {

/// Replaces calls of `llvm.nvvm.*` intrinsics by the NVVM operations that stand for them, where
/// there is one that the SIMT device has. Others stay.
void raiseIntrinsics(mlir::LLVM::LLVMFuncOp function);

}  // namespace mmtune
