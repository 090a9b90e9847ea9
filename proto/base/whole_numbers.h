// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division and multiples of whole numbers that are not negative.
#pragma once

#include <type_traits>

namespace mmtune {

/// Returns the least whole number that is at least value / by.
template <typename T>
constexpr T CeilDiv(T value, std::type_identity_t<T> by) {
  return (value + by - 1) / by;
}

/// Returns the least multiple of `to` that is at least `value`.
template <typename T>
constexpr T RoundUp(T value, std::type_identity_t<T> to) {
  return CeilDiv(value, to) * to;
}

}  // namespace mmtune
