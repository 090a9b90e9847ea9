// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reductions that search for a maximum or minimum and its index, in the forms that exporters write.
#pragma once

#include <cstdint>
#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mmtune {

/// Says how a search for a maximum or minimum treats a NaN.
enum class NaNs : std::uint8_t {
  kStop,    ///< No element behind it counts; it is the value.
  kIgnore,  ///< It does not count.
  kWin,     ///< The first one is what is searched for.
};

/// A maximum or minimum with the index of the first or last element that has it. For the elements in order:
///
///     value' = max(element, value);  index' = element > value ? index of the element : index
///
/// With `>=` it is the last one. Other forms choose the value like the index, or order pairs of value and index.
struct ArgReduction {
  mlir::Value element;  ///< In the body of the reduction.
  unsigned value = 0;   ///< The number of its result; the other one is the index.
  unsigned loop = 0;
  bool isFloat = false, isMaximum = false, isUnsigned = false, isLast = false;
  NaNs nans = NaNs::kStop;
};

/// Matches a reduction on tensors with two results, over one loop, whose element depends on no output and whose indices
/// fit their type.
std::optional<ArgReduction> matchArgReduction(mlir::linalg::GenericOp op);

}  // namespace mmtune
