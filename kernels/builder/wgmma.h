// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits asynchronous matrix multiplications by a warpgroup, which is four consecutive warps (wgmma): D = A * B + D for
// 64 rows and up to 256 columns. A and B are in shared memory, in rows of 128 bytes that a tensor copy has written with
// the 128-byte swizzle; D is in registers. All threads of the warpgroup execute these steps together:
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

/// The bytes of a row of an operand in shared memory, and the bytes along k that one instruction multiplies.
inline constexpr int64_t kWgmmaRowBytes = 128;
inline constexpr int64_t kWgmmaBytesK = 32;
/// Rows of D.
inline constexpr int64_t kWgmmaRows = 64;

/// The shape and types of a multiplication.
struct WgmmaShape {
  DataType type;  ///< f16, bf16, s8, or f32 for tf32.
  int64_t n;      ///< Columns of D: a multiple of 8 up to 256; for s8 8, 24 or a multiple of 16.
  /// True if the operand is MN-major: rows in shared memory run along M or N, and each has one k. Otherwise it is
  /// K-major: rows run along K. Only 16-bit types can be MN-major.
  bool isMnMajorA = false, isMnMajorB = false;

  /// Returns the k of an instruction: 16 for 16-bit types, 8 for tf32, 32 for s8.
  int64_t k() const { return kWgmmaBytesK / DataTypeBytes(type); }
  /// Returns the accumulators of a thread.
  int64_t accumulators() const { return n / 2; }
};

/// Returns accumulators with undefined values, for a first wgmma() that does not accumulate. They are an LLVM struct of
/// f32, or i32 for s8. Element 4j+2h+i of a thread is the accumulator in row 16*warp + lane/4 + 8h and column 8j +
/// 2*(lane%4) + i, where `warp` is the index of the warp in the warpgroup.
mlir::Value undefinedAccumulators(KernelBuilder& builder, const WgmmaShape& shape);

/// Returns the descriptor of a K-major operand that begins at `shared`, an address aligned to 1024 bytes (8 rows). A
/// descriptor here is the low word (an i32) of the 64-bit matrix descriptor of the instruction; the high word is a
/// constant.
mlir::Value kMajorDescriptor(KernelBuilder& builder, mlir::Value shared);
/// Returns the descriptor of an MN-major operand. A row has 64 elements along M or N, all at one k; the rows of the
/// next 64 elements begin `slabBytes` bytes later.
mlir::Value mnMajorDescriptor(KernelBuilder& builder, mlir::Value shared, int64_t slabBytes);
/// Returns the descriptor of the part of an operand that begins `bytes` bytes later. For the next step along k, that is
/// kWgmmaBytesK in a K-major operand (in the same row), and k() rows in an MN-major one.
mlir::Value advanceDescriptor(KernelBuilder& builder, mlir::Value descriptor, int64_t bytes);
mlir::Value advanceDescriptor(KernelBuilder& builder, mlir::Value descriptor, mlir::Value bytes);

/// The high words of the descriptors of A and B (each an i32).
struct WgmmaHighWords {
  mlir::Value a, b;
};

/// Returns the high words for use in a loop, as two values that ptxas takes for unknown and different. It would move
/// constants, or one value for both operands, to uniform registers again for each instruction of the loop. The returned
/// values stay in their registers, unless instructions outside of the loop use them, too. `variable` is an i32 that
/// changes in the loop around that loop, so that the values are computed in the outer loop; it is null if there is no
/// outer loop. The grid of the kernel must have one block along y and z, because the block's indices there, which are
/// 0, make the values unknown.
WgmmaHighWords highWordsForLoop(KernelBuilder& builder, mlir::Value variable);

/// Orders this thread's accesses of accumulators before the next wgmma(). Needed before the first wgmma(), and whenever
/// another operation has accessed accumulators. It is also needed after waitWgmma() has returned them: otherwise ptxas
/// adds a fence.
void fenceWgmma(KernelBuilder& builder);
/// Issues D = A * B + D, or D = A * B if `accumulate` (an i1) is false, and returns D. A null `accumulate` is true. If
/// the words of `high` are null, constants are used instead.
mlir::Value wgmma(KernelBuilder& builder, const WgmmaShape& shape, mlir::Value accumulators, mlir::Value descriptorA,
                  mlir::Value descriptorB, mlir::Value accumulate = {}, WgmmaHighWords high = {});
/// Puts the wgmma() operations since the last call into one group (wgmma.commit_group).
void commitWgmma(KernelBuilder& builder);
/// Waits until all groups but the last `groups` are complete (wgmma.wait_group). Returns `accumulators`, which may be
/// those of several wgmma(). Only the returned values may be read, so that reads come after the wait, and only if no
/// incomplete group uses them.
KernelBuilder::Values waitWgmma(KernelBuilder& builder, int64_t groups, const KernelBuilder::Values& accumulators);

/// Stores 1, 2 or 4 tiles of 8 rows of 16 bytes in shared memory (stmatrix), the inverse of loadMatrices(). All lanes
/// of a warp execute it together. `words` has one 32-bit word for each tile, laid out as loadMatrices() with the same
/// `transposed` returns it; lanes 8i to 8i+7 provide the row addresses of tile i.
void storeMatrices(KernelBuilder& builder, mlir::Value pointer, const KernelBuilder::Values& words,
                   bool transposed = false);

}  // namespace mmtune
