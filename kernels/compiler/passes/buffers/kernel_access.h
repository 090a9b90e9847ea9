// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel does with the buffers it is given, and what else attributes and types say of them.
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

/// On a kernel's parameter, a unit attribute: the kernel was made for the strides of the buffers that it is launched
/// with, so that a pointer to the first element is all that it takes.
inline constexpr char kKnowsStridesAttrName[] = "mmtune.knows_strides";

/// What the kernel does through its parameter `index`, as far as its attributes and body tell;
/// reads and writes when the module does not hold the kernel.
BufferAccess kernelAccess(mlir::gpu::LaunchFuncOp launch, unsigned index);

/// On a linalg operation, a launch, or the loop that is a kernel's body, a unit attribute: it was
/// on tensors, which are values. What it reads is what was there before it wrote anything, even
/// where an output got the memory of an input: separate copies of the two do not change what it
/// computes.
inline constexpr char kValueSemanticsAttrName[] = "mmtune.value_semantics";

inline bool hasValueSemantics(mlir::Operation* op) { return op->hasAttr(kValueSemanticsAttrName); }

inline void setValueSemantics(mlir::Operation* op) {
  op->setAttr(kValueSemanticsAttrName, mlir::UnitAttr::get(op->getContext()));
}

/// 1 or `#gpu.address_space<global>`. Null, the default memory space, is not.
inline bool isGlobalMemorySpace(mlir::Attribute space) {
  if (auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(space)) return integer.getInt() == 1;
  auto gpuSpace = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == mlir::gpu::AddressSpace::Global;
}

}  // namespace mmtune
