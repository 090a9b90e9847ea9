// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The curved steps of an epilogue, without branches, divisions or a library's functions; how exact they are says
// kernels/compiled_kernel.h.
//
// Stores finished elements of C: applies the epilogue on the way, and rounds to the type of C.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

// Of a float or each element of a vector of floats, at the builder's insertion point.
mlir::Value emitGelu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitGeluTanh(KernelBuilder& builder, mlir::Value x);
mlir::Value emitSilu(KernelBuilder& builder, mlir::Value x);
mlir::Value emitTanh(KernelBuilder& builder, mlir::Value x);


/// Addresses in C, the bias and the addend that belong to the same element. A value type; emits at
/// the builder's insertion point. Elements come as sums; every step of the epilogue rounds on its own, to their type,
/// and the store once more, to the type of C, which bias and addend have, too.
class ResultWriter {
 public:
  using Value = mlir::Value;

  /// Stores as it is: partial products of `type`.
  ResultWriter(KernelBuilder& builder, mlir::Type type, Value c) : builder(&builder), type(type), c(c) {}
  /// C of the problem, which outlives the writer; `operands` are the kernel's parameters for epilogueBuffers(), in that
  /// order.
  ResultWriter(KernelBuilder& builder, const MatmulProblem& problem, Value c, llvm::ArrayRef<Value> operands);

  /// Moved on by `element` elements of C and `column` of the bias.
  template <typename Index>  // Value or int64_t
  ResultWriter at(Index element, Index column) const {
    ResultWriter moved = *this;
    moved.c = builder->offset(c, element, type);
    if (bias) moved.bias = builder->offset(bias, column, type);
    if (addend) moved.addend = builder->offset(addend, element, type);
    return moved;
  }

  /// `piece` holds neighbouring elements of one row; the address is aligned to its size.
  void store(Value piece) const;
  /// Adds the same to C atomically; without an epilogue only.
  void addAtomically(Value piece) const;

 private:
  /// As many neighbours as `x` has, of its type.
  Value loadOperand(Value pointer, Value x) const;
  Value apply(const EpilogueOp& op, Value x) const;

  KernelBuilder* builder;
  const Epilogue* epilogue = nullptr;  ///< Null for none.
  mlir::Type type;                     ///< Of C, the bias and the addend.
  Value c;
  Value bias, addend;  ///< Null where the epilogue has none.
};

/// How a kernel that applies the epilogue uses the parameters that it has for it: the bias, then
/// the addend, as far as there are any.
llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem);

}  // namespace mmtune
