// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by the distances of their elements in memory, where the order of dimensions does not make them dense
// matrices: slices of rows, heads between rows and columns, one matrix for a whole batch.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/matmul_match.h"

namespace mmtune {

/// How an operand lies in memory, in elements.
struct OperandStrides {
  /// From one step of each loop to the next; 0 where it does not matter to the operand.
  llvm::SmallVector<int64_t> loops;
  int64_t offset = 0;  ///< From an aligned address to the first element; ShapedType::kDynamic: any.
};

/// Those of an operand that is read by `map`, a projected permutation; nothing unless they are known, and positive.
std::optional<OperandStrides> stridesOf(mlir::MemRefType type, mlir::AffineMap map);

/// Those that a tensor has when bufferization makes no copy of it: a slice, or an expanded one, lies within its source;
/// others are dense. Nothing unless its shape is static.
std::optional<OperandStrides> stridesOf(mlir::Value tensor, mlir::AffineMap map);

/// A matmul as kernels compute it.
struct StridedMatmul {
  MatmulProblem problem;  ///< Sizes and transpositions; nothing of types.
  MatmulLayout layout;   ///< None where that is what a dense problem has.
  bool swapped = false;   ///< A is the second input.
  unsigned columnDims = 1;
};

/// The matmul that such loops are, of which each is one of A's rows, B's columns, k or a batch, over operands x, y and
/// the output c; nothing where a size is unknown or 0, where no two dimensions of an operand are rows and neighbours in
/// them, where several of k are none together, or where elements of c lie upon one another. Rows that are none together
/// become matrices, for which B is the same; and so columns. `preferSwapped` decides where both ways are one.
std::optional<StridedMatmul> matchStrides(const MatmulLoops& loops, const OperandStrides& x, const OperandStrides& y,
                                          const OperandStrides& c, DataType dtype, bool preferSwapped);

}  // namespace mmtune
