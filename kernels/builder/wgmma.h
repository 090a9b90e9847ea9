// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits matrix multiplications of warpgroups, four consecutive warps (wgmma): D = A * B + D for 64 rows and up to 256
// columns, asynchronously. A and B are in shared memory, in rows of 128 bytes that a tensor copy has swizzled by 128
// bytes; D is in registers. All threads of the warpgroup execute these together:
//
//   D = undefinedAccumulators(shape)
//   fenceWgmma()
//   for each k of 32 bytes:  D = wgmma(shape, D, A, B, accumulate)
//   commitWgmma()
//   D = waitWgmma(0, {D})                                        // now D may be read
//
// Between wgmma() and waitWgmma(), D may only be passed on to wgmma().
#pragma once

#include "kernels/builder/kernel_builder.h"

namespace mmtune {

/// Bytes of a row of an operand in shared memory, and of k that an instruction multiplies.
inline constexpr int64_t kWgmmaRowBytes = 128;
inline constexpr int64_t kWgmmaBytesK = 32;
/// Rows of D.
inline constexpr int64_t kWgmmaRows = 64;

/// The shape and types of a multiplication.
struct WgmmaShape {
  DataType type;  ///< f16, bf16, s8, or f32 for tf32.
  int64_t n;      ///< Columns: multiples of 8 up to 256; for s8 8, 24 or a multiple of 16.
  /// An operand that is not MN-major is K-major. 16-bit types only: k is the row in shared memory, not the column.
  bool isMnMajorA = false, isMnMajorB = false;

  /// Returns the k of an instruction: 16, 8 or 32.
  int64_t k() const { return kWgmmaBytesK / DataTypeBytes(type); }
  /// Returns the accumulators of a thread.
  int64_t accumulators() const { return n / 2; }
};

/// Returns accumulators without a value, for a first wgmma() that does not accumulate. They are an LLVM struct of f32,
/// or i32 for s8. Element 4j+2h+i of a thread is that in row 16*warp + lane/4 + 8h and column 8j + 2*(lane%4) + i,
/// with the number of the warp in the warpgroup.
mlir::Value undefinedAccumulators(KernelBuilder& builder, const WgmmaShape& shape);

/// Returns the descriptor of a K-major operand at `shared`, a multiple of 1024 bytes and of 8 rows. A descriptor is the
/// low word (i32) of the instruction's; the high word is always the same.
mlir::Value kMajorDescriptor(KernelBuilder& builder, mlir::Value shared);
/// Returns that of an MN-major operand. A row has 64 elements of M or N, at one k; those of the next 64 elements are
/// `slabBytes` behind.
mlir::Value mnMajorDescriptor(KernelBuilder& builder, mlir::Value shared, int64_t slabBytes);
/// Returns the descriptor of the operand `bytes` behind. The next k is kWgmmaBytesK behind in a K-major operand, within
/// its row; in an MN-major one k() rows behind.
mlir::Value advanceDescriptor(KernelBuilder& builder, mlir::Value descriptor, int64_t bytes);
mlir::Value advanceDescriptor(KernelBuilder& builder, mlir::Value descriptor, mlir::Value bytes);

/// Orders this thread's accesses of accumulators before the next wgmma(). Needed before the first one, and after
/// anything but wgmma() has accessed accumulators. After waitWgmma() has returned them, too: ptxas would add it.
void fenceWgmma(KernelBuilder& builder);
/// Issues D = A * B + D, or D = A * B if `accumulate` (an i1) is false, and returns D. A null `accumulate` is true.
mlir::Value wgmma(KernelBuilder& builder, const WgmmaShape& shape, mlir::Value accumulators, mlir::Value descriptorA,
                  mlir::Value descriptorB, mlir::Value accumulate = {});
/// Ends a group of wgmma().
void commitWgmma(KernelBuilder& builder);
/// Waits until at most `groups` groups are incomplete. Returns `accumulators` (those of several wgmma() may be given),
/// which is what orders their readers behind the wait. They may be read if none of the incomplete groups has them.
KernelBuilder::Values waitWgmma(KernelBuilder& builder, int64_t groups, const KernelBuilder::Values& accumulators);

/// Stores 1, 2 or 4 tiles of 8 rows of 16 bytes in shared memory (stmatrix), the inverse of loadMatrices(). All lanes
/// of a warp execute it together. `words` has a word of each tile; lanes 8i to 8i+7 provide the row addresses of
/// tile i.
void storeMatrices(KernelBuilder& builder, mlir::Value pointer, const KernelBuilder::Values& words,
                   bool transposed = false);

}  // namespace mmtune
