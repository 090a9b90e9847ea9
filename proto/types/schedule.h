// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a problem is computed: a kernel family and the values of its parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// What the names and values mean, and which are valid, is the family's business (kernels/families).
struct Schedule {
  std::string family;
  std::map<std::string, int64_t> params;

  /// The value of a parameter, or `fallback` when the schedule does not name it.
  int64_t Get(std::string_view name, int64_t fallback = 0) const;

  /// Sorted, no spaces: {"family":"fma","params":{"bk":16,…}}. Digest() is its SHA-256.
  std::string CanonicalJson() const;
  std::string Digest() const;
  /// "fma bk=16 bm=128 …": what people read and type.
  std::string Text() const;

  /// InvalidArgument unless it survives its own text.
  absl::Status Validate() const;
  bool operator==(const Schedule&) const = default;
};

/// Accepts CanonicalJson() and Text(). The error names the offending part.
absl::StatusOr<Schedule> ParseSchedule(std::string_view text);

}  // namespace mmtune
