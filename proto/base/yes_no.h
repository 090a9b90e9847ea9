// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding as a word.
#pragma once

#include <optional>
#include <string>

namespace mmtune {

/// "yes", "no"; `absent` where nothing was established.
inline std::string YesNo(std::optional<bool> value, const char* absent = "unknown") {
  return !value ? absent : *value ? "yes" : "no";
}

}  // namespace mmtune
