// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a matmul.
//
// Finds the matrix matmuls that kernels can compute, by what an operation does and not its name.
#pragma once

#include <optional>
#include <string>

#include "kernels/families/common/matmul_layout.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Whether a body yields its last argument and the matmul of the other two in sum, up to conversions between types.
bool isMatmulBody(mlir::Block& body);

/// What operands a matmul has to have.
enum class MatmulOperands {
  kBuffers,  ///< Memrefs, as kernels take them.
  kTensors,  ///< Tensors, which become such buffers.
};

/// C += A * B.
struct Matmul {
  mlir::linalg::LinalgOp op;
  MatmulProblem problem;    ///< Without epilogue.
  RunTimeSizes sizes;       ///< Of it.
  MatmulLayout layout;     ///< None where operands are dense, and where sizes are known at run time only.
  unsigned batchDims = 0;   ///< Dimensions of C, the first ones, that number its matrices.
  unsigned columnDims = 1;  ///< Dimensions of C, the last ones, that are its columns.
  bool swapped = false;     ///< A is the operation's second input.
  mlir::Value a, b, c;      ///< As the operation has them, or what stands in for them (withInputs).
};

struct MatmulMatch {
  enum class Kind {
    kNone,         ///< No matrix matmul.
    kUnsupported,  ///< A matrix matmul that no kernel computes.
    kMatmul,
  };
  Kind kind = Kind::kNone;
  std::string reason;  ///< Of kUnsupported, to follow "the matmul is not scheduled: ".
  /// All is f16 or bf16, sums included: each step of k rounds, as no kernel does (widen-accumulators). Then kind is
  /// kUnsupported.
  bool accumulatesIn16Bits = false;
  Matmul matmul;  ///< Of kMatmul; of kUnsupported without a problem.
};

/// Looks at the indexing maps, the body and the types: C[b,m,n] += A[b,m,k] * B[b,k,n], or A[b,k,m] or B[b,n,k], the
/// body a multiplication and an addition in the type of sums, the operands dense memrefs, of static shape but for b
/// and, where A is not transposed, m: A and B of f32, f16 or bf16 and C of f32, or f64 throughout, or i8 and C of i32;
/// A and B of i32, too, which are no problem of a kernel's unless they were i8 before. Each of b, m, n, k may be
/// several dimensions that are neighbours in every operand. Or memrefs of static shape and strides, parts of dense
/// ones, and dimensions in any order, that matchStrides() (strided_matmul.h) takes. Of kTensors the same, for tensors.
MatmulMatch matchMatmul(mlir::linalg::LinalgOp op, MatmulOperands operands = MatmulOperands::kBuffers);

/// The loops of a linalg operation of two inputs and an output.
struct MatmulLoops {
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  llvm::SmallVector<int64_t> extents;  ///< ShapedType::kDynamic where no operand says it.
};

MatmulLoops loopsOf(mlir::linalg::LinalgOp op);

/// The same of `op`, of two inputs and an output, as if it had other loops, over operands of the same element types.
MatmulMatch matchMatmul(mlir::linalg::LinalgOp op, const MatmulLoops& loops, MatmulOperands operands);

/// Whether a matmul or a convolution, whatever its shape, multiplies and sums in f16 or bf16 throughout.
bool accumulatesIn16Bits(mlir::linalg::LinalgOp op);

/// Whether such maps (of two inputs and an output) and iterators are those of a matmul that kernels compute.
bool areMatmulMaps(llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<mlir::utils::IteratorType> iterators);

/// Whether nothing of the body of a linalg operation is lost when the body is replaced by something that yields the
/// same value.
inline bool isPureBody(mlir::Block& body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation& op) { return isPure(&op); });
}

/// The type of elements of kernels' operands that an MLIR type is; nothing of others.
std::optional<DataType> dataTypeOf(mlir::Type type);

/// The type that kernels accumulate products of such factors in, which are of a type that dataTypeOf() knows.
mlir::Type accumulatorTypeOf(mlir::Type factors);

/// What makes the type of C that of sums.
inline OutputType accumulatorOutput(DataType dtype) {
  return DataTypeBytes(dtype) == 2 ? OutputType::kF32 : OutputType::kSame;
}

/// The element type of a memref or tensor.
inline mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getElementType();
}

/// Why a value cannot be an operand of a kernel, or nothing: dense, of a type that dataTypeOf() knows, aligned, in the
/// default memory space.
std::string whyNotKernelOperand(mlir::Value value);

/// The same of one that need not be dense, but a part of a dense memref.
std::string whyNotStridedOperand(mlir::Value value);

/// The matmul if it read `a` and `b`, of the shapes of its inputs, and of one type that is summed as theirs is;
/// nothing where they lie as no kernel of it reads them.
std::optional<Matmul> withInputs(const Matmul& matmul, mlir::Value a, mlir::Value b);

/// The layout of the matmul if its result went to `c`, which has the shape of its output; nothing where that makes it
/// another problem, or none.
std::optional<MatmulLayout> layoutWithOutput(const Matmul& matmul, mlir::Value c);

}  // namespace mmtune
