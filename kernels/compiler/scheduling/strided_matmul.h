// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises matmuls by the strides of their operands, where the order of dimensions does not make dense matrices:
// slices of rows, heads between rows and columns, one matrix for a whole batch.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/matmul_match.h"

namespace mmtune {

/// The strides of an operand, in elements.
struct OperandStrides {
  /// The stride of each loop; 0 if the operand does not depend on it.
  llvm::SmallVector<int64_t> loops;
  int64_t offset = 0;  ///< From an aligned address to the first element; ShapedType::kDynamic if unknown.
};

/// Returns the strides of an operand indexed by `map`, a projected permutation, if they are known and positive.
std::optional<OperandStrides> stridesOf(mlir::MemRefType type, mlir::AffineMap map);

/// Returns the strides that a tensor of static shape has if bufferization does not copy it: those of its source for a
/// slice or an expanded slice, else dense ones.
std::optional<OperandStrides> stridesOf(mlir::Value tensor, mlir::AffineMap map);

/// A matmul with its layout.
struct StridedMatmul {
  MatmulProblem problem;    ///< Sizes, transpositions, `dtype` and C of its accumulator type; no epilogue.
  MatmulLayout layout;      ///< Empty if it is dense.
  bool swapped = false;     ///< True if A is the second input.
  unsigned columnDims = 1;  ///< The number of last dimensions of C that index its columns.
};

/// Matches loops over operands x, y and the output c, where each loop is one of A's rows, B's columns, k or a batch.
/// Returns nothing if a size is unknown or 0, no dimension of an operand is contiguous, several k cannot be joined, or
/// elements of c overlap. Rows or columns that cannot be joined become matrices that share one B, or one A.
/// `preferSwapped` decides if both orders of the inputs match.
std::optional<StridedMatmul> matchStrides(const MatmulLoops& loops, const OperandStrides& x, const OperandStrides& y,
                                          const OperandStrides& c, DataType dtype, bool preferSwapped);

}  // namespace mmtune
