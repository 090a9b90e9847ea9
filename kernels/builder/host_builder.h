// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the host side of a launch plan (compiled_kernel.h) in MLIR. The plan's steps, which are memsets and kernel
// launches, become gpu.memset and gpu.launch_func. The function @matmul allocates C, runs the steps, and returns C. A
// worker compiles that function for each candidate, a schedule to be measured. The pass schedule-matmul inserts the
// same steps into a user's function.
#pragma once

#include <array>

#include "kernels/compiled_kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The name of an attribute of gpu.launch_func: an array with an entry for each argument of the launch. The entry is a
/// dictionary for a tensor map (kernels/compiler/passes/buffers/tensor_maps.h) and a unit attribute for the address of
/// a buffer. A launch without tensor maps does not have the attribute.
inline constexpr char kTensorMapsAttrName[] = "mmtune.tensor_maps";

/// The memref of each buffer of a plan; null if the plan has no such buffer.
class PlanMemRefs {
 public:
  mlir::Value& operator[](PlanBuffer buffer) { return values[static_cast<size_t>(buffer)]; }
  mlir::Value operator[](PlanBuffer buffer) const { return values[static_cast<size_t>(buffer)]; }

 private:
  std::array<mlir::Value, kPlanBufferCount> values;
};

/// The sizes of a launch that are known only at run time.
struct RunTimeLaunch {
  mlir::Value blocks;  ///< The size of the grid along x, of type index. Null: the plan has it.
  /// The rows of C, an i32, passed as the kernel's last argument. Null: the kernel has no such parameter.
  mlir::Value rows;
};

/// Emits the plan's steps at the builder's position. The launched kernels are in the gpu.module named `kernelModule`.
/// `buffers` has all buffers but the workspace (scratch memory for partial sums), which is allocated before the steps
/// and freed after them. All buffers are host memory; the pass convert-memcpy-to-gpu moves them to the device.
/// `atRunTime` may be set only if the plan is a single launch.
void emitLaunchPlan(mlir::OpBuilder& builder, mlir::Location loc, const LaunchPlan& plan, llvm::StringRef kernelModule,
                    PlanMemRefs buffers, RunTimeLaunch atRunTime = {});

/// The name of the host function, and of the gpu.module whose kernels it launches.
inline constexpr char kHostFunctionName[] = "matmul";
inline constexpr char kKernelModuleName[] = "kernels";

/// Returns a module with an empty gpu.module @kernels, ready for a KernelBuilder.
mlir::OwningOpRef<mlir::ModuleOp> createContainerModule(mlir::MLIRContext& context);

/// Returns the gpu.module @kernels of such a module.
mlir::gpu::GPUModuleOp kernelModule(mlir::ModuleOp container);

/// Adds the host function to a module of createContainerModule():
///
///   func.func @matmul(A: memref<MxKxf32>, B: memref<KxNxf32>[, bias: memref<Nxf32>]
///                     [, addend: memref<MxNxf32>]) -> memref<MxNxf32>
///
/// A is KxM and B is NxK if they are transposed. With a batch, all but the bias have a leading dimension. Element types
/// are those of `problem`: one for A and B, and one for the others. The function allocates C and the workspace,
/// executes the plan, and returns C. All buffers are host memory; the pass convert-memcpy-to-gpu decides what is
/// copied.
void buildHostFunction(mlir::ModuleOp container, const MatmulProblem& problem, const LaunchPlan& plan);

}  // namespace mmtune
