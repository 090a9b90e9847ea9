// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the device copy of a host buffer: its allocation, and transfers in both directions. The pass
// convert-memcpy-to-gpu uses it for every buffer that kernels access.
//
//   memref<64x64xf32>                      one gpu.memcpy of 16384 bytes
//   memref<64x64xf32, strided<[96, 1]>>    device memory from the first to the last element, without the gaps' contents
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// A unit attribute of memref.get_global: the result is the device's copy of the constant, not the host's.
inline constexpr char kDeviceConstantAttrName[] = "mmtune.device_constant";

/// Returns why a buffer of this type cannot have a DeviceCopy, or an empty string if it can.
llvm::StringRef whyNotCopyable(mlir::MemRefType type);

/// Emits the size in bytes of `count` elements of an LLVM type, counting the allocation size of each. An i24, for
/// example, counts 4 bytes, although its store size is 3.
mlir::Value bytesOf(mlir::ImplicitLocOpBuilder& builder, mlir::Type element, int64_t count);

/// Emits gpu.memcpy.
void createMemcpy(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value target, mlir::Value source);
/// Emits gpu.dealloc.
void createDealloc(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer);
/// Emits gpu.alloc, and returns the memory.
mlir::Value createDeviceAlloc(mlir::OpBuilder& builder, mlir::Location loc, mlir::MemRefType type,
                              mlir::ValueRange sizes);

/// The device copy of a host buffer. A dense buffer is transferred directly. For a strided buffer, the device memory
/// spans the first to the last element. gpu.memcpy transfers only dense memory, so the elements are first copied to a
/// temporary host buffer of the same span, which is transferred as a whole. The host memory between the elements does
/// not belong to the buffer, and is neither read nor written.
class DeviceCopy {
 public:
  /// Emits the allocation at the insertion point. If `keepOffset` is true, the copy has the same offset as `host` even
  /// if the type has a dynamic offset. This is needed if there are views with absolute offsets
  /// (memref.reinterpret_cast).
  DeviceCopy(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value host, bool keepOffset);

  /// Returns the device copy, which has the type of the host buffer.
  mlir::Value buffer() const { return device; }

  /// Emits the transfer to the device.
  void copyIn(mlir::OpBuilder& builder, mlir::Location loc) const { copy(builder, loc, /*toDevice=*/true); }
  /// Emits the transfer back to the host.
  void copyOut(mlir::OpBuilder& builder, mlir::Location loc) const { copy(builder, loc, /*toDevice=*/false); }
  /// Emits the release of the device memory.
  void free(mlir::OpBuilder& builder, mlir::Location loc) const { createDealloc(builder, loc, memory); }

 private:
  bool isDense() const { return memory == device; }
  /// Emits the allocation for a strided buffer.
  void allocateSpan(mlir::OpBuilder& builder, mlir::Location loc, bool keepOffset);
  void copy(mlir::OpBuilder& builder, mlir::Location loc, bool toDevice) const;
  /// Returns `span` as a memref of the host buffer's type.
  mlir::Value viewOf(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value span) const;

  mlir::Value host, device;
  mlir::Value memory;  ///< The allocation: `device`, or the span of which it is a view.
  mlir::Value extent;  ///< Number of elements that the span has room for.
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> sizes, strides;
};

}  // namespace mmtune
