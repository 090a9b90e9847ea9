// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table read from CSV of unknown origin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

struct CsvTable {
  std::vector<std::string> columns;            ///< Names, all different, none empty.
  std::vector<std::vector<std::string>> rows;  ///< As many cells each as there are columns, none empty.
  std::vector<int> lines;                      ///< Of each row, in the file, from 1.
  const char* row_name = "line";               ///< What `lines` counts.

  std::optional<size_t> Find(std::string_view column) const;
};

/// RFC 4180, cells without line ends; blanks around a cell are dropped. InvalidArgument names the line and what is
/// wrong with it.
absl::StatusOr<CsvTable> ParseCsv(std::string_view text);

}  // namespace mmtune
