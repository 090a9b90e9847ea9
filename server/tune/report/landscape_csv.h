// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The landscape of any tunable kernel, from a table: a row for each configuration, a column for each parameter, and one
// for the time.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "search/replay/landscape.h"
#include "server/tune/report/csv_table.h"

namespace mmtune {

struct LandscapeColumns {
  /// Of the time, in any unit, or of a rate, whose name has "flop" in it. Empty: the only one with "time" or "flop".
  std::string time;
  std::vector<std::string> parameters;  ///< Empty: the columns before that of the time, or else all others.
};

/// The family of these schedules.
inline constexpr char kRecordedFamily[] = "recorded";

/// One point a row. Values that are not all whole numbers are numbered, in their order. A time may be the name of an
/// outcome instead, such as compile_failed. InvalidArgument names the line or the column.
absl::StatusOr<std::vector<LandscapePoint>> ReadLandscapeTable(const CsvTable& table, const LandscapeColumns& columns);

}  // namespace mmtune
