// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the vendor's library of device functions, which convert-gpu-to-nvvm makes of math
// operations.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mmtune {

/// What code can use instead of libdevice.
enum class MathSupport {
  kPtx,   ///< Instructions of PTX.
  kHost,  ///< Those of a host, and its math library.
};

/// Whether `function` is declared as one of libdevice: `__nv_*`.
bool isLibdeviceFunction(mlir::LLVM::LLVMFuncOp function);

/// Replaces the calls of functions of libdevice that `module` declares by intrinsics of LLVM, or by
/// calls of the math library. Fails with a diagnostic at each for which there is neither.
mlir::LogicalResult replaceLibdeviceCalls(mlir::gpu::GPUModuleOp module, MathSupport support);

}  // namespace mmtune
