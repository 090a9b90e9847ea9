// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises matmuls by the strides of their operands. This is for operands that are not dense matrices in the usual
// order of dimensions. Examples are slices of rows, attention heads stored between rows and columns, and one matrix
// that is used for a whole batch.
//
//   Q: memref<seq x heads x dim>, matmul per head:   rows are heads * dim apart, matrices are dim apart
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/matmul_match.h"

namespace mmtune {

/// The strides of an operand, in elements.
struct OperandStrides {
  /// The stride of each loop; 0 if the operand does not depend on it.
  llvm::SmallVector<int64_t> loops;
  int64_t offset = 0;  ///< Distance from an aligned address to the first element; ShapedType::kDynamic if unknown.
};

/// Returns the strides, by loop, of a memref that is indexed by `map`, a projected permutation. Returns nothing if a
/// stride is unknown or negative.
std::optional<OperandStrides> stridesOf(mlir::MemRefType type, mlir::AffineMap map);

/// Returns the strides, by loop, that a tensor of static shape will have if bufferization does not copy it. A slice, or
/// a slice whose dimensions were expanded, has the strides of its source; other tensors are dense.
std::optional<OperandStrides> stridesOf(mlir::Value tensor, mlir::AffineMap map);

/// A matmul with its layout, the strides of its operands (matmul_layout.h).
struct StridedMatmul {
  MatmulProblem problem;    ///< Sizes, transpositions, `dtype`, and C of the accumulator type; no epilogue.
  MatmulLayout layout;      ///< Empty if all operands are dense.
  bool swapped = false;     ///< True if A is the second input.
  unsigned columnDims = 1;  ///< Number of trailing dimensions of C that are columns.
};

/// Matches loops over the inputs x and y and the output c. Each loop must run over rows of A, columns of B, k or a
/// batch. Loops over rows (or columns) that cannot be merged into one dimension become loops over the matrices of a
/// batch, which share one B (or one A). If each of the two inputs could be A, `preferSwapped` decides: if it is true, y
/// is A. Returns nothing if
/// - a size is unknown or 0,
/// - an operand has no contiguous dimension,
/// - several dimensions of k cannot be merged, or
/// - elements of c overlap.
std::optional<StridedMatmul> matchStrides(const MatmulLoops& loops, const OperandStrides& x, const OperandStrides& y,
                                          const OperandStrides& c, DataType dtype, bool preferSwapped);

}  // namespace mmtune
