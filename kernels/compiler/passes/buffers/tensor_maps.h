// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps that a launch passes to a kernel by value. The attribute mmtune.tensor_maps of the launch has an entry
// for each kernel operand: `unit` if the operand is passed as it is, or, for a memref, a dictionary that describes the
// tensor map which the kernel takes instead.
//
//   gpu.launch_func @kernels::@copy ... args(%a : memref<512x256xf16>, %n : i32)
//       {mmtune.tensor_maps = [{type = 6, extents = array<i64: 256, 512>, strides = array<i64: 512>,
//                               box = array<i64: 64, 128>, swizzle = 3}, unit]}
//
// The numbers mean the same as the fields of TiledTensorMap (kernels/tensor_map.h). `interleave`, `swizzle`,
// `l2_promotion` and `fill` are 0 if they are absent. Two more entries are for sizes that are known at run time only:
// `rows` is the dimension of the map whose extent is the number of rows of C, and `batch` the dimension whose extent is
// the number of matrices. With `rows = 1`, host code sets extents[1] before the launch (PlanArgument::rows_dimension).
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// Returns the description of the map that the kernel takes as its parameter `index`, or null if the operand is passed
/// as it is.
mlir::DictionaryAttr tensorMapOf(mlir::gpu::LaunchFuncOp launch, unsigned index);

/// Checks the map of the operand `index`, a memref. Fails with a diagnostic at the launch if a number is missing or
/// does not fit the others, or the kernel does not take 128 bytes by value.
mlir::LogicalResult checkTensorMap(mlir::gpu::LaunchFuncOp launch, mlir::LLVM::LLVMFuncOp kernel, unsigned index);

/// Emits code that creates the map of the operand `index`, whose matrix begins at `address`, and returns the value to
/// pass to the kernel. If the number of rows is known at run time only, it is the launch's last operand. The number of
/// matrices is computed from the size of the memref.
mlir::Value createTensorMap(mlir::ImplicitLocOpBuilder& builder, mlir::gpu::LaunchFuncOp launch, unsigned index,
                            mlir::Value address);

}  // namespace mmtune
