// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of any tunable kernel: a row for each configuration, a column for each parameter, and one for the time. They
// are read from CSV or from cache files of Kernel Tuner.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "search/replay/landscape.h"

namespace mmtune {

/// A table as it was read: names of columns, and rows of texts.
struct CsvTable {
  std::vector<std::string> columns;            ///< Unique names, none empty.
  std::vector<std::vector<std::string>> rows;  ///< One cell for each column, none empty.
  std::vector<int> lines;                      ///< The number of each row in the file, from 1.
  const char* row_name = "line";               ///< The noun that `lines` counts.

  /// Returns the index of a column; nullopt if there is none of the name.
  std::optional<size_t> Find(std::string_view column) const;
};

/// Parses CSV by RFC 4180 without line ends in cells. Drops blanks around a cell. InvalidArgument names the line.
absl::StatusOr<CsvTable> ParseCsv(std::string_view text);

/// Returns a row for each configuration of the cache: its parameters, then the value of its key `time` (empty: "time"),
/// or the name of an outcome where the configuration failed. InvalidArgument unless `text` is a whole cache file.
absl::StatusOr<CsvTable> ParseKernelTunerCache(std::string_view text, const std::string& time);

/// Says which columns of a table are the time and the parameters.
struct LandscapeColumns {
  /// The column of the time, in any unit, or of a rate if its name contains "flop". Empty: the only one with either.
  std::string time;
  std::vector<std::string> parameters;  ///< Empty: the columns before the time, or if none, all others.
};

/// The family of the schedules of a table.
inline constexpr char kRecordedFamily[] = "recorded";

/// Returns one point for each row. Values that are not all integers are numbered in their order. A time may be the name
/// of an outcome, such as compile_failed. InvalidArgument names the line or the column.
absl::StatusOr<std::vector<LandscapePoint>> ReadLandscapeTable(const CsvTable& table, const LandscapeColumns& columns);

}  // namespace mmtune
