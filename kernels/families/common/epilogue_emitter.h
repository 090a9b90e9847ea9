// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applies the epilogue to finished elements of C, and stores them rounded to the type of C.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

// Each emits a transcendental activation of a float, or of each element of a vector, at the builder's insertion point,
// without branches, divisions or library functions. compiled_kernel.h states their accuracy.
mlir::Value emitGelu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitGeluTanh(KernelBuilder& builder, mlir::Value x);
mlir::Value emitSilu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitTanh(KernelBuilder& builder, mlir::Value x);

/// The addresses of an element of C and of its bias and addend. A value type; emits at the builder's insertion point.
/// Elements have the type of accumulators. Every step of the epilogue rounds to this type, and the store rounds once
/// more, to the type of C, which bias and addend have, too.
class ResultWriter {
 public:
  using Value = mlir::Value;

  /// Stores partial sums of `type` without an epilogue.
  ResultWriter(KernelBuilder& builder, mlir::Type type, Value c) : builder(&builder), type(type), c(c) {}
  /// Stores to C of the problem, which outlives the writer. `operands` are the kernel's parameters for
  /// epilogueBuffers(), in that order.
  ResultWriter(KernelBuilder& builder, const MatmulProblem& problem, Value c, llvm::ArrayRef<Value> operands);

  /// Returns the writer advanced by `element` elements of C and `column` elements of the bias.
  template <typename Index>  // Value or int64_t
  ResultWriter at(Index element, Index column) const {
    ResultWriter moved = *this;
    moved.c = builder->offset(c, element, type);
    if (bias) moved.bias = builder->offset(bias, column, type);
    if (addend) moved.addend = builder->offset(addend, element, type);
    return moved;
  }

  /// Stores a vector of contiguous elements of a row; the address is aligned to its size.
  void store(Value vector) const;
  /// Adds the vector to C atomically; without an epilogue only.
  void addAtomically(Value vector) const;

 private:
  /// Loads as many contiguous elements as `x` has, converted to its type.
  Value loadOperand(Value pointer, Value x) const;
  Value apply(const EpilogueOp& op, Value x) const;

  KernelBuilder* builder;
  const Epilogue* epilogue = nullptr;  ///< Null where there is none.
  mlir::Type type;                     ///< Element type of C, the bias and the addend.
  Value c;
  Value bias, addend;  ///< Null where the epilogue has none.
};

/// Returns the uses of the kernel parameters that the epilogue adds: the bias, then the addend, as far as it has them.
llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem);

}  // namespace mmtune
