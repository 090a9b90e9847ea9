// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table as aligned text; lines of CSV.
#pragma once

#include <string>
#include <vector>

namespace mmtune {

enum class Align { kLeft, kRight };

struct Column {
  std::string heading;  ///< With the unit: "time [ms]".
  Align align = Align::kRight;
  int spare = 0;  ///< Where there is little room, columns with larger numbers are left out first; those with 0 stay.
};

/// Not thread-safe.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// As many cells as there are columns; missing ones are empty, further ones are dropped. Cells are made PlainText.
  void AddRow(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// Columns two spaces apart, as wide as their widest cell; a rule below the headings; no spaces at line ends. Lines
  /// of at most `width` characters where that can be had by leaving columns out and cutting left-aligned cells; 0: any.
  std::string Text(size_t width = 0) const;

 private:
  size_t WidthOf(size_t column) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A line of CSV (RFC 4180) with '\n' as its end.
std::string CsvLine(const std::vector<std::string>& cells);

/// Characters, not bytes, of valid UTF-8.
size_t DisplayWidth(const std::string& text);

}  // namespace mmtune
