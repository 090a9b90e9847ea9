// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math operations of kernels without the vendor's library of device functions.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

/// Replaces the math operations that convert-gpu-to-nvvm leaves as they are by intrinsics of LLVM.
mlir::LogicalResult lowerForgottenMath(mlir::gpu::GPUFuncOp function);

/// Replaces the math operations that PTX has no instructions for by approximations in f32, also for
/// f16 and bf16. Fails with a diagnostic at every operation that has none, as the transcendental
/// functions of f64.
mlir::LogicalResult expandMathForPtx(mlir::gpu::GPUFuncOp function);

}  // namespace mmtune
