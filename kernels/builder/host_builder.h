// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the host side of a launch plan: its steps as operations, and the function that a program calls.
#pragma once

#include <array>

#include "kernels/compiled_kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The memrefs of a plan's buffers.
class PlanMemRefs {
 public:
  mlir::Value& operator[](PlanBuffer buffer) { return values[static_cast<size_t>(buffer)]; }
  mlir::Value operator[](PlanBuffer buffer) const { return values[static_cast<size_t>(buffer)]; }

 private:
  std::array<mlir::Value, kPlanBufferCount> values;  ///< Null where the plan has no such buffer.
};

/// The sizes of a launch that are known at run time only.
struct RunTimeLaunch {
  mlir::Value blocks;  ///< The x extent of the grid, an index; null: that of the plan.
  mlir::Value rows;    ///< Rows of C, an i32: the kernel's last argument; null where it has none.
};

/// Emits the plan's gpu.memsets and gpu.launch_funcs at the builder's position, with the kernels of the gpu.module
/// named `kernelModule`. The workspace is allocated before them and freed after them; `buffers` has the other buffers.
/// Every buffer is host memory: convert-memcpy-to-gpu moves them. `atRunTime` may be set only if the plan is one
/// launch.
void emitLaunchPlan(mlir::OpBuilder& builder, mlir::Location loc, const LaunchPlan& plan, llvm::StringRef kernelModule,
                    PlanMemRefs buffers, RunTimeLaunch atRunTime = {});

/// The names of the host function and of the module of kernels that it launches.
inline constexpr char kHostFunctionName[] = "matmul";
inline constexpr char kKernelModuleName[] = "kernels";

/// Returns a module with an empty gpu.module @kernels, ready for a KernelBuilder.
mlir::OwningOpRef<mlir::ModuleOp> createContainerModule(mlir::MLIRContext& context);

/// Returns the module's gpu.module @kernels.
mlir::gpu::GPUModuleOp kernelModule(mlir::ModuleOp container);

/// Adds to the container
///   func.func @matmul(A: memref<MxKxf32>, B: memref<KxNxf32>[, bias: memref<Nxf32>]
///                     [, addend: memref<MxNxf32>]) -> memref<MxNxf32>
/// with A as KxM and B as NxK where they are transposed, a leading dimension where the problem has a batch, and the
/// problem's element types: one for A and B, one for the others. The function allocates C and the workspace, executes
/// the steps of the plan, and returns C. Every buffer is host memory: convert-memcpy-to-gpu decides what is copied.
void buildHostFunction(mlir::ModuleOp container, const MatmulProblem& problem, const LaunchPlan& plan);

}  // namespace mmtune
