// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every text in a value: for cleaning what comes from outside.
#pragma once

#include <string>

#include "proto/types/fields.h"

namespace mmtune {

/// Calls `change(std::string&)` for every text field of `value` and of the values in it. Schedules are left alone:
/// their names have a grammar of their own.
template <typename T, typename Change>
void ForEachText(T& value, const Change& change) {
  if constexpr (std::is_same_v<T, std::string>) {
    change(value);
  } else if constexpr (HasTextForm<T>) {
    return;
  } else if constexpr (kIsVector<T>) {
    for (auto& element : value) {
      if constexpr (!std::is_arithmetic_v<std::decay_t<decltype(element)>>) ForEachText(element, change);
    }
  } else if constexpr (kIsOptional<T>) {
    if (value) ForEachText(*value, change);
  } else if constexpr (HasFields<T>) {
    T::Fields(value, [&change](const char*, auto&& field, auto&&...) { ForEachText(field, change); });
  }
}

}  // namespace mmtune
