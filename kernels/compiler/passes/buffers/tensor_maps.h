// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps that a launch passes to a kernel by value. A launch with such arguments passes memrefs, and has the
// attribute mmtune.tensor_maps with an entry for each kernel operand: unit for one that is passed as it is, or a
// dictionary for one of which the kernel takes a map.
//
//   gpu.launch_func @kernels::@copy ... args(%a : memref<512x256xf16>, %n : i32)
//       {mmtune.tensor_maps = [{type = 6, extents = array<i64: 256, 512>, strides = array<i64: 512>,
//                               box = array<i64: 64, 128>, swizzle = 3}, unit]}
//
// The numbers are those of TiledTensorMap. `interleave`, `swizzle`, `l2_promotion` and `fill` are 0 where they are
// absent. `rows` and `batch` are the dimensions of PlanArgument::rows_dimension and batch_dimension.
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

/// Emits the map of the operand `index`, whose matrix begins at `address`, and returns it as the launch passes it. With
/// sizes that are known at run time only, `rows` and `batch` are taken from the launch's last operand and the memref.
mlir::Value createTensorMap(mlir::ImplicitLocOpBuilder& builder, mlir::gpu::LaunchFuncOp launch, unsigned index,
                            mlir::Value address);

}  // namespace mmtune
