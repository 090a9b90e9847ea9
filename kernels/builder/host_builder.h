// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the host side of a launch plan: its steps as operations, and the function that a user's program would call.
#pragma once

#include <array>

#include "kernels/compiled_kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The memrefs that stand for a plan's buffers.
class PlanMemRefs {
 public:
  mlir::Value& operator[](PlanBuffer buffer) { return values[static_cast<size_t>(buffer)]; }
  mlir::Value operator[](PlanBuffer buffer) const { return values[static_cast<size_t>(buffer)]; }

 private:
  std::array<mlir::Value, kPlanBufferCount> values;  ///< Null where the plan has no such buffer.
};

/// What is known of a launch at run time only.
struct RunTimeLaunch {
  mlir::Value blocks;  ///< The x extent of its grid, an index; null: the plan's.
  mlir::Value rows;    ///< The kernel's last argument, an i32; null: there is none.
};

/// Emits the plan's gpu.memsets and gpu.launch_funcs at the builder's position, with the kernels of
/// the gpu.module named `kernelModule`. A workspace is allocated before them and freed after them;
/// `buffers` holds the others. Every buffer is host memory: convert-memcpy-to-gpu moves them. Of `atRunTime` there is
/// something only where the plan is one launch.
void emitLaunchPlan(mlir::OpBuilder& builder, mlir::Location loc, const LaunchPlan& plan, llvm::StringRef kernelModule,
                    PlanMemRefs buffers, RunTimeLaunch atRunTime = {});

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
