// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch with one thread for each of many points.
#pragma once

#include "mlir/IR/Builders.h"

namespace mmtune {

/// Launches a thread for each of `points`, which does what `emit` builds for the point's number. Blocks have
/// `blockSize` threads, fewer where there are fewer points; a grid that cannot have a thread for each goes over them in
/// strides. Where there are none by what is known, nothing is launched.
void launchPoints(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value points, int64_t blockSize,
                  bool hasValueSemantics, llvm::function_ref<void(mlir::Value)> emit);

}  // namespace mmtune
