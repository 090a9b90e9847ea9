// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what one launch can replace: a matmul, the extensions of its operands before it, and its epilogue behind it.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/buffer_effects.h"
#include "kernels/compiler/scheduling/matmul_match.h"

namespace mmtune {

/// An operation that writes `source`, extended to a wider type, to the local buffer `buffer`.
struct Extension {
  mlir::linalg::LinalgOp op;
  mlir::Value source, buffer;
};

/// Returns the extension that wrote `buffer` before `reader`, if `source` is unchanged in between.
std::optional<Extension> findExtension(mlir::Operation* reader, mlir::Value buffer, const BufferEffects& effects);

/// A matmul that may read the sources of its operands.
struct ExtendedMatmul {
  Matmul matmul;
  llvm::SmallVector<Extension, 2> extensions;  ///< The extensions that it does not need; one may occur twice.
};

/// Returns `matmul` on the sources of both operands, if both are extended from one type whose accumulator type is that
/// of C.
std::optional<ExtendedMatmul> withoutExtensions(const Matmul& matmul, const BufferEffects& effects);

/// A matmul and the operations that one launch replaces.
struct FusedMatmul {
  MatmulProblem problem;                   ///< Includes the epilogue.
  RunTimeSizes sizes;                      ///< Which sizes of the problem are known at run time only.
  MatmulLayout layout;                     ///< The addend has the layout of C.
  unsigned batchDims = 0, columnDims = 1;  ///< The number of first, and of last, dimensions of C.
  mlir::Value a, b;
  mlir::Value c;       ///< The output of the last operation.
  mlir::Value bias;    ///< Null if the epilogue has no bias.
  mlir::Value addend;  ///< Null if the epilogue adds nothing. May be `c`: then its old contents are added.

  /// In block order: extensions of operands, a fill with zeros, the matmul, its consumers. The launch replaces the
  /// last.
  llvm::SmallVector<mlir::Operation*> replaced;
  /// Allocations of intermediate results that are no longer read.
  llvm::SmallVector<mlir::Value> deadBuffers;

  /// The operation behind `position()` that could not be fused, or null, and the reason.
  mlir::Operation* left = nullptr;
  std::string whyLeft;
  /// The operation that the kernel computes more accurately than it is written, or null, and a note about it.
  mlir::Operation* refined = nullptr;
  std::string note;

  mlir::Operation* position() const { return replaced.back(); }
};

/// Collects the operations that one launch can replace. The old contents of the output are an addend unless they are
/// zeros that were filled in just before. Elementwise operations behind the matmul are fused while they are epilogue
/// steps with the same rounding and nothing in between observes the change. The epilogue is cut so that bias and addend
/// have the type of C. Returns nothing if old contents had to be added to an output that is not dense.
std::optional<FusedMatmul> fuseEpilogue(const ExtendedMatmul& matmul, const BufferEffects& effects);

/// Returns the fill that sets `buffer` to +0 before `op` if nothing in between touches it, or null.
mlir::Operation* findZeroFill(mlir::Operation* op, mlir::Value buffer, const BufferEffects& effects);

/// The epilogue steps that an elementwise operation applies to a matmul.
struct EpilogueSteps {
  Epilogue steps;
  mlir::Value bias, addend;  ///< Null if no step reads one.
  std::string reason;        ///< Why the operation is not a list of steps; empty if it is.
  std::string note;          ///< Says which step a kernel computes more accurately; may be empty.
};

/// Reads `op`, up to `value` of its body (null: the yielded value), as epilogue steps on `matmul`, a memref or tensor
/// whose last `columnDims` dimensions are columns and whose accumulators are of type `accumulator`. The steps are exact
/// (rounding, NaN, signed zeros), except that gelu, silu and tanh have their kernels' error (compiled_kernel.h).
/// Rounding the accumulators to the type of C is not a step: the kernel does it when it stores.
EpilogueSteps readEpilogueSteps(mlir::linalg::LinalgOp op, mlir::Value matmul, unsigned columnDims,
                                mlir::Type accumulator, mlir::Value value = {});

}  // namespace mmtune
