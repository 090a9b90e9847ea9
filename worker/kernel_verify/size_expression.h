// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer expressions in the sizes and arguments of a kernel's launch, such as the grid "cdiv(M,64),cdiv(N,64)":
//
//   list    = sum {"," sum}
//   sum     = term {("+" | "-") term}
//   term    = factor {("*" | "/" | "%") factor}
//   factor  = ["-"] (number | "M" | "N" | "K" | "(" sum ")" | ("cdiv" | "min" | "max") "(" sum "," sum ")")
//
// "/" rounds towards zero, cdiv(a,b) up.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The values of M, N and K.
struct ShapeSizes {
  int64_t m = 0, n = 0, k = 0;
};

/// True if the expressions in a text contain M, N or K.
bool NamesShape(std::string_view text);

/// Evaluates a list. Returns InvalidArgument if the text is not a list, if a value does not fit 64 bits, if it divides
/// by 0, or if it contains M, N or K and there is no shape.
absl::StatusOr<std::vector<int64_t>> EvaluateSizes(std::string_view text, const std::optional<ShapeSizes>& shape);

}  // namespace mmtune
