// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel does with the buffers it is given.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mmtune {

/// What an operation may do with the elements of a buffer.
struct BufferAccess {
  bool reads = true;
  bool writes = true;
  /// Every element is written, whatever its value was.
  bool overwrites = false;

  BufferAccess& operator|=(const BufferAccess& other) {
    reads |= other.reads;
    writes |= other.writes;
    overwrites |= other.overwrites;
    return *this;
  }
};

/// On a kernel's parameter, a unit attribute: the kernel writes every element of the buffer.
inline constexpr char kOverwritesAttrName[] = "mmtune.overwrites";

/// What the kernel does through its parameter `index`, as far as its attributes and body tell;
/// reads and writes when the module does not hold the kernel.
BufferAccess kernelAccess(mlir::gpu::LaunchFuncOp launch, unsigned index);

}  // namespace mmtune
