// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of f32 or i32 that were extended from a narrower type just before: kernels read the narrow ones.
//
// A matmul with what is done to it: what it starts from and the elementwise operations behind it.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/buffer_effects.h"
#include "kernels/compiler/scheduling/matmul_match.h"

namespace mmtune {

/// A linalg operation that writes the elements of `source` to `buffer`, a local one, extended to its type.
struct Extension {
  mlir::linalg::LinalgOp op;
  mlir::Value source, buffer;
};

/// The extension that made what `buffer` holds when `reader` runs, if `source` still holds the same by then.
std::optional<Extension> findExtension(mlir::Operation* reader, mlir::Value buffer, const BufferEffects& effects);

/// A matmul that may read other operands than its operation does.
struct ExtendedMatmul {
  Matmul matmul;
  llvm::SmallVector<Extension, 2> extensions;  ///< What it does without; one may stand there twice.
};

/// `matmul` with both operands as they were before they were extended from one type, of which kernels accumulate
/// products as it does; nothing when they were not.
std::optional<ExtendedMatmul> withoutExtensions(const Matmul& matmul, const BufferEffects& effects);

/// A matmul and the operations that one launch replaces.
struct FusedMatmul {
  MatmulProblem problem;  ///< With epilogue.
  RunTimeSizes sizes;
  MatmulLayout layout;                    ///< That of the addend is C's.
  unsigned batchDims = 0, columnDims = 1;  ///< Of C, its first ones and its last.
  mlir::Value a, b;
  mlir::Value c;       ///< Where the result goes: the output of the last operation.
  mlir::Value bias;    ///< Null unless the epilogue has a bias.
  mlir::Value addend;  ///< Null unless the epilogue adds. May be `c` itself: what it held before.

  /// In the order of the block: extensions of the operands and a fill with zeros, the matmul, its consumers. The
  /// launch takes the place of the last.
  llvm::SmallVector<mlir::Operation*> replaced;
  /// Allocations of intermediate results that nobody reads any more.
  llvm::SmallVector<mlir::Value> deadBuffers;

  /// The operation behind `position()` that could not be taken in, and why; null when there was none.
  mlir::Operation* left = nullptr;
  std::string whyLeft;
  /// What is computed with less error than it is written, and the operation; null when there is nothing.
  mlir::Operation* refined = nullptr;
  std::string note;

  mlir::Operation* position() const { return replaced.back(); }
};

/// Collects what one launch can replace. The old contents of the output are an addend unless they
/// are zeros, filled in just before. Behind the matmul elementwise linalg operations are taken in
/// while they are steps of an epilogue in this order of rounding, nothing in between sees the
/// difference and buffers that are written are not read under another name; the last of them that leaves bias and
/// addend of the type of C ends it. Nothing where the old contents are to be added to an output that is not dense.
std::optional<FusedMatmul> fuseEpilogue(const ExtendedMatmul& matmul, const BufferEffects& effects);

/// The fill that sets `buffer` to +0 before `op`, with nothing in between that touches it; null when there is none.
mlir::Operation* findZeroFill(mlir::Operation* op, mlir::Value buffer, const BufferEffects& effects);

/// What an elementwise operation does to the matmul that it reads.
struct EpilogueSteps {
  Epilogue steps;
  mlir::Value bias, addend;  ///< Null where no step reads one.
  std::string reason;        ///< Why the operation is no list of steps; empty when it is.
  std::string note;          ///< What a kernel computes with less error than the operation; or nothing.
};

/// What `op` does until its body has `value` (null: what it yields) to a matmul, the memref or tensor of which
/// `columnDims` dimensions, the last ones, are columns, and which was summed in `sums`. Exact: the steps round as the
/// operation does and treat NaN and signed zeros alike; but gelu and silu have the error of their kernels
/// (compiled_kernel.h), not that of the operation. A rounding of sums to the output's type is no step: it is what a
/// kernel does when it stores.
EpilogueSteps readEpilogueSteps(mlir::linalg::LinalgOp op, mlir::Value matmul, unsigned columnDims, mlir::Type sums,
                                mlir::Value value = {});

}  // namespace mmtune
