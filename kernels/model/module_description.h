// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module has for its callers: functions and kernels, without MLIR types.
#pragma once

#include <vector>

#include "kernels/codegen/device_image.h"
#include "kernels/model/model_compiler.h"
#include "mlir/IR/BuiltinOps.h"

namespace mmtune {

/// The public func.funcs with a body, in module order. Their types are bufferized.
std::vector<ModelFunction> DescribeFunctions(mlir::ModuleOp module);

/// The gpu.binary operations of `module`, whose images are `images`, in module order.
std::vector<ModelKernel> DescribeKernels(mlir::ModuleOp module, std::vector<ModuleImage> images);

}  // namespace mmtune
