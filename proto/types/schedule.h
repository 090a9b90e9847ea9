// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A schedule says how a problem is computed: the name of a kernel family (proto/types/kernel_family.h) and integer
// parameters such as tile sizes. Example: "fma bk=16 bm=128 bn=128 stages=2". A search looks for the fastest schedule.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/json_tree.h"

namespace mmtune {

/// A kernel family and its parameters. Which names and values are valid is decided by the family, not here.
struct Schedule {
  std::string family;
  std::map<std::string, int64_t> params;

  /// Returns the value of a parameter, or `fallback` if the schedule does not name it.
  int64_t Get(std::string_view name, int64_t fallback = 0) const;

  /// Returns JSON with sorted keys and no spaces: {"family":"fma","params":{"bk":16,…}}. Digest() is its SHA-256.
  std::string CanonicalJson() const;
  std::string Digest() const;
  /// Returns the form that people read and type: "fma bk=16 bm=128 …".
  std::string Text() const;

  /// Returns InvalidArgument unless the schedule can be read back from its own Text().
  absl::Status Validate() const;
  bool operator==(const Schedule&) const = default;
};

/// Parses CanonicalJson() or Text(). Returns InvalidArgument naming the wrong part.
absl::StatusOr<Schedule> ParseSchedule(std::string_view text);
/// Converts the JSON form of CanonicalJson(), with its keys in any order. Returns InvalidArgument for anything else.
absl::StatusOr<Schedule> ScheduleFromJson(JsonValue json);

/// True for the name of a family or parameter: 1 to 32 characters of [a-z0-9_].
bool IsScheduleName(std::string_view name);

/// Maps a parameter value to a logarithmic scale, on which a doubling is one unit: 0 for 0, 1 for 1, 2 for 2, 3 for 4.
/// Negative values mirror positive ones. Cost models measure distances between schedules on this scale.
double LogFeature(double value);

/// Returns LogFeature() of every parameter, sorted by parameter name.
std::vector<double> ParameterFeatures(const Schedule& schedule);

}  // namespace mmtune
