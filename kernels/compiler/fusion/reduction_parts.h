// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for patterns that split a reduction with several results into reductions with one result each: functions that
// analyse the reduction, and one that creates a part.
#pragma once

#include <utility>

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mmtune {

/// True for a reduction on tensors, outside of kernels, whose body has no side effects.
bool isTensorReduction(mlir::linalg::GenericOp op);

/// Adds the operations of `body` from which `value` is computed to `makers`, and the arguments of `body` that they use
/// to `arguments`.
void addMakers(mlir::Value value, mlir::Block& body, llvm::SetVector<mlir::Operation*>& makers,
               llvm::SetVector<mlir::Value>& arguments);

/// True if `value`, in the body of `op`, does not depend on an output argument of the body.
bool dependsOnlyOnInputs(mlir::Value value, mlir::linalg::GenericOp op);

/// True if each output has one element for each iteration of the parallel loops, and only loops of dynamic size give an
/// output a dynamic dimension.
bool hasPlainOutputs(mlir::linalg::GenericOp op);

/// Returns the constant that every element of `tensor` is known to equal, or null.
mlir::TypedAttr uniformConstant(mlir::Value tensor);

/// Creates a reduction with one result. It has the loops and inputs of `op`, the additional inputs `more` with their
/// indexing maps, and an output that starts as `start` and has the indexing map `output`. Its body is a copy of the
/// operations `makers`, in which the new output argument replaces `accumulator`, an output argument of the body of `op`
/// (null if there is none). Then it calls `yielded`, which may add operations and returns the value to yield. `yielded`
/// receives the mapping from values of the old body to those of the new one, and the arguments of the new body.
mlir::Value createReduction(
    mlir::PatternRewriter& rewriter, mlir::linalg::GenericOp op,
    llvm::ArrayRef<std::pair<mlir::Value, mlir::AffineMap>> more, mlir::Value start, mlir::AffineMap output,
    mlir::Value accumulator, const llvm::SetVector<mlir::Operation*>& makers,
    llvm::function_ref<mlir::Value(mlir::OpBuilder&, mlir::IRMapping&, mlir::ValueRange)> yielded);

}  // namespace mmtune
