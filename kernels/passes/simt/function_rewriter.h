// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function of a kernel module as code for the SIMT device.
#pragma once

#include "kernels/passes/simt/emitter.h"

namespace mmtune {

/// Rewrites the body of `function`, whose first argument is the thread's context already: NVVM
/// operations become accesses of the context and calls of the runtime, and with checks every access
/// of memory is announced. Calls of the module's own functions get the context passed on; the
/// module gets the runtime's declarations. Address spaces and calls of libdevice stay. Fails with a
/// diagnostic at every operation that the SIMT device does not model.
mlir::LogicalResult rewriteForSimt(mlir::LLVM::LLVMFuncOp function, SimtModuleState& state);

}  // namespace mmtune
