// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder. They transform host code: they bufferize tensors, and place buffers
// in host or device memory. Also declares patterns and helpers of these passes that have source files of their own.
#pragma once

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/passes/buffers/Passes.h.inc"

/// Adds patterns for two kinds of constants:
/// - A transpose (linalg.transpose, or a linalg.generic that only permutes) of a constant without other uses becomes a
///   constant.
/// - i1 constants in resources, which LLVM IR cannot express, become dense constants. Such a resource may have a byte
///   or a bit per element.
void populateConstantValuePatterns(mlir::RewritePatternSet& patterns);

/// Adds patterns for operations of torch-mlir's dialect tm_tensor (tm_tensor.h) on tensors:
/// - A sort gets outputs that are separate from its inputs. A scan gets a new tensor for each output that it does not
///   read.
/// - A scatter of up to four updates becomes one elementwise operation, which can be fused with its neighbours. This is
///   done only if the tensor that is updated could not be updated in place anyway.
void populateTmTensorPatterns(mlir::RewritePatternSet& patterns);

/// Replaces globals of the ml_program dialect by memref.globals; loads and stores of the globals become copies. Drops
/// unused private globals. Fails with a diagnostic at a global that is not a dense tensor, or that another module
/// defines.
mlir::LogicalResult lowerProgramGlobals(mlir::ModuleOp module);

/// Returns the bytes of the elements of `value` in memory order; for a splat, those of a single element. The result is
/// empty if the elements are not in memory. The order of i1 elements is unspecified.
llvm::ArrayRef<char> rawBytesOf(mlir::ElementsAttr value);

/// Returns a resource of i1 as dense elements. Returns any other value, and null, unchanged.
mlir::ElementsAttr unpackedBooleans(mlir::ElementsAttr value);

/// Emits `index` clamped to [0, size - 1].
mlir::Value clampIndex(mlir::ImplicitLocOpBuilder& builder, mlir::Value index, int64_t size);

}  // namespace mmtune
