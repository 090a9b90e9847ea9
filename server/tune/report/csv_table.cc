// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/csv_table.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

/// Nullopt when a quote is not closed.
std::optional<std::vector<std::string>> CellsOf(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line.substr(i, 2) == "\"\"") {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  if (quoted) return std::nullopt;
  for (std::string& cell : cells) absl::StripAsciiWhitespace(&cell);
  return cells;
}

absl::Status CheckColumns(const std::vector<std::string>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty()) return InvalidArgument(absl::StrCat("line 1: column ", i + 1, " has no name"));
    if (std::find(columns.begin(), columns.begin() + static_cast<ptrdiff_t>(i), columns[i]) !=
        columns.begin() + static_cast<ptrdiff_t>(i)) {
      return InvalidArgument(absl::StrCat("line 1: two columns are called '", PlainText(columns[i]), "'"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<size_t> CsvTable::Find(std::string_view column) const {
  const auto it = std::find(columns.begin(), columns.end(), column);
  if (it == columns.end()) return std::nullopt;
  return static_cast<size_t>(it - columns.begin());
}

absl::StatusOr<CsvTable> ParseCsv(std::string_view text) {
  CsvTable table;
  int number = 0;
  for (absl::string_view piece : absl::StrSplit(absl::string_view(text.data(), text.size()), '\n')) {
    ++number;
    piece = absl::StripAsciiWhitespace(piece);
    if (piece.empty()) continue;
    std::optional<std::vector<std::string>> cells = CellsOf({piece.data(), piece.size()});
    if (!cells) return InvalidArgument(absl::StrCat("line ", number, ": a quote is not closed"));
    if (table.columns.empty()) {
      table.columns = *std::move(cells);
      RETURN_IF_ERROR(CheckColumns(table.columns));
      continue;
    }
    if (cells->size() != table.columns.size()) {
      return InvalidArgument(
          absl::StrCat("line ", number, ": ", cells->size(), " cells, but ", table.columns.size(), " columns"));
    }
    for (size_t i = 0; i < cells->size(); ++i) {
      if ((*cells)[i].empty()) {
        return InvalidArgument(absl::StrCat("line ", number, ": nothing under '", PlainText(table.columns[i]), "'"));
      }
    }
    table.rows.push_back(*std::move(cells));
    table.lines.push_back(number);
  }
  if (table.columns.empty()) return InvalidArgument("the file is empty");
  return table;
}

}  // namespace mmtune
