// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises matmuls that kernels can compute, by maps, body and types, not by the operation's name.
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
  kTensors,  ///< Tensors, which will become such memrefs.
};

/// C += A * B.
struct Matmul {
  mlir::linalg::LinalgOp op;
  MatmulProblem problem;  ///< Without epilogue.
  RunTimeSizes sizes;
  MatmulLayout layout;      ///< Empty if operands are dense or sizes are known at run time only.
  unsigned batchDims = 0;   ///< The first dimensions of C, which index its matrices.
  unsigned columnDims = 1;  ///< The last dimensions of C, which index its columns.
  bool swapped = false;     ///< True if A is the operation's second input.
  mlir::Value a, b, c;      ///< The operation's operands, or those set by withInputs().
};

struct MatmulMatch {
  enum class Kind {
    kNone,         ///< Not a matmul.
    kUnsupported,  ///< A matmul that no kernel computes.
    kMatmul,
  };
  Kind kind = Kind::kNone;
  std::string reason;  ///< Why it is kUnsupported; follows "the matmul is not scheduled: ".
  /// True for a kUnsupported matmul of f16 or bf16 that rounds at each step of k, as no kernel does (see
  /// widen-accumulators).
  bool accumulatesIn16Bits = false;
  Matmul matmul;  ///< Valid if kMatmul; without a problem if kUnsupported.
};

/// Matches C[b,m,n] += A[b,m,k] * B[b,k,n], or A[b,k,m], or B[b,n,k], by indexing maps, body and types. The body
/// multiplies and adds in the accumulator type. A and B are f32, f16 or bf16 with C f32; or all f64; or i8 with C i32
/// (or i32, if they were i8 before an extension). Operands are dense memrefs of static shape, except for b and, if A is
/// not transposed, m. Each of b, m, n, k may be several dimensions that are adjacent in every operand. Memrefs of
/// static shape and strides that matchStrides() (strided_matmul.h) accepts match, too. With kTensors the same holds for
/// tensors.
MatmulMatch matchMatmul(mlir::linalg::LinalgOp op, MatmulOperands operands = MatmulOperands::kBuffers);

/// The loops of a linalg operation with two inputs and one output.
struct MatmulLoops {
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<int64_t> extents;  ///< ShapedType::kDynamic if no operand has a static size.
};

MatmulLoops loopsOf(mlir::linalg::LinalgOp op);

/// Matches `op` as if it had these loops, over operands of the same element types.
MatmulMatch matchMatmul(mlir::linalg::LinalgOp op, const MatmulLoops& loops, MatmulOperands operands);

/// True for a matmul or convolution of any shape that multiplies and accumulates in f16 or bf16.
bool accumulatesIn16Bits(mlir::linalg::LinalgOp op);

/// True if the maps of two inputs and an output, with the iterators, are those of a matmul that kernels compute.
bool areMatmulMaps(llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// True if a body has no side effects, so that it may be replaced by one that yields the same value.
inline bool isPureBody(mlir::Block& body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation& op) { return isPure(&op); });
}

/// True if an operation has no reduction loops.
inline bool hasOnlyParallelLoops(mlir::linalg::LinalgOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// True if an operation only extends its one input, element by element, to a wider type.
bool isExtension(mlir::linalg::LinalgOp op);

/// Returns the linalg operations outside of kernels, in order.
llvm::SmallVector<mlir::linalg::LinalgOp> hostLinalgOps(mlir::Operation* root);

/// Returns the kernel's element type for an MLIR type.
std::optional<DataType> dataTypeOf(mlir::Type type);

/// Returns the type in which kernels accumulate products of `operand`, a type that dataTypeOf() knows.
mlir::Type accumulatorTypeOf(mlir::Type operand);

/// Returns the output option that gives C the accumulator type.
inline OutputType accumulatorOutput(DataType dtype) {
  return DataTypeBytes(dtype) == 2 ? OutputType::kF32 : OutputType::kSame;
}

/// Returns the element type of a memref or tensor.
inline mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getElementType();
}

/// Returns why a value cannot be a kernel's operand, or an empty string. It has to be dense, of a type that
/// dataTypeOf() knows, aligned, and in the default memory space.
std::string whyNotKernelOperand(mlir::Value value);

/// Like whyNotKernelOperand(), but allows a part of a dense memref.
std::string whyNotStridedOperand(mlir::Value value);

/// Returns the matmul with inputs `a` and `b`, of the same shapes and accumulator type, or nothing if no kernel
/// supports their layout.
std::optional<Matmul> withInputs(const Matmul& matmul, mlir::Value a, mlir::Value b);

/// Returns the layout of the matmul if it writes `c`, which has the shape of its output, or nothing if that changes the
/// problem.
std::optional<MatmulLayout> layoutWithOutput(const Matmul& matmul, mlir::Value c);

}  // namespace mmtune
