// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td (create<Name>Pass(), option structs, registerMmtuneKernelPasses()) and the functions that
// they share with other modules.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/kernel/Passes.h.inc"

/// Replaces operations of the math dialect that neither a target nor libm supports in `root` by arithmetic and loops.
llvm::LogicalResult expandUnsupportedMath(mlir::Operation* root);

/// Replaces each memref.generic_atomic_rmw of floating-point elements in `root` by a compare-and-exchange loop on their
/// bits, as processors compare and exchange integers only.
void expandFloatAtomics(mlir::Operation* root);

/// Replaces gpu.subgroup_id, num_subgroups, subgroup_size, shuffle and rotate in `kernels`. A warp is 32 threads with
/// consecutive ids; values of any type are exchanged as 32-bit words. Fails with a diagnostic at a shuffle over more
/// lanes than a warp has.
llvm::LogicalResult expandSubgroupOps(mlir::gpu::GPUModuleOp kernels);

/// Refuses a global of 2 GiB or more with a diagnostic: code cannot address it, and LLVM would write it out element by
/// element until memory is exhausted.
mlir::LogicalResult checkGlobalSize(mlir::LLVM::GlobalOp global, const mlir::DataLayout& layout);

/// True if `function` is declared as a function of libdevice: `__nv_*`.
bool isLibdeviceFunction(mlir::LLVM::LLVMFuncOp function);

}  // namespace mmtune
