// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a problem is computed: a kernel family and the values of its parameters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/json_tree.h"

namespace mmtune {

/// The family (kernels/families) defines the meaning of the names and values, and which are valid.
struct Schedule {
  std::string family;
  std::map<std::string, int64_t> params;

  /// Returns the value of a parameter, or `fallback` when the schedule does not name it.
  int64_t Get(std::string_view name, int64_t fallback = 0) const;

  /// Returns JSON with sorted keys and no spaces: {"family":"fma","params":{"bk":16,…}}. Digest() is its SHA-256.
  std::string CanonicalJson() const;
  std::string Digest() const;
  /// Returns what people read and type: "fma bk=16 bm=128 …".
  std::string Text() const;

  /// Returns InvalidArgument unless the schedule can be read back from its own text.
  absl::Status Validate() const;
  bool operator==(const Schedule&) const = default;
};

/// Parses CanonicalJson() or Text(). The error names the offending part.
absl::StatusOr<Schedule> ParseSchedule(std::string_view text);
/// Reads the JSON form that CanonicalJson() has, with its keys in any order.
absl::StatusOr<Schedule> ScheduleFromJson(JsonValue json);

/// True for the name of a family or parameter: 1 to 32 characters of [a-z0-9_].
bool IsScheduleName(std::string_view name);

/// Maps a count or parameter value to a scale on which distances mean something: the logarithm (base 2), with 0 for 0,
/// 1 for 1 and one more for each doubling. Odd: LogFeature(-x) is -LogFeature(x).
double LogFeature(double value);

/// Returns LogFeature of every parameter, in the order of their names.
std::vector<double> ParameterFeatures(const Schedule& schedule);

}  // namespace mmtune
