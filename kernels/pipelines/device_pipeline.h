// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers a gpu.module to the LLVM dialect, ready for translation.
#pragma once

#include "mlir/Pass/PassManager.h"

namespace mmtune {

struct DevicePipelineOptions {
  /// For the SIMT device: NVVM operations become calls of its runtime. Otherwise those that have no
  /// LLVM intrinsic become inline PTX.
  bool simt = false;
  /// Of the SIMT device: with calls of its check mode.
  bool checks = false;
};

/// Adds the passes to a pass manager anchored on gpu.module.
void buildDevicePipeline(mlir::OpPassManager& passes, const DevicePipelineOptions& options);

}  // namespace mmtune
