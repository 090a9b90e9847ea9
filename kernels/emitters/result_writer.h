// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores finished elements of C: applies the epilogue on the way.
#pragma once

#include "kernels/builder/kernel_builder.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// Addresses in C, the bias and the addend that belong to the same element. A value type; emits at
/// the builder's insertion point. Every step of the epilogue rounds on its own.
class ResultWriter {
 public:
  using Value = mlir::Value;

  /// Stores as it is: partial products, or a problem without an epilogue.
  ResultWriter(KernelBuilder& builder, Value c) : builder(&builder), c(c) {}
  /// `operands` are the kernel's parameters for epilogueBuffers(), in that order.
  ResultWriter(KernelBuilder& builder, const Epilogue& epilogue, Value c, llvm::ArrayRef<Value> operands);

  /// Moved on by `element` elements of C and `column` of the bias.
  template <typename Index>  // Value or int64_t
  ResultWriter at(Index element, Index column) const {
    ResultWriter moved = *this;
    moved.c = builder->offset(c, element);
    if (bias) moved.bias = builder->offset(bias, column);
    if (addend) moved.addend = builder->offset(addend, element);
    return moved;
  }

  /// `piece` holds neighbouring elements of one row; the address is aligned to its size.
  void store(Value piece) const;
  /// Adds to C atomically; without an epilogue only.
  void addAtomically(Value piece) const;

 private:
  Value apply(const EpilogueOp& op, Value x) const;

  KernelBuilder* builder;
  const Epilogue* epilogue = nullptr;  ///< Null for none; outlives the writer.
  Value c;
  Value bias, addend;  ///< Null where the epilogue has none.
};

/// How a kernel that applies the epilogue uses the parameters that it has for it: the bias, then
/// the addend, as far as there are any.
llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem);

}  // namespace mmtune
