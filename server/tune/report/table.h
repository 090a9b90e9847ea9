// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes tables, as aligned text for a terminal or as Markdown, and lines of CSV. All commands of `tune` print their
// tables with the class Table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/tune/report/text_layout.h"

namespace mmtune {

enum class Align { kLeft, kRight };

/// The condition on which a column is left out, even if there is room for it. "-" counts as an empty cell.
enum class LeaveOut { kNever, kIfEmpty, kIfEmptyOrAlike };

struct Column {
  std::string heading;  ///< With the unit: "time [ms]".
  Align align = Align::kRight;
  int spare = 0;  ///< The order in which columns are left out if a table is too wide: larger numbers first; 0: never.
  LeaveOut leave_out = LeaveOut::kNever;  ///< kIfEmptyOrAlike needs two rows or more.
};

/// The style in which tables are written.
struct TableStyle {
  size_t width = 0;       ///< The most characters of a line; 0: no limit.
  bool markdown = false;  ///< True for Markdown, in which no column is left out because of the width.
  bool color = false;     ///< True for terminal colours; ignored for Markdown.
};

/// A table of text cells. Not thread-safe.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// Adds a row. If there are fewer cells than columns, the others are empty; further cells are dropped. Cells are
  /// converted by PlainText(), so that they are safe to print.
  void AddRow(std::vector<std::string> cells, Paint paint = Paint::kNone);
  /// Paints one cell of the row added last.
  void PaintCell(size_t column, Paint paint) { rows_.back().paints[column] = paint; }
  bool empty() const { return rows_.empty(); }

  /// Returns the headings, a rule and the rows, in columns two spaces apart. If the lines are longer than the width of
  /// `style`, columns are left out (Column::spare). If that is not enough, left-aligned cells are wrapped. A last line
  /// names the columns that were left out, and the width at which all are shown.
  std::string Text(const TableStyle& style = {}) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<Paint> paints;
  };

  /// Returns the number of characters of the heading or the widest cell, whichever is wider.
  size_t WidthOf(size_t column) const;
  /// True if Column::leave_out applies to the column.
  bool LeavesOut(size_t column) const;
  std::string Markdown(const std::vector<size_t>& shown) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// Returns the text, which may have several lines, unchanged or, if the style is Markdown, as a block that keeps its
/// lines.
std::string AsLines(const std::string& text, const TableStyle& style);

/// Returns a line of CSV (RFC 4180) that ends with '\n'.
std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace mmtune
