// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the vendor's library of device functions, which convert-gpu-to-nvvm makes of math
// operations.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mmtune {

/// True if `function` is declared as one of libdevice: `__nv_*`.
bool isLibdeviceFunction(mlir::LLVM::LLVMFuncOp function);

}  // namespace mmtune
