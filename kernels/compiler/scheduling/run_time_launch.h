// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host computes for the launch of a product whose sizes are known at run time only.
#pragma once

#include "kernels/builder/host_builder.h"
#include "kernels/compiler/scheduling/epilogue_fusion.h"
#include "kernels/perf_model/schedule_geometry.h"

namespace mmtune {

/// A grid with a block for each tile of C, and the rows of C, as far as they are known at run time only; emitted at the
/// builder's position. Without rows or matrices it has no blocks, and nothing is launched; for more rows than a kernel
/// counts it is one that no device takes, so that the launch fails.
RunTimeLaunch launchAtRunTime(mlir::OpBuilder& builder, mlir::Location loc, const FusedProduct& product,
                              const BlockTile& tile);

}  // namespace mmtune
