// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the operations that one kernel launch can replace: a matmul, conversions of its operands to a wider type before
// it, and elementwise operations after it, which become its epilogue.
//
//   linalg.fill 0 -> %c;  linalg.matmul %a, %b -> %c;  linalg.generic { %c + bias; maximumf 0 } -> %d
//     ->  one launch with the epilogue "bias, relu" that writes %d
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/buffer_effects.h"
#include "kernels/compiler/scheduling/matmul_match.h"

namespace mmtune {

/// An operation that writes `source`, converted to a wider type, to the local buffer `buffer`.
struct Extension {
  mlir::linalg::LinalgOp op;
  mlir::Value source, buffer;
};

/// Returns the extension that last wrote `buffer` before `reader`, if its source does not change in between.
std::optional<Extension> findExtension(mlir::Operation* reader, mlir::Value buffer, const BufferEffects& effects);

/// A matmul, whose operands may have been extended to a wider type before it. In that case `matmul` reads the sources
/// of the extensions instead.
struct ExtendedMatmul {
  Matmul matmul;
  llvm::SmallVector<Extension, 2> extensions;  ///< Those of A and B, which the matmul no longer reads, or none.
};

/// Returns `matmul` changed to read the sources of its extended operands. Returns nothing unless both operands are
/// extended from the same type, and the accumulator type for that type is the type of C.
std::optional<ExtendedMatmul> withoutExtensions(const Matmul& matmul, const BufferEffects& effects);

/// A matmul, and the operations that one launch replaces.
struct FusedMatmul {
  MatmulProblem problem;  ///< With the epilogue.
  RunTimeSizes sizes;     ///< The sizes of the problem that are known only at run time.
  MatmulLayout layout;    ///< Strides of the operands (matmul_layout.h); the addend has those of C.
  /// The number of leading dimensions of C that are the batch, and of trailing ones that are columns.
  unsigned batchDims = 0, columnDims = 1;
  mlir::Value a, b;
  mlir::Value c;       ///< Output of the last operation.
  mlir::Value bias;    ///< Null if the epilogue has no bias.
  mlir::Value addend;  ///< Null if the epilogue adds nothing. If it is `c`, its old contents are added.

  /// The operations that the launch replaces, in block order: extensions of operands, a fill with zeros, the matmul,
  /// and its consumers. The launch takes the place of the last one.
  llvm::SmallVector<mlir::Operation*> replaced;
  /// Allocations of intermediate results that are no longer read.
  llvm::SmallVector<mlir::Value> deadBuffers;

  /// The first consumer that could not be fused, or null. `whyNotFused` has the reason.
  mlir::Operation* notFused = nullptr;
  std::string whyNotFused;
  /// An operation that the kernel computes more accurately than the module says, or null. `note` describes it.
  mlir::Operation* refined = nullptr;
  std::string note;  ///< Names a step that a kernel computes more accurately; may be empty.

  /// Returns the operation in whose place the launch is put.
  mlir::Operation* position() const { return replaced.back(); }
};

/// Collects the operations that one launch can replace. The old contents of the output become an addend, unless a fill
/// sets them to zeros just before. Elementwise operations after the matmul are fused one by one, as long as each
/// consists of epilogue steps with the same rounding, and no operation in between could observe the change. The
/// epilogue ends early where the bias or the addend would not have the type of C. Returns nothing if the old contents
/// would have to be added to an output that is not dense.
std::optional<FusedMatmul> fuseEpilogue(const ExtendedMatmul& matmul, const BufferEffects& effects);

/// Returns the fill that sets `buffer` to +0 before `op`, if nothing in between accesses the buffer; otherwise null.
mlir::Operation* findZeroFill(mlir::Operation* op, mlir::Value buffer, const BufferEffects& effects);

/// The epilogue steps that an elementwise operation applies to a matmul.
struct EpilogueSteps {
  Epilogue steps;
  mlir::Value bias, addend;  ///< Null if no step reads one.
  std::string reason;        ///< Why the operation does not consist of epilogue steps; empty if it does.
  std::string note;          ///< Says which step a kernel computes more accurately; may be empty.
};

/// Converts the elementwise operation `op` to epilogue steps on `matmul`, a memref or tensor that it reads. The steps
/// compute `value` in the body of `op`; null means the yielded value. The last `columnDims` dimensions of `matmul` are
/// columns, and its accumulators have the type `accumulator`. The steps give exactly the same result, including
/// rounding, NaN and signed zeros. The exceptions are gelu, silu and tanh, which have the error of their kernels
/// (compiled_kernel.h). Rounding to the type of C is not a step, because the kernel rounds when it stores.
EpilogueSteps readEpilogueSteps(mlir::linalg::LinalgOp op, mlir::Value matmul, unsigned columnDims,
                                mlir::Type accumulator, mlir::Value value = {});

}  // namespace mmtune
