// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises linalg operations that are matmuls which kernels can compute. Indexing maps, body and types decide, not
// the operation's name, so a linalg.generic matches as well as linalg.matmul. strided_matmul.h extends this to operands
// that are not dense.
#pragma once

#include <optional>
#include <string>

#include "kernels/families/common/matmul_layout.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// True if a body yields its last argument plus the product of the other two, up to conversions between types.
bool isMatmulBody(mlir::Block& body);

/// The kind of operands that a matmul must have.
enum class MatmulOperands {
  kBuffers,  ///< Memrefs, which kernels take.
  kTensors,  ///< Tensors that will become such memrefs.
};

/// A matched linalg operation, C += A * B.
struct Matmul {
  mlir::linalg::LinalgOp op;
  MatmulProblem problem;  ///< Without epilogue.
  RunTimeSizes sizes;
  MatmulLayout layout;      ///< Strides; empty if operands are dense or a size is known only at run time.
  unsigned batchDims = 0;   ///< Number of leading dimensions of C that are the batch.
  unsigned columnDims = 1;  ///< Number of trailing dimensions of C that are columns.
  bool swapped = false;     ///< True if A is the operation's second input.
  mlir::Value a, b, c;      ///< Operands of the operation, or the inputs given to withInputs().
};

/// The result of matching an operation.
struct MatmulMatch {
  enum class Kind {
    kNone,         ///< Not a matmul.
    kUnsupported,  ///< A matmul that no kernel computes.
    kMatmul,
  };
  Kind kind = Kind::kNone;
  std::string reason;  ///< For kUnsupported, the reason, to be put behind "the matmul is not scheduled: ".
  /// True for an unsupported matmul of f16 or bf16 that rounds at each step of k (see the pass widen-accumulators).
  bool accumulatesIn16Bits = false;
  Matmul matmul;  ///< Valid for kMatmul. For kUnsupported, its `problem` is not set.
};

/// Matches C[b,m,n] += A[b,m,k] * B[b,k,n], where A may also be [b,k,m], and B [b,n,k]. The body multiplies and adds in
/// the accumulator type:
///
///   A and B f32, f16 or bf16, C f32        A, B and C f64        A and B i8 (or i32, extended from i8), C i32
///
/// Operands are dense memrefs of static shape; only b, and m if A is not transposed, may be dynamic. Each of b, m, n
/// and k may be several dimensions that are adjacent in every operand. Memrefs of static shape and strides that are not
/// dense match if matchStrides() (strided_matmul.h) does. With kTensors, all of this holds for tensors.
MatmulMatch matchMatmul(mlir::linalg::LinalgOp op, MatmulOperands operands = MatmulOperands::kBuffers);

/// The loops of a linalg operation with two inputs and one output.
struct MatmulLoops {
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<int64_t> extents;  ///< Size of each loop; ShapedType::kDynamic if no operand tells a static size.
};

/// Returns the loops of an operation.
MatmulLoops loopsOf(mlir::linalg::LinalgOp op);

/// Matches `op` as if it had the loops `loops`, with its own operands and body.
MatmulMatch matchMatmul(mlir::linalg::LinalgOp op, const MatmulLoops& loops, MatmulOperands operands);

/// True for a matmul or convolution of any shape that multiplies and accumulates in f16 or bf16.
bool accumulatesIn16Bits(mlir::linalg::LinalgOp op);

/// True if these indexing maps (two inputs and an output) and loops are those of a matmul that kernels compute.
bool areMatmulMaps(llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// True if a body has no side effects. It may then be replaced by another one that yields the same value.
inline bool isPureBody(mlir::Block& body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation& op) { return isPure(&op); });
}

/// True if an operation has no reduction loops.
inline bool hasOnlyParallelLoops(mlir::linalg::LinalgOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// True if an operation only converts its one input, element by element, to a wider type.
bool isExtension(mlir::linalg::LinalgOp op);

/// Returns the linalg operations outside of kernels, in program order.
llvm::SmallVector<mlir::linalg::LinalgOp> hostLinalgOps(mlir::Operation* root);

/// Returns the DataType for an MLIR type, or nothing if kernels do not support it.
std::optional<DataType> dataTypeOf(mlir::Type type);

/// Returns the type in which kernels accumulate products of `operand`, which must be a type that dataTypeOf() knows.
mlir::Type accumulatorTypeOf(mlir::Type operand);

/// Returns the output type of a problem whose C has the accumulator type.
inline OutputType accumulatorOutput(DataType dtype) {
  return DataTypeBytes(dtype) == 2 ? OutputType::kF32 : OutputType::kSame;
}

/// Returns the element type of a memref or tensor.
inline mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getElementType();
}

/// Returns why a value cannot be an operand of a kernel, or an empty string if it can. It has to be dense, aligned, of
/// a type that dataTypeOf() knows, and in the default memory space.
std::string whyNotKernelOperand(mlir::Value value);

/// Like whyNotKernelOperand(), but also accepts a part of a dense memref.
std::string whyNotStridedOperand(mlir::Value value);

/// Returns the matmul with the inputs `a` and `b`, which must have the same shapes and accumulator type as its own.
/// Returns nothing if no kernel supports their layout.
std::optional<Matmul> withInputs(const Matmul& matmul, mlir::Value a, mlir::Value b);

/// Returns the layout that the matmul would have if it wrote to `c`, which has the shape of its output. Returns nothing
/// if it would then be another problem, with other sizes, other transpositions or other dimensions merged to columns.
/// Also returns nothing if no kernel supports the layout.
std::optional<MatmulLayout> layoutWithOutput(const Matmul& matmul, mlir::Value c);

}  // namespace mmtune
