// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 arithmetic that nothing but values of 32 bits or less goes into and comes out of.
#pragma once

#include <optional>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mmtune {

/// All f64 values, and tensors of them, that depend on one another or are computed with one another.
struct F64Chain {
  llvm::SetVector<mlir::Value> values;                ///< What the chain computes, but not what it begins with.
  llvm::SmallVector<mlir::OpOperand*> starts;         ///< Where it reads what it begins with (`isF64Start`).
  llvm::SmallVector<mlir::arith::TruncFOp> ends;      ///< The only ones that read it from outside.
  llvm::SmallPtrSet<mlir::Operation*, 8> arithmetic;  ///< Additions and so on.
};

/// Whether a value of f64 is known without computing in f64: extended from f32, f16 or bf16, a constant that f32 has
/// room for, an uninitialised tensor, or one that is filled with such a constant.
bool isF64Start(mlir::Value value);

/// The chain that ends in `end`. Nothing where f32 could not stand in for f64: something else sees a value of it (a
/// comparison, a call, a return), it has values from elsewhere (integers, memory, large constants), functions that
/// magnify errors, or a reduction of more than 65536 elements; or where it is within kernels. `refused`, for one call
/// after another, has values of chains that are none.
std::optional<F64Chain> readF64Chain(mlir::arith::TruncFOp end, llvm::DenseSet<mlir::Value>& refused);

}  // namespace mmtune
