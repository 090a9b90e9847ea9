// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tables of measured times of any tunable kernel, from CSV or from cache files of Kernel Tuner. A table has a row
// for each configuration, a column for each parameter, and a column for the time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "search/replay/landscape.h"

namespace mmtune {

/// A table of texts, as it was read.
struct CsvTable {
  std::vector<std::string> columns;            ///< Unique names, none empty.
  std::vector<std::vector<std::string>> rows;  ///< One cell for each column, none empty.
  std::vector<int> lines;                      ///< The number of the line (or configuration) of each row, from 1.
  const char* row_name = "line";               ///< The word for a row in errors: "line 3" or "configuration 3".

  /// Returns the index of the column with this name; nullopt if there is none.
  std::optional<size_t> Find(std::string_view column) const;
};

/// Parses CSV (RFC 4180). Cells must not contain line ends, and blanks around a cell are dropped. Returns
/// InvalidArgument with the wrong line.
absl::StatusOr<CsvTable> ParseCsv(std::string_view text);

/// Parses a cache file of Kernel Tuner. The table has a row for each configuration: its parameters, then its time, or
/// the name of an outcome if it failed. The time is the value of the key `time`, or of "time" if that is empty. Returns
/// InvalidArgument if `text` is not a complete cache file.
absl::StatusOr<CsvTable> ParseKernelTunerCache(std::string_view text, const std::string& time);

/// Says which columns of a table are the time and the parameters.
struct LandscapeColumns {
  /// The name of the column with the time, in any unit. If the name contains "flop", the column is a rate, which is
  /// greater for faster schedules. If empty, the column is the only one whose name contains "time" or "flop".
  std::string time;
  /// If empty, all columns before the time or, if the time is the first column, all others.
  std::vector<std::string> parameters;
};

/// The name of the kernel family of all schedules of a table.
inline constexpr char kRecordedFamily[] = "recorded";

/// Returns one point for each row. If a column of a parameter has a value that is not an integer, its distinct values
/// are sorted and replaced by their numbers, from 0. A time may be the name of an outcome, such as compile_failed.
/// Returns InvalidArgument with the wrong line or column.
absl::StatusOr<std::vector<LandscapePoint>> ReadLandscapeTable(const CsvTable& table, const LandscapeColumns& columns);

}  // namespace mmtune
