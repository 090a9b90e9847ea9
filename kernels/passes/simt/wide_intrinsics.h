// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The NVVM intrinsics with many operands: products of matrices and bulk copies.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// The operation that a call of `llvm.nvvm.mma.*`, `llvm.nvvm.cp.async.bulk.*` or
/// `llvm.nvvm.fence.proxy.async*` stands for, created at the builder's position; null where there
/// is none, or where flags of the call ask for what the operation cannot say.
mlir::Operation* raiseWideIntrinsic(mlir::LLVM::CallIntrinsicOp call, mlir::ImplicitLocOpBuilder& builder);

}  // namespace mmtune
