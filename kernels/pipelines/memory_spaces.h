// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory spaces of host code, which the conversion to LLVM does not know.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

/// On builtin.module, before anything else: memrefs of global memory (space 1, or
/// `#gpu.address_space<global>`), in host code and kernels, become memrefs of the default memory
/// space; convert-memcpy-to-gpu decides where buffers live, whatever their memory space was.
///
/// With `processArgs` an argument or a result of a public function in a memory space is an error,
/// as callers pass host memory. So is, in host code, any other memory space.
std::unique_ptr<mlir::Pass> createNormalizeMemorySpacesPass(bool processArgs);

}  // namespace mmtune
