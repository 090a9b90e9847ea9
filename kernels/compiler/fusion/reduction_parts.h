// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions with several results are divided into reductions with one. These functions look at such a reduction, and
// create one of its parts.
#pragma once

#include <utility>

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mmtune {

/// True for a reduction on tensors outside of kernels whose body only computes.
bool isTensorReduction(mlir::linalg::GenericOp op);

/// Finds the operations of the body that compute a value, and the arguments of the body that they use.
void addMakers(mlir::Value value, mlir::Block& body, llvm::SetVector<mlir::Operation*>& makers,
               llvm::SetVector<mlir::Value>& arguments);

/// True if the value depends on no output.
bool isOfInputs(mlir::Value value, mlir::linalg::GenericOp op);

/// True if each output has one element per row, and a static size of the reduction is static in the outputs, too.
bool hasPlainOutputs(mlir::linalg::GenericOp op);

/// Returns the constant that all elements of a tensor have, or null.
mlir::TypedAttr uniformConstant(mlir::Value tensor);

/// Creates a reduction with one result over the loops and inputs of `op`, and `more` inputs. Its body has the `makers`,
/// with `accumulator` (may be null) mapped to its own, and what `yielded` adds.
mlir::Value createReduction(
    mlir::PatternRewriter& rewriter, mlir::linalg::GenericOp op,
    llvm::ArrayRef<std::pair<mlir::Value, mlir::AffineMap>> more, mlir::Value start, mlir::AffineMap output,
    mlir::Value accumulator, const llvm::SetVector<mlir::Operation*>& makers,
    llvm::function_ref<mlir::Value(mlir::OpBuilder&, mlir::IRMapping&, mlir::ValueRange)> yielded);

}  // namespace mmtune
