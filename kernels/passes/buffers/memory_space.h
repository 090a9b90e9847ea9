// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory spaces of memrefs.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

/// 1 or `#gpu.address_space<global>`. Null, the default memory space, is not.
inline bool isGlobalMemorySpace(mlir::Attribute space) {
  if (auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(space)) return integer.getInt() == 1;
  auto gpuSpace = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == mlir::gpu::AddressSpace::Global;
}

}  // namespace mmtune
