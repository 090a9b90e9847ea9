// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds quotients up, and integers up to multiples, for integers that are not negative: CeilDiv(7, 4) is 2, and
// RoundUp(7, 4) is 8.
#pragma once

#include <type_traits>

namespace mmtune {

/// Returns `value` / `by`, rounded up.
template <typename T>
constexpr T CeilDiv(T value, std::type_identity_t<T> by) {
  return (value + by - 1) / by;
}

/// Returns the smallest multiple of `to` that is at least `value`.
template <typename T>
constexpr T RoundUp(T value, std::type_identity_t<T> to) {
  return CeilDiv(value, to) * to;
}

}  // namespace mmtune
