// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of the gpu dialect on warps, as what every target has.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

constexpr int32_t kWarpSize = 32;

/// Emits a thread's number in its block (x fastest), and the block's number of threads.
std::pair<mlir::Value, mlir::Value> threadInBlock(mlir::ImplicitLocOpBuilder& builder);

/// Replaces gpu.subgroup_id, num_subgroups, subgroup_size, shuffle and rotate in `kernels`: warps are 32 threads that
/// follow one another, and values go from lane to lane as words of 32 bits, whatever their type. Fails with a
/// diagnostic at a shuffle over more lanes than a warp has.
llvm::LogicalResult expandSubgroupOps(mlir::gpu::GPUModuleOp kernels);

}  // namespace mmtune
