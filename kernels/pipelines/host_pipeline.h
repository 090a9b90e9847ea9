// Lowers the host functions around kernels to the LLVM dialect over the mgpu* runtime.
#pragma once

#include <string_view>

#include "kernels/compiled_kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mmtune {

/// From host memory to device memory: copies in and out, allocations, one stream. Reads how kernels
/// use their parameters, so their declarations must be there.
void buildPlacementPipeline(mlir::OpPassManager &passes);

/// From device operations to calls of mgpu*, in the LLVM dialect.
void buildHostPipeline(mlir::OpPassManager &passes);

/// Moves the bodies of the container's kernels to a module of its own; declarations with their
/// attributes stay behind.
mlir::OwningOpRef<mlir::ModuleOp> extractKernels(mlir::ModuleOp container);

/// Replaces the container's kernels by a gpu.binary with `image`, which global constructors of the
/// translated module load.
void embedImage(mlir::ModuleOp container, ImageFormat format, std::string_view image);

} // namespace mmtune
