// Elements of memrefs and scalars as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The elements of `data`, of type `element`, as numbers. InvalidArgument for types that are no numbers of 64 bits or
/// less.
absl::StatusOr<std::vector<double>> ElementsToNumbers(std::string_view element, const std::vector<char>& data);

/// The opposite; integers are rounded towards zero and kept in the type's range, i1 is 0 or 1.
absl::StatusOr<std::vector<char>> NumbersToElements(std::string_view element, const std::vector<double>& numbers);

bool IsFloatElement(std::string_view element);

}  // namespace mmtune
