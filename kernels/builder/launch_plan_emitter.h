// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the host side of a launch plan: the one place that turns its steps into operations.
#pragma once

#include <array>

#include "kernels/compiled_kernel.h"
#include "mlir/IR/Builders.h"

namespace mmtune {

/// The memrefs that stand for a plan's buffers.
class PlanMemRefs {
 public:
  mlir::Value& operator[](PlanBuffer buffer) { return values[static_cast<size_t>(buffer)]; }
  mlir::Value operator[](PlanBuffer buffer) const { return values[static_cast<size_t>(buffer)]; }

 private:
  std::array<mlir::Value, kPlanBufferCount> values;  ///< Null where the plan has no such buffer.
};

/// Emits the plan's gpu.memsets and gpu.launch_funcs at the builder's position, with the kernels of
/// the gpu.module named `kernelModule`. A workspace is allocated before them and freed after them;
/// `buffers` holds the others. Every buffer is host memory: convert-memcpy-to-gpu moves them.
void emitLaunchPlan(mlir::OpBuilder& builder, mlir::Location loc, const LaunchPlan& plan, llvm::StringRef kernelModule,
                    PlanMemRefs buffers);

}  // namespace mmtune
