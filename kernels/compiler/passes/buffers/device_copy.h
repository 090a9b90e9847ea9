// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a host buffer in device memory.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mmtune {

/// On a memref.get_global, a unit attribute: it gives the device's copy of the constant, not the host's.
inline constexpr char kDeviceConstantAttrName[] = "mmtune.device_constant";

/// Why there can be no DeviceCopy of a buffer of this type; empty when there can.
llvm::StringRef whyNotCopyable(mlir::MemRefType type);

/// Bytes of `count` elements of a type of the LLVM dialect, at the distances that LLVM gives them in memory: 4 bytes
/// for i24, whose size is 3.
mlir::Value bytesOf(mlir::ImplicitLocOpBuilder& builder, mlir::Type element, int64_t count);

void createMemcpy(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value target, mlir::Value source);
void createDealloc(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer);
mlir::Value createDeviceAlloc(mlir::OpBuilder& builder, mlir::Location loc, mlir::MemRefType type,
                              mlir::ValueRange sizes);

/// Device memory for the elements of a host buffer, with the operations that move them.
///
/// A dense buffer is one transfer. Of a strided one the device has the stretch of memory from the
/// first element to the last; elements go through a host buffer of that shape, since a transfer
/// is dense, and what lies between them is never read nor written: it is not the buffer's.
class DeviceCopy {
 public:
  /// Allocates at the insertion point. With `keepOffset`, the copy has the offset of `host` even
  /// where the type leaves it open: for views made with absolute offsets.
  DeviceCopy(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value host, bool keepOffset);

  /// The copy, of the type of the host buffer.
  mlir::Value buffer() const { return device; }

  void copyIn(mlir::OpBuilder& builder, mlir::Location loc) const { copy(builder, loc, /*toDevice=*/true); }
  void copyOut(mlir::OpBuilder& builder, mlir::Location loc) const { copy(builder, loc, /*toDevice=*/false); }
  void free(mlir::OpBuilder& builder, mlir::Location loc) const { createDealloc(builder, loc, memory); }

 private:
  bool isDense() const { return memory == device; }
  void allocateStretch(mlir::OpBuilder& builder, mlir::Location loc, bool keepOffset);
  void copy(mlir::OpBuilder& builder, mlir::Location loc, bool toDevice) const;
  /// `stretch` as a buffer of the host buffer's type.
  mlir::Value viewOf(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value stretch) const;

  mlir::Value host, device;
  mlir::Value memory;  ///< What is allocated: `device`, or the stretch that it is a view of.
  mlir::Value extent;  ///< Elements of the stretch.
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> sizes, strides;
};

}  // namespace mmtune
