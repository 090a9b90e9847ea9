// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the epilogue of a matmul: bias, activation and addend are applied to accumulators, which are then stored to C,
// rounded to its type.
//
//   C[i, j] = round(activation(sum + bias[j]) + addend[i, j])       for example
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

// Each emits an activation of a float, or of each element of a vector, and returns the result. The code has no
// branches, divisions or calls. compiled_kernel.h states the accuracy.
mlir::Value emitGelu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitGeluTanh(KernelBuilder& builder, mlir::Value x);
mlir::Value emitSilu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitTanh(KernelBuilder& builder, mlir::Value x);

/// Stores accumulators to C through the epilogue. It holds the addresses of an element of C and of its bias and addend.
/// All arithmetic is in the type of the accumulators, and each step of the epilogue rounds to it. The store rounds to
/// the type of C, which is also that of bias and addend. A value type; emits at the builder's insertion point.
class ResultWriter {
 public:
  using Value = mlir::Value;

  /// Creates a writer of partial sums of `type`, without an epilogue.
  ResultWriter(KernelBuilder& builder, mlir::Type type, Value c) : builder(&builder), type(type), c(c) {}
  /// Creates a writer to the problem's C. `problem` must outlive it. `operands` are the kernel's parameters for
  /// epilogueBuffers(), in that order.
  ResultWriter(KernelBuilder& builder, const MatmulProblem& problem, Value c, llvm::ArrayRef<Value> operands);

  /// Returns this writer moved by `element` elements of C and addend, and `column` elements of the bias.
  template <typename Index>  // Value or int64_t
  ResultWriter at(Index element, Index column) const {
    ResultWriter moved = *this;
    moved.c = builder->offset(c, element, type);
    if (bias) moved.bias = builder->offset(bias, column, type);
    if (addend) moved.addend = builder->offset(addend, element, type);
    return moved;
  }

  /// Returns this writer with `vector`, whose elements have the type of C, as the addend. The addend is then not loaded
  /// from memory.
  ResultWriter withAddend(Value vector) const {
    ResultWriter other = *this;
    other.addend = Value();
    other.loadedAddend = vector;
    return other;
  }

  /// Applies the epilogue to a vector of adjacent elements of a row, and returns it in the type of C. The addresses of
  /// bias and addend are aligned to its size.
  Value finish(Value vector) const;
  /// Like finish(), and stores the result. The address is aligned to its size, too.
  void store(Value vector) const;
  /// Adds the vector to C atomically. There must be no epilogue.
  void addAtomically(Value vector) const;

 private:
  /// Loads as many adjacent elements as `x` has, and converts them to the type of `x`.
  Value loadOperand(Value pointer, Value x) const;
  /// Returns the addend of `x`, in the type of `x`.
  Value addendOf(Value x) const;
  /// Applies one step of the epilogue to `x`.
  Value apply(const EpilogueOp& op, Value x) const;

  KernelBuilder* builder;
  const Epilogue* epilogue = nullptr;  ///< Null if there is none.
  mlir::Type type;                     ///< Element type of C, the bias and the addend.
  Value c;
  Value bias, addend;  ///< Null if the epilogue has none.
  Value loadedAddend;  ///< The elements of the addend, if they are already loaded.
};

/// Returns the kernel parameters that the epilogue adds: the bias, then the addend, if it uses them.
llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem);

}  // namespace mmtune
