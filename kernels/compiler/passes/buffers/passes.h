// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td (create<Name>Pass(), option structs, registerMmtuneBufferPasses()) and the patterns that they
// consist of.
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

/// Adds patterns that replace the transpose (linalg.transpose, or a linalg.generic that only permutes) of a constant
/// without other uses by a constant, and i1 constants in resources, which have no LLVM IR, by dense ones. A
/// resource of i1 may have a byte or a bit for each element.
void populateConstantValuePatterns(mlir::RewritePatternSet& patterns);

/// Adds patterns for tm_tensor operations on tensors: a sort gets outputs other than its inputs, and so does a scan
/// that does not read its outputs; a scatter of up to four updates into a tensor that has to be copied or computed in
/// any case becomes one elementwise operation, which can be fused with its neighbours.
void populateTmTensorPatterns(mlir::RewritePatternSet& patterns);

/// Drops unused private globals of the ml_program dialect, and makes the others memref.globals, which loads copy from
/// and stores copy to. Fails with a diagnostic at a global that is no dense tensor, or that another module defines.
mlir::LogicalResult lowerProgramGlobals(mlir::ModuleOp module);

/// Returns the elements of `value` in memory order, a single one for a splat; empty where they are not at hand. The
/// order of i1 elements is unspecified.
llvm::ArrayRef<char> rawBytesOf(mlir::ElementsAttr value);

/// Returns a resource of i1 as dense elements, and any other value, null too, unchanged.
mlir::ElementsAttr unpackedBooleans(mlir::ElementsAttr value);

/// Clamps `index` to [0, size - 1].
mlir::Value clampIndex(mlir::ImplicitLocOpBuilder& builder, mlir::Value index, int64_t size);

}  // namespace mmtune
