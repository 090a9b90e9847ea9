// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of f32 or i32 that were extended from a narrower type just before: kernels read the narrow ones.
#pragma once

#include <optional>

#include "kernels/compiler/scheduling/buffer_effects.h"
#include "kernels/compiler/scheduling/product_match.h"

namespace mmtune {

/// A linalg operation that writes the elements of `source` to `buffer`, a local one, extended to its type.
struct Extension {
  mlir::linalg::LinalgOp op;
  mlir::Value source, buffer;
};

/// The extension that made what `buffer` holds when `reader` runs, if `source` still holds the same by then.
std::optional<Extension> findExtension(mlir::Operation* reader, mlir::Value buffer, const BufferEffects& effects);

/// A product that may read other operands than its operation does.
struct ExtendedProduct {
  Product product;
  llvm::SmallVector<Extension, 2> extensions;  ///< What it does without; one may stand there twice.
};

/// `product` with both operands as they were before they were extended from one type, of which kernels sum products as
/// it does; nothing when they were not.
std::optional<ExtendedProduct> withoutExtensions(const Product& product, const BufferEffects& effects);

}  // namespace mmtune
