// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder, which lower kernels to the LLVM and NVVM dialects. Also declares
// functions of these passes that other folders use.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/kernel/Passes.h.inc"

/// Replaces operations of the math dialect in `root` that neither our targets nor libm support by arithmetic and loops.
llvm::LogicalResult expandUnsupportedMath(mlir::Operation* root);

/// Replaces each memref.generic_atomic_rmw of floats in `root` by a compare-and-exchange loop on their bits, because
/// processors compare and exchange only integers.
void expandFloatAtomics(mlir::Operation* root);

/// Expands gpu.subgroup_id, num_subgroups, subgroup_size, shuffle and rotate in `kernels` to simpler operations. A
/// subgroup is a warp of 32 threads with consecutive ids. Values of any type are exchanged as 32-bit words. Fails with
/// a diagnostic at a shuffle over more lanes than a warp has.
llvm::LogicalResult expandSubgroupOps(mlir::gpu::GPUModuleOp kernels);

/// Fails with a diagnostic for a global of 2 GiB or more. Code cannot address it, and LLVM would write its elements one
/// by one until memory is exhausted.
mlir::LogicalResult checkGlobalSize(mlir::LLVM::GlobalOp global, const mlir::DataLayout& layout);

/// True if `function` is declared as a function of libdevice, `__nv_*`.
bool isLibdeviceFunction(mlir::LLVM::LLVMFuncOp function);

}  // namespace mmtune
