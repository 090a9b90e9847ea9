// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that only move elements.
#pragma once

#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// The tensor whose elements another one repeats.
struct MovedTensor {
  mlir::Value source;
  mlir::AffineMap map;  ///< From an element's place to that of the source's element: each result is a dimension.
};

/// What a tensor is made of by an operation that gives its elements in another order, or repeats them along dimensions:
/// linalg.transpose, linalg.broadcast, or a linalg.generic that yields its input; nothing of others.
std::optional<MovedTensor> sourceOfMoved(mlir::Value tensor);

}  // namespace mmtune
