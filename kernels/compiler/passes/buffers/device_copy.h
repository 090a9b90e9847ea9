// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a host buffer in device memory.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// On a memref.get_global, a unit attribute: its result is the device's copy of the constant, not the host's.
inline constexpr char kDeviceConstantAttrName[] = "mmtune.device_constant";

/// Returns why a buffer of this type can have no DeviceCopy; empty when it can.
llvm::StringRef whyNotCopyable(mlir::MemRefType type);

/// Returns the bytes of `count` elements of a type of the LLVM dialect, each with its allocation size: 4 bytes for i24,
/// whose store size is 3.
mlir::Value bytesOf(mlir::ImplicitLocOpBuilder& builder, mlir::Type element, int64_t count);

void createMemcpy(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value target, mlir::Value source);
void createDealloc(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer);
mlir::Value createDeviceAlloc(mlir::OpBuilder& builder, mlir::Location loc, mlir::MemRefType type,
                              mlir::ValueRange sizes);

/// Device memory for the elements of a host buffer, and the operations that transfer them.
///
/// A dense buffer is one transfer. For a strided one the device memory spans its first element to its last; as a
/// transfer is dense, elements go through a dense host buffer of that shape. Memory between the elements, which does
/// not belong to the buffer, is neither read nor written.
class DeviceCopy {
 public:
  /// Allocates at the insertion point. With `keepOffset`, the copy has the offset of `host` even where the type leaves
  /// it dynamic, for views created with absolute offsets.
  DeviceCopy(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value host, bool keepOffset);

  /// Returns the copy, of the type of the host buffer.
  mlir::Value buffer() const { return device; }

  void copyIn(mlir::OpBuilder& builder, mlir::Location loc) const { copy(builder, loc, /*toDevice=*/true); }
  void copyOut(mlir::OpBuilder& builder, mlir::Location loc) const { copy(builder, loc, /*toDevice=*/false); }
  void free(mlir::OpBuilder& builder, mlir::Location loc) const { createDealloc(builder, loc, memory); }

 private:
  bool isDense() const { return memory == device; }
  void allocateSpan(mlir::OpBuilder& builder, mlir::Location loc, bool keepOffset);
  void copy(mlir::OpBuilder& builder, mlir::Location loc, bool toDevice) const;
  /// Returns `span` as a buffer of the host buffer's type.
  mlir::Value viewOf(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value span) const;

  mlir::Value host, device;
  mlir::Value memory;  ///< The allocation: `device`, or the span that it is a view of.
  mlir::Value extent;  ///< Elements of the span.
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> sizes, strides;
};

}  // namespace mmtune
