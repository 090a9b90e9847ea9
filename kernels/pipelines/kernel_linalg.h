// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linalg operations that somebody put into a kernel.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

/// On gpu.module: a linalg operation inside a kernel, where each thread that comes to it executes
/// the whole of it, becomes loops. One on tensors, or without a body, is an error.
std::unique_ptr<mlir::Pass> createLowerKernelLinalgPass();

}  // namespace mmtune
