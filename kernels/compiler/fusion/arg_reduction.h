// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises reductions that compute a maximum or minimum and its index (argmax, argmin), in the forms that model
// exporters write.
#pragma once

#include <cstdint>
#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// Says how a reduction to a maximum or minimum treats NaNs.
enum class NaNs : std::uint8_t {
  /// The value becomes NaN. The index is that of the maximum or minimum before the first NaN, and the initial index if
  /// the first element is a NaN.
  kStop,
  kIgnore,  ///< NaNs are skipped.
  kWin,     ///< The first NaN is the result: the value becomes NaN, and the index is that of the NaN.
};

/// A reduction to a maximum or minimum and the index of the first or last element that has this value. For a maximum,
/// an iteration computes
///
///     value' = max(element, value);  index' = element > value ? index of the element : index
///
/// This finds the first such element; with `>=` in place of `>` it is the last one (isLast). Two other forms are
/// recognised, too: the value is selected by the same comparison as the index, or pairs of a value and an index are
/// compared.
struct ArgReduction {
  mlir::Value element;  ///< The element, as a value in the body of the reduction.
  unsigned value = 0;   ///< The number of the result that is the maximum or minimum; the other result is the index.
  unsigned loop = 0;    ///< The index of the reduction loop among the loops of the operation.
  bool isFloat = false, isMaximum = false, isUnsigned = false, isLast = false;
  NaNs nans = NaNs::kStop;
};

/// Matches a reduction on tensors with two results and one reduction loop. The element must not depend on the outputs,
/// and all indices must be representable in the type of the index.
std::optional<ArgReduction> matchArgReduction(mlir::linalg::GenericOp op);

}  // namespace mmtune
