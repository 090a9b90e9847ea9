// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The curved steps of an epilogue, without branches, divisions or a library's functions; how exact they are says
// kernels/families/common/curved_step_error.h.
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

// Of a float or each element of a vector of floats, at the builder's insertion point.
mlir::Value emitGelu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitGeluTanh(KernelBuilder& builder, mlir::Value x);
mlir::Value emitSilu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitTanh(KernelBuilder& builder, mlir::Value x);

}  // namespace mmtune
