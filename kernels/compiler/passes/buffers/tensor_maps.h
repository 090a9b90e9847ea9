// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps that a launch passes to a kernel by value. The attribute mmtune.tensor_maps of the launch has an entry
// for each kernel operand: `unit` if the operand is passed as it is, or, for a memref, a dictionary that describes the
// tensor map which the kernel takes instead.
//
//   gpu.launch_func @kernels::@copy ... args(%a : memref<512x256xf16>, %n : i32)
//       {mmtune.tensor_maps = [{type = 6, extents = array<i64: 256, 512>, strides = array<i64: 512>,
//                               box = array<i64: 64, 128>, swizzle = 3}, unit]}
//
// The numbers are those of TiledTensorMap. `interleave`, `swizzle`, `l2_promotion` and `fill` are 0 where they are
// absent. Two more entries, `rows` and `batch`, number the dimensions whose extents are set at run time: that of the
// rows of C, and that of the matrices of a batch. With `rows = 1`, extents[1] is set (PlanArgument::rows_dimension).
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// Returns the map that the kernel takes as its parameter `index`, or null if the operand is passed as it is.
mlir::DictionaryAttr tensorMapOf(mlir::gpu::LaunchFuncOp launch, unsigned index);

/// Checks the map of the operand `index`, a memref. Fails with a diagnostic at the launch if a number is missing or
/// does not fit the others, or the kernel does not take 128 bytes by value.
mlir::LogicalResult checkTensorMap(mlir::gpu::LaunchFuncOp launch, mlir::LLVM::LLVMFuncOp kernel, unsigned index);

/// Emits the map of the operand `index`, whose matrix begins at `address`, and returns it as the launch passes it. The
/// number of rows, if it is known at run time only, is the launch's last operand. The number of matrices is computed
/// from the size of the memref.
mlir::Value createTensorMap(mlir::ImplicitLocOpBuilder& builder, mlir::gpu::LaunchFuncOp launch, unsigned index,
                            mlir::Value address);

}  // namespace mmtune
