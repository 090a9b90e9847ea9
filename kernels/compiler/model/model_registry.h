// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects and interfaces of user modules, beyond those of a candidate.
#pragma once

#include "mlir/IR/DialectRegistry.h"

namespace mmtune {

/// createCompilerRegistry() and what bufferization, linalg and the inliner need.
mlir::DialectRegistry CreateModelRegistry();

}  // namespace mmtune
