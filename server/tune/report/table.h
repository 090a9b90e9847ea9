// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables as aligned text, and lines of CSV.
#pragma once

#include <string>
#include <vector>

namespace mmtune {

enum class Align { kLeft, kRight };

struct Column {
  std::string heading;  ///< With the unit: "time [ms]".
  Align align = Align::kRight;
  int spare = 0;  ///< Columns with larger numbers are left out first in narrow tables; 0: never.
};

/// Not thread-safe.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// Adds one cell for each column: missing ones are empty, further ones are dropped. Cells are made PlainText.
  void AddRow(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// Returns the headings, a rule and the rows, in columns two spaces apart. Lines have at most `width` characters
  /// where that is possible by leaving out columns and cutting left-aligned cells; 0: any.
  std::string Text(size_t width = 0) const;

 private:
  size_t WidthOf(size_t column) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns a line of CSV (RFC 4180) that ends with '\n'.
std::string CsvLine(const std::vector<std::string>& cells);

/// Returns the number of characters of valid UTF-8.
size_t DisplayWidth(const std::string& text);

}  // namespace mmtune
