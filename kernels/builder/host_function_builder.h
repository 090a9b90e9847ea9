// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the host side of a launch plan: the function that a user's program would call.
#pragma once

#include "kernels/compiled_kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The host function and the module of kernels it launches.
inline constexpr char kHostFunctionName[] = "matmul";
inline constexpr char kKernelModuleName[] = "kernels";

/// A module holding an empty gpu.module @kernels, ready for a KernelBuilder.
mlir::OwningOpRef<mlir::ModuleOp> createContainerModule(mlir::MLIRContext& context);

/// The module's gpu.module @kernels.
mlir::gpu::GPUModuleOp kernelModule(mlir::ModuleOp container);

/// Adds to the container
///   func.func @matmul(A: memref<MxKxf32>, B: memref<KxNxf32>[, bias: memref<Nxf32>]
///                     [, addend: memref<MxNxf32>]) -> memref<MxNxf32>
/// with A as KxM and B as NxK when they are transposed, a leading dimension when the problem has a batch, and the
/// problem's types of elements: one for A and B, one for the others. It allocates C and the workspace, takes the steps
/// of the plan, and returns C. It treats every buffer as host memory: convert-memcpy-to-gpu decides what is copied
/// where.
void buildHostFunction(mlir::ModuleOp container, const MatmulProblem& problem, const LaunchPlan& plan);

}  // namespace mmtune
