// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of memrefs and scalars as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace mmtune {

/// The elements of `data`, of type `element`, as numbers. InvalidArgument for types that are no numbers of 64 bits or
/// less.
absl::StatusOr<std::vector<double>> ElementsToNumbers(std::string_view element, const std::vector<char>& data);

/// `count` elements, each made from the number that `number_of` gives for its index: integers are
/// rounded towards zero and kept in the type's range, i1 is 0 or 1.
absl::StatusOr<std::vector<char>> MakeElements(std::string_view element, int64_t count,
                                               absl::FunctionRef<double(int64_t)> number_of);

/// One element as text: integers exactly, others with 9 digits. `at` points at its bytes.
absl::StatusOr<std::string> ElementText(std::string_view element, const char* at);

bool IsFloatElement(std::string_view element);

}  // namespace mmtune
