// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the body of an elementwise operation as steps of an epilogue.
#pragma once

#include <string>

#include "kernels/scheduling/product_match.h"

namespace mmtune {

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
