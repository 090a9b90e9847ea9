// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where shared globals lie in a block's arena.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/simulator/abi/abi.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mmtune {

/// The address space of shared memory in NVVM.
inline constexpr unsigned kSharedAddressSpace = 3;

/// Byte offsets of a module's shared globals from ThreadContext::shared.
class SimtSharedLayout {
 public:
  /// Static globals come first, in module order, each aligned to at least 16 bytes and followed by
  /// at least `redZone` bytes that belong to none; globals of no elements are the dynamic part and
  /// all begin at staticBytes(). Fails with a diagnostic at a global that has an initial value or a
  /// type of unknown size.
  static mlir::FailureOr<SimtSharedLayout> create(mlir::gpu::GPUModuleOp module, uint32_t redZone = 0);

  /// The global's offset, or nothing when it is no shared global.
  std::optional<uint32_t> offsetOf(llvm::StringRef global) const;

  /// Bytes of the static part: a multiple of kDynamicSharedAlignment, 0 when there is none.
  uint32_t staticBytes() const { return bytes; }

  /// What is between the globals and behind the last one, by offset.
  llvm::ArrayRef<simt::RedZone> gaps() const { return betweenGlobals; }

 private:
  llvm::StringMap<uint32_t> offsets;
  std::vector<simt::RedZone> betweenGlobals;
  uint32_t bytes = 0;
};

}  // namespace mmtune
