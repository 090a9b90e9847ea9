// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product with what is done to it: what it starts from and the elementwise operations behind it.
#pragma once

#include "kernels/scheduling/buffer_effects.h"
#include "kernels/scheduling/product_match.h"

namespace mmtune {

/// A product and the operations that one launch replaces.
struct FusedProduct {
  MatmulProblem problem;  ///< With epilogue.
  mlir::Value a, b;
  mlir::Value c;       ///< Where the result goes: the output of the last operation.
  mlir::Value bias;    ///< Null unless the epilogue has a bias.
  mlir::Value addend;  ///< Null unless the epilogue adds. May be `c` itself: what it held before.

  /// In the order of the block: a fill with zeros, the product, its consumers. The launch takes the
  /// place of the last.
  llvm::SmallVector<mlir::Operation*> replaced;
  /// Allocations of intermediate results that nobody reads any more.
  llvm::SmallVector<mlir::Value> deadBuffers;

  mlir::Operation* position() const { return replaced.back(); }
};

/// Collects what one launch can replace. The old contents of the output are an addend unless they
/// are zeros, filled in just before. Behind the product elementwise linalg operations are taken in
/// while they are steps of an epilogue in this order of rounding, nothing in between sees the
/// difference and buffers that are written are not read under another name. A remark at an
/// operation says why it is left.
FusedProduct fuseEpilogue(const Product& product, const BufferEffects& effects);

/// What an elementwise operation does to the product that it reads.
struct EpilogueSteps {
  Epilogue steps;
  mlir::Value bias, addend;  ///< Null where no step reads one.
  std::string reason;        ///< Why the operation is no list of steps; empty when it is.
};

/// `value` holds the product, of which `columnDims` dimensions, the last ones, are columns. Exact:
/// the steps round as the operation does and treat NaN and signed zeros alike.
EpilogueSteps readEpilogueSteps(mlir::linalg::LinalgOp op, mlir::Value value, unsigned columnDims);

}  // namespace mmtune
