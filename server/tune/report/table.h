// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables: rows of text cells, written as aligned text for a terminal or as a table of Markdown. Every command of `tune`
// prints its tables with this class. Lines of CSV are here, too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/tune/report/text_layout.h"

namespace mmtune {

enum class Align { kLeft, kRight };

/// When a column is left out whatever the width. "-" counts as empty.
enum class LeaveOut { kNever, kIfEmpty, kIfEmptyOrAlike };

struct Column {
  std::string heading;  ///< With the unit: "time [ms]".
  Align align = Align::kRight;
  int spare = 0;  ///< Columns with larger numbers are left out first in narrow tables; 0: never.
  LeaveOut leave_out = LeaveOut::kNever;  ///< Alike are the cells of two rows or more.
};

/// Says how tables are written.
struct TableStyle {
  size_t width = 0;       ///< The most characters of a line; 0: no limit.
  bool markdown = false;  ///< Writes Markdown, which has every column whatever the width.
  bool color = false;     ///< Writes the colours of a terminal; Markdown has none.
};

/// Not thread-safe.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// Adds one cell for each column: missing ones are empty, further ones are dropped. Cells are made PlainText.
  void AddRow(std::vector<std::string> cells, Paint paint = Paint::kNone);
  /// Paints one cell of the row added last.
  void PaintCell(size_t column, Paint paint) { rows_.back().paints[column] = paint; }
  bool empty() const { return rows_.empty(); }

  /// Returns the headings, a rule and the rows, in columns two spaces apart. Where the lines would be longer than the
  /// width of `style`, columns are left out, and then left-aligned cells continue on further lines. A last line names
  /// the columns left out, and the width that shows them.
  std::string Text(const TableStyle& style = {}) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<Paint> paints;
  };

  /// Returns the number of characters of the widest cell or the heading.
  size_t WidthOf(size_t column) const;
  /// True if the column is to be left out as Column::leave_out says.
  bool LeavesOut(size_t column) const;
  std::string Markdown(const std::vector<size_t>& shown) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// Returns the text, which may have several lines, in the style: as a block of Markdown that keeps its lines, or as is.
std::string AsLines(const std::string& text, const TableStyle& style);

/// Returns a line of CSV (RFC 4180) that ends with '\n'.
std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace mmtune
