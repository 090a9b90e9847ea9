// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of an enum's values, each stated once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {

template <typename Enum>
struct Named {
  Enum value;
  std::string_view name;
};

/// The name of a value; `otherwise` for one that is not in the table, which is none of the enum's.
template <typename Enum, size_t kCount>
std::string_view NameIn(const Named<Enum> (&table)[kCount], Enum value, std::string_view otherwise = "unknown") {
  for (const Named<Enum>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return otherwise;
}

/// The value of a name. InvalidArgument: "unknown <what> '<name>'; known: …".
template <typename Enum, size_t kCount>
absl::StatusOr<Enum> ValueIn(const Named<Enum> (&table)[kCount], std::string_view name, std::string_view what) {
  std::string known;
  for (const Named<Enum>& entry : table) {
    if (entry.name == name) return entry.value;
    absl::StrAppend(&known, known.empty() ? "" : ", ", ToAbsl(entry.name));
  }
  return InvalidArgument(absl::StrCat("unknown ", ToAbsl(what), " '", ToAbsl(name), "'; known: ", known));
}

}  // namespace mmtune
